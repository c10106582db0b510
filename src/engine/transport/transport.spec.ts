import { connect, type Socket } from 'node:net';
import { Cidr } from '../../kernel/cidr';
import { parseEgressEntry } from '../../kernel/egress-entry';
import { failureOf, flood, HostileServer, once, timeLimitFor, transportTo } from '../testing/hostile-server';
import { NameServer } from '../testing/name-server';
import { Dialler } from './dialler';
import { Egress } from './egress';
import { parseEndpoint } from './endpoint';
import { Resolver } from './resolver';
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
    'treats %s as a name that does not exist',
    async (host) => {
      const names = await NameServer.start();
      started.push(names);
      const server = await hostile();
      const failed = await failureOf(get(server.port, { dnsServers: [names.address] }, '/', host));
      expect(failed.failure.code).toBe('unresolved');
      expect(server.connections).toBe(0);
    },
  );

  it('refuses a name with a private address, also when it resolves to it only the second time', async () => {
    const names = await NameServer.start({ 'rebind.test': { A: ['127.0.0.1'] } });
    started.push(names);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nhello'));
    const dnsServers = [names.address];
    const refused = await failureOf(get(server.port, { ...closed, dnsServers }, '/', 'rebind.test'));
    expect(refused.failure).toEqual({ code: 'egress', reason: 'its address is not a public address' });
    expect(JSON.stringify(refused.exchange)).not.toContain('127.0.0.1');
    expect(refused.exchange.address).toBeNull();
    const open = transportTo(server.port, { dnsServers });
    const request = { scheme: 'http', host: 'rebind.test', port: server.port, path: '/' } as const;
    expect((await open.http(request, { signal: signal() })).value.status).toBe(200);
    names.zone = { 'rebind.test': { A: ['127.0.0.2'] } };
    expect((await failureOf(open.http(request, { signal: signal() }))).failure.code).toBe('egress');
    expect(server.connections).toBe(1);
  });

  it('checks the egress rules again when the socket is opened', async () => {
    const server = await hostile();
    const dialler = new Dialler(new Egress(), new Resolver(), 100);
    const dialled = dialler.dial('127.0.0.1', [{ address: '127.0.0.1', port: server.port }], signal(), {});
    await expect(dialled).rejects.toMatchObject({ code: 'egress' });
    expect(server.connections).toBe(0);
  });

  it('never connects to the service itself', async () => {
    const server = await hostile();
    const own = { egressAllow: [], ownListeners: [{ host: '0.0.0.0', port: server.port }] };
    expect((await failureOf(get(server.port, own))).failure.reason).toContain('its address belongs to this service');
    expect(server.connections).toBe(0);
  });

  it('allows an entry of one organization for that organization only, also by a name that resolves to it', async () => {
    const names = await NameServer.start({ 'staging.test': { A: ['127.0.0.1'] } });
    started.push(names);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nhello'));
    const egressAllow = [parseEgressEntry(`7@127.0.0.1:${server.port}`)];
    const transport = transportTo(server.port, { dnsServers: [names.address], egressAllow });
    const place = { host: 'staging.test', port: server.port };
    const ask = (host: string, organizationId?: number) =>
      transport.http({ ...place, scheme: 'http', host, path: '/' }, { signal: signal(), organizationId });
    for (const host of ['127.0.0.1', 'staging.test']) {
      for (const organizationId of [8, undefined]) {
        expect((await failureOf(ask(host, organizationId))).failure.code).toBe('egress');
        const via = { signal: signal(), organizationId };
        expect((await failureOf(transport.addresses({ ...place, host }, via))).failure.code).toBe('egress');
        const pinned = { ...via, address: '127.0.0.1' };
        const request = { ...place, scheme: 'http', host, path: '/' } as const;
        expect((await failureOf(transport.http(request, pinned))).failure.code).toBe('egress');
      }
    }
    expect(server.connections).toBe(0);
    expect((await ask('127.0.0.1', 7)).value.text).toBe('hello');
    expect((await ask('staging.test', 7)).value.text).toBe('hello');
  });

  it('uses the address that the operator gave a name, without asking the DNS', async () => {
    const names = await NameServer.start({ 'app.test': { A: ['127.0.0.2'] } });
    started.push(names);
    const asked: string[] = [];
    names.onQuestion = (name) => asked.push(name);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nhello'));
    const egressAllow = [parseEgressEntry(`7@app.test=127.0.0.1:${server.port}`)];
    const transport = transportTo(server.port, { dnsServers: [names.address], egressAllow });
    const request = { scheme: 'http', host: 'app.test', port: server.port, path: '/' } as const;
    expect((await transport.http(request, { signal: signal(), organizationId: 7 })).value.text).toBe('hello');
    expect(asked).toEqual([]);
    // For another organization, it is an ordinary name.
    const failed = await failureOf(transport.http(request, { signal: signal(), organizationId: 8 }));
    expect(failed.failure.code).toBe('egress');
    expect(asked).toContain('app.test');
    expect(server.connections).toBe(1);
  });

  it('ignores proxy settings of the environment', async () => {
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

  it('tries the next address of a name when one does not respond', async () => {
    const names = await NameServer.start({ 'two.test': { A: ['127.0.0.1', '127.0.0.2'] } });
    started.push(names);
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\n'));
    const egressAllow = [1, 2].map((last) => parseEndpoint(`127.0.0.${last}:${server.port}`));
    const both = transportTo(server.port, { dnsServers: [names.address], egressAllow });
    const request = { scheme: 'http', host: 'two.test', port: server.port, path: '/' } as const;
    for (const turn of [0, 1]) {
      // Only the first of the two addresses has a listener.
      expect((await both.http(request, { signal: signal(), turn })).value.status).toBe(200);
    }
    expect(server.connections).toBe(2);
  });
});

