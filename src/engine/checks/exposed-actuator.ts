import { exposedFile } from '../protocols/http/exposed-file';
import { isRecord } from '../../kernel/is-record';
import { recordIn } from '../json-record';

/** Endpoints with secrets or actions. Links to them are sufficient proof: requesting a heap dump would stop the application. */
const DANGEROUS = [
  'heapdump',
  'env',
  'threaddump',
  'configprops',
  'logfile',
  'httptrace',
  'httpexchanges',
  'jolokia',
  'gateway',
  'shutdown',
];

function environment(text: string): string | null {
  const isNew =
    /^\s{0,10}\{/.test(text) &&
    /"activeProfiles"\s{0,5}:\s{0,5}\[/.test(text) &&
    /"propertySources"\s{0,5}:\s{0,5}\[/.test(text);
  const isOld =
    /^\s{0,10}\{\s{0,10}"profiles"\s{0,5}:\s{0,5}\[/.test(text) && /"systemProperties"\s{0,5}:\s{0,5}\{/.test(text);
  return isNew || isOld ? 'it holds the configuration and the environment of the application' : null;
}

function index(text: string): string | null {
  const links = recordIn(text)?.['_links'];
  if (!isRecord(links) || !isRecord(links['self'])) return null;
  const offered = DANGEROUS.filter((name) => isRecord(links[name]));
  return offered.length === 0 ? null : `it offers ${offered.join(', ')}`;
}

export const exposedActuator = exposedFile(
  {
    id: 'exposed-actuator',
    title: 'Spring Boot Actuator is public',
    severity: 'high',
    cwe: [306, 497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: ['https://docs.spring.io/spring-boot/reference/actuator/endpoints.html'],
    decides:
      'Requests `/actuator/env`, `/actuator` and `/env`, but never the dump itself. It is vulnerable if a response is the environment of a Spring application, or links to endpoints with secrets or actions, such as `heapdump`. It is fixed when none of the paths returns them.',
    text: `Anonymous clients can access endpoints for operators: the configuration and the environment, memory dumps with
passwords and sessions, traces of requests, and sometimes changes and a shutdown.

**How to fix it.** Expose only the endpoints that you need (\`management.endpoints.web.exposure.include=health\`), let
the Actuator listen on a port of its own (\`management.server.port\`), and demand a role for \`/actuator/**\`. Change
the secrets of the application: assume that attackers have read them.`,
  },
  [
    { path: '/actuator/env', identify: environment },
    { path: '/actuator', identify: index, whole: true },
    { path: '/env', identify: environment },
  ],
);
