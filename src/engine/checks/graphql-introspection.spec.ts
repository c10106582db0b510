import type { IncomingMessage } from 'node:http';
import type { Reply, Site } from '../testing/target-server';
import { probeSite } from '../testing/probe-site';
import { lookalikeSites } from '../testing/lookalike-sites';
import { truthTable } from '../testing/truth-table';
import { graphqlIntrospection } from './graphql-introspection';

const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const SCHEMA = { data: { __schema: { queryType: { name: 'Query' } } } };
const TYPE = { data: { __type: { name: 'Query' } } };
const REFUSED = { errors: [{ message: 'GraphQL introspection is not allowed, but the query contained __schema' }] };

const at = (path: string, reply: (request: IncomingMessage) => Reply): Site => ({
  answer: (request) => (request.url?.split('?', 1)[0] === path ? reply(request) : null),
});
const isQuery = ({ method, url = '' }: IncomingMessage): boolean => method === 'GET' && url.includes('?query=');
/** Whether the request is `{__typename}`, in a URL, in JSON or in a form. */
const isControl = ({ url = '', headers }: IncomingMessage): boolean =>
  url.includes('__typename') || /^2[24]$/.test(headers['content-length'] ?? '');
/** Answers other queries, unless another control response is given. */
const refusing = (refusal: Reply, control = json({ data: { __typename: 'Query' } })): Site =>
  at('/graphql', (request) => (isControl(request) ? control : refusal));
const failing = (message: string, code?: string): Reply => json({ errors: [{ message, extensions: { code } }] });

/** Refuses what its filter matches in URLs or in JSON, and answers everything else. */
const filtering = (filter: RegExp): Site =>
  at('/graphql', (request) => {
    if (isControl(request)) return json({ data: { __typename: 'Query' } });
    const { method, url = '', headers } = request;
    const query = new URL(url, 'http://target.test').searchParams.get('query');
    if (method === 'GET')
      return filter.test(query ?? '') ? json(REFUSED, 400) : json(query?.includes('__type(') ? TYPE : SCHEMA);
    return headers['content-type'] === 'application/json' || filter.test('a form') ? json(REFUSED, 400) : json(SCHEMA);
  });

truthTable(graphqlIntrospection, {
  scheme: 'http',
  vulnerable: at('/graphql', (request) => (isQuery(request) ? json(SCHEMA) : json({}, 405))),
  fixed: {},
  alsoVulnerable: {
    'it answers queries in a body only': at('/graphql', ({ method }) =>
      method === 'POST' ? json(SCHEMA) : { status: 404, body: 'Cannot GET /graphql' },
    ),
    'a filter looks for one spelling': filtering(/__schema\{|__schema,|__type\(|a form/),
    'a filter forgets commas': filtering(/__schema\s*\{|__type\(|a form/),
    'a filter forgets __type': filtering(/__schema|a form/),
    'a filter reads no forms': filtering(/__schema|__type\(/),
    'it is below /api': at('/api/graphql', () => json(SCHEMA)),
  },
  softErrors: lookalikeSites(JSON.stringify(SCHEMA)),
  alsoFixed: {
    'it refuses introspection': refusing(json(REFUSED, 400)),
    'it refuses introspection with 200': refusing(json(REFUSED)),
    'it does not know the field': refusing(failing(`Cannot query field "__schema" on type "Query".`)),
    'it forbids introspection by a code': refusing(failing('This is not allowed.', 'INTROSPECTION_DISABLED')),
  },
  alsoBlocked: {
    'it refuses introspection, and allows GET only': at('/graphql', (request) =>
      isControl(request)
        ? json({ data: { __typename: 'Query' } })
        : isQuery(request)
          ? json(REFUSED, 400)
          : json({}, 405),
    ),
  },
  lookalikes: {
    'it repeats the query': at('/graphql', () => ({ body: '{__schema{queryType{name}}}' })),
    'it fails': refusing(failing('Internal server error')),
    'its limit is reached': refusing(failing('Rate limit exceeded: try again in 60 seconds')),
    'it is unavailable': refusing(failing('Service temporarily unavailable')),
    'its database is down': refusing(failing('connect ECONNREFUSED 10.0.0.7:5432')),
    'its upstream does not answer': refusing(failing('upstream request timeout')),
    'it takes no query of this kind': refusing(failing('PersistedQueryNotSupported')),
    'it fails about the field': refusing(failing(`Cannot read properties of undefined (reading '__schema')`)),
    'it refuses introspection, and every other query': refusing(json(REFUSED), json(REFUSED)),
    'the schema is empty': at('/graphql', () => json({ data: { __schema: null } })),
  },
});

describe('graphql-introspection without a finding', () => {
  it.each([
    ['inconclusive', 'Internal server error'],
    ['inconclusive', 'Rate limit exceeded'],
    ['not_vulnerable', 'You must be signed in'],
  ])('is %s when each query fails: %s', async (state, message) => {
    const answer = json({ errors: [{ message }] });
    expect(await probeSite(graphqlIntrospection, refusing(answer, answer))).toBe(state);
  });
});
