import { connect } from 'node:net';
import { useApi } from '../support/api';
import { type Answer, type Client, type Credentials, basic } from '../support/client';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

let client: Client;
let credentials: Credentials;
let organizationId: number;

beforeAll(async () => {
  const integrator = await make.integrator();
  ({ client, credentials } = integrator);
  organizationId = (await client.post('/v1/organizations/', { name: unique('Target') })).body.id;
});

/** The service still answers a valid request after each test. */
afterEach(async () => {
  expect((await client.get('/v1/version')).status).toBe(200);
});

function expectError({ status, body, headers }: Answer, ...statuses: number[]): void {
  expect(statuses).toContain(status);
  expect(Object.keys(body).sort()).toEqual(['code', 'description', 'name', 'success']);
  expect(body).toMatchObject({ code: status, success: false });
  expect(body.description.length).toBeGreaterThan(5);
  expect(headers.get('x-request-id')).not.toBeNull();
}

describe('an invalid id in a path', () => {
  const ids = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x1',
    '+1',
    ' 1',
    '1 ',
    '01',
    '2147483648',
    '9223372036854775808',
    '99999999999999999999',
    'abc',
    'null',
    'undefined',
    'NaN',
    'true',
    '%00',
    '%2500',
    '1%00',
    '%ff',
    '%c0%80',
    '%zz',
    '%',
    '1;2',
    "1'",
    '1--',
    "1' OR '1'='1",
    '1)',
    '[1]',
    '{}',
    '$1',
    '١',
    '１',
    '%F0%9F%92%A9',
    '..',
    '%2e%2e',
    '1%2f2',
    'x'.repeat(3_000),
  ];
  it.each(ids.map((id) => [id.slice(0, 30), id]))(
    'is answered like an id that does not exist: %j',
    async (_label, id) => {
      const unknown = await client.delete('/v1/organizations/2147483647/');
      const answer = await client.delete(`/v1/organizations/${id.includes('%') ? id : encodeURIComponent(id)}/`);
      expectError(answer, 404);
      if (!['..', '%2e%2e'].includes(id)) expect(answer.body).toEqual(unknown.body);
    },
  );
});

describe('an invalid UUID in a path', () => {
  const unknownJob = '/v1/jobs/00000000-0000-0000-0000-000000000000/cancel';
  it.each(['-'.repeat(36), 'a'.repeat(36), '0'.repeat(32), '{}', 'abc', '1', '%00', '%ff', 'x'.repeat(3_000)])(
    'is answered like a UUID that does not exist: %j',
    async (text) => {
      const answer = await client.post(`/v1/jobs/${text}/cancel`);
      expectError(answer, 404);
      expect(answer.body).toEqual((await client.post(unknownJob)).body);
    },
  );
});

