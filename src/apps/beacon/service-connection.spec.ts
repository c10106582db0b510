import { connect, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { NameServer } from '../../engine/testing/name-server';
import { Cidr } from '../../kernel/cidr';
import { packageVersion } from '../../kernel/package-version';
import { resolveName } from './resolve-name';
import { closeAfterTest, until, useResources } from './testing/resources';
import { connectedAgent, TEST_TOKEN, TestAgent } from './testing/test-agent';
import { TEST_CONFIG, TestService } from './testing/test-service';
import { echo, startTarget } from './testing/test-target';

useResources();

const signal = new AbortController().signal;

const allow = (...blocks: string[]): Cidr[] => blocks.map((block) => Cidr.parse(block, '--allow'));

const failure = (code: string, message: string) => expect.objectContaining({ code, message }) as unknown;

describe('the agent', () => {
  it('signs in with the token, says what it is, and uses no compression', async () => {
    const service = await TestService.start();
    const { controls, agent } = await connectedAgent(service);
    const [request] = service.requests;
    expect(request?.url).toBe('/v1/beacons/connect');
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`7:${TEST_TOKEN}`).toString('base64')}`,
      'sec-websocket-protocol': 'assay.beacon.1',
    });
    expect(request?.headers['sec-websocket-extensions']).toBeUndefined();
    await until(() => controls.length > 0);
    const interfaces = Object.keys(networkInterfaces());
    expect(controls).toEqual([{ type: 'hello', agent_version: packageVersion, interfaces }]);
    expect(agent.logged('configured')).toMatchObject([{ allowed_cidrs: ['10.20.0.0/16'], version: 1 }]);
    expect(JSON.stringify(agent.lines)).not.toContain(TEST_TOKEN);
  });

  it('connects to targets inside of its networks, and logs each connection', async () => {
    const service = await TestService.start();
    const { multiplexer, agent } = await connectedAgent(service);
    const server = await startTarget(echo);
    const stream = await multiplexer.open(server, signal);
    stream.end('hello');
    expect(await text(stream)).toBe('hello');
    await until(() => agent.logged('connection').length === 1);
    expect(agent.logged('connection')).toEqual([
      expect.objectContaining({
        level: 'info',
        address: '10.20.0.5',
        port: server.port,
        bytes_sent: 5,
        bytes_received: 5,
        duration_ms: expect.any(Number) as unknown,
        ended: 'closed',
      }),
    ]);
  });

  it('connects to nothing outside of the networks of the service or its own limit', async () => {
    const opened: string[] = [];
    const openSocket = ({ address }: { address: string }): Socket => {
      opened.push(address);
      throw new Error('must not be called');
    };
    const service = await TestService.start();
    const { multiplexer, agent } = await connectedAgent(service, { allow: allow('10.20.5.0/24') }, { openSocket });
    const ask = (address: string, port = 443) => multiplexer.open({ address, port }, signal);
    await expect(ask('10.21.0.1')).rejects.toEqual(
      failure('egress', 'its address is outside the blocks of the beacon'),
    );
    await expect(ask('10.20.6.1')).rejects.toEqual(
      failure('egress', 'its address is outside the local limit of the agent (--allow)'),
    );
    await expect(ask('127.0.0.1')).rejects.toEqual(failure('egress', 'beacons may not connect to its address'));
    await expect(ask('::ffff:169.254.169.254')).rejects.toMatchObject({ code: 'egress' });
    await expect(ask('localhost')).rejects.toEqual(failure('egress', 'its address is not an IP address'));
    expect(opened).toEqual([]);
    expect(agent.logged('connection')).toHaveLength(5);
    expect(agent.logged('connection')[0]).toMatchObject({ level: 'warn', address: '10.21.0.1', port: 443 });
  });

  it('cuts what is no address in its log', async () => {
    const { multiplexer, agent } = await connectedAgent(await TestService.start());
    await expect(multiplexer.open({ address: 'x'.repeat(60_000), port: 443 }, signal)).rejects.toThrow();
    const cut = 'x'.repeat(100);
    expect(agent.logged('connection')).toEqual([
      expect.objectContaining({ address: cut, message: `${cut}:443: its address is not an IP address` }),
    ]);
  });

  it('connects to nothing before it has received its networks', async () => {
    const service = await TestService.start({ config: null });
    const next = service.next();
    const agent = new TestAgent({ url: service.url });
    const { multiplexer } = await next;
    const server = await startTarget((socket) => socket.end());
    const early = failure('egress', 'the agent has not received its networks yet');
    await expect(multiplexer.open(server, signal)).rejects.toEqual(early);
    await expect(multiplexer.resolve('db.internal', signal)).rejects.toMatchObject({ code: 'unresolved' });
    expect(server.sockets).toHaveLength(0);
    expect(agent.logged('configured')).toEqual([]);
  });

  it('drops a connection that reached another address than the one that was checked', async () => {
    const service = await TestService.start();
    const server = await startTarget((socket) => socket.end());
    const openSocket = ({ port }: { port: number }): Socket => connect({ host: '127.0.0.1', port });
    const { multiplexer } = await connectedAgent(service, {}, { openSocket });
    await expect(multiplexer.open(server, signal)).rejects.toEqual(failure('egress', 'another address was reached'));
    await until(() => server.sockets[0]?.destroyed === true || server.sockets[0]?.readableEnded === true);
  });

  it('ends the connections that its new networks do not include, and keeps the others', async () => {
    const service = await TestService.start();
    const { multiplexer, agent } = await connectedAgent(service);
    const one = await startTarget(echo, '10.20.1.1');
    const other = await startTarget(echo, '10.20.2.2');
    const [kept, lost] = [await multiplexer.open(one, signal), await multiplexer.open(other, signal)];
    const ended = text(lost);
    await multiplexer.sendControl({ ...TEST_CONFIG, allowed_cidrs: ['10.20.1.0/24'], version: 2 });
    await expect(ended).rejects.toThrow('the networks of the beacon were changed');
    kept.end('still here');
    expect(await text(kept)).toBe('still here');
    await expect(multiplexer.open(other, signal)).rejects.toMatchObject({ code: 'egress' });
    expect(agent.logged('connection')).toContainEqual(
      expect.objectContaining({ address: '10.20.2.2', ended: 'the networks of the beacon were changed' }),
    );
  });

  it.each([
    ['connectMs', 'the connection attempt timed out'],
    ['idleMs', 'there was no data for 0.05 seconds'],
    ['totalMs', 'the connection lasted longer than 0.05 seconds'],
  ])('limits a connection by %s', async (name, reason) => {
    const limits = { connectMs: 60_000, idleMs: 60_000, totalMs: 60_000, [name]: 50 };
    const service = await TestService.start();
    const neverConnects = name === 'connectMs' ? { openSocket: () => new Socket() } : {};
    const { multiplexer, agent } = await connectedAgent(service, {}, { limits, ...neverConnects });
    const server = await startTarget(() => {});
    const outcome = multiplexer.open(server, signal).then(text);
    await expect(outcome).rejects.toThrow(reason);
    await until(() => agent.logged('connection').length === 1);
    expect(agent.logged('connection')).toMatchObject([{ ended: reason }]);
  });
});

describe('the names', () => {
  it('are resolved by the name server of the beacon, IPv4 first', async () => {
    const zone = { 'db.internal': { A: ['10.20.0.9'], AAAA: ['fd00:20::9'] }, 'v6.internal': { AAAA: ['fd00:20::6'] } };
    const server = await NameServer.start(zone);
    closeAfterTest(() => server.stop());
    const asked: (string | null)[] = [];
    const nameServers = (dnsServer: string | null): string[] => {
      asked.push(dnsServer);
      return [server.address];
    };
    const service = await TestService.start({ config: { ...TEST_CONFIG, dns_server: '10.20.0.53' } });
    const { multiplexer } = await connectedAgent(service, {}, { nameServers });
    expect(await multiplexer.resolve('db.internal', signal)).toEqual(['10.20.0.9', 'fd00:20::9']);
    expect(await multiplexer.resolve('v6.internal', signal)).toEqual(['fd00:20::6']);
    expect(await multiplexer.resolve('::FFFF:10.20.0.1', signal)).toEqual(['10.20.0.1']);
    await expect(multiplexer.resolve('no.internal', signal)).rejects.toEqual(
      failure('unresolved', 'no.internal has no address: it does not exist'),
    );
    // The hosts file of the machine has it.
    await expect(multiplexer.resolve('localhost', signal)).rejects.toMatchObject({ code: 'unresolved' });
    server.failing = 'AAAA';
    expect(await multiplexer.resolve('db.internal', signal)).toEqual(['10.20.0.9']);
    server.mode = 'servfail';
    await expect(multiplexer.resolve('db.internal', signal)).rejects.toThrow('its name server failed');
    expect(new Set(asked)).toEqual(new Set(['10.20.0.53']));
  });

  it('are given up with the connection', async () => {
    const server = await NameServer.start();
    server.mode = 'silent';
    closeAfterTest(() => server.stop());
    const lost = new AbortController();
    server.onQuestion = () => lost.abort(new Error('the connection is gone'));
    await expect(resolveName('db.internal', [server.address], lost.signal)).rejects.toThrow('the connection is gone');
  });

  it('are not asked of a name server outside of the local limit', async () => {
    const service = await TestService.start({ config: { ...TEST_CONFIG, dns_server: '10.99.0.53' } });
    const { multiplexer, agent } = await connectedAgent(service, { allow: allow('10.20.0.0/16') });
    await expect(multiplexer.resolve('db.internal', signal)).rejects.toThrow('outside the local limit');
    expect(agent.logged('warning')).toMatchObject([
      { message: expect.stringContaining('the name server 10.99.0.53 is outside the local limit') as unknown },
    ]);
  });
});
