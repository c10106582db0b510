import type { IncomingMessage } from 'node:http';
import type { Reply, Site } from '../testing/target-server';
import { lookalikeSites } from '../testing/lookalike-sites';
import { truthTable } from '../testing/truth-table';
import { graphqlIntrospection } from './graphql-introspection';

const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const SCHEMA = { data: { __schema: { queryType: { name: 'Query' } } } };
const REFUSED = { errors: [{ message: 'GraphQL introspection is not allowed, but the query contained __schema' }] };

const at = (path: string, reply: (request: IncomingMessage) => Reply): Site => ({
  answer: (request) => (request.url?.split('?', 1)[0] === path ? reply(request) : null),
});
const isQuery = ({ method, url = '' }: IncomingMessage): boolean => method === 'GET' && url.includes('?query=');

truthTable(graphqlIntrospection, {
  scheme: 'http',
  vulnerable: at('/graphql', (request) => (isQuery(request) ? json(SCHEMA) : json({}, 405))),
  fixed: {},
  alsoVulnerable: {
    'it answers queries in a body only': at('/graphql', ({ method }) =>
      method === 'POST' ? json(SCHEMA) : { status: 404, body: 'Cannot GET /graphql' },
    ),
    'it is below /api': at('/api/graphql', () => json(SCHEMA)),
  },
  softErrors: lookalikeSites(JSON.stringify(SCHEMA)),
  alsoFixed: {
    'it refuses introspection': at('/graphql', () => json(REFUSED, 400)),
    'it refuses introspection with 200': at('/graphql', () => json(REFUSED)),
  },
  alsoBlocked: {
    'it refuses introspection, and allows GET only': at('/graphql', (request) =>
      isQuery(request) ? json(REFUSED, 400) : json({}, 405),
    ),
  },
  lookalikes: {
    'it repeats the query': at('/graphql', () => ({ body: '{__schema{queryType{name}}}' })),
    'the schema is empty': at('/graphql', () => json({ data: { __schema: null } })),
  },
});
