import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Cidr } from '../../kernel/cidr';
import { checkById } from '../checks';
import { assess } from '../assess';
import { ProbeSession } from '../probe-session';
import { certificate } from '../testing/certificate';
import { failureOf, transportTo } from '../testing/hostile-server';
import { END_HEADERS, END_STREAM, errorCode, fields, FRAME, frame, Http2Server } from '../testing/http2-server';
import { describeWithNginx, startNginx } from '../testing/real-nginx';
import { freePort } from '../testing/real-server';
import { BROWSER } from '../testing/test-target';
import { verify } from '../verdict';
import type { HttpRequest } from './http';
import type { TransportOptions, Via } from './transport';

const TLS = certificate({ key: 'rsa' });
const signal = (): AbortSignal => new AbortController().signal;
const started: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((stop) => stop()));
});

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

async function serve(answer: Answer, allowHTTP1 = true): Promise<number> {
  const server: Http2SecureServer = createSecureServer({ ...TLS, allowHTTP1 }, answer);
  server.on('sessionError', () => {}).on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  started.push(async () => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function hostile(behave: (socket: TLSSocket) => void, protocols?: string[]): Promise<number> {
  const server = await Http2Server.start(behave, protocols);
  started.push(() => server.stop());
  return server.port;
}

const AS_BROWSER = { client: 'desktop' } as const;

const get = (
  port: number,
  via: Partial<Via> = AS_BROWSER,
  request: Partial<HttpRequest> = {},
  options: Partial<TransportOptions> = {},
) =>
  transportTo(port, options).http(
    { scheme: 'https', host: '127.0.0.1', port, path: '/', ...request },
    { signal: signal(), ...via },
  );

const OK = fields([':status', '200'], ['server', 'test']);
const HEAD = frame(FRAME.headers, END_HEADERS, OK);
/** A header of 3,000 bytes that is added to the HPACK table (RFC 7541), and a reference to it. */
const INDEXED_FIELD = Buffer.concat([
  Buffer.from([0x40, 1]),
  Buffer.from('x'),
  Buffer.from([0x7f, 0xb9, 0x16]),
  Buffer.alloc(3_000, 'y'),
]);
const FIRST_OF_TABLE = 0x80 | 62;
const HALF = frame(FRAME.data, 0, 'half');
const WHOLE = Buffer.concat([HEAD, frame(FRAME.data, END_STREAM, 'whole')]);

const echo: Answer = (request, response) => {
  response.setHeader('x-protocol', request.httpVersion);
  response.end(`${request.method} ${request.url} ${String(request.headers['x-own'] ?? '')}`);
};

it.each([
  ['2.0', []],
  [
    '1.1',
    [
      ['X-Own', '1'],
      ['x-own', '2'],
    ],
  ],
] as const)('a mobile browser says over TLS what it is, in HTTP/%s', async (version, headers) => {
  const port = await serve((request, response) => {
    const { 'sec-ch-ua-mobile': mobile, 'sec-ch-ua-platform': platform, 'sec-fetch-dest': wanted } = request.headers;
    response.end([request.httpVersion, mobile, platform, wanted].join(' '));
  });
  const { value } = await get(port, { client: 'mobile' }, { headers }, { browserUserAgent: BROWSER });
  expect(value.text).toBe(`${version} ?1 "Android" document`);
});

describe('HTTP/2', () => {
  it('is used as browsers where it is offered, and the evidence names it', async () => {
    const port = await serve(echo);
    const { value, exchange } = await get(port, AS_BROWSER, { path: '/a/../b?c', headers: [['X-Own', '1']] });
    expect(value).toMatchObject({ status: 200, text: 'GET /a/../b?c 1' });
    expect(value.headers.get('x-protocol')).toBe('2.0');
    expect(exchange.sent).toContain('GET /a/../b?c HTTP/2\r\n');
    expect(exchange.received).toContain('HTTP/2 200\r\n');
  });

  it('is used under our own name only with targets that speak nothing else', async () => {
    const both = await get(await serve(echo), {});
    expect(both.value.headers.get('x-protocol')).toBe('1.1');
    expect(both.exchange.sent).toContain('HTTP/1.1');
    const only = await get(await serve(echo, false), {});
    expect(only.value.headers.get('x-protocol')).toBe('2.0');
  });

  it.each([
    ['about its connection', [['Connection', 'keep-alive']]],
    [
      'twice',
      [
        ['X-Own', '1'],
        ['x-own', '2'],
      ],
    ],
  ] as const)('carries no request that states a field %s', async (_what, headers) => {
    const { value } = await get(await serve(echo), AS_BROWSER, { headers });
    expect(value.headers.get('x-protocol')).toBe('1.1');
    const { failure } = await failureOf(get(await serve(echo, false), AS_BROWSER, { headers }));
    expect(failure.reason).toBe('the target speaks HTTP/2 only, which this request cannot use');
  });

  it.each([
    ['POST', 'POST / '],
    ['HEAD', ''],
  ])('carries %s', async (method, text) => {
    const { value } = await get(await serve(echo), AS_BROWSER, { method, ...(method === 'POST' && { body: 'a=1' }) });
    expect(value).toMatchObject({ status: 200, text });
  });

  it('decompresses, and keeps equal header fields apart', async () => {
    const port = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(gzipSync('unpacked'));
    });
    const { value } = await get(port);
    expect(value.text).toBe('unpacked');
    expect(value.headers.all('set-cookie')).toEqual(['a=1', 'b=2']);
    const twice = frame(
      FRAME.headers,
      END_HEADERS | END_STREAM,
      fields([':status', '200'], ['x-a', '1'], ['x-a', '2']),
    );
    expect((await get(await hostile((socket) => socket.write(twice)))).value.headers.all('x-a')).toEqual(['1', '2']);
  });

  it('gives way to HTTP/1.1 where the target demands it', async () => {
    const port = await hostile(
      (socket) => {
        if (socket.alpnProtocol === 'h2') socket.write(frame(FRAME.reset, 0, errorCode(0xd)));
        else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold');
      },
      ['h2', 'http/1.1'],
    );
    // The server greets every client with HTTP/2 frames, which are not HTTP/1.1.
    const { exchange } = await failureOf(get(port));
    expect(exchange.sent).toMatch(/GET \/ HTTP\/2\r\n.*GET \/ HTTP\/1\.1\r\n/s);
  });

  const floodWith = (first: Buffer, piece: Buffer) => (socket: TLSSocket) => {
    const pieces = Buffer.concat(Array.from({ length: 200 }, () => piece));
    const fill = (): void => {
      while (!socket.destroyed && socket.write(pieces));
    };
    socket.write(first);
    socket.on('drain', fill);
    fill();
  };
  const sending =
    (...parts: readonly Buffer[]) =>
    (socket: TLSSocket): void =>
      void socket.write(Buffer.concat(parts));
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const packed = fields([':status', '200'], ['content-encoding', 'gzip']);
  const informational = frame(FRAME.headers, END_HEADERS, fields([':status', '103']));

  it.each<[what: string, code: string, behave: (socket: TLSSocket) => void]>([
    ['never answers', 'timeout', () => {}],
    ['never ends its body', 'too_large', floodWith(HEAD, frame(FRAME.data, 0, Buffer.alloc(10_000, 'x')))],
    ['resets the stream', 'reset', sending(HEAD, HALF, frame(FRAME.reset, 0, errorCode(8)))],
    ['resets the stream without an error', 'reset', sending(HEAD, HALF, frame(FRAME.reset, 0, errorCode(0)))],
    ['goes away', 'reset', sending(HEAD, HALF, frame(FRAME.goAway, 0, Buffer.alloc(8), 0))],
    ['ends in mid-answer', 'closed', (socket) => void socket.end(Buffer.concat([HEAD, HALF]))],
    ['ends before it answers', 'closed', (socket) => void socket.end()],
    [
      'ends before the stated length',
      'protocol',
      sending(
        frame(FRAME.headers, END_HEADERS, Buffer.concat([OK, fields(['content-length', '9'])])),
        frame(FRAME.data, END_STREAM, 'short'),
      ),
    ],
    [
      'sends a header without end',
      'too_large',
      sending(
        frame(FRAME.headers, 0, OK),
        ...Array.from({ length: 6 }, () =>
          frame(
            FRAME.continuation,
            0,
            Buffer.concat(Array.from({ length: 100 }, (_none, at) => fields([`x-${at}`, 'y'.repeat(120)]))),
          ),
        ),
        frame(FRAME.continuation, END_HEADERS),
      ),
    ],
    [
      'sends more than 500 fields',
      'too_large',
      sending(
        frame(
          FRAME.headers,
          END_HEADERS | END_STREAM,
          Buffer.concat([OK, ...Array.from({ length: 501 }, () => fields(['x', '1']))]),
        ),
      ),
    ],
    [
      'sends large fields as one byte each',
      'too_large',
      sending(
        frame(
          FRAME.headers,
          END_HEADERS | END_STREAM,
          Buffer.concat([OK, INDEXED_FIELD, Buffer.alloc(400, FIRST_OF_TABLE)]),
        ),
      ),
    ],
    ['floods with CONTINUATION', 'protocol', floodWith(frame(FRAME.headers, 0, OK), frame(FRAME.continuation, 0, OK))],
    ['floods with informational responses', 'protocol', floodWith(informational, informational)],
    ['floods with PING', 'protocol', floodWith(HEAD, frame(FRAME.ping, 0, Buffer.alloc(8), 0))],
    ['floods with SETTINGS', 'protocol', floodWith(HEAD, frame(FRAME.settings, 0, '', 0))],
    ['floods with RST_STREAM', 'protocol', floodWith(HEAD, frame(FRAME.reset, 0, errorCode(8), 3))],
    ['floods with empty DATA', 'protocol', floodWith(HEAD, frame(FRAME.data))],
    [
      'pushes',
      'protocol',
      sending(frame(FRAME.push, END_HEADERS, Buffer.concat([errorCode(2), fields([':method', 'GET'])])), WHOLE),
    ],
    ['does not speak it', 'protocol', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')],
    [
      'sends a bomb',
      'too_large',
      sending(
        frame(FRAME.headers, END_HEADERS, packed),
        ...Array.from({ length: Math.ceil(bomb.length / 16_000) }, (_none, at) =>
          frame(FRAME.data, 0, bomb.subarray(at * 16_000, (at + 1) * 16_000)),
        ),
      ),
    ],
  ])('ends in time with a reason when the target %s', async (_what, code, behave) => {
    const before = process.cpuUsage();
    const limits = code === 'timeout' ? { exchangeMs: 400 } : {};
    const { failure, exchange } = await failureOf(get(await hostile(behave), AS_BROWSER, {}, { limits }));
    expect(failure.code).toBe(code);
    expect(exchange.received.length).toBeLessThan(20_000);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  });

  describe('through a beacon', () => {
    const PRIVATE = '10.1.2.3';
    const through = (port: number, cutAfter = Infinity): Partial<Via> => ({
      ...AS_BROWSER,
      route: {
        key: 'beacon',
        cidrs: [Cidr.parse('10.0.0.0/8', 'cidr')],
        isProven: () => Promise.resolve(true),
        resolve: () => Promise.resolve([PRIVATE]),
        connect: async () => {
          const socket = connect(port, '127.0.0.1');
          let bytes = 0;
          socket.on('data', (chunk) => {
            bytes += chunk.length;
            if (bytes > cutAfter) socket.destroy();
          });
          socket.pause();
          return socket;
        },
      },
    });

    it('is spoken too', async () => {
      const { value } = await get(1, through(await serve(echo)), { host: PRIVATE });
      expect(value.headers.get('x-protocol')).toBe('2.0');
    });

    it('gives no response when the beacon cuts the stream off', async () => {
      const port = await serve((_request, response) => void response.end('x'.repeat(50_000)));
      const { failure } = await failureOf(get(port, through(port, 10_000), { host: PRIVATE }));
      expect(failure.code).toBe('reset');
    });
  });

  it.each([
    ['as browsers do', true, 'still_vulnerable'],
    ['and no client sees the weakness', false, 'fixed'],
  ])('shows what only its clients get: a target that speaks both, %s', async (_what, isWeak, result) => {
    let isFixed = false;
    const port = await serve((request, response) => {
      const shows = !isFixed || (isWeak && request.httpVersion === '2.0');
      if (!shows) response.setHeader('x-content-type-options', 'nosniff');
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>The shop</title><h1>Welcome to our shop</h1>');
    });
    const check = checkById('missing-nosniff');
    if (check === null) throw new Error('there is no such check');
    const target = { scheme: 'https', host: '127.0.0.1', port, path: '/' } as const;
    const transport = transportTo(port);
    const { baseline } = await assess(check, target, new ProbeSession(transport, { signal: signal() }));
    isFixed = true;
    const { verdict } = await verify(check, target, baseline, transport, { signal: signal() }, async () => null, {
      probes: 3,
      spreadMs: 3,
    });
    expect(`${verdict.result}: ${verdict.reason}`).toMatch(new RegExp(`^${result}`));
  });
});

describeWithNginx('HTTP/2 of a real nginx', () => {
  it('gives the pages, errors and large files that HTTP/1.1 gives', async () => {
    const port = await freePort();
    const large = 'line of a large file\n'.repeat(4_000);
    const nginx = await startNginx(
      port,
      (folder) => `gzip on; gzip_types text/plain;
        server { listen 127.0.0.1:${port} ssl http2; root ${folder}/root; ssl_certificate c.pem; ssl_certificate_key c.pem; }`,
      { 'c.pem': TLS.key + TLS.cert, 'root/index.html': '<title>The target</title>', 'root/large.txt': large },
    );
    started.push(() => nginx.stop());
    for (const [path, status] of [
      ['/', 200],
      ['/large.txt', 200],
      ['/missing', 404],
    ] as const) {
      const [browsers, ours] = [await get(port, AS_BROWSER, { path }), await get(port, {}, { path })];
      expect(browsers.exchange.received).toContain(`HTTP/2 ${status}`);
      expect(ours.exchange.received).toContain(`HTTP/1.1 ${status}`);
      expect(browsers.value.text === ours.value.text).toBe(true);
      expect(browsers.value.status).toBe(status);
    }
  });
});
