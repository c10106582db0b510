import { decisiveProbe, excerptOfProbe } from './evidence-excerpt';
import { probe } from './testing/snapshot-of';

const LOCATION = 'https://a.example/about';

const request = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a.example', 'Accept: */*', 'Connection: close', ...headers, '', ''].join('\r\n');

const response = (body: string, ...headers: string[]): string =>
  ['HTTP/1.1 200 OK', 'Content-Type: text/html', ...headers, '', body].join('\r\n');

const excerpt = (detail: string, body: string, ...headers: string[]) =>
  excerptOfProbe(probe(1, 'vulnerable', detail, [[request('/about'), response(body, ...headers)]]), LOCATION);

const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);

it('keeps the request line and the headers that can change the response', () => {
  const one = probe(1, 'vulnerable', 'Seen.', [[request('/about', 'Cookie: [redacted]'), response('x')]]);
  expect(excerptOfProbe(one, LOCATION).decisive?.request).toEqual([
    { kind: 'plain', text: 'GET /about HTTP/1.1\nHost: a.example\nCookie: [redacted]' },
    { kind: 'omitted', text: '2 headers not shown' },
  ]);
});

it('marks the line of a body that the detail quotes, with two lines before and after it', () => {
  const { decisive } = excerpt('The page contains "line 57".', lines.join('\n'));
  expect(decisive?.response).toEqual([
    { kind: 'plain', text: 'HTTP/1.1 200 OK\nContent-Type: text/html\n' },
    { kind: 'omitted', text: '55 lines not shown' },
    { kind: 'plain', text: 'line 55\nline 56' },
    { kind: 'decisive', text: 'line 57' },
    { kind: 'plain', text: 'line 58\nline 59' },
    { kind: 'omitted', text: '40 lines not shown' },
  ]);
});

it('marks a header that the detail names, in any case', () => {
  const detail = 'The max-age of Strict-Transport-Security is 10 seconds, less than half a year.';
  expect(excerpt(detail, '', 'strict-transport-security: max-age=10').decisive?.response).toContainEqual({
    kind: 'decisive',
    text: 'strict-transport-security: max-age=10',
  });
});

it('shows the beginning of a body in which nothing matches', () => {
  const { decisive } = excerpt('The server lists the files of /about.', lines.join('\n'));
  expect(decisive?.response.map(({ kind }) => kind)).toEqual(['plain', 'omitted']);
  expect(decisive?.response.at(-1)?.text).toBe('94 lines not shown');
});

it('shortens a long line to what is around the match', () => {
  const { decisive } = excerpt('It says "the secret".', `${'a'.repeat(5_000)}the secret${'b'.repeat(5_000)}`);
  const [match] = decisive?.response.filter(({ kind }) => kind === 'decisive') ?? [];
  expect(match?.text).toMatch(/^…a+the secretb+…$/);
  expect(match?.text).toHaveLength(302);
});

it('shows the exchange that the detail names, and the others in one line each', () => {
  const exchanges = [
    [request('/'), response('home')],
    [request('/.git/HEAD'), response('ref: refs/heads/main')],
    [request('/missing?x=1'), ''],
  ] as const;
  const one = probe(1, 'vulnerable', '/.git/HEAD is public: it names the current branch.', exchanges);
  const { decisive, others } = excerptOfProbe(one, 'https://a.example/');
  expect(decisive?.request[0]?.text).toContain('GET /.git/HEAD');
  expect(others).toEqual(['GET /: 200 OK', 'GET /missing?x=1: no response']);
});

it('shows of an experiment what the detail says that it computed, or else what was sent in the end', () => {
  const sent = (value: string, body: string) => [request(`/about?a=${value}`), response(body)] as const;
  const exchanges = [sent('4*5', '993074166'), sent('4', '4'), sent('5', '5')];
  const computed = probe(1, 'vulnerable', 'It computed 37442 × 26523 = 993074166.', exchanges);
  expect(excerptOfProbe(computed, LOCATION).decisive?.request[0]?.text).toContain('GET /about?a=4*5 ');
  const created = probe(1, 'vulnerable', 'It became an element.', exchanges);
  expect(excerptOfProbe(created, LOCATION).decisive?.request[0]?.text).toContain('GET /about?a=5 ');
});

it('shows the exchange whose response has an address that the detail names, and marks that line', () => {
  const exchanges = [
    [request('/'), response(`<a href="${LOCATION}">`)],
    [
      request('/?x', 'Origin: https://other.example'),
      response('', 'access-control-allow-origin: https://other.example'),
    ],
  ] as const;
  const one = probe(1, 'vulnerable', `It allows https://other.example to read ${LOCATION}.`, exchanges);
  const { decisive } = excerptOfProbe(one, LOCATION);
  expect(decisive?.request[0]?.text).toContain('GET /?x');
  expect(decisive?.response).toContainEqual({
    kind: 'decisive',
    text: 'access-control-allow-origin: https://other.example',
  });
});

it('shows texts that are not HTTP, and says when there is no response', () => {
  const one = probe(1, 'not_vulnerable', 'It refuses.', [['PING', '-NOAUTH Authentication required.']]);
  expect(excerptOfProbe(one, null).decisive?.response).toEqual([
    { kind: 'plain', text: '-NOAUTH Authentication required.' },
  ]);
  const silent = probe(1, 'inconclusive', 'No response.', [[request('/'), '']]);
  expect(excerptOfProbe(silent, null).decisive?.response).toEqual([{ kind: 'omitted', text: 'No response.' }]);
  expect(excerptOfProbe(probe(1, 'inconclusive', 'No request.'), null)).toEqual({ decisive: null, others: [] });
});

it('chooses the first probe that shows the vulnerability, or else the first one', () => {
  const absent = probe(1, 'not_vulnerable', '');
  const seen = probe(2, 'vulnerable', '');
  expect([[absent, seen], [absent], []].map(decisiveProbe)).toEqual([seen, absent, undefined]);
});

it('shows the request that was refused, and not the twin that its detail names as well', () => {
  const twin = '/.env-nothing-6449c608130f';
  const detail = `/.env gets 403, and ${twin} beside it gets 404`;
  const exchanges: [string, string][] = [
    [request('/.env'), response('')],
    [request(twin), response('')],
  ];
  const [first] = excerptOfProbe(probe(1, 'blocked', detail, exchanges), 'https://a.example/').decisive?.request ?? [];
  expect(first?.text).toMatch(/^GET \/\.env HTTP/);
});
