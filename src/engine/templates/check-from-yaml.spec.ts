import type { IncomingMessage } from 'node:http';
import { assess } from '../assess';
import { ProbeSession } from '../probe-session';
import { type TargetSetup, HOST, TestTarget } from '../testing/test-target';
import { cpuMs } from '../testing/cpu';
import { siteSetup } from '../testing/target-states';
import { probeSite } from '../testing/probe-site';
import type { Reply, Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { decideField } from './request-fields';
import { checkFromYaml, type TemplateOptions } from './check-from-yaml';

/** Written like published templates, with comments, lists of authors and metadata. */
const GIT_CONFIG = `
id: git-config
info:
  name: Git Configuration - Detect
  author: somebody,somebody-else
  severity: medium
  description: |
    The configuration of a Git repository is public.
  remediation: Do not deploy it.
  reference: https://example.com/
  classification:
    cvss-metrics: CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N
    cvss-score: 5.3
    cwe-id: CWE-200
  metadata:
    verified: true
    max-request: 1
  tags: config,git,exposure
http:
  - method: GET
    path:
      - "{{BaseURL}}/.git/config"
    matchers-condition: and
    matchers:
      - type: word
        words:
          - "[core]"
      - type: word
        part: header
        words:
          - text/html
        negative: true
      - type: status
        status:
          - 200
# digest: 4a0a0047304502
`;

const template = (http: string): string => `id: a\ninfo: {name: A sample, severity: low}\nhttp:\n  - ${http.trim()}\n`;
const simple = (matcher: string, more = ''): string =>
  template(`{path: ["{{BaseURL}}/x"], matchers: [${matcher}]${more}}`);
/** Makes each source different. */
let count = 0;
const regexes = (many: number, pattern: string): string =>
  `{type: regex, regex: [${Array.from({ length: many }, () => `"(${(count += 1)}|${pattern})"`).join()}]}`;
const matchersOf = (many: number, pattern: string): string =>
  Array.from({ length: many }, () => regexes(20, pattern)).join();
const raw = (request: string): string => template(`{raw: ["${request}"], matchers: [{type: status, status: [200]}]}`);
const STATUS = '{type: status, status: [200]}';

const plain = { headers: { 'content-type': 'text/plain' } };

/** A rate limit lacks the header that protects a page, but it is not a page. */
function limitedAfter(most: number): Site {
  let requests = 0;
  return {
    headers: { 'x-frame-options': 'DENY' },
    answer: ({ url = '/' }) => {
      requests += 1;
      // Not for the requests between the repeats, which have no query: they would reveal the limit first.
      return requests > most && url.includes('?')
        ? { status: 429, headers: { 'x-frame-options': [] }, body: 'slow down' }
        : null;
    },
  };
}

const FILE: Reply = { ...plain, body: '[core]\nbare = false' };
const withFile = (reply: Reply): Site => ({
  pages: { '/app/': 'The application', '/app/.git/config': { ...FILE, ...reply } },
});
/** The words also occur on the error page for missing paths. */
const quotingWords = (pages: Record<string, Reply | string>): Site => ({
  answer: ({ url = '' }) =>
    (url.split('?', 1)[0] ?? '') in pages || url === '/'
      ? null
      : { ...plain, status: 404, body: 'There is no page of the [core] module here, and none of the others.' },
  pages,
});

truthTable(checkFromYaml(GIT_CONFIG), {
  path: '/app/',
  vulnerable: { pages: { '/app/': 'The application', '/app/.git/config': { ...plain, body: '[core]\nbare = false' } } },
  fixed: { pages: { '/app/': 'The application' } },
  lookalikes: {
    'it is another file now': { pages: { '/app/': 'The application', '/app/.git/config': { ...plain, body: 'gone' } } },
    ...Object.fromEntries(
      [401, 403, 404, 410].map((status) => [`it responds with ${status} and the file`, withFile({ status })]),
    ),
    'it redirects, with the file': withFile({ status: 302, headers: { ...plain.headers, location: '/app/' } }),
  },
  otherTargets: {
    'the error for every missing path has the words too': {
      vulnerable: quotingWords({ '/app/': 'The application', '/app/.git/config': FILE }),
      fixed: quotingWords({ '/app/': 'The application' }),
    },
  },
});

it('a check whose status is in an expression does not see its content with another status', async () => {
  const inExpression = simple('{type: dsl, dsl: ["status_code == 200 && contains(body, \\"the secret\\")"]}');
  const apart = simple(
    `${STATUS}, {type: dsl, dsl: ["contains(body, \\"the secret\\")"]}`,
    ', matchers-condition: and',
  );
  const site: Site = { pages: { '/x': { status: 404, body: 'This is the secret.' } } };
  expect(await probeSite(checkFromYaml(inExpression), site)).toBe('blocked');
  expect(await probeSite(checkFromYaml(apart), site)).toBe('inconclusive');
});

truthTable(
  checkFromYaml(
    simple('{type: word, part: header, words: [X-Frame-Options, frame-ancestors], negative: true}').replace('/x', ''),
  ),
  {
    vulnerable: {},
    fixed: { headers: { 'x-frame-options': 'DENY' } },
    lookalikes: { 'it limits the rate after some requests': limitedAfter(8) },
  },
);

describe('the classification of a YAML check', () => {
  it('is read as published templates state it', () => {
    expect(checkFromYaml(GIT_CONFIG)).toMatchObject({
      cwe: [200],
      cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
      references: ['https://example.com/'],
    });
    const several = GIT_CONFIG.replace('CWE-200', 'CWE-77,cwe-78')
      .replace('CVSS:3.1/AV', 'AV')
      .replace('https://example.com/', '[https://example.com/a, "http://example.com/b", 7]');
    expect(checkFromYaml(several)).toMatchObject({
      cwe: [77, 78],
      cvss: null,
      references: ['https://example.com/a'],
    });
  });

  it('is empty when the template states none', () => {
    expect(checkFromYaml(simple(STATUS))).toMatchObject({ cwe: [], cvss: null, references: [] });
  });
});

describe('unsupported features of a YAML check are refused by name', () => {
  it.each([
    [
      'a request that is no valid HTTP',
      template('{raw: ["GET / HTTP/1.1"], unsafe: true, matchers: []}'),
      'http[0].unsafe: unsafe requests are not supported',
    ],
    [
      'a foreign host in a raw request',
      raw('GET / HTTP/1.1\\nHost: example.com\\n\\n'),
      'http[0].raw[0]: Host may not be set by a check: Host is {{Hostname}}',
    ],
    [
      'the contact of somebody else',
      raw('GET / HTTP/1.1\\nHost: {{Hostname}}\\nFrom: a@example.com\\n\\n'),
      'http[0].raw[0]: From may not be set by a check: it says who tests',
    ],
    [
      'the job of somebody else',
      raw('GET / HTTP/1.1\\nHost: {{Hostname}}\\nX-Assay-Job: 1\\n\\n'),
      'http[0].raw[0]: X-Assay-Job may not be set by a check',
    ],
    [
      'an absolute target',
      raw('GET http://example.com/ HTTP/1.1\\nHost: {{Hostname}}\\n\\n'),
      'http[0].raw[0]: the target of the request line must be a path',
    ],
    [
      'a chunked body',
      raw('POST / HTTP/1.1\\nTransfer-Encoding: chunked\\n\\n0'),
      'http[0].raw[0]: Transfer-Encoding may not be set',
    ],
    ['an annotation', raw('@Host: example.com\\nGET / HTTP/1.1\\n\\n'), 'http[0].raw[0]: @Host is not supported'],
    [
      'a time without a unit that is known',
      raw('@timeout: soon\\nGET / HTTP/1.1\\n\\n'),
      'http[0].raw[0]: @timeout must be a number of seconds',
    ],
    ['an old version', raw('GET / HTTP/1.0\\n\\n'), 'http[0].raw[0]: HTTP/1.0 is not supported'],
    [
      'a file of payloads',
      simple(STATUS, ', payloads: {a: lists/names.txt}'),
      'http[0].payloads: a is a file, which is not supported',
    ],
    [
      'too many payloads',
      simple(STATUS, `, payloads: {a: [${Array.from({ length: 21 }, (_none, at) => at).join()}]}`),
      'http[0].payloads: a has 21 values, which are more than 20',
    ],
    [
      'too many combinations of payloads',
      simple(STATUS, ', attack: clusterbomb, payloads: {a: [1, 2, 3, 4, 5, 6, 7, 8], b: [1, 2, 3, 4, 5, 6, 7, 8]}'),
      'http[0].payloads: 64 combinations are more than 60',
    ],
    [
      'two payloads at one place',
      simple(STATUS, ', payloads: {a: [1], b: [1]}'),
      'http[0].payloads: batteringram takes one payload',
    ],
    ['a script as flow', `${GIT_CONFIG}\nflow: "if (http(1)) { set(1) }"`, 'flow is not supported: only http(1)'],
    [
      'an if that is not closed',
      `${GIT_CONFIG}\nflow: "if (http(1)) { http(1)"`,
      'flow is not supported: only http(1)',
    ],
    ['a flow without its block', `${GIT_CONFIG}\nflow: http(2)`, 'flow: names http(2), which does not exist'],
    ['another protocol', 'id: a\ninfo: {name: a}\ndns: []', 'dns is not supported'],
    ['code', `${GIT_CONFIG}\ncode: []`, 'check: code is not supported'],
    ['a browser', `${GIT_CONFIG}\nheadless: []`, 'check: headless is not supported'],
    ['a script', `${GIT_CONFIG}\njavascript: []`, 'check: javascript is not supported'],
    [
      'several values of an extractor',
      simple(STATUS, ', iterate-all: true'),
      'http[0].iterate-all is not supported: the first value',
    ],
    ['xpath', simple('{type: xpath, xpath: ["//a"]}'), 'http[0].matchers[0].type: xpath is not supported'],
    [
      'a function in an xpath',
      simple(STATUS, ', extractors: [{type: xpath, xpath: ["//a[not(@b)]"]}]'),
      'http[0].extractors[0].xpath[0]: "[not(@b)]" is not supported',
    ],
    [
      'another encoding',
      simple('{type: word, words: [a], encoding: gbk}'),
      'http[0].matchers[0].encoding is not supported, except for hex',
    ],
    [
      'a part',
      simple('{type: word, part: interactsh_protocol, words: [dns]}'),
      'http[0].matchers[0].part: interactsh is not supported',
    ],
    [
      'an address for out-of-band requests',
      template(
        '{path: ["{{BaseURL}}/?u={{interactsh-url}}"], matchers-condition: and, matchers: [{type: word, words: [a]}, {type: word, part: interactsh_protocol, words: [dns]}]}',
      ),
      'http[0].path[0]: interactsh is not supported: Assay has no server for out-of-band requests, and nothing else',
    ],
    [
      'an expression that always needs an out-of-band request',
      simple('{type: dsl, dsl: ["status_code == 200 && !contains(interactsh_protocol, \\"dns\\")"]}'),
      'http[0].matchers[0].dsl[0]: interactsh is not supported',
    ],
    [
      'the page of a server for out-of-band requests',
      template(
        '{path: ["{{BaseURL}}/?u={{interactsh-url}}"], matchers: [{type: word, part: header, words: [X-Interactsh-Version]}]}',
      ),
      'http[0].path[0]: interactsh is not supported',
    ],
    [
      'an internal extractor of an out-of-band request',
      simple(STATUS, ', extractors: [{type: regex, name: a, internal: true, part: interactsh_request, regex: [a]}]'),
      'http[0].extractors[0].part: interactsh is not supported',
    ],
    [
      'a flow that needs an out-of-band request',
      `id: a\ninfo: {name: a}\nflow: http(1) && http(2)\nhttp:\n  - {path: ["{{BaseURL}}/"], matchers: [${STATUS}]}\n  - {path: ["{{BaseURL}}/"], matchers: [{type: word, part: interactsh_protocol, words: [dns]}]}`,
      'http[1].matchers[0].part: interactsh is not supported',
    ],
    [
      'the opposite of an out-of-band request in a flow',
      `id: a\ninfo: {name: a}\nflow: http(1) && !http(2)\nhttp:\n  - {path: ["{{BaseURL}}/"], matchers: [${STATUS}]}\n  - {path: ["{{BaseURL}}/"], matchers: [{type: word, part: interactsh_protocol, words: [dns]}]}`,
      'http[1].matchers[0].part: interactsh is not supported',
    ],
    [
      'another value of the server for out-of-band requests',
      template(`{path: ["{{BaseURL}}/?u={{interactsh_request}}"], matchers: [${STATUS}]}`),
      'http[0].path[0]: interactsh is not supported here',
    ],
    ['a part that no response has', simple('{type: word, part: nonsense, words: [a]}'), 'is not a supported part'],
    [
      'a function of jq',
      simple(STATUS, ', extractors: [{type: json, json: ["keys"]}]'),
      'http[0].extractors[0].json[0]: "keys" is not supported',
    ],
    [
      'an unknown function',
      simple('{type: dsl, dsl: ["generate_java_gadget(1)"]}'),
      'http[0].matchers[0].dsl[0]: the function generate_java_gadget is not supported',
    ],
    [
      'a name that nothing defines',
      simple('{type: dsl, dsl: ["no_such_name == 1"]}'),
      'http[0].matchers[0].dsl[0]: no_such_name is not a known name',
    ],
    [
      'a name that no block before an extractor defines',
      simple(STATUS, ', extractors: [{type: dsl, dsl: [no_such_name]}]'),
      'http[0].extractors[0].dsl[0]: no_such_name is not a known name',
    ],
    ['two statuses at once', simple('{type: status, status: [404, 200], condition: and}'), 'a response has one status'],
    [
      'two statuses in two matchers',
      simple(`${STATUS}, {type: status, status: [404, 405]}`, ', matchers-condition: and'),
      'http[0].matchers[1]: is never true: a response has one status',
    ],
    ...[
      ['status_code', 'it is a number'],
      ['\\"contains(body, 1)\\"', 'it is a text'],
      ['status_code == \\"200\\"', 'a number is never equal to a text'],
      ['len(body) == \\"5\\"', 'a number is never equal to a text'],
      ['contains(body, \\"a\\") == 1', 'a boolean is never equal to a number'],
      ['status_code == 200 && status_code == 302', 'status_code cannot have two values'],
      ['status_code == \\"200\\" || false', 'a number is never equal to a text'],
    ].map(([dsl = '', why = '']): [string, string, string] => [
      `the condition ${dsl}`,
      simple(`{type: dsl, dsl: ["${dsl}"]}`),
      `http[0].matchers[0].dsl[0]: is never true: ${why}`,
    ]),
    [
      'conditions that exclude each other',
      simple('{type: dsl, condition: and, dsl: ["status_code == 200", "status_code == 500"]}'),
      'http[0].matchers[0]: is never true: status_code cannot have two values',
    ],
    ['too few values', simple('{type: dsl, dsl: ["contains(body)"]}'), 'dsl[0]: contains takes 2 values'],
    ['an expression that is cut off', simple('{type: dsl, dsl: ["status_code =="]}'), 'dsl[0]: the expression ends'],
    [
      'a function in a path',
      template(`{path: ["{{BaseURL}}/{{resolve(1)}}"], matchers: [${STATUS}]}`),
      'http[0].path[0]: {{resolve(1)}}: the function resolve is not supported',
    ],
    [
      'a result that is only internal',
      simple('{type: status, status: [200], internal: true}'),
      'http[0]: has neither matchers nor extractors',
    ],
    [
      'an outside host',
      template(`{path: ["https://example.com/"], matchers: [${STATUS}]}`),
      'http[0].path[0]: must begin with {{BaseURL}}',
    ],
    [
      'a longer host',
      template(`{path: ["{{BaseURL}}.example.com/"], matchers: [${STATUS}]}`),
      'must begin with {{BaseURL}}',
    ],
    ['a user', template(`{path: ["{{RootURL}}@example.com/"], matchers: [${STATUS}]}`), 'must begin with {{BaseURL}}'],
    ['another port', template(`{path: ["{{RootURL}}:81/"], matchers: [${STATUS}]}`), 'must begin with {{BaseURL}}'],
    ['another Host', simple(STATUS, ', headers: {hOst: example.com}'), 'http[0].headers.hOst: may not be set'],
    ['smuggling', simple(STATUS, ', headers: {Transfer-Encoding: chunked}'), 'may not be set'],
    ['a broken header', simple(STATUS, ', headers: {A: "b\\r\\nHost: c"}'), 'must be one line'],
    ['CONNECT', simple(STATUS, ', method: CONNECT'), 'http[0].method: '],
    [
      'look-ahead',
      simple('{type: regex, regex: ["(?=a)"]}'),
      'http[0].matchers[0].regex[0]: cannot be compiled as RE2',
    ],
    ['a huge expression', simple('{type: regex, regex: ["(a{500}){3}"]}'), 'regex[0]: cannot be compiled as RE2'],
    [
      'an expression that is huge when it is written out',
      simple(`{type: regex, regex: ["${'a{0,1000}'.repeat(110)}"]}`),
      'http[0].matchers[0].regex[0]: cannot be compiled as RE2: it is too large',
    ],
    [
      'expressions that are large together',
      simple(regexes(20, 'a{0,490}')),
      'regex[9]: cannot be compiled as RE2: together',
    ],
    ['too many expressions', simple(matchersOf(20, 'a')), 'http[0].matchers[14].regex['],
    ['nothing to look for', template('{path: ["{{BaseURL}}/"]}'), 'http[0]: has neither matchers nor extractors'],
    ['no requests', 'id: a\ninfo: {name: a}', 'must have exactly one of http and requests'],
    [
      'too many paths',
      template(`{path: [${Array(26).fill('"{{BaseURL}}/"').join()}], matchers: [${STATUS}]}`),
      'http[0].path: ',
    ],
    [
      'too many requests',
      simple(STATUS, `, payloads: {a: [${Array.from({ length: 20 }).fill(1).join()}]}`).replace(
        '["{{BaseURL}}/x"]',
        '["{{BaseURL}}/1", "{{BaseURL}}/2", "{{BaseURL}}/3", "{{BaseURL}}/4"]',
      ),
      'http sends 80 requests, which are more than 60',
    ],
    ['aliases', 'id: a\ninfo: &i {name: a}\nx: *i', 'check is not valid YAML: aliases exceeded'],
    ['depth', '- '.repeat(100), 'check is not valid YAML: nesting exceeded'],
    ['a tag', 'id: !!js/function x', 'check is not valid YAML'],
    ['two documents', `${GIT_CONFIG}\n---\n${GIT_CONFIG}`, 'check is not valid YAML'],
    ['no YAML', '{', 'check is not valid YAML'],
    ['length', ' '.repeat(70_000), 'check is longer than'],
  ])('%s', (_what, source, reason) => {
    expect(() => checkFromYaml(source)).toThrow(reason);
  });
});

describe('a YAML check with expressions', () => {
  const hostile = (pattern: string, many: number): string => simple(matchersOf(many, pattern));

  it.each([
    ['that are large when they are written out', hostile('a{0,1000}'.repeat(110), 3)],
    ['that are small, and very many', hostile('a{0,9}', 20)],
    ['with wide ranges in which case is ignored', hostile('(?i)[B-\\\\x{1e900}]', 20)],
    ['of all letters', hostile('(?i)\\\\pL\\\\PL', 20)],
  ])('%s is refused before it blocks the event loop', (_what, source) => {
    expect(cpuMs(() => expect(() => checkFromYaml(source)).toThrow('cannot be compiled as RE2'))).toBeLessThan(3_000);
  });

  it('may have as many expressions as real checks', () => {
    expect(checkFromYaml(simple(regexes(20, '[a-z0-9_-]{20,40}=[A-Za-z0-9]{1,64}'))).id).toBe('http:a');
  });
});

describe('a YAML check', () => {
  let testTarget: TestTarget;
  beforeEach(async () => {
    testTarget = await TestTarget.open();
  });
  afterEach(() => testTarget.close());

  const page = '<title>Acme 4.2.1</title>';
  const answer = ({ url = '', headers, method = '' }: IncomingMessage): Reply | null => {
    if (url === '/old') return { status: 301, headers: { location: '/x' } };
    const seen = {
      'x-powered-by': 'Acme',
      'x-method': method,
      'x-seen': headers['x-probe'] ?? '',
      'x-agent': headers['user-agent'] ?? '',
    };
    return url === '/x' ? { body: page, headers: seen } : null;
  };
  const setup: TargetSetup = siteSetup({ answer });
  const observeCheck = async (source: string, options?: TemplateOptions) => {
    const target = { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' } as const;
    const transport = testTarget.transport(4_000, () => setup);
    const { observation } = await assess(
      checkFromYaml(source, options),
      target,
      new ProbeSession(transport, { signal: new AbortController().signal }),
    );
    return observation;
  };

  it.each([
    ['vulnerable', '{type: status, status: [404, 200]}'],
    ['vulnerable', '{type: status, status: [404], negative: true}'],
    ['vulnerable', '{type: word, words: [acme], case-insensitive: true}'],
    ['not_vulnerable', '{type: word, words: [acme]}'],
    ['vulnerable', '{type: word, words: [Acme, title], condition: and}'],
    ['vulnerable', '{type: word, part: header, words: ["X-Powered-By: Acme", "HTTP/1.1 200 OK"], condition: and}'],
    ['vulnerable', '{type: word, part: x_powered_by, words: [Acme]}'],
    ['not_vulnerable', '{type: word, part: body, words: [X-Powered-By]}'],
    ['vulnerable', '{type: word, part: all, words: [X-Powered-By, title], condition: and}'],
    ['vulnerable', '{type: regex, regex: ["(?i)ACME [0-9.]+"]}'],
    ['not_vulnerable', '{type: regex, regex: ["^Acme"]}'],
    ['vulnerable', `{type: size, size: [${page.length}]}`],
    ['not_vulnerable', '{type: size, size: [1]}'],
  ])('is %s with %s', async (state, matcher) => expect(await observeCheck(simple(matcher))).toMatchObject({ state }));

  it('is vulnerable if one matcher matches, or only if all match, by its condition', async () => {
    const both = `${STATUS}, {type: word, words: [absent]}`;
    expect(await observeCheck(simple(both))).toMatchObject({ state: 'vulnerable' });
    expect(await observeCheck(simple(both, ', matchers-condition: and'))).toMatchObject({ state: 'not_vulnerable' });
  });

  it('sends method, header fields and body with placeholders filled in, and follows redirects if allowed', async () => {
    const method = '{type: word, part: x_method, words: [POST]}';
    const post = simple(method, ', method: POST, body: "a={{Hostname}}"');
    expect(await observeCheck(post, { allowUnsafe: true })).toMatchObject({ state: 'vulnerable' });
    const header = simple(
      '{type: regex, part: x_seen, regex: ["^https://target.test:[0-9]+/y$"]}',
      ', headers: {X-Probe: "{{RootURL}}/y"}',
    );
    expect(await observeCheck(header)).toMatchObject({ state: 'vulnerable' });
    const old = simple('{type: word, words: [Acme]}').replace('/x', '/old');
    expect(await observeCheck(old)).toMatchObject({ state: 'inconclusive' });
    expect(await observeCheck(old.replace('matchers:', 'redirects: true, matchers:'))).toMatchObject({
      state: 'vulnerable',
    });
  });

  it('names another client only in a loaded template, and leaves the name of a browser to the client', async () => {
    const named = (field: string): string => simple('{type: word, words: [Acme]}', `, headers: {${field}}`);
    for (const field of ['User-Agent: probe', 'User-Agent: "{{payload}}"', 'X-Forwarded-Host: a', 'True-Client-IP: a'])
      expect(() => checkFromYaml(named(field))).toThrow(
        'names another client, so that only a loaded template may set it',
      );
    expect(await observeCheck(named('X-Forwarded-Host: a'), { origin: 'loaded' })).toMatchObject({
      state: 'vulnerable',
    });
    const ofBrowser = checkFromYaml(named('User-Agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/1"'));
    expect(ofBrowser.unsafeMethods).toEqual([]);
  });

  it.each([
    'Mozilla/5.0 (X11; Linux x86_64) Firefox/1',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/113.0',
    ' Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.124 Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.1 Safari/605.1.15',
  ])('leaves the name of a plain browser to the client: %s', (value) => {
    expect(decideField('User-Agent', value)).toBe('written by the client');
  });

  it.each([
    'Mozilla/5.0 ({{payload}})',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    "Mozilla/5.0 (X11; Linux x86_64) Firefox/1' AND SLEEP(7)-- -",
    'Mozilla/5.0 (X11; Linux x86_64; sleep 7) Firefox/1',
    'Mozilla/5.0 (X11; Linux x86_64) Firefox/1 <script>',
    'Mozilla/5.0 (X11; Linux x86_64) Firefox/1 ${7*7}',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1',
  ])('sends a name that a template may test: %s', (value) => {
    expect(decideField('User-Agent', value)).toBe('sent');
  });

  it('sends the payload of a loaded template in the name of a browser', async () => {
    const field = `User-Agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/1' AND SLEEP(7)-- -"`;
    const check = simple('{type: regex, part: x_agent, regex: ["SLEEP"]}', `, headers: {${field}}`);
    expect(await observeCheck(check, { origin: 'loaded' })).toMatchObject({ state: 'vulnerable' });
  });

  it('reports the extracted values, and needs no matchers with extractors', async () => {
    const version =
      'extractors: [{type: regex, name: version, group: 1, regex: ["Acme ([0-9.]+)"]}, {type: kval, kval: [x_powered_by]}]';
    const seen = await observeCheck(template(`{path: ["{{BaseURL}}/x"], ${version}}`));
    expect(seen).toEqual({ state: 'vulnerable', detail: expect.stringContaining('(version: 4.2.1, kval: Acme)') });
    expect(await observeCheck(template(`{path: ["{{BaseURL}}/"], ${version}}`))).toMatchObject({
      state: 'not_vulnerable',
    });
  });

  it('redacts only the extracted secret in its result', async () => {
    const key = 'extractors: [{type: regex, name: api_key, group: 1, regex: ["Acme ([0-9.]+)"]}]';
    expect(await observeCheck(template(`{path: ["{{BaseURL}}/x"], ${key}}`))).toEqual({
      state: 'vulnerable',
      detail: 'GET /x returned 200 and matches the check (api_key: [redacted]).',
    });
  });
});

describe('the names and conditions of a YAML check', () => {
  it.each([
    ['a status as a text of its own', 'variables: {status_code: "200"}', 'status_code == "200"'],
    ['either of two statuses', '', 'status_code == 200 || status_code == 302'],
    ['the opposite of what is never true', '', '!(status_code == 200 && status_code == 302)'],
    ['statuses of two responses', '', 'status_code_1 == 200 && status_code_2 == 302'],
    ['a known value of the target', '', 'host != "" && Host != ip'],
    ['a field of its own', '', 'x_debug == "on" && location_1 != ""'],
  ])('may be %s', (_what, more, dsl) => {
    const source = `id: a\ninfo: {name: a}\n${more}\nhttp:\n  - {path: ["{{BaseURL}}/"], matchers: [{type: dsl, dsl: [${JSON.stringify(dsl)}]}]}`;
    expect(checkFromYaml(source).missingValues).toEqual([]);
  });

  it.each([
    ['a variable that is itself', 'variables: {username: "{{username}}"}', ''],
    ['variables that are each other', 'variables: {username: "{{name}}", name: "{{username}}"}', ''],
    ['a variable with a hyphen', 'variables: {user-name: "{{user-name}}"}', ''],
    ['a payload that is itself', '', 'payloads: {username: ["{{username}}"]}, '],
    ['a value that an expression looks for as well', '', ''],
  ])('needs a value for %s', (_what, variables, payloads) => {
    const source = `id: a\ninfo: {name: a}\n${variables}\nhttp:\n  - {${payloads}path: ["{{BaseURL}}/?u={{username}}"], matchers: [{type: dsl, dsl: ['contains(body, "{{username}}")']}]}`;
    const { missingValues } = checkFromYaml(source);
    expect(missingValues.map((name) => name.replace('-', ''))).toContain('username');
  });

  it('does not count a value of the target as content', () => {
    const warnings = checkFromYaml(simple('{type: dsl, dsl: ["Host != ip && port == \\"80\\""]}')).warnings();
    expect(warnings).toEqual([expect.stringContaining('can match without content')]);
  });
});
