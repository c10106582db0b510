import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { canDecode } from './body';
import { failureOf, flood, HostileServer, once, timeLimitFor, transportTo } from '../testing/hostile-server';
import type { TransportOptions } from './transport';

const signal = (): AbortSignal => new AbortController().signal;

const started: { stop(): Promise<void> }[] = [];
const hostile = async (behave?: (socket: Socket) => void): Promise<HostileServer> => {
  const server = await new HostileServer(behave).start();
  started.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

const get = (port: number, options?: Partial<TransportOptions>, path = '/', host = '127.0.0.1') =>
  transportTo(port, options).http({ scheme: 'http', host, port, path }, { signal: signal() });

describe('an HTTP exchange', () => {
  it('records the request, the response, the address and the time', async () => {
    const server = await hostile(once('HTTP/1.1 200 OK\r\nX-A: 1\r\nSet-Cookie: id=hush; Path=/\r\n\r\nhello'));
    const { value, exchange } = await get(server.port, {}, '/a/../b?token=hush');
    expect(value.status).toBe(200);
    expect(value.text).toBe('hello');
    expect(value.headers.get('set-cookie')).toBe('id=hush; Path=/');
    expect(server.heard.join('')).toContain('GET /a/../b?token=hush HTTP/1.1');
    expect(server.heard.join('')).toMatch(/user-agent: engine-spec \(security@example\.test\)/i);
    expect(exchange).toMatchObject({ kind: 'http', address: `127.0.0.1:${server.port}`, bytes: 5, failure: null });
    expect(exchange.received).toContain('x-a: 1');
    expect(JSON.stringify(exchange)).not.toContain('hush');
  });

  it('sets Host, From and the length of the request itself, and accepts other headers', async () => {
    const server = await hostile(once('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const names = ['Host', 'From', 'X-Assay-Job', 'Content-Length', 'Connection', 'Transfer-Encoding', 'Upgrade'];
    const headers = [...names, 'User-Agent', 'X-Forwarded-For'].map((name) => [name, '4242'] as const);
    const request = { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/', headers } as const;
    await transportTo(server.port).http(request, { signal: signal() });
    expect(server.heard.join('').match(/^.*: 4242$/gim)).toEqual(['User-Agent: 4242', 'X-Forwarded-For: 4242']);
    expect(server.heard.join('')).toContain('From: security@example.test\r\n');
  });

  it('decompresses gzip, also for an empty body', async () => {
    const packed = gzipSync('unpacked');
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n';
    const server = await hostile(once(Buffer.concat([Buffer.from(`${head}\r\n`), packed])));
    expect((await get(server.port)).value.text).toBe('unpacked');
    const empty = await hostile(once(`${head}Content-Length: 0\r\n\r\n`));
    expect((await get(empty.port)).value.text).toBe('');
  });

  it('decompresses zstd where Node can', async () => {
    const frame = Buffer.concat([Buffer.from('28b52ffd2008410000', 'hex'), Buffer.from('unpacked')]);
    const server = await hostile(
      once(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n'), frame])),
    );
    const read = get(server.port).then(({ value }) => value.text, String);
    expect(await read).toMatch(canDecode('zstd') ? /^unpacked$/ : /content encoding .* is not supported \(zstd\)/);
  });

  it.each([
    ['utf-8', Buffer.from(`x${'é'.repeat(300_000)}`)],
    ['iso-8859-1', Buffer.from(`x${'é'.repeat(300_000)}`, 'latin1')],
    ['no-such-set', Buffer.from(`x${'é'.repeat(300_000)}`)],
  ])('is decoded as %s in chunks', async (charset, body) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;
    const server = await hostile(once(Buffer.concat([Buffer.from(head), body])));
    const { value } = await get(server.port, { limits: { bytes: 1_000_000 } });
    expect(value.text === `x${'é'.repeat(300_000)}`).toBe(true);
  });

  it.each([
    ['never answers', 'timeout', () => {}],
    ['hangs up', 'closed', (socket: Socket) => socket.end()],
    ['resets', 'reset', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks no HTTP', 'protocol', once('+PONG\r\n')],
    ['ends in mid-answer', 'closed', once('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')],
    ['packs nonsense', 'protocol', once('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnonsense')],
    ['sends an unknown content encoding', 'protocol', once('HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\nx')],
    ['never ends its body', 'too_large', flood('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000))],
    [
      'never ends a body that unpacks to nothing',
      'too_large',
      flood('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', Buffer.concat(Array<Buffer>(50).fill(gzipSync('')))),
    ],
    ['never ends its header', 'too_large', flood('HTTP/1.1 200 OK\r\n', `X-A: ${'x'.repeat(1_000)}\r\n`)],
    ['never stops to say continue', 'protocol', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(300))],
    [
      'sends a bomb',
      'too_large',
      once(
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'), gzipSync(Buffer.alloc(9e6))]),
      ),
    ],
    [
      'drips',
      'timeout',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const drip = setInterval(() => socket.write('.'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('fails in time with a reason when the target %s', async (_what, code, behave) => {
    const server = await hostile(behave);
    const { failure, exchange } = await failureOf(get(server.port, timeLimitFor(code)));
    expect(failure.code).toBe(code);
    expect(exchange.failure).toEqual(failure);
    expect(exchange.received.length).toBeLessThan(20_000);
  });

  it('ends a body that arrives in single bytes, because each of them takes as long as a large piece', async () => {
    const bytes = flood('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'.repeat(2_000));
    const server = await hostile(bytes);
    const { failure, exchange } = await failureOf(get(server.port, { limits: { bytes: 50_000_000 } }));
    expect(failure).toEqual({ code: 'protocol', reason: 'most of what arrives is no content of the response' });
    expect(exchange.bytes).toBeLessThan(1_000_000);
  });

  it('reports a refused connection', async () => {
    const server = await hostile();
    const { port } = server;
    await server.stop();
    expect((await failureOf(get(port))).failure.code).toBe('refused');
  });

  it('stops at once with the reason of the aborted signal', async () => {
    const server = await hostile();
    const stop = new AbortController();
    const running = transportTo(server.port, { limits: { exchangeMs: 60_000 } }).http(
      { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' },
      { signal: stop.signal },
    );
    const reason = new Error('canceled');
    setTimeout(() => stop.abort(reason), 30);
    await expect(running).rejects.toBe(reason);
  });
});