describe('a request body', () => {
  const json = { 'content-type': 'application/json' };
  const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const bodies: [string, string | Uint8Array, Record<string, string>, number][] = [
    ['no JSON', '{"name":', json, 400],
    ['two values', '{} {}', json, 400],
    ['an empty string', '""', json, 400],
    ['a number', '1', json, 400],
    ['null', 'null', json, 400],
    ['true', 'true', json, 400],
    ['a list', '[]', json, 400],
    ['a list with a valid object', '[{"name":"x"}]', json, 400],
    ['an unknown field', '{"name":"x","color":1}', json, 400],
    ['a read-only field', '{"name":"x","created":"2020-01-01"}', json, 400],
    ['__proto__', '{"name":"x","__proto__":{"assets_limit":1}}', json, 400],
    ['constructor', '{"name":"x","constructor":{"prototype":{}}}', json, 400],
    ['U+0000', '{"name":"a\\u0000b"}', json, 400],
    ['a lone surrogate', '{"name":"\\ud800"}', json, 400],
    ['a line break', '{"name":"a\\r\\nSet-Cookie: x=1"}', json, 400],
    ['invalid UTF-8', Buffer.from('7b226e616d65223a22ff227d', 'hex'), json, 400],
    ['overlong UTF-8', Buffer.from('7b226e616d65223a22c080227d', 'hex'), json, 400],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), json, 400],
    ['33 levels', `{"name":${deep(33)}}`, json, 400],
    ['5,000 levels', `{"name":${deep(5_000)}}`, json, 400],
    ['100,000 levels', deep(100_000), json, 400],
    ['NaN', '{"name":"x","assets_limit":NaN}', json, 400],
    ['1e400', '{"name":"x","assets_limit":1e400}', json, 400],
    ['2^31', '{"name":"x","assets_limit":2147483648}', json, 400],
    ['2^63', '{"name":"x","assets_limit":9223372036854775808}', json, 400],
    ['a string for a number', '{"name":"x","assets_limit":"1"}', json, 400],
    ['a fraction for an integer', '{"name":"x","assets_limit":1.5}', json, 400],
    ['an object for a string', '{"name":{"$gt":""}}', json, 400],
    ['a list for a string', '{"name":["x"]}', json, 400],
    ['a boolean for a string', '{"name":true}', json, 400],
    ['a blank name', '{"name":"   "}', json, 400],
    ['a name of 201 characters', `{"name":"${'x'.repeat(201)}"}`, json, 400],
    ['a name of 201 astral characters', `{"name":"${'💩'.repeat(201)}"}`, json, 400],
    ['256 KiB and one byte', `{"name":"${'x'.repeat(256 * 1024)}"}`, json, 413],
    ['1 MiB', `{"name":"${'x'.repeat(1024 * 1024)}"}`, json, 413],
    ['a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['multipart', '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['text', '{"name":"x"}', { 'content-type': 'text/plain' }, 415],
    ['XML', '<name>x</name>', { 'content-type': 'application/xml' }, 415],
    ['another charset', '{"name":"x"}', { 'content-type': 'application/json; charset=latin1' }, 415],
    ['JSON by another name', '{"name":"x"}', { 'content-type': 'application/jsonp' }, 415],
    ['compression', '{"name":"x"}', { ...json, 'content-encoding': 'gzip' }, 415],
    ['nothing at all', '', json, 400],
  ];
  it.each(bodies)('that is invalid is refused: %s', async (_name, body, headers, status) => {
    expectError(await client.send('POST', '/v1/organizations/', body, headers), status);
  });

  it('has at most 10,000 values', async () => {
    const refusal = async (values: number) =>
      (await client.send('POST', '/v1/organizations/', `{"name":[${'1,'.repeat(values - 2)}1]}`, json)).body
        .description;
    expect(await refusal(10_001)).toBe('The body must not have more than 10000 values.');
    expect(await refusal(10_000)).not.toContain('values');
  });

  it('may start with a byte order mark, which is ignored', async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(JSON.stringify({ name: unique('BOM') })),
    ]);
    expect((await client.send('POST', '/v1/organizations/', bytes, json)).status).toBe(201);
  });

  it('may contain a name in any script, which is stored unchanged', async () => {
    const name = `名前 שם اسم 💩 ${unique('n')}`;
    const { body } = await client.post('/v1/organizations/', { name });
    const list = await client.get('/v1/organizations/?per_page=100');
    expect(list.body.organizations).toContainEqual({ id: body.id, name });
    await client.delete(`/v1/organizations/${body.id}/`);
  });

  it('that is null is refused, also when all fields are optional or no body is expected', async () => {
    const { id } = await make.organization();
    const { slug } = await make.event(id);
    const owner = await make.member(id, 'owner');
    const reports = `/v1/events/${slug}/reports/`;
    const refused = await owner.client.send('POST', reports, 'null', json);
    expectError(refused, 400);
    expect(refused.body.description).toContain('must be a JSON object');
    expect((await owner.client.send('POST', reports, '{}', json)).status).toBe(202);
    expect((await owner.client.send('POST', reports)).status).toBe(202);
    expectError(await client.send('DELETE', '/v1/organizations/2147483647/', 'null', json), 400);
  });

  it('for an operation without a body may be an empty object, but not have fields', async () => {
    expectError(await client.send('DELETE', '/v1/organizations/2147483647/', { force: true }), 400);
    expectError(await client.send('DELETE', '/v1/organizations/2147483647/', {}), 404);
  });
});

