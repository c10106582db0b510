import { inconclusive, notVulnerable, type Observation, vulnerable, type WebCheck } from '../check';
import type { Page } from '../page';
import type { Probe, ProbeRequest } from '../probe';
import { GRAPHQL_PATHS } from '../protocols/http/api-paths';
import { isRecord, type JsonRecord } from '../../kernel/is-record';
import { recordIn } from '../json-record';

const QUERY = '{__schema{queryType{name}}}';
/** Every server that answers queries answers this one. */
const CONTROL = '{__typename}';
/** The same query in other spellings, and another field with the same information: filters often look for one spelling. */
const FURTHER_QUERIES = [
  '{__schema\n{queryType{name}}}',
  '{__schema,{queryType{name}}}',
  '{__type(name:"Query"){name}}',
];
/** Some servers only answer a query in a URL if a form on another site could not have sent it. */
const HEADERS = [
  ['Accept', 'application/json'],
  ['Apollo-Require-Preflight', 'true'],
] as const;

/** The same query in a URL and in a body. Many servers answer only one of them, and neither changes anything. */
const requestsFor = (path: string, query = QUERY): readonly ProbeRequest[] => [
  { path: `${path}?query=${encodeURIComponent(query)}`, headers: HEADERS },
  {
    path,
    method: 'POST',
    headers: [...HEADERS, ['Content-Type', 'application/json']],
    body: JSON.stringify({ query }),
  },
];

/** Sent as a form, which filters for JSON do not read. */
const formFor = (path: string, query: string): ProbeRequest => ({
  path,
  method: 'POST',
  headers: [...HEADERS, ['Content-Type', 'application/x-www-form-urlencoded']],
  body: new URLSearchParams({ query }).toString(),
});

/** All ways to send the query. */
const waysFor = (path: string, query: string): readonly ProbeRequest[] => [
  ...requestsFor(path, query),
  formFor(path, query),
];

const dataIn = ({ status, text }: Page): JsonRecord | null => {
  const { data } = (status === 200 ? recordIn(text) : null) ?? {};
  return isRecord(data) ? data : null;
};

/** The name of the query type in the schema that the server returns. */
function queryTypeIn(answer: Page): string | null {
  const { __schema: schema, __type: byName } = dataIn(answer) ?? {};
  const type = isRecord(schema) ? schema['queryType'] : byName;
  const name = isRecord(type) ? type['name'] : null;
  return typeof name === 'string' ? name.slice(0, 100) : null;
}

/** The messages and codes of GraphQL errors, each error as one text. */
function errorsIn({ text }: Page): string[] {
  const errors = recordIn(text)?.['errors'];
  return (Array.isArray(errors) ? errors : []).filter(isRecord).flatMap(({ message, extensions }) => {
    const code = isRecord(extensions) ? extensions['code'] : null;
    return typeof message === 'string' ? [typeof code === 'string' ? `${message} (${code})` : message] : [];
  });
}

const OFF =
  '(?:disabled|forbidden|denied|prohibited|restricted|blocked|turned off|switched off|(?:not|n.t)[ _](?:be )?(?:allowed|permitted|enabled|supported|available|accessible|authorized))';
/** Errors of servers that refuse only this query: introspection is off, or the field does not exist. */
const REFUSED = new RegExp(
  [
    `introspection.{0,80}${OFF}`,
    `${OFF}.{0,40}introspection`,
    `__(?:schema|type)\\b.{0,80}(?:${OFF}|not (?:found|defined)|is undefined|(?:does not|doesn.t) exist)`,
    `(?:cannot|can not|can.t) query (?:field )?.{0,5}__(?:schema|type)\\b`,
    `(?:unknown|undefined) field .{0,5}__(?:schema|type)\\b`,
    `fieldundefined.{0,20}__(?:schema|type)\\b`,
  ].join('|'),
  'is',
);

/** Errors that do not concern the query: the server could not answer at the moment. */
const OUTAGE =
  /\binternal[ _](?:server[ _])?error|\bunexpected error|\bsomething went wrong|\bE(?:CONN[A-Z]+|TIMEDOUT|PIPE|AI_AGAIN)\b|\btime(?:d[ -]?|[ -]?)out|\bunavailable\b|\brate.?limit|\btoo many\b|\blimit (?:is |was )?(?:exceeded|reached)|\bthrottl/i;

/** Whether the server answers another query that is sent in the same way. */
async function answersQueries(probe: Probe, path: string, at: number): Promise<boolean> {
  const [control] = waysFor(path, CONTROL).slice(at);
  return control !== undefined && typeof dataIn(await probe.requestPage(control))?.['__typename'] === 'string';
}

/**
 * Sends the variants that an incomplete fix may let through, in each way in which the server answers other queries. Null if none
 * shows the schema.
 */
async function observeFurther(probe: Probe, path: string): Promise<Observation | null> {
  let doubt: Observation | null = null;
  for (const at of waysFor(path, QUERY).keys()) {
    if (!(await answersQueries(probe, path, at))) continue;
    for (const query of [QUERY, ...FURTHER_QUERIES]) {
      const [request] = waysFor(path, query).slice(at);
      if (request === undefined || (query === QUERY && at < requestsFor(path).length)) continue;
      const answer = await probe.http(request);
      const name = queryTypeIn(answer);
      if (name !== null) return vulnerable(`${request.path} answers ${query.trim()} with the type ${name}.`);
      if (errorsIn(answer).some((error) => REFUSED.test(error))) probe.markAsGenuine(answer);
      else if (answer.status < 300) doubt ??= inconclusive(`${path} does not refuse ${JSON.stringify(query)}`);
    }
  }
  return doubt;
}

export const graphqlIntrospection: WebCheck = {
  id: 'graphql-introspection',
  title: 'GraphQL introspection: the whole schema is public',
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
    'Sends the introspection query `{__schema{queryType{name}}}` to `/graphql` and `/api/graphql`, in the URL and in a body. It is vulnerable if a response contains the query type of a schema. It is fixed when no response does, in any spelling, and each error refuses introspection itself, while `{__typename}` is answered.',
  text: `The GraphQL server answers introspection queries of anonymous clients. The answer contains the whole schema: all types,
fields, queries and mutations, including those that no page uses.

**How to fix it.** Turn introspection off in production, in Apollo Server with \`introspection: false\`. This hides the
schema and fixes nothing else: every field needs its own authorization. If the API is meant for the public, accept this
finding.`,
  on: 'origin',
  selfEvident: true,
  async observe({ probe, isRepeat, seen }) {
    let doubt: string | null = null;
    for (const path of GRAPHQL_PATHS)
      for (const [at, request] of requestsFor(path).entries()) {
        const answer = await probe.http(request);
        const name = queryTypeIn(answer);
        if (name !== null) return vulnerable(`${request.path} returns the schema, whose query type is ${name}.`);
        const errors = errorsIn(answer);
        const failure = errors.find((error) => OUTAGE.test(error));
        if (errors.some((error) => REFUSED.test(error))) {
          if (isRepeat || (await answersQueries(probe, path, at))) probe.markAsGenuine(answer);
        } else if (failure !== undefined) doubt ??= `${path} answers the query with an error: ${failure.slice(0, 200)}`;
      }
    if (doubt !== null) return inconclusive(doubt);
    const further = seen === null || isRepeat ? null : await observeFurther(probe, seen.split('?', 1)[0] ?? '');
    if (further !== null) return further;
    return notVulnerable(`no schema at ${GRAPHQL_PATHS.join(', ')}`);
  },
};
