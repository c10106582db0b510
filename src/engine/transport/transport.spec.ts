import { connect, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Cidr } from '../../kernel/cidr';
import { NameServer } from '../testing/name-server';
import { parseEndpoint } from './endpoint';
import { ExchangeFailed } from './exchange';
import { Transport, type TransportOptions } from './transport';

const signal = (): AbortSignal => new AbortController().signal;

/** A server that does as it is told with every connection, and counts them. */
class Hostile {
  connections = 0;
  readonly heard: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly behave: (socket: Socket) => void = () => {}) {
    this.server = createServer((socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => this.heard.push(data.toString()));
      this.behave(socket);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

const started: { stop(): Promise<void> }[] = [];
const hostile = async (behave?: (socket: Socket) => void): Promise<Hostile> => {
  const server = await new Hostile(behave).start();
  started.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

const transport = (port: number, options: Partial<TransportOptions> = {}): Transport =>
  new Transport({
    userAgent: 'engine-spec (security@example.test)',
    egressAllow: [parseEndpoint(`127.0.0.1:${port}`)],
    ...options,
    limits: { exchangeMs: 400, bytes: 100_000, perSecond: 1_000, concurrency: 8, ...options.limits },
  });

const get = (port: number, options?: Partial<TransportOptions>, path = '/', host = '127.0.0.1') =>
  transport(port, options).http({ scheme: 'http', host, port, path }, { signal: signal() });

async function failureOf(promise: Promise<unknown>): Promise<ExchangeFailed> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ExchangeFailed) return error;
  throw error ?? new Error('an answer where a failure was expected');
}

/** Answers once the request has come. */
const once =
  (answer: string | Buffer): ((socket: Socket) => void) =>
  (socket) =>
    socket.once('data', () => socket.end(answer));

const flood = (head: string, piece: string | Buffer) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write(head);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pour);
    pour();
  });
};