describe('a name or title', () => {
  const UNSUITABLE = [
    ['U+0000', 'a\0b'],
    ['U+000D', 'a\r\nSet-Cookie: x=1'],
    ['U+001B', 'a\u001b[2Jb'],
    ['U+2028', 'a\u2028b'],
    ['U+202E', 'invoice\u202Efdp.exe'],
    ['U+2066', 'a\u2066b'],
  ] as const;

  type Request = (event: { id: number; slug: string }, text: string) => [path: string, body: object];
  const report = ({ slug }: { slug: string }, titlePage: object): ReturnType<Request> => [
    `/v1/events/${slug}/reports/`,
    { options: { title_page: titlePage } },
  ];
  const requests: [string, Request][] = [
    ['an organization', (_event, name) => ['/v1/organizations/', { name }]],
    ['a key', (_event, label) => ['/v1/api-keys/', { label, scopes: ['read'] }]],
    ['an event', ({ id }, name) => [`/v1/organizations/${id}/events/`, { name, event_type: 1, event_category: 1 }]],
    [
      'a finding',
      ({ slug }, title) => [`/v1/events/${slug}/findings/`, { title, asset_value: 'a.example', severity: 'low' }],
    ],
    ['a report', (event, title) => report(event, { title })],
    ['the readers of a report', (event, name) => report(event, { distribution: [name] })],
  ];
  it.each(requests)('of %s is one line without controls or characters that reorder text', async (_of, requestOf) => {
    const { slug } = await make.event(organizationId);
    for (const [character, text] of UNSUITABLE) {
      const answer = await client.post(...requestOf({ id: organizationId, slug }, text));
      expectError(answer, 400);
      expect([character, answer.body.description]).toEqual([character, expect.stringMatching(/U\+0000|one line/)]);
    }
  });

  it('is refused with the name of the character', async () => {
    for (const [character, name] of UNSUITABLE.slice(1)) {
      const { body } = await client.post('/v1/organizations/', { name });
      expect(body.description).toBe(`name must be one line without control characters: it contains ${character}.`);
    }
  });

  it('differs from a comment, which has several lines', async () => {
    const { id } = await make.finding(organizationId);
    const comment = 'First line\r\n\tSecond line';
    const answer = await client.post(`/v1/findings/${id}/comments/`, { comment });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ comment })]);
  });
});

describe('the query string', () => {
  const invalid = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=0x1',
    'page=%2B1',
    'page=',
    'page= 1',
    'page=abc',
    'page=2147483648',
    'page=99999999999999999999',
    'page=1&page=2',
    'page[]=1',
    'page[0]=1',
    'page[x]=1',
    'page=%00',
    'page=%ff',
    'per_page=0',
    'per_page=101',
    'per_page=-1',
    'per_page=1&per_page=1',
    'per_page=NaN',
    'per_page=Infinity',
    'page=21474837',
    'organization_id=0',
    'organization_id=abc',
    'organization_id=2147483648',
    'organization_id=1&organization_id=2',
    'start_date=yesterday',
    'start_date=2026-02-30',
    'start_date=2026-13-01',
    'start_date=2026-01-31T25:00:00Z',
    'start_date=1767225600',
    'start_date=2026-01-01&start_date=2026-01-02',
    'end_date=0000-01-01',
    'status=maybe',
    'status=',
    'status=success&status=failure',
    'operation=',
    `operation=${'x'.repeat(201)}`,
    'operation=a%00b',
    'operation=a%ffb',
    'operation=a%ED%A0%80b',
    'operation=a%E2%80%AEb',
    'operation[$ne]=x',
    'resource_id=',
    'actor_id[]=1',
    'unknown=1',
    'unknown=1&unknown=2',
    'constructor[prototype]=1',
    `unknown=${'x'.repeat(8_000)}`,
    'x'.repeat(100),
    'until=1',
    'after=1',
    'before=',
    'count=maybe',
  ];
  it.each(invalid.map((text) => [text.slice(0, 60), text]))(
    '%s is refused with a message that names the parameter',
    async (_label, text) => {
      const answer = await client.get(
        `/v1/audit-logs/?${text.startsWith('organization_id') ? '' : `organization_id=${organizationId}&`}${text}`,
      );
      expectError(answer, 400);
      expect(answer.body.description).toContain(text.split(/[=[]/)[0]);
    },
  );

  const valid = [
    'page=1',
    'page=21474836&per_page=100',
    'per_page=100',
    '&&&',
    "operation=' OR 1=1 --",
    'operation=%F0%9F%92%A9',
    'start_date=2026-01-31',
    'start_date=2026-01-31T12:00:00+02:00',
    'end_date=2026-01-31 12:00',
    'start_date=2026-01-31T12:00:00.123456Z',
  ];
  it.each(valid.map((text) => [text.slice(0, 60), text]))('%s is accepted', async (_label, text) => {
    expect((await client.get(`/v1/audit-logs/?organization_id=${organizationId}&${text}`)).status).toBe(200);
  });
});

