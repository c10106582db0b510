import { exposedFile } from '../protocols/http/exposed-file';
import { isRecord, type JsonRecord } from '../../kernel/is-record';
import { recordIn } from '../json-record';

/** Older versions use the name `details`. */
function componentsOf(health: JsonRecord): JsonRecord {
  const parts = health['components'] ?? health['details'];
  return isRecord(parts) ? parts : {};
}

const hasDetails = (component: unknown): boolean =>
  isRecord(component) &&
  (isRecord(component['details']) || Object.values(componentsOf(component)).some((part) => hasDetails(part)));

/** The states that Spring defines. An application may define others, which prove nothing. */
const STATES = new Set(['UP', 'DOWN', 'OUT_OF_SERVICE', 'UNKNOWN']);

const isHealth = (text: string): boolean => STATES.has(String(recordIn(text)?.['status']));

function identify(text: string): string | null {
  const health = recordIn(text);
  if (health === null || typeof health['status'] !== 'string') return null;
  const detailed = Object.entries(componentsOf(health)).filter(([, component]) => hasDetails(component));
  return detailed.length === 0
    ? null
    : `it shows the details of ${detailed
        .map(([name]) => name)
        .slice(0, 10)
        .join(', ')
        .slice(0, 300)}`;
}

export const actuatorHealthDetails = exposedFile(
  {
    id: 'actuator-health-details',
    title: 'Spring Boot Actuator: the health endpoint shows details',
    severity: 'low',
    cwe: [497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: ['https://docs.spring.io/spring-boot/reference/actuator/endpoints.html'],
    decides:
      'Requests `/actuator/health`. It is vulnerable if the JSON response contains details of components. It is fixed when the endpoint shows the state alone, or is not public.',
    text: `The health endpoint shows anonymous clients the components of the application: its database, disks and paths,
the hosts of its services and their failures.

**How to fix it.** Set \`management.endpoint.health.show-details=when-authorized\`, and the same for
\`show-components\`. The state alone (\`{"status":"UP"}\`) is enough for load balancers.`,
  },
  [{ path: '/actuator/health', identify, isHarmless: isHealth, whole: true }],
);