describe('an HTTP exchange', () => {
  it('records what was sent, what came back, where from and when', async () => {
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

  it('unpacks gzip, also when there is nothing in it', async () => {
    const packed = gzipSync('unpacked');
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n';
    const server = await hostile(once(Buffer.concat([Buffer.from(`${head}\r\n`), packed])));
    expect((await get(server.port)).value.text).toBe('unpacked');
    const empty = await hostile(once(`${head}Content-Length: 0\r\n\r\n`));
    expect((await get(empty.port)).value.text).toBe('');
  });

  it.each([
    ['never answers', 'timeout', () => {}],
    ['hangs up', 'closed', (socket: Socket) => socket.end()],
    ['resets', 'reset', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks no HTTP', 'protocol', once('+PONG\r\n')],
    ['ends in mid-answer', 'closed', once('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')],
    ['packs nonsense', 'protocol', once('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnonsense')],
    ['packs it as nobody does', 'protocol', once('HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\nx')],
    ['never ends its body', 'too_large', flood('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000))],
    ['never ends its header', 'too_large', flood('HTTP/1.1 200 OK\r\n', `X-A: ${'x'.repeat(1_000)}\r\n`)],
    ['never stops to say continue', 'timeout', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
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
  ])('ends in time and says why, when the target %s', async (_what, code, behave) => {
    const server = await hostile(behave);
    const before = Date.now();
    const { failure, exchange } = await failureOf(get(server.port));
    expect(failure.code).toBe(code);
    expect(exchange.failure).toEqual(failure);
    expect(exchange.received.length).toBeLessThan(20_000);
    expect(Date.now() - before).toBeLessThan(1_500);
  });

  it('says that nobody listens', async () => {
    const server = await hostile();
    const { port } = server;
    await server.stop();
    expect((await failureOf(get(port))).failure.code).toBe('refused');
  });

  it('stops at once when the caller does, with the reason of the caller', async () => {
    const server = await hostile();
    const stop = new AbortController();
    const running = transport(server.port, { limits: { exchangeMs: 60_000 } }).http(
      { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' },
      { signal: stop.signal },
    );
    const reason = new Error('canceled');
    setTimeout(() => stop.abort(reason), 30);
    await expect(running).rejects.toBe(reason);
  });
});

describe('egress', () => {
  const closed = { egressAllow: [] };

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '169.254.169.254', '::1', '10.0.0.1'])(
    'refuses %s as a host, and nothing is dialled',
    async (host) => {
      const server = await hostile();
      expect((await failureOf(get(server.port, closed, '/', host))).failure.code).toBe('egress');
      expect(server.connections).toBe(0);
    },
  );

  it.each(['127.1', '2130706433', '0x7f.1', '0177.0.0.1', 'localhost'])(
    'takes %s for a name that nobody has',
    async (host) => {
      const names = await NameServer.start();
      started.push(names);
      const server = await hostile();
      const failed = await failureOf(get(server.port, { dnsServers: [names.address] }, '/', host));
      expect(failed.failure.code).toBe('unresolved');
      expect(server.connections).toBe(0);
    },
  );

  it('refuses a name that leads to a private address, and one that leads there only the second time', async () => {
    const names = await NameServer.start({ 'rebind.test': { A: ['127.0.0.1'] } });
    started.push(names);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nhello'));
    const dnsServers = [names.address];
    const refused = await failureOf(get(server.port, { ...closed, dnsServers }, '/', 'rebind.test'));
    expect(refused.failure).toEqual({ code: 'egress', reason: '127.0.0.1 is not a globally routable address' });
    const open = transport(server.port, { dnsServers });
    const request = { scheme: 'http', host: 'rebind.test', port: server.port, path: '/' } as const;
    expect((await open.http(request, { signal: signal() })).value.status).toBe(200);
    names.zone = { 'rebind.test': { A: ['127.0.0.2'] } };
    expect((await failureOf(open.http(request, { signal: signal() }))).failure.code).toBe('egress');
    expect(server.connections).toBe(1);
  });

  it('never dials the service itself', async () => {
    const server = await hostile();
    const own = { egressAllow: [], ownListeners: [parseEndpoint(`0.0.0.0:${server.port}`)] };
    expect((await failureOf(get(server.port, own))).failure.reason).toContain('is this service itself');
    expect(server.connections).toBe(0);
  });

  it('takes no proxy from the environment', async () => {
    const proxy = await hostile();
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\ndirect'));
    const before = { ...process.env };
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = process.env['ALL_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect((await get(server.port)).value.text).toBe('direct');
    } finally {
      process.env = before;
    }
    expect(proxy.connections).toBe(0);
  });

  it('uses another address of a name, turn by turn, and goes on when one does not answer', async () => {
    const names = await NameServer.start({ 'two.test': { A: ['127.0.0.1', '127.0.0.2'] } });
    started.push(names);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\n'));
    const egressAllow = [1, 2].map((last) => parseEndpoint(`127.0.0.${last}:${server.port}`));
    const both = transport(server.port, { dnsServers: [names.address], egressAllow });
    const request = { scheme: 'http', host: 'two.test', port: server.port, path: '/' } as const;
    for (const turn of [0, 1]) {
      // Only the first of the two has a listener.
      expect((await both.http(request, { signal: signal(), turn })).value.status).toBe(200);
    }
    expect(server.connections).toBe(2);
  });
});

describe('a route through a beacon', () => {
  const through = (port: number, dialled: string[]) => ({
    cidrs: [Cidr.parse('10.1.0.0/16', 'cidr')],
    resolve: () => Promise.resolve(['10.1.2.3']),
    connect: ({ address }: { address: string }) => {
      dialled.push(address);
      return new Promise<Socket>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
      });
    },
  });

  it('is the only way to a private address, and only inside its blocks', async () => {
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nprivate'));
    const dialled: string[] = [];
    const ask = (host: string) =>
      transport(server.port, { egressAllow: [] }).http(
        { scheme: 'http', host, port: 80, path: '/' },
        { signal: signal(), route: through(server.port, dialled) },
      );
    expect((await ask('10.1.2.3')).value.text).toBe('private');
    expect((await ask('intranet.test')).value.text).toBe('private');
    expect((await failureOf(ask('10.2.0.1'))).failure.reason).toContain('outside the blocks');
    expect((await failureOf(ask('8.8.8.8'))).failure.reason).toContain('outside the blocks');
    expect((await failureOf(ask('127.0.0.1'))).failure.code).toBe('egress');
    expect(dialled).toEqual(['10.1.2.3', '10.1.2.3']);
  });
});

describe('a conversation over TCP', () => {
  it('gives a reply for each step', async () => {
    const server = await hostile((socket) => {
      socket.write('220 ready\r\n');
      socket.on('data', () => socket.write('331 name ok\r\n'));
    });
    const line = (reply: Buffer): boolean => reply.includes('\r\n');
    const { value, exchange } = await transport(server.port).tcp(
      { host: '127.0.0.1', port: server.port },
      [{ complete: line }, { send: 'USER anonymous\r\n', complete: line }],
      { signal: signal() },
    );
    expect(value.map(String)).toEqual(['220 ready\r\n', '331 name ok\r\n']);
    expect(exchange.received).toBe('220 ready\r\n331 name ok\r\n');
  });

  it.each([
    ['silence', 'timeout', () => {}],
    ['an end without an answer', 'closed', (socket: Socket) => socket.end()],
    ['a reset', 'reset', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['a flood', 'too_large', flood('', 'x'.repeat(10_000))],
  ])('fails on %s', async (_what, code, behave) => {
    const server = await hostile(behave);
    const asked = transport(server.port).tcp(
      { host: '127.0.0.1', port: server.port },
      [{ send: 'PING\r\n', complete: (reply) => reply.includes('\r\n') }],
      { signal: signal() },
    );
    expect((await failureOf(asked)).failure.code).toBe(code);
  });
});

describe('a question to the DNS', () => {
  it.each([
    ['found', 'answer', 'a.test', ['v=spf1 -all']],
    ['none', 'answer', 'b.test', []],
    ['none', 'answer', 'gone.test', []],
    ['servfail', 'servfail', 'a.test', []],
    ['servfail', 'refused', 'a.test', []],
  ] as const)('says %s when the server says %s to %s', async (state, mood, name, records) => {
    const names = await NameServer.start({ 'a.test': { TXT: ['v=spf1 -all'] }, 'b.test': { A: ['192.0.2.1'] } });
    started.push(names);
    names.mood = mood;
    const { value } = await transport(1, { dnsServers: [names.address], limits: { exchangeMs: 3_000 } }).dns(
      name,
      'TXT',
      { signal: signal() },
    );
    expect(value).toEqual({ state, records });
  });

  it('ends in time when nobody answers', async () => {
    const names = await NameServer.start();
    started.push(names);
    names.mood = 'silent';
    const asked = transport(1, { dnsServers: [names.address] }).dns('a.test', 'A', { signal: signal() });
    expect((await failureOf(asked)).failure.code).toBe('timeout');
  });
});