describe('methods and paths', () => {
  const methods: [string, string, number, string | null][] = [
    ['PUT', '/v1/organizations/', 405, 'POST, GET, HEAD'],
    ['PATCH', '/v1/organizations/1/', 405, 'DELETE'],
    ['OPTIONS', '/v1/organizations/', 405, 'POST, GET, HEAD'],
    ['POST', '/v1/version', 405, 'GET, HEAD'],
    ['PROPFIND', '/v1/version', 405, 'GET, HEAD'],
    // These paths also match /v1/jobs/{uuid}.
    ['GET', '/v1/jobs/check', 405, 'POST'],
    ['GET', '/v1/jobs/check/', 405, 'POST'],
    ['HEAD', '/v1/jobs/launch', 405, 'POST'],
    ['GET', '/v1/jobs/launch', 405, 'POST'],
    ['PUT', '/v1/jobs/launch', 405, 'POST'],
    ['GET', '/v1/jobs/checks', 404, null],
    ['GET', '/v1/jobs/check/status', 404, null],
    ['GET', '/v1/nothing', 404, null],
    ['GET', '/V1/version', 404, null],
    ['GET', '/nothing', 404, null],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['DELETE', '/openapi.json', 405, 'GET, HEAD'],
    ['PUT', '/docs', 405, 'GET, HEAD'],
    ['POST', '/', 405, 'GET, HEAD'],
    ['GET', '/docs/assay.css.map', 404, null],
    ['GET', '/v1/version/more', 404, null],
    ['GET', '/v1//version', 404, null],
    ['GET', '/%2e%2e/etc/passwd', 404, null],
    ['GET', '/docs/../../package.json', 404, null],
    ['GET', '/v1/%', 404, null],
  ];
  it.each(methods)('%s %s answers %i', async (method, path, status, allow) => {
    const answer = await client.send(method, path);
    if (method === 'HEAD') expect(answer.status).toBe(status);
    else expectError(answer, status);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('a request without credentials gets 401 before 405', async () => {
    expectError(await make.anonymous().get('/v1/jobs/check'), 401);
  });

  it.each(['/v1/version', '/v1/version/', '/v1/organizations', '/v1/organizations/'])(
    '%s is served, also for HEAD',
    async (path) => {
      const get = await client.get(path);
      const head = await client.send('HEAD', path);
      expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    },
  );
});

describe('the headers', () => {
  it('of a response do not reveal server software', async () => {
    const { headers } = await client.get('/v1/version');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['abc.DEF-1_2', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['<script>', false],
    ['a,b', false],
  ])('X-Request-Id %j of a request is returned in the response: %s', async (id, isKept) => {
    const { headers } = await client.get('/v1/version', { 'x-request-id': id });
    expect(headers.get('x-request-id') === id).toBe(isKept);
  });

  it.each([
    ['X-Forwarded-For', '1.2.3.4'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'ftp'],
    ['Forwarded', 'for=1.2.3.4;host=evil.example'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Original-URL', '/v1/organizations/'],
    ['Origin', 'https://evil.example'],
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'x'.repeat(1_000)],
    ['If-None-Match', '*'],
    ['Range', 'bytes=0-1'],
  ])('%s: %s of a request has no effect', async (name, value) => {
    const page = '/v1/organizations/?per_page=1';
    const plain = await client.get(page);
    const answer = await client.get(page, { [name]: value });
    expect([answer.status, answer.text]).toEqual([200, plain.text]);
    expect(answer.headers.get('link') ?? '').not.toContain('evil');
    const log = await client.get(`/v1/audit-logs/?organization_id=${organizationId}`, { [name]: value });
    expect(log.text).not.toContain('1.2.3.4');
  });
});

describe('a malformed HTTP request', () => {
  const auth = (): string => `Authorization: ${basic(credentials)}\r\n`;

  /** Sends bytes and returns the response text. */
  const exchange = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(api.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (/\r\n\r\n[^]*\}$/.test(text)) socket.end();
      });
      socket.on('error', () => resolve(text));
      socket.on('close', () => resolve(text));
      socket.setTimeout(8_000, () => socket.destroy());
    });

  const cases: [string, () => string, number][] = [
    ['not HTTP', () => 'hello\r\n\r\n', 400],
    ['a TLS hello', () => '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00\r\n\r\n', 400],
    ['no HTTP version', () => 'GET /v1/version\r\n\r\n', 401],
    ['an unknown HTTP version', () => 'GET /v1/version HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['no Host', () => `GET /v1/version HTTP/1.1\r\n${auth()}\r\n`, 400],
    ['a tunnel', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400],
    ['an unknown method', () => 'HACK /v1/version HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers of 64 KiB', () => `GET /v1/version HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
    ['a path of 64 KiB', () => `GET /${'x'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a header without a colon', () => 'GET /v1/version HTTP/1.1\r\nHost: x\r\nNonsense\r\n\r\n', 400],
    ['a control character in a header', () => 'GET /v1/version HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n', 400],
    [
      'two lengths',
      () => `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
    ],
    [
      'a length and chunks',
      () =>
        `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a negative length',
      () => `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Length: -1\r\n\r\n`,
      400,
    ],
    [
      'invalid chunks',
      () =>
        `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      400,
    ],
    [
      'an unknown expectation',
      () => `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`,
      417,
    ],
    [
      'an absolute URL of another host',
      () => `GET http://evil.example/v1/nothing HTTP/1.1\r\nHost: x\r\n${auth()}Connection: close\r\n\r\n`,
      404,
    ],
    [
      'an invalid absolute URL',
      () => `GET http://[/v1/nothing HTTP/1.1\r\nHost: x\r\n${auth()}Connection: close\r\n\r\n`,
      404,
    ],
    ['a star for a path', () => `OPTIONS * HTTP/1.1\r\nHost: x\r\n${auth()}Connection: close\r\n\r\n`, 404],
    [
      'a body that is longer than its Content-Length',
      () =>
        `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{}`,
      400,
    ],
  ];
  it.each(cases)('gets an error in JSON: %s', async (_name, bytes, status) => {
    const text = await exchange(bytes());
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    const body = JSON.parse(/\r\n\r\n(\{[^]*?\})/.exec(text)?.[1] ?? '{}') as object;
    expect(Object.keys(body).sort()).toEqual(['code', 'description', 'name', 'success']);
  });

  it('with an absolute URL is answered like its path', async () => {
    const text = await exchange(
      `GET http://x/v1/organizations/?per_page=1&page=2 HTTP/1.1\r\nHost: x\r\n${auth()}Connection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).toContain('\r\nCache-Control: no-store\r\n');
    expect(text).toContain('\r\nLink: </v1/organizations/?');
  });

  it('whose body stops half-way has no effect', async () => {
    const before = (await client.get('/v1/organizations/?per_page=100')).text;
    await new Promise<void>((resolve) => {
      const socket = connect(api.port, '127.0.0.1', () => {
        socket.write(
          `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\n${auth()}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name":`,
        );
        socket.end();
      });
      socket
        .resume()
        .on('close', () => resolve())
        .on('error', () => resolve());
    });
    expect((await client.get('/v1/organizations/?per_page=100')).text).toBe(before);
  });
});
