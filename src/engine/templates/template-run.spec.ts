import type { IncomingMessage } from 'node:http';
import { assess } from '../assess';
import { detect } from '../detect';
import { ProbeSession } from '../probe-session';
import { siteSetup } from '../testing/target-states';
import type { Reply, Site } from '../testing/target-server';
import { HOST, TestTarget } from '../testing/test-target';
import { truthTable } from '../testing/truth-table';
import { verify } from '../verdict';
import { checkFromYaml, type TemplateOptions } from './check-from-yaml';

const template = (id: string, rest: string): string => `id: ${id}\ninfo: {name: A sample, severity: high}\n${rest}`;

/** The sign-in of published templates: the second request needs a token from the first page, and its cookie. */
const TOKEN = template(
  'token-of-page',
  `
variables:
  marker: "{{rand_text_alpha(12)}}"
flow: http(1) && http(2)
http:
  - raw:
      - |
        GET /start?r={{marker}} HTTP/1.1
        Host: {{Hostname}}
    matchers:
      - type: dsl
        internal: true
        dsl: ['status_code == 200 && contains(body, "name=\\"token\\"")']
    extractors:
      - type: regex
        name: token
        internal: true
        group: 1
        regex: ['name="token" value="([0-9a-z]+)"']
  - raw:
      - |
        GET /console?token={{token}}&echo={{marker}} HTTP/1.1
        Host: {{Hostname}}
    matchers:
      - type: dsl
        condition: and
        dsl:
          - status_code == 200
          - contains_all(body, "console of", marker)
`,
);

const query = ({ url = '' }: IncomingMessage): URLSearchParams => new URL(url, 'http://a').searchParams;
const START: Reply = {
  headers: { 'set-cookie': 'session=s1; Path=/; HttpOnly' },
  body: '<html><title>Start</title><form><input name="token" value="t0k3n"></form></html>',
};
const isSignedIn = (request: IncomingMessage): boolean =>
  query(request).get('token') === 't0k3n' && request.headers.cookie === 'session=s1';

/** The console answers only with the token and the cookie of the first page. */
const consoleSite: Site = {
  pages: { '/start': START },
  answer: (request) =>
    request.url?.startsWith('/console') === true && isSignedIn(request)
      ? { body: `<html>the console of ${query(request).get('echo')}</html>` }
      : null,
};

truthTable(checkFromYaml(TOKEN), {
  vulnerable: consoleSite,
  fixed: { pages: { '/start': START } },
  alsoFixed: { 'the page with the token is gone too': {} },
  lookalikes: {
    'another page answers before the token is asked for': {
      pages: { '/start': '<html>Maintenance of the shop</html>' },
    },
    'the page has no token any more': {
      pages: { '/start': '<html><form><input name="token" value=""></form></html>' },
    },
    'it limits the rate of the second request': {
      ...consoleSite,
      answer: ({ url = '' }) => (url.startsWith('/console') ? { status: 429, body: 'slow down' } : null),
    },
    'a firewall answers the second request': {
      ...consoleSite,
      answer: ({ url = '' }) =>
        url.startsWith('/console') ? { status: 403, body: 'Attention Required! | Cloudflare' } : null,
    },
  },
});

