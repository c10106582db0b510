import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAssay, dataOf } from './client';
import { AssayError, BadRequestError, ConnectionError, InvalidResponseError, TimeoutError } from './errors';
import { launch, NotLaunchableError, waitForGate } from './gate';
import { nodeFetch, proxyFor } from './node-fetch';
import { pages } from './pages';
import { safeLine, safeLines } from './safe-text';
import { type TransportOptions } from './transport';
import { parseUnambiguousJson } from './unambiguous-json';
import { waitForJob, waitForRetest } from './waiting';
import { verifyWebhook } from './webhooks';

const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
let server: Server;
let answer: RequestListener;
let requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
let service: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ request, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const clientWith = (options: TransportOptions = {}) =>
  createAssay({ url: `${service}/`, key: 'ak_a', secret: 'as_b', maxDelayMs: 2_000, ...options });
const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
/** Answers with each of these in turn, and with the last one from then on. */
const inTurn = (...listeners: RequestListener[]): void => {
  let at = 0;
  answer = (request, response) => listeners[Math.min(at++, listeners.length - 1)]?.(request, response);
};
const me = { user: { id: 1, email: 'a@example.com' }, integrator: null, organizations: [], key: {} };
const soon = { 'retry-after': '0' };

describe('a request', () => {
  it('has the credentials, and returns the body of the response', async () => {
    answer = (_request, response) => send(response, 200, me);
    expect(await dataOf(clientWith().GET('/v1/me'))).toEqual(me);
    const { headers } = requests[0]?.request ?? {};
    expect(headers?.authorization).toBe(`Basic ${Buffer.from('ak_a:as_b').toString('base64')}`);
  });

  it('is repeated with one Idempotency-Key after lost connections, 429, 502, 503 and a 409 with Retry-After', async () => {
    inTurn(
      (request) => void request.socket.destroy(),
      (request, response) => {
        response.writeHead(201, { 'content-length': '100' }).write('{"uuid":');
        setImmediate(() => request.socket.destroy());
      },
      ...[429, 502, 503, 409].map(
        (status): RequestListener =>
          (_request, response) =>
            send(response, status, {}, soon),
      ),
      (_request, response) => send(response, 201, { url: 'u', uuid }),
    );
    const body = { url: 'https://www.example.com/' };
    const retries: string[] = [];
    const client = clientWith({ attempts: 10, onRetry: ({ name }) => retries.push(name) });
    expect(await dataOf(client.POST('/v1/jobs/launch', { body }))).toEqual({ url: 'u', uuid });
    const keys = new Set(requests.map(({ request }) => request.headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(requests.map((one) => one.body)).toEqual(Array.from({ length: 7 }, () => JSON.stringify(body)));
    expect(retries.slice(0, 2)).toEqual(['ConnectionError', 'ConnectionError']);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422, 500, 504])('is sent once if the answer is %s', async (status) => {
    answer = (_request, response) => send(response, status, { description: 'Because.' }, { 'x-request-id': 'r-1' });
    const error: unknown = await clientWith()
      .GET('/v1/me')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssayError);
    expect(error).toMatchObject({ status, requestId: 'r-1', retryable: false, message: 'Because.' });
    expect(requests).toHaveLength(1);
  });

  it('names the fields of a 400', async () => {
    const description = 'title must be a text; options.format must be one of pdf, html; and more.';
    answer = (_request, response) => send(response, 400, { description });
    const error: unknown = await clientWith()
      .GET('/v1/me')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BadRequestError);
    expect((error as BadRequestError).fields).toEqual([
      { field: 'title', problem: 'must be a text' },
      { field: 'options.format', problem: 'must be one of pdf, html' },
    ]);
  });

  it('is given up when the service wants a longer pause than allowed, and says after how long to come back', async () => {
    answer = (_request, response) => send(response, 429, {}, { 'retry-after': '90' });
    await expect(clientWith().GET('/v1/me')).rejects.toMatchObject({ retryAfter: 90, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it('ends with a TimeoutError when nothing comes, and at once with the reason of its signal', async () => {
    answer = () => undefined;
    await expect(clientWith({ timeoutMs: 50, attempts: 1 }).GET('/v1/me')).rejects.toBeInstanceOf(TimeoutError);
    const signal = AbortSignal.timeout(50);
    const error: unknown = await clientWith()
      .GET('/v1/me', { signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toBe(signal.reason);
  });

  it.each<[string, RequestListener]>([
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['a page of something else', (_request, response) => response.writeHead(200).end('<html>Welcome</html>')],
    ['an empty body', (_request, response) => response.writeHead(200).end()],
  ])('ends with an InvalidResponseError for %s', async (_what, listener) => {
    answer = listener;
    await expect(dataOf(clientWith().GET('/v1/me'))).rejects.toBeInstanceOf(InvalidResponseError);
    expect(requests).toHaveLength(1);
  });

  it('says why the service cannot be reached', async () => {
    const client = createAssay({
      url: 'http://127.0.0.1:9',
      key: 'a',
      secret: 'b',
      attempts: 1,
      fetch: nodeFetch({ environment: {} }),
    });
    const error: unknown = await client.GET('/v1/me').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('ECONNREFUSED');
  });
});

describe('a list', () => {
  it('is read to its end by the next link, whatever host the link names', async () => {
    inTurn(
      (_request, response) =>
        send(response, 200, { jobs: [{ uuid: 'a' }] }, { link: '<https://inside/v1/jobs?after=x%2F1>; rel="next"' }),
      (_request, response) => send(response, 200, { jobs: [{ uuid: 'b', status: 'NEWER_THAN_THIS' }] }),
    );
    const found: unknown[] = [];
    for await (const job of pages(clientWith(), '/v1/jobs')) found.push(job);
    expect(found).toEqual([{ uuid: 'a' }, { uuid: 'b', status: 'NEWER_THAN_THIS' }]);
    expect(requests.map(({ request }) => request.url)).toEqual([
      '/v1/jobs?per_page=100',
      '/v1/jobs?per_page=100&after=x%2F1',
    ]);
  });

  it('that names the same page again fails instead of going on for ever', async () => {
    answer = (_request, response) => send(response, 200, { jobs: [] }, { link: '<x?after=1>; rel="next"' });
    const read = async () => {
      for await (const _job of pages(clientWith(), '/v1/jobs'));
    };
    await expect(read()).rejects.toBeInstanceOf(InvalidResponseError);
  });
});

describe('a wait', () => {
  it('ends with the final state, after states that this version does not know', async () => {
    const status =
      (state: string): RequestListener =>
      (_request, response) =>
        send(response, 200, { status: state });
    inTurn(status('PENDING'), status('SOMETHING_NEW'), status('FINISHED'));
    const states: string[] = [];
    const options = { intervalMs: 1, onState: (state: { status: string }) => states.push(state.status) };
    expect(await waitForJob(clientWith(), uuid, options)).toEqual({ ended: true, state: { status: 'FINISHED' } });
    expect(states).toEqual(['PENDING', 'SOMETHING_NEW', 'FINISHED']);
  });

  it('that is cut returns the last state and no verdict', async () => {
    answer = (_request, response) => send(response, 200, { status: 'in_progress', result: null });
    const state = { status: 'in_progress', result: null };
    const user = new AbortController();
    const onState = (): void => user.abort();
    const cut = await waitForRetest(clientWith(), 7, { signal: user.signal, onState });
    expect(cut).toEqual({ ended: false, state, cutBy: 'signal' });
    expect(await waitForRetest(clientWith(), 7, { timeoutMs: 50, intervalMs: 5 })).toMatchObject({
      ended: false,
      cutBy: 'timeout',
    });
    const signal = AbortSignal.abort();
    expect(await waitForRetest(clientWith(), 7, { signal })).toEqual({
      ended: false,
      state: undefined,
      cutBy: 'signal',
    });
  });
});

describe('a gate', () => {
  const success = (body: string): void => {
    answer = ({ url = '' }, response) =>
      url.endsWith('/status') ? send(response, 200, { status: 'FINISHED' }) : response.writeHead(200).end(body);
  };
  const gate = () => waitForGate(clientWith({ attempts: 1 }), uuid, { signal: AbortSignal.timeout(2_000) });

  it('passes for success: true alone', async () => {
    success('{ "success" : true, "description": "ok \\"success\\":false" }');
    expect(await gate()).toMatchObject({ gate: 'passed' });
    success('{"success":false,"description":"Found."}');
    expect(await gate()).toMatchObject({ gate: 'failed' });
  });

  it.each([
    ['no JSON', 'true'],
    ['the word', '{"success":"true","description":""}'],
    ['a list', '[{"success":true,"description":""}]'],
    ['both false and true', '{"success":false,"success":true,"description":""}'],
    ['half a document', '{"success":true,"descr'],
    ['nothing', ''],
  ])('has no result for %s', async (_what, body) => {
    success(body);
    await expect(gate()).rejects.toBeInstanceOf(InvalidResponseError);
  });

  it('does not pass for a job that did not finish, whatever /success says', async () => {
    answer = ({ url = '' }, response) =>
      send(response, 200, url.endsWith('/status') ? { status: 'CANCELED' } : { success: true, description: '' });
    expect(await gate()).toMatchObject({ gate: 'failed', status: 'CANCELED' });
  });

  it('is unknown when the wait is cut, with the last status', async () => {
    answer = (_request, response) => send(response, 200, { status: 'IN_PROGRESS' });
    const user = new AbortController();
    const result = await waitForGate(clientWith(), uuid, { signal: user.signal, onStatus: () => user.abort() });
    expect(result).toMatchObject({ gate: 'unknown', status: 'IN_PROGRESS' });
  });

  it('launches nothing for a URL that may not be tested', async () => {
    answer = (_request, response) => send(response, 200, { valid: false, reason: 'No asset covers it.' });
    const refused = launch(clientWith(), { url: 'https://www.example.com/' });
    await expect(refused).rejects.toThrow(new NotLaunchableError('No asset covers it.'));
    expect(requests).toHaveLength(1);
  });

  it('has no job if the response to the launch has no UUID', async () => {
    answer = (_request, response) => send(response, 201, { valid: true, uuid: '../../me' });
    await expect(launch(clientWith(), { url: 'https://a.example/' })).rejects.toBeInstanceOf(InvalidResponseError);
  });
});

describe('a webhook', () => {
  const now = 1_800_000_000_000;
  const time = String(now / 1_000);
  const signed = `msg_1.${time}.{"a":1}`;
  const received = (signature: string) => ({
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': signature },
    body: '{"a":1}',
  });

  it('is verified with the secret or the public key, by any of its signatures', () => {
    const secret = Buffer.alloc(32, 7);
    const mac = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    const key = `whsec_${secret.toString('base64')}`;
    expect(verifyWebhook(received(`v1,AAAA ${mac}`), key, { now })).toBe(true);
    expect(verifyWebhook({ ...received(mac), body: '{"a":2}' }, key, { now })).toBe(false);
    expect(verifyWebhook(received(mac), key, { now: now + 301_000 })).toBe(false);
    expect(verifyWebhook(received(mac), `whsec_${Buffer.alloc(32, 8).toString('base64')}`, { now })).toBe(false);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const signature = `v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`;
    expect(verifyWebhook(received(signature), `whpk_${bytes.toString('base64')}`, { now })).toBe(true);
    expect(verifyWebhook(received(mac), `whpk_${bytes.toString('base64')}`, { now })).toBe(false);
    expect(() => verifyWebhook(received(mac), 'secret', { now })).toThrow('whsec_');
  });

  it('without its headers is not verified', () => {
    expect(verifyWebhook({ headers: {}, body: '' }, 'whsec_AAAA')).toBe(false);
  });
});

describe('the fetch of Node', () => {
  it('sends through the proxy, and says when the proxy refuses', async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization']}`);
      send(response, 200, me);
    });
    proxy.on('connect', (request: IncomingMessage, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `http://user:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const options = { key: 'a', secret: 'b', attempts: 1, fetch: nodeFetch({ proxy: address }) };
    expect(await dataOf(createAssay({ ...options, url: 'http://assay.invalid' }).GET('/v1/me'))).toEqual(me);
    await expect(createAssay({ ...options, url: 'https://assay.invalid' }).GET('/v1/me')).rejects.toThrow('refused');
    expect(seen).toEqual([
      `http://assay.invalid/v1/me Basic ${Buffer.from('user:p@ss').toString('base64')}`,
      'CONNECT assay.invalid:443',
    ]);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('reads bodies of any status, and keeps every header', async () => {
    answer = (_request, response) => send(response, 200, me, { link: '<a>; rel="x"' });
    const client = clientWith({ fetch: nodeFetch({ environment: {} }) });
    const { data, response } = await client.GET('/v1/me');
    expect([data, response.headers.get('link')]).toEqual([me, '<a>; rel="x"']);
  });

  it.each([
    ['https://a.example/', 'http://p:1'],
    ['http://a.example/', undefined],
    ['https://inside.example/', undefined],
    ['https://x.inside.example/', undefined],
    ['https://10.1.2.3/', undefined],
    ['https://port.example:8443/', undefined],
    ['https://port.example/', 'http://p:1'],
    ['https://[::1]/', undefined],
  ])('uses for %s the proxy %s', (url, expected) => {
    const environment = { https_proxy: 'http://p:1', NO_PROXY: '.inside.example,10.0.0.0/8 port.example:8443 ::1' };
    expect(proxyFor(new URL(url), environment)).toBe(expected);
  });
});

describe('texts and documents of others', () => {
  it('have no characters that a terminal would obey', () => {
    const hostile = 'a\u001b[2J\u001b]0;title\u0007\r\nb\u202Ec\u009b31m\td';
    expect(safeLine(hostile)).toBe('a\ufffd[2J\ufffd]0;title\ufffd b\ufffdc\ufffd31m d');
    expect(safeLine('a ##vso[task.x]###[add-mask]')).toBe('a #vso[task.x]#[add-mask]');
    expect(safeLines('a\n::add-mask::b\n  ::error::c')).toBe('a\n:add-mask::b\n  :error::c');
    expect(safeLines(hostile).split('\n')).toHaveLength(2);
    expect(safeLines(hostile).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('are refused as JSON with a name twice in one object, also in another spelling', () => {
    expect(parseUnambiguousJson('{"a":{"a":1},"b":"{\\"b\\":"}')).toEqual({ a: { a: 1 }, b: '{"b":' });
    for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"b":[{"a":1,"a":1}]}'])
      expect(() => parseUnambiguousJson(text)).toThrow('twice');
  });
});