describe('a route through a beacon', () => {
  const through = (port: number, dialled: string[] = []) => ({
    key: 'beacon',
    isProven: () => Promise.resolve(false),
    cidrs: [Cidr.parse('10.1.0.0/16', 'cidr')],
    resolve: () => Promise.resolve(['10.1.2.3']),
    connect: ({ address }: { address: string }) => {
      dialled.push(address);
      return new Promise<Socket>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
      });
    },
  });

  it('is required for a private address, and only allows addresses in its blocks', async () => {
    const server = await hostile(once('HTTP/1.1 200 OK\r\n\r\nprivate'));
    const dialled: string[] = [];
    const ask = (host: string) =>
      transportTo(server.port, { egressAllow: [] }).http(
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
  it('returns one reply for each step', async () => {
    const server = await hostile((socket) => {
      socket.write('220 ready\r\n');
      socket.on('data', () => socket.write('331 name ok\r\n'));
    });
    const line = (reply: Buffer): boolean => reply.includes('\r\n');
    const { value, exchange } = await transportTo(server.port).tcp(
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
    const asked = transportTo(server.port, timeLimitFor(code)).tcp(
      { host: '127.0.0.1', port: server.port },
      [{ send: 'PING\r\n', complete: (reply) => reply.includes('\r\n') }],
      { signal: signal() },
    );
    expect((await failureOf(asked)).failure.code).toBe(code);
  });
});

describe('a DNS query', () => {
  it.each([
    ['found', 'answer', 'a.test', ['v=spf1 -all']],
    ['none', 'answer', 'b.test', []],
    ['none', 'answer', 'gone.test', []],
    ['servfail', 'servfail', 'a.test', []],
    ['servfail', 'refused', 'a.test', []],
  ] as const)('says %s when the server says %s to %s', async (state, mode, name, records) => {
    const names = await NameServer.start({ 'a.test': { TXT: ['v=spf1 -all'] }, 'b.test': { A: ['192.0.2.1'] } });
    started.push(names);
    names.mode = mode;
    const { value } = await transportTo(1, { dnsServers: [names.address] }).dns(name, 'TXT', { signal: signal() });
    expect(value).toEqual({ state, records });
  });

  it('fails in time when no name server responds', async () => {
    const names = await NameServer.start();
    started.push(names);
    names.mode = 'silent';
    const asked = transportTo(1, { dnsServers: [names.address], ...timeLimitFor('timeout') }).dns('a.test', 'A', {
      signal: signal(),
    });
    expect((await failureOf(asked)).failure.code).toBe('timeout');
  });
});