describe('a template', () => {
  let testTarget: TestTarget;
  let site: Site = {};
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: Promise<string> }[] = [];
  beforeAll(async () => {
    testTarget = await TestTarget.open();
  });
  afterAll(() => testTarget.close());
  beforeEach(() => {
    seen.length = 0;
    site = {};
  });

  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  };
  const recorded = (): Site => ({
    ...site,
    answer: (request) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: bodyOf(request) });
      return site.answer?.(request) ?? null;
    },
  });
  const place = (path = '/') => ({ scheme: 'https', host: HOST, port: testTarget.server.port, path }) as const;
  const transport = () => testTarget.transport(4_000, () => siteSetup(recorded()));
  const observe = async (rest: string, options?: TemplateOptions, path = '/') => {
    const check = checkFromYaml(template('a', rest), options);
    const session = new ProbeSession(transport(), { signal: new AbortController().signal });
    return (await assess(check, place(path), session)).observation;
  };
  const sent = () =>
    seen.map(({ method, url }) => `${method} ${url}`).filter((line) => !/^GET \/(?:app\/)?$/.test(line));
  const block = (fields: string): string => `http:\n  - {${fields}}`;

  it('sends a raw request below the path of the target, with its own length and the host of the target', async () => {
    site = { answer: ({ method }) => (method === 'POST' ? { body: 'uploaded' } : null) };
    const raw = String.raw`raw: ["@timeout: 20s\nPOST /upload?a=b c HTTP/1.1\nHost: {{Hostname}}\nContent-Type: multipart/form-data; boundary=x\nContent-Length: 3\nX-Of: {{Hostname}}\n\n--x\nContent-Disposition: form-data; name=\"f\"\n\n{{hex_decode(\"00ff\")}}\n--x--\n"]`;
    expect(
      await observe(block(`${raw}, matchers: [{type: word, words: [uploaded]}]`), { allowUnsafe: true }, '/app/'),
    ).toMatchObject({ state: 'vulnerable', detail: expect.stringContaining('POST /app/upload?a=b%20c returned 200') });
    const request = seen.find(({ method }) => method === 'POST');
    const body = '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n\x00\xff\r\n--x--\r\n';
    expect(await request?.body).toBe(body);
    const host = `${HOST}:${testTarget.server.port}`;
    expect(request?.headers).toMatchObject({ host, 'x-of': host, 'content-length': String(body.length) });
  });

  it('goes through its payloads, until one matches', async () => {
    site = { answer: ({ url }) => (url === '/2-b' ? { body: 'jackpot' } : null) };
    const rest = (attack: string): string =>
      block(
        `path: ["{{BaseURL}}/{{n}}-{{l}}"], attack: ${attack}, payloads: {n: [1, 2], l: [a, b]}, matchers: [{type: word, words: [jackpot]}]`,
      );
    expect(await observe(rest('pitchfork'))).toMatchObject({ state: 'vulnerable' });
    expect(sent().slice(0, 2)).toEqual(['GET /1-a', 'GET /2-b']);
    seen.length = 0;
    expect(await observe(rest('clusterbomb'))).toMatchObject({ state: 'vulnerable' });
    expect(sent().slice(0, 4)).toEqual(['GET /1-a', 'GET /1-b', 'GET /2-a', 'GET /2-b']);
  });

  it.each([
    ['in later requests', '', 'session=s1; lang=en'],
    ['not at all if they are turned off', ', disable-cookie: true', 'lang=en'],
  ])('sends the cookies of earlier responses %s', async (_when, field, cookie) => {
    site = { pages: { '/start': START, '/next': 'next' } };
    const raw = String.raw`raw: ["GET /start HTTP/1.1\n\n", "GET /next HTTP/1.1\nCookie: lang=en\n\n"]`;
    await observe(block(`${raw}${field}, matchers: [{type: word, words: [next]}]`));
    const sentCookies = seen
      .find(({ url }) => url === '/next')
      ?.headers.cookie?.split('; ')
      .sort()
      .join('; ');
    expect(sentCookies).toBe(cookie.split('; ').sort().join('; '));
  });

  it('is inconclusive if a later request needs what no response contains', async () => {
    site = { pages: { '/one': 'nothing' } };
    const rest = block(
      String.raw`raw: ["GET /one HTTP/1.1\n\n", "GET /two?n={{nonce}} HTTP/1.1\n\n"], extractors: [{type: regex, internal: true, name: nonce, regex: ["n=[0-9]+"]}], matchers: [{type: word, words: [absent]}]`,
    );
    expect(await observe(rest)).toEqual({
      state: 'inconclusive',
      detail: 'http[0].raw[1] was not sent: nonce has no value, because no earlier response contains it',
      hasNoSubject: true,
    });
    expect(sent()).toEqual(['GET /one']);
  });

  it('is inconclusive if its expressions take too long, and says so', async () => {
    const variables = `variables: {r: '{{rand_text_alphanumeric(9999)}}', t: '{{concat(r,r,r,r,r,r,r,r,r,r)}}'}`;
    const part = 'len(reverse(t)) == 1';
    const dsl = Array(100).fill(part).join(' || ');
    const detail = 'the expressions of this check take too long with texts of this length';
    const costly = block(`path: ["{{BaseURL}}"], matchers: [{type: dsl, dsl: ["${dsl}"]}]`);
    expect(await observe(`${variables}\n${costly}`)).toEqual({ state: 'inconclusive', detail });
    const word = block(`path: ["{{BaseURL}}"], matchers: [{type: word, words: ["{{reverse(repeat(t, 9))}}"]}]`);
    expect(await observe(`${variables}\n${word}`)).toEqual({ state: 'inconclusive', detail });
  });

  it('is inconclusive without the values that its user has to state, and sends nothing', async () => {
    const rest = block(
      String.raw`raw: ["GET /login?u={{username}} HTTP/1.1\n\n"], matchers: [{type: word, words: [welcome]}]`,
    );
    expect(checkFromYaml(template('a', rest)).missingValues).toEqual(['username']);
    expect(await observe(rest)).toEqual({
      state: 'inconclusive',
      detail: 'http[0].raw[0] was not sent: username has no value; state it under variables in the template',
    });
    expect(sent()).toEqual([]);
    site = { answer: ({ url }) => (url === '/login?u=olga' ? { body: 'welcome' } : null) };
    expect(await observe(`variables: {username: olga}\n${rest}`)).toMatchObject({ state: 'vulnerable' });
  });

  describe('that also looks for out-of-band requests', () => {
    const matchers = (condition: string): string =>
      `matchers-condition: ${condition}, matchers: [{type: word, part: interactsh_protocol, words: [dns]}, {type: word, words: [root]}]`;
    const either = block(`path: ["{{BaseURL}}/?u=http://{{interactsh-url}}/"], ${matchers('or')}`);

    it('is vulnerable if another matcher matches, and names a host that resolves nowhere', async () => {
      site = { answer: ({ url }) => (url?.startsWith('/?u=') === true ? { body: 'root' } : null) };
      expect(await observe(either)).toMatchObject({ state: 'vulnerable' });
      expect(sent()[0]).toMatch(/^GET \/\?u=http:\/\/[a-z0-9]{27}\.invalid\/$/);
    });

    it('is inconclusive, and never fixed, if nothing matches', async () => {
      const detail =
        'No response matches the check, but it also needs a server for out-of-band requests, which Assay does not have';
      expect(await observe(either)).toEqual({ state: 'inconclusive', detail });
      const expression = block(
        String.raw`path: ["{{BaseURL}}/a"], matchers: [{type: dsl, dsl: ["contains(interactsh_protocol, 'dns') || status_code == 999"]}]`,
      );
      expect(await observe(expression)).toEqual({ state: 'inconclusive', detail });
      const sends = block('path: ["{{BaseURL}}/?u={{interactsh-url}}"], matchers: [{type: word, words: [root]}]');
      expect(await observe(sends)).toEqual({ state: 'inconclusive', detail });
      const byVariable = `variables: {oast: "{{late}}", late: "{{interactsh-url}}"}\n${block('path: ["{{BaseURL}}/?u={{oast}}"], matchers: [{type: word, words: [root]}]')}`;
      expect(await observe(byVariable)).toEqual({ state: 'inconclusive', detail });
      const byPayload = block(
        'path: ["{{BaseURL}}/?u={{u}}"], payloads: {u: ["//{{interactsh-url}}"]}, matchers: [{type: word, words: [root]}]',
      );
      expect(await observe(byPayload)).toEqual({ state: 'inconclusive', detail });
    });

    it('is not vulnerable if nothing that needs the server was sent', async () => {
      const rest = `flow: http(1) && http(2)\nhttp:\n  - {path: ["{{BaseURL}}/a"], matchers: [{type: word, words: [product], internal: true}]}\n  - {path: ["{{BaseURL}}/?u={{interactsh-url}}"], ${matchers('or')}}\n`;
      expect(await observe(rest)).toMatchObject({ state: 'not_vulnerable' });
      // And its twin.
      expect(sent()).toEqual(['GET /a', expect.stringMatching(/^GET \/nothing-/)]);
      site = { pages: { '/a': 'product' } };
      seen.length = 0;
      expect(await observe(rest)).toMatchObject({ state: 'inconclusive' });
      expect(sent()).toHaveLength(2);
    });

    it('does not treat the opposite of something unknown as a match', async () => {
      const rest = `flow: '!http(1) && http(2)'\nhttp:\n  - {path: ["{{BaseURL}}/?u={{interactsh-url}}"], matchers: [{type: word, words: [root], internal: true}]}\n  - {path: ["{{BaseURL}}/"], matchers: [{type: status, status: [200]}]}\n`;
      expect(await observe(rest)).toMatchObject({ state: 'inconclusive' });
      site = { answer: ({ url }) => (url?.startsWith('/?u=') === true ? { body: 'root' } : null) };
      expect(await observe(rest)).toMatchObject({ state: 'not_vulnerable' });
    });

    it('does not take a value that is missing after such a request for a target without its subject', async () => {
      const next = `  - {path: ["{{BaseURL}}/a"], matchers: [{type: status, status: [404], internal: true}], extractors: [{type: regex, name: id, internal: true, regex: ["id=[0-9]+"]}]}
  - {path: ["{{BaseURL}}/b?{{id}}"], matchers: [{type: word, words: [root]}]}
`;
      const missing = { state: 'inconclusive', detail: expect.stringContaining('id has no value') };
      expect(await observe(`http:\n  - {path: ["{{BaseURL}}/?u=a"]}\n${next}`)).toEqual({
        ...missing,
        hasNoSubject: true,
      });
      expect(await observe(`http:\n  - {path: ["{{BaseURL}}/?u={{interactsh-url}}"]}\n${next}`)).toEqual(missing);
    });

    it('says in its warnings what is not known', () => {
      expect(checkFromYaml(template('a', either)).warnings()).toEqual([
        expect.stringMatching(
          /^check\.http: http\[0\]\.path\[0\], http\[0\]\.matchers\[0\]\.part are not known without a server/,
        ),
      ]);
    });
  });

  it('passes on values of the last response of a block, also where names have hyphens', async () => {
    site = {
      answer: ({ url = '', headers }) => {
        if (url === '/one') return { headers: { 'set-cookie': 'xsrf-token=s3; Path=/', etag: 'e1' }, body: 'id=42' };
        return url === '/two?e=e1&i=42&c=7-5' && headers['x-xsrf'] === 's3' ? { body: 'jackpot' } : null;
      },
    };
    const rest = `variables: {a-b: "7-5", a: 7, b: 5}
flow: if (http(1)) { http(2) }
http:
  - {path: ["{{BaseURL}}/one"], matchers: [{type: status, status: [200], internal: true}], extractors: [{type: regex, name: page-id, internal: true, group: 1, regex: ["id=([0-9]+)"]}]}
  - {path: ["{{BaseURL}}/two?e={{http_1_etag}}&i={{page-id}}&c={{a-b}}"], headers: {X-Xsrf: "{{http_1_xsrf-token}}"}, matchers: [{type: word, words: [jackpot]}]}
`;
    expect(checkFromYaml(template('a', rest)).missingValues).toEqual([]);
    expect(await observe(rest)).toMatchObject({ state: 'vulnerable' });
  });

  it('passes on the value of an input that an xpath finds', async () => {
    site = {
      pages: { '/form': '<form><input name="a"><input name="csrf" value="t0k&amp;n"></form>' },
      answer: ({ url }) => (url === '/next?c=t0k%26n' ? { body: 'jackpot' } : null),
    };
    const raw = String.raw`raw: ["GET /form HTTP/1.1\n\n", "GET /next?c={{url_encode(csrf)}} HTTP/1.1\n\n"]`;
    const extractor = (path: string): string =>
      `extractors: [{type: xpath, name: csrf, internal: true, attribute: value, xpath: ["${path}"]}]`;
    const rest = (path: string): string =>
      block(`${raw}, ${extractor(path)}, matchers: [{type: word, part: body_2, words: [jackpot]}]`);
    expect(await observe(rest('/html/body/form/input[2]'))).toMatchObject({ state: 'vulnerable' });
    expect(await observe(rest("//input[@name='absent']"))).toMatchObject({ state: 'inconclusive' });
  });

  it('sends a request with @once in the first round of its payloads only', async () => {
    const raw = String.raw`raw: ["@once\nGET /first HTTP/1.1\n\n", "GET /{{n}} HTTP/1.1\n\n"]`;
    await observe(block(`${raw}, payloads: {n: [1, 2]}, matchers: [{type: word, words: [absent]}]`));
    // And its twin.
    expect(sent()).toEqual(['GET /first', 'GET /1', 'GET /2', expect.stringMatching(/^GET \/nothing-/)]);
  });

  it.each(['1', '1.11', '2', '3'])('sends a raw request with HTTP/%s in HTTP/1.1', async (version) => {
    site = { pages: { '/a': 'root:x' } };
    const rest = block(
      `raw: ["GET /a HTTP/${version}\\nHost: {{Host}}\\nTE: trailers\\n\\n"], matchers: [{type: word, encoding: hex, words: [726f6f743a78]}]`,
    );
    expect(await observe(rest)).toMatchObject({ state: 'vulnerable' });
    const request = seen.find(({ url }) => url === '/a');
    expect(request?.headers).toMatchObject({ host: `${HOST}:${testTarget.server.port}`, te: 'trailers' });
  });

  it('refuses values that would leave the host or break the request', async () => {
    const value = (text: string, raw: string): string =>
      `variables: {v: ${JSON.stringify(text)}}\n${block(`raw: [${JSON.stringify(raw)}], matchers: [{type: word, words: [a]}]`)}`;
    expect(await observe(value('http://example.com/', 'GET {{v}} HTTP/1.1\n\n'))).toMatchObject({
      detail: 'http[0].raw[0] was not sent: its target is not a path',
    });
    expect(await observe(value('a\r\nHost: b', 'GET / HTTP/1.1\nX-A: {{v}}\n\n'))).toMatchObject({
      detail: 'http[0].raw[0] was not sent: X-A is not one line of text',
    });
    expect(sent()).toEqual([]);
  });

  it.each([
    ['vulnerable', 'status_code_1 == 200 && status_code_2 == 404'],
    ['vulnerable', 'contains(body_1, "Acme") && !contains(body_2, "Acme")'],
    ['vulnerable', 'compare_versions(version, ">= 4.0", "< 4.3")'],
    ['vulnerable', 'x_powered_by == "Acme" && contains(tolower(header), "x-powered-by: acme")'],
    ['vulnerable', 'contains(header, "sid=5") && len(body) == 24'],
    ['vulnerable', `host == BaseURL && hostname == "${HOST}:" + port && scheme == "https" && type == "http"`],
    ['vulnerable', 'contains(matched, "/one") && Host != ip && regex("^127[.]|^::1", ip)'],
    ['vulnerable', '"{{template-id}}" == "a"'],
    ['vulnerable', 'md5(version) == "{{md5(\\"4.2.1\\")}}"'],
    ['not_vulnerable', 'status_code_3 == 200'],
    ['not_vulnerable', 'contains(host, "elsewhere.test")'],
    ['not_vulnerable', 'compare_versions(body, "< 1")'],
  ])('is %s with %s', async (state, dsl) => {
    site = {
      pages: {
        '/one': { headers: { 'x-powered-by': 'Acme', 'set-cookie': 'sid=5' }, body: '<title>Acme 4.2.1</title' },
      },
    };
    const rest = block(
      String.raw`raw: ["GET /one HTTP/1.1\n\n", "GET /two HTTP/1.1\n\n"], extractors: [{type: regex, name: version, group: 1, regex: ["Acme ([0-9.]+)"]}], matchers: [{type: dsl, dsl: [${JSON.stringify(dsl)}]}]`,
    );
    expect(await observe(rest)).toMatchObject({ state });
  });

  it.each([
    ['a path of jq', 'type: json, json: [".data[0].key"]'],
    ['an expression', 'type: dsl, dsl: ["replace(x_key, \\"old\\", \\"k\\")"]'],
    ['a header field', 'type: kval, kval: [x_real_key]'],
  ])('passes on what it extracts by %s', async (_what, fields) => {
    site = {
      answer: ({ url }) => {
        if (url === '/a')
          return { headers: { 'x-key': 'old1', 'x-real-key': 'k1' }, body: '{"data": [{"key": "k1"}]}' };
        return url === '/b?k=k1' ? { body: 'open' } : null;
      },
    };
    const rest = block(
      String.raw`raw: ["GET /a HTTP/1.1\n\n", "GET /b?k={{key}} HTTP/1.1\n\n"], extractors: [{${fields}, internal: true, name: key}], matchers: [{type: word, words: [open]}]`,
    );
    expect(await observe(rest)).toMatchObject({ state: 'vulnerable' });
  });

  it('matches bytes, and no more of the body than it reads', async () => {
    site = { pages: { '/x': 'PK and more' } };
    const binary = '{type: binary, binary: ["504b", "2061"], condition: and}';
    expect(await observe(block(`path: ["{{BaseURL}}/x"], matchers: [${binary}]`))).toMatchObject({
      state: 'vulnerable',
    });
    expect(await observe(block(`path: ["{{BaseURL}}/x"], max-size: 3, matchers: [${binary}]`))).toMatchObject({
      state: 'not_vulnerable',
    });
  });

  it('judges each redirect, too', async () => {
    site = { answer: ({ url }) => (url === '/x' ? { status: 302, headers: { location: '/y', 'x-old': 'a' } } : null) };
    const rest = block(
      'path: ["{{BaseURL}}/x"], redirects: true, matchers: [{type: word, part: header, words: ["X-Old: a"]}]',
    );
    expect(await observe(rest)).toMatchObject({ state: 'vulnerable' });
  });

  it.each([
    ['vulnerable', 'http(1) || http(2)'],
    ['vulnerable', '!http(1) && http(2)'],
    ['not_vulnerable', 'http(1) && http(2)'],
    ['not_vulnerable', '(http(1) || http(2)) && http(1)'],
    ['vulnerable', 'http(3) && http(2)'],
  ])('is %s with the flow %s', async (state, flow) => {
    site = { pages: { '/two': 'jackpot' } };
    const found = 'matchers: [{type: word, words: [jackpot]}]';
    const rest = `flow: "${flow}"\nhttp:\n  - {path: ["{{BaseURL}}/one"], ${found}}\n  - {path: ["{{BaseURL}}/two"], ${found}}\n  - {path: ["{{BaseURL}}/three"]}`;
    expect(await observe(rest)).toMatchObject({ state });
  });

  it('does not take a target that is always slow for one that waits for a command', async () => {
    const wait = block(`path: ["{{BaseURL}}/wait"], matchers: [{type: dsl, dsl: ["duration >= 0.3"]}]`);
    const slow = (paths: RegExp): void => {
      testTarget.server.disturb = ({ url = '' }, response) => {
        if (!paths.test(url)) return false;
        setTimeout(() => response.end('done'), 400);
        return true;
      };
    };
    const check = checkFromYaml(template('a', wait));
    const probe = async (paths: RegExp) => {
      const session = new ProbeSession(
        testTarget.transport(4_000, () => () => slow(paths)),
        { signal: new AbortController().signal },
      );
      return (await assess(check, place(), session)).observation;
    };
    expect(await probe(/./)).toMatchObject({ state: 'inconclusive', detail: expect.stringContaining('took long') });
  });

  describe('that compares times', () => {
    const two = (matchers: string): string => block(`path: ["{{BaseURL}}/slow", "{{BaseURL}}/fast"], ${matchers}`);
    const probe = async (rest: string) => {
      const slow = (): void => {
        testTarget.server.disturb = ({ url = '' }, response) => {
          if (!url.startsWith('/slow')) return false;
          setTimeout(() => response.end('duration of the query'), 600);
          return true;
        };
      };
      const waiting = testTarget.transport(4_000, () => () => slow());
      const session = new ProbeSession(waiting, { signal: new AbortController().signal });
      return (await assess(checkFromYaml(template('a', rest)), place(), session)).observation;
    };

    it.each([
      [
        'of the response that it names, and not of the last one',
        'matchers: [{type: dsl, dsl: ["duration_1 >= 0.5 && status_code_2 == 404"]}]',
      ],
      [
        'unless another matcher shows the weakness',
        'matchers: [{type: dsl, dsl: ["duration_2 >= 0.5"]}, {type: dsl, dsl: ["status_code_2 == 404"]}]',
      ],
      [
        'and does not take the word for one',
        `matchers: [{type: dsl, dsl: ['status_code_2 == 404 && contains(body_1, "duration")']}]`,
      ],
    ])('looks at the time %s', async (_which, matchers) => {
      expect(await probe(two(matchers))).toMatchObject({ state: 'vulnerable' });
    });
  });

  describe('that changes state', () => {
    const reset = block(
      String.raw`raw: ["POST /reset HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\nuser=a"], matchers: [{type: word, words: ["was reset"]}]`,
    );

    it('sends nothing unless an admin allows it', async () => {
      site = { answer: ({ method }) => (method === 'POST' ? { body: 'It was reset.' } : null) };
      expect(checkFromYaml(template('a', reset))).toMatchObject({ unsafeMethods: ['POST'], mayChangeTarget: true });
      expect(await observe(reset)).toEqual({
        state: 'inconclusive',
        detail: 'this check changes state; an admin must allow it',
      });
      expect(seen.map(({ method }) => method)).not.toContain('POST');
      expect(await observe(reset, { allowUnsafe: true })).toMatchObject({ state: 'vulnerable' });
    });

    it.each([
      ['a header for another method', 'path: ["{{BaseURL}}/a"], headers: {X-HTTP-Method-Override: DELETE}'],
      ['a header for another path', String.raw`raw: ["GET / HTTP/1.1\nX-Original-URL: /admin\n\n"]`],
      ['a parameter for another method', 'path: ["{{BaseURL}}/a?_method=DELETE"]'],
      ['an encoded parameter', 'path: ["{{BaseURL}}/a?%5Fmethod={{m}}"], payloads: {m: [PUT]}'],
    ])('sends no %s unless an admin allows it', async (_what, request) => {
      const source = block(`${request}, matchers: [{type: word, words: [a]}]`);
      expect(checkFromYaml(template('a', source)).unsafeMethods).toHaveLength(1);
      seen.length = 0;
      expect(await observe(source)).toMatchObject({ detail: 'this check changes state; an admin must allow it' });
      expect(seen.map(({ url }) => url).join()).not.toMatch(/_method|%5F/);
    });

    it('sends no parameter for another method that only its values make', async () => {
      const source = block(
        'path: ["{{BaseURL}}/a?{{p}}"], payloads: {p: ["_method=DELETE"]}, matchers: [{type: word, words: [a]}]',
      );
      seen.length = 0;
      expect(await observe(source)).toEqual({
        state: 'inconclusive',
        detail: expect.stringContaining('_method=DELETE makes it a request that may change state'),
      });
      expect(seen.map(({ url }) => url).join()).not.toContain('_method');
    });

    it('can be fixed when it is allowed, with as many requests as any other check', async () => {
      site = { answer: ({ method }) => (method === 'POST' ? { body: 'It was reset.' } : null) };
      const check = checkFromYaml(template('a', reset), { allowUnsafe: true });
      const via = { signal: new AbortController().signal };
      const found = await detect(check, place(), transport(), via);
      expect(found?.observation).toMatchObject({ state: 'vulnerable' });
      site = {};
      seen.length = 0;
      const policy = { probes: 3, spreadMs: 4 };
      const fixed = await verify(check, place(), found?.baseline ?? null, transport(), via, async () => null, policy);
      expect(fixed.verdict).toMatchObject({ result: 'fixed' });
      expect(seen.filter(({ method }) => method === 'POST').length).toBeGreaterThanOrEqual(16);
    });
  });
});
