import { exposedFile } from '../protocols/http/exposed-file';
import { isRecord, type JsonRecord, recordIn } from '../protocols/http/json-record';

/** They were called details before they were components. */
function componentsOf(health: JsonRecord): JsonRecord {
  const parts = health['components'] ?? health['details'];
  return isRecord(parts) ? parts : {};
}

const hasDetails = (component: unknown): boolean =>
  isRecord(component) &&
  (isRecord(component['details']) || Object.values(componentsOf(component)).some((part) => hasDetails(part)));

/** The words that Spring has for it; an application of one's own may add others, which then prove nothing. */
const STATES = new Set(['UP', 'DOWN', 'OUT_OF_SERVICE', 'UNKNOWN']);

const isHealth = (text: string): boolean => STATES.has(String(recordIn(text)?.['status']));

function identify(text: string): string | null {
  const health = recordIn(text);
  if (health === null || typeof health['status'] !== 'string') return null;
  const told = Object.entries(componentsOf(health)).filter(([, component]) => hasDetails(component));
  return told.length === 0
    ? null
    : `it tells the details of ${told
        .map(([name]) => name)
        .slice(0, 10)
        .join(', ')
        .slice(0, 300)}`;
}

export const actuatorHealthDetails = exposedFile(
  {
    id: 'actuator-health-details',
    title: 'The health of a Spring application is told in detail',
    severity: 'low',
    cwe: 497,
    text: `The health endpoint tells strangers what the application consists of: which database it uses, its disks and
paths, hosts of its services and what is wrong with them.

**How to fix it.** Set \`management.endpoint.health.show-details=when-authorized\`, and the same for
\`show-components\`. The state alone (\`{"status":"UP"}\`) is enough for load balancers.`,
  },
  [{ path: '/actuator/health', identify, isHarmless: isHealth, whole: true }],
);
