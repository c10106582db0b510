import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedActuator } from './exposed-actuator';

const at = (path: string, body: unknown): Site => ({
  pages: { [path]: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } },
});
const ENV = { activeProfiles: ['prod'], propertySources: [{ name: 'systemEnvironment', properties: {} }] };
const links = (...names: string[]): object => ({
  _links: Object.fromEntries(['self', ...names].map((name) => [name, { href: `/actuator/${name}`, templated: false }])),
});

truthTable(exposedActuator, {
  scheme: 'http',
  vulnerable: at('/actuator/env', ENV),
  fixed: at('/actuator', links('health', 'info')),
  alsoVulnerable: {
    'it offers the heap': at('/actuator', links('health', 'heapdump')),
    'it is an old one': at('/env', { profiles: [], 'server.ports': {}, systemProperties: { 'user.name': 'app' } }),
  },
  softErrors: lookalikeSites(JSON.stringify(ENV)),
  alsoFixed: {
    'the application has links of its own': at('/actuator', { _links: { env: { href: '/env' } } }),
    'the application has an environment of its own': at('/env', { env: 'production', profiles: ['a'] }),
  },
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/actuator/env': { status: 403, body: 'Forbidden' } } },
  },
});
