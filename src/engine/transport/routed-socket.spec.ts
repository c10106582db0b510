import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer, type TLSSocket } from 'node:tls';
import { Cidr } from '../../kernel/cidr';
import { certificate } from '../testing/certificate';
import { failureOf, flood, HostileServer, once, transportTo } from '../testing/hostile-server';
import { plainStream } from '../testing/plain-stream';
import { exchangeHttp } from './http';
import { DEFAULT_LIMITS } from './limits';
import { Recording } from './recording';
import type { Route } from './route';
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

const PRIVATE = '10.1.2.3';

const kept = (stream: Duplex): Duplex => {
  streams.push(stream);
  return stream;
};

/** Every address behind the beacon is this port of the machine. */
const streams: Duplex[] = [];
const routeTo = (port: number, more: Partial<Route> = {}): Route => ({
  key: 'beacon',
  cidrs: ['10.1.0.0/16', '203.0.114.0/24'].map((block) => Cidr.parse(block, 'cidr')),
  isProven: () => Promise.resolve(false),
  resolve: () => Promise.resolve([PRIVATE]),
  connect: () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(kept(plainStream(socket)))).once('error', reject);
    }),
  ...more,
});

interface Asked {
  readonly scheme?: 'http' | 'https';
  readonly host?: string;
  readonly options?: Partial<TransportOptions>;
}

const get = (route: Route, { scheme = 'http', host = PRIVATE, options }: Asked = {}) =>
  transportTo(1, { egressAllow: [], ...options }).http(
    { scheme, host, port: 80, path: '/' },
    { signal: signal(), route },
  );

async function secureServer(behave: (socket: TLSSocket) => void): Promise<{ port: number }> {
  const { cert, key } = certificate();
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert, key }, (socket) => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  started.push({ stop });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

beforeEach(() => void streams.splice(0));

/** A response without a length whose second half never arrives. */
const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<title>Half of';

/** Destroys the stream after it has passed on half of the response. */
const cutting = (port: number, error?: Error): Route => {
  const route = routeTo(port);
  return {
    ...route,
    connect: async (endpoint, aborted) => {
      const stream: Duplex = await route.connect(endpoint, aborted);
      const { push } = stream;
      let bytes = 0;
      stream.push = (chunk: Buffer | null) => {
        if (chunk !== null) bytes += chunk.length;
        const more = push.call(stream, chunk);
        if (chunk?.includes('Half of') || bytes > 2_000) setImmediate(() => stream.destroy(error));
        return more;
      };
      return stream;
    },
  };
};

describe('a stream through a beacon', () => {
  it('carries HTTP, TLS and conversations over TCP like a socket', async () => {
    const plain = await hostile(once('HTTP/1.1 200 OK\r\n\r\nprivate'));
    const answer = await get(routeTo(plain.port), { host: 'intranet.test' });
    expect(answer.value.text).toBe('private');
    expect(answer.exchange.address).toBe(`${PRIVATE}:80`);

    const secured = await secureServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsecret'));
    const { value } = await get(routeTo(secured.port), { scheme: 'https', host: 'intranet.test' });
    expect(value).toMatchObject({ text: 'secret', tls: { trusted: false } });
    const offered = { signal: signal(), route: routeTo(secured.port) };
    const shaken = await transportTo(1).tls({ host: PRIVATE, port: 443 }, {}, offered);
    expect(shaken.value).toMatchObject({ state: 'agreed' });

    const service = await hostile((socket) => socket.on('data', () => socket.write('+PONG\r\n')));
    const steps = [{ send: 'PING\r\n', complete: (reply: Buffer) => reply.includes('\r\n') }];
    const talk = { signal: signal(), route: routeTo(service.port) };
    const replies = await transportTo(1).tcp({ host: PRIVATE, port: 6379 }, steps, talk);
    expect(replies.value.map(String)).toEqual(['+PONG\r\n']);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true]);
  });

  it.each([
    ['without an error', undefined],
    ['with the code of a reset', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['with an error of the beacon', Object.assign(new Error('the beacon is gone'), { code: 'lost' })],
  ])('that is cut off %s in a body without a length is no response', async (_how, error) => {
    const server = await hostile((socket) => socket.once('data', () => socket.write(HALF)));
    expect((await failureOf(get(cutting(server.port, error)))).failure.code).toBe('reset');
  });

  it('that is cut off inside TLS in a body without a length is no response', async () => {
    const big = HALF + 'x'.repeat(10_000);
    const server = await secureServer((socket) => socket.once('data', () => socket.write(big)));
    const failed = await failureOf(get(cutting(server.port), { scheme: 'https' }));
    expect(['reset', 'closed']).toContain(failed.failure.code);
  });

  it('is limited in the bytes that arrive and in the time to connect', async () => {
    const flooding = await hostile(flood('HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(10_000)));
    const limits = { headerBytes: 100_000_000 };
    expect((await failureOf(get(routeTo(flooding.port), { options: { limits } }))).failure.code).toBe('too_large');
    const hanging = routeTo(1, {
      connect: (_endpoint, aborted) =>
        new Promise((_resolve, reject) => {
          aborted.addEventListener('abort', () => reject(aborted.reason));
        }),
    });
    const slow = await failureOf(get(hanging, { options: { limits: { connectMs: 50 } } }));
    expect(slow.failure).toEqual({ code: 'unreachable', reason: 'the connection attempt timed out' });
  });

  it('leads to a public address only if the organization has proved the name', async () => {
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\npublic'));
    const resolve = () => Promise.resolve(['203.0.114.7']);
    const refused = await failureOf(get(routeTo(server.port, { resolve }), { host: 'www.test' }));
    expect(refused.failure).toEqual({ code: 'egress', reason: expect.stringContaining('verify the domain') });
    expect(server.connections).toBe(0);
    const asked: unknown[] = [];
    const isProven: Route['isProven'] = (place) => {
      asked.push(place);
      return Promise.resolve(place.host === 'www.test');
    };
    const proven = routeTo(server.port, { resolve, isProven });
    expect((await get(proven, { host: 'www.test' })).value.text).toBe('public');
    expect(asked).toContainEqual({ host: 'www.test', port: 80 });
    // One address outside of the blocks and one inside: only the second is dialled.
    const both = routeTo(server.port, { isProven, resolve: () => Promise.resolve(['198.51.99.1', PRIVATE]) });
    expect((await get(both, { host: 'other.test' })).exchange.address).toBe(`${PRIVATE}:80`);
  });

  it('is no way to ask the public DNS about a private name', async () => {
    const asked = transportTo(1).dns('intranet.test', 'TXT', { signal: signal(), route: routeTo(1) });
    expect((await failureOf(asked)).failure.reason).toBe('names behind a beacon have no public zone');
  });
});

describe('a socket of this machine', () => {
  it('that is reset in a body without a length gives no response', async () => {
    const server = await hostile((socket) => socket.once('data', () => socket.write(HALF)));
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const dial = () => cutting(server.port, reset).connect({ address: PRIVATE, port: 80 }, signal());
    const request = { scheme: 'http', host: PRIVATE, port: 80, path: '/' } as const;
    const options = { limits: DEFAULT_LIMITS, presentation: { fields: [] } };
    const answer = exchangeHttp(request, dial, new Recording('http', 'http://test/'), options);
    await expect(answer).rejects.toBe(reset);
  });
});
