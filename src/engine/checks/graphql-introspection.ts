import { notVulnerable, vulnerable, type WebCheck } from '../check';
import type { Page } from '../page';
import type { ProbeRequest } from '../probe';
import { GRAPHQL_PATHS } from '../protocols/http/api-paths';
import { isRecord } from '../../kernel/is-record';
import { recordIn } from '../protocols/http/json-record';

const QUERY = '{__schema{queryType{name}}}';
/** Some servers answer a query in a URL only if it cannot come from a form of another site. */
const HEADERS = [
  ['Accept', 'application/json'],
  ['Apollo-Require-Preflight', 'true'],
] as const;

/** The same query in a URL and in a body. Many servers answer only one of them, and neither changes anything. */
const requestsFor = (path: string): readonly ProbeRequest[] => [
  { path: `${path}?query=${encodeURIComponent(QUERY)}`, headers: HEADERS },
  {
    path,
    method: 'POST',
    headers: [...HEADERS, ['Content-Type', 'application/json']],
    body: JSON.stringify({ query: QUERY }),
  },
];

/** The name of the type of all queries, from the schema that the server returns. */
function queryTypeIn({ status, text }: Page): string | null {
  const { data } = (status === 200 ? recordIn(text) : null) ?? {};
  const schema = isRecord(data) ? data['__schema'] : null;
  const type = isRecord(schema) ? schema['queryType'] : null;
  const name = isRecord(type) ? type['name'] : null;
  return typeof name === 'string' ? name.slice(0, 100) : null;
}

/** A GraphQL server that refuses the query. */
const isRefusal = ({ text }: Page): boolean => {
  const errors = recordIn(text)?.['errors'];
  return Array.isArray(errors) && errors.some((error) => isRecord(error) && typeof error['message'] === 'string');
};

export const graphqlIntrospection: WebCheck = {
  id: 'graphql-introspection',
  title: 'GraphQL reveals its whole schema',
  severity: 'medium',
  cwe: [200],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CONF-05'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: [
    'https://graphql.org/learn/introspection/',
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
  ],
  decides:
    'Sends the introspection query `{__schema{queryType{name}}}` to `/graphql` and `/api/graphql`, in the URL and in a body. It is vulnerable if a response contains the query type of a schema. It is fixed when no response contains it.',
  text: `The GraphQL server answers introspection queries of anonymous clients. The answer contains the whole schema: all types,
fields, queries and mutations, including those that no page uses.

**How to fix it.** Turn introspection off in production, in Apollo Server with \`introspection: false\`. This hides the
schema and fixes nothing else: every field needs its own authorization. If the API is meant for the public, accept this
finding.`,
  on: 'origin',
  selfEvident: true,
  async observe({ probe }) {
    for (const request of GRAPHQL_PATHS.flatMap(requestsFor)) {
      const answer = await probe.http(request);
      const name = queryTypeIn(answer);
      if (name !== null) return vulnerable(`${request.path} returns the schema, whose query type is ${name}.`);
      if (isRefusal(answer)) probe.markAsGenuine(answer);
    }
    return notVulnerable(`no schema at ${GRAPHQL_PATHS.join(', ')}`);
  },
};
