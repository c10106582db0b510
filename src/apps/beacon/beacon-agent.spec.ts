import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { certificate } from '../../engine/testing/certificate';
import { closeAfterTest, until, useResources } from './testing/resources';
import { connectedAgent, TEST_TOKEN, TestAgent } from './testing/test-agent';
import { refuseWith, TEST_CONFIG, TestService, type TestServiceOptions } from './testing/test-service';
import { echo, startTarget } from './testing/test-target';

useResources();

const signal = new AbortController().signal;

describe('the connection to the service', () => {
  it('returns after the service was killed, without the streams of before', async () => {
    const service = await TestService.start();
    const { multiplexer, agent } = await connectedAgent(service);
    const server = await startTarget(() => {});
    await multiplexer.open(server, signal);
    const { port } = service;
    await service.kill();
    await until(() => server.sockets[0]?.readableEnded === true || server.sockets[0]?.destroyed === true);
    const again = await TestService.start({}, port);
    const second = await again.next();
    await until(() => agent.logged('configured').length === 2);
    expect(second.multiplexer.streamCount).toBe(0);
    const [first] = agent.logged('disconnected');
    expect(first).toMatchObject({ refused: false, level: 'warn' });
    expect(first?.['retry_ms']).toBeGreaterThanOrEqual(500);
    expect(first?.['retry_ms']).toBeLessThanOrEqual(1_000);
  });

  it('is given up when nothing arrives on it', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    try {
      const service = await TestService.start({ isSilent: true });
      const next = service.next();
      const agent = new TestAgent({ url: service.url });
      await next;
      await until(() => agent.logged('configured').length > 0);
      jest.advanceTimersByTime(14_000);
      expect(agent.logged('disconnected')).toEqual([]);
      jest.advanceTimersByTime(6_000);
      await until(() => agent.logged('disconnected').length > 0);
      expect(agent.logged('disconnected')[0]?.['reason']).toContain('nothing was received for 15 seconds');
    } finally {
      jest.useRealTimers();
    }
  });

  it('is given up when the service sends no networks', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    try {
      const service = await TestService.start({ config: null });
      const next = service.next();
      const agent = new TestAgent({ url: service.url });
      await next;
      await until(() => agent.logged('connected').length > 0);
      jest.advanceTimersByTime(10_000);
      await until(() => agent.logged('disconnected').length > 0);
      expect(agent.logged('disconnected')[0]?.['reason']).toContain('the service sent no networks within 10 seconds');
    } finally {
      jest.useRealTimers();
    }
  });

  const refusals: [string, TestServiceOptions, string][] = [
    [
      'a wrong token',
      { refuse: (_request, socket) => refuseWith(socket, 401, 'The credentials are not valid.') },
      'answered 401. The credentials are not valid. The id or the token of the beacon is wrong',
    ],
    [
      'an agent that is too old',
      { refuse: (_request, socket) => refuseWith(socket, 426, 'Install assay-beacon 2.0 or later.') },
      'answered 426. Install assay-beacon 2.0 or later.',
    ],
    ['another protocol', { subprotocol: false }, 'does not speak assay.beacon.1'],
    [
      'a redirect',
      { refuse: (_request, socket) => refuseWith(socket, 301, '', 'Location: https://elsewhere.example\r\n') },
      'answered 301. It leads to https://elsewhere.example.',
    ],
    [
      'a configuration that is not valid',
      { config: { ...TEST_CONFIG, allowed_cidrs: ['10.20.0.0'] } },
      'CIDR notation',
    ],
    ['networks that are missing', { config: { type: 'config' } }, 'allowed_cidrs is not a list of networks'],
    ['a name server that is not an address', { config: { ...TEST_CONFIG, dns_server: 'ns' } }, 'is not an IP address'],
  ];
  it.each(refusals)('is attempted again slowly after %s', async (_name, options, sentence) => {
    const service = await TestService.start(options);
    const agent = new TestAgent({ url: service.url });
    const line = await agent.log('disconnected');
    expect(line).toMatchObject({ refused: true, reason: expect.stringContaining(sentence) as unknown });
    expect(line?.['retry_ms']).toBeGreaterThanOrEqual(2_000);
    expect(JSON.stringify(agent.lines)).not.toContain(TEST_TOKEN);
  });

  it('waits as long as the service asks for', async () => {
    const refuse: TestServiceOptions['refuse'] = (_request, socket) =>
      refuseWith(socket, 429, 'Too many attempts.', 'Retry-After: 33\r\n');
    const agent = new TestAgent({ url: (await TestService.start({ refuse })).url });
    expect([await agent.log('disconnected')]).toMatchObject([{ refused: true, retry_ms: 33_000 }]);
  });

  it('returns soon when the service, or the proxy before it, is only down', async () => {
    const agent = new TestAgent({
      url: (await TestService.start({ refuse: (_request, socket) => refuseWith(socket, 503, 'Later.') })).url,
    });
    expect([await agent.log('disconnected')]).toMatchObject([{ refused: false }]);
  });

  it('says why the service closed it', async () => {
    const service = await TestService.start();
    const { socket, agent } = await connectedAgent(service);
    socket.close(1008, 'the token of the beacon was replaced');
    expect([await agent.log('disconnected')]).toMatchObject([
      { refused: true, reason: expect.stringContaining('the token of the beacon was replaced') as unknown },
    ]);
  });

  it('returns soon after a good connection that the service closed', async () => {
    const service = await TestService.start();
    const { socket, agent } = await connectedAgent(service, {}, { stableMs: 0 });
    socket.close(1008, 'this process of the service is stopping');
    const line = await agent.log('disconnected');
    expect(line).toMatchObject({ refused: false, reason: expect.stringContaining('is stopping') as unknown });
    expect(line['retry_ms']).toBeLessThanOrEqual(1_000);
  });

  it('reads a replaced token without a restart', async () => {
    const tokens = [TEST_TOKEN, `ab_${'n'.repeat(43)}`];
    const credentials = () => ({ id: 7, token: tokens.shift() ?? '' });
    const service = await TestService.start();
    const { socket } = await connectedAgent(service, { credentials });
    const second = service.next();
    socket.terminate();
    await second;
    const sent = service.requests.map(({ headers }) => headers.authorization?.slice('Basic '.length) ?? '');
    expect(sent.map((basic) => Buffer.from(basic, 'base64').toString().slice(0, 6))).toEqual(['7:ab_t', '7:ab_n']);
  });

  it('waits for a token that cannot be read now', async () => {
    const credentials = () => {
      throw new Error('The file of --token-file does not exist.');
    };
    const agent = new TestAgent({ url: new URL('http://127.0.0.1:1'), credentials });
    expect(await agent.log('disconnected')).toMatchObject({
      refused: true,
      reason: 'The file of --token-file does not exist.',
    });
  });
});

describe('TLS to the service', () => {
  const authority = certificate({ names: [], commonName: 'Authority of the owner' });

  it('trusts the given authority', async () => {
    const service = await TestService.start({ certificate: certificate({ names: ['127.0.0.1'], issuer: authority }) });
    const { agent } = await connectedAgent(service, { ca: authority.cert });
    expect(agent.logged('connected')).toHaveLength(1);
  });

  it.each([
    ['an unknown authority', undefined, ['127.0.0.1']],
    ['another name', authority.cert, ['other.example']],
  ])('refuses a certificate for or of %s, and sends no token', async (_name, ca, names) => {
    const service = await TestService.start({ certificate: certificate({ names, issuer: authority }) });
    const agent = new TestAgent({ url: service.url, ca });
    expect([await agent.log('disconnected')]).toMatchObject([
      { refused: true, reason: expect.stringContaining('give its certificate with --ca') as unknown },
    ]);
    expect(service.requests).toEqual([]);
  });

  it('says that a server does not speak TLS', async () => {
    const { port } = await TestService.start();
    const agent = new TestAgent({ url: new URL(`https://127.0.0.1:${port}`) });
    await until(() => agent.logged('disconnected').length > 0);
    expect(agent.logged('disconnected')[0]?.['reason']).toContain('does not respond with TLS');
  });
});

describe('an order to stop', () => {
  it('says goodbye, waits for running streams and takes those that were on their way', async () => {
    const service = await TestService.start();
    const { multiplexer, controls, socket, agent } = await connectedAgent(service);
    const server = await startTarget(echo);
    const stream = await multiplexer.open(server, signal);
    void agent.stop();
    await until(() => controls.some(({ type }) => type === 'goodbye'));
    const late = await multiplexer.open(server, signal);
    stream.end('to the end');
    expect(await text(stream)).toBe('to the end');
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    late.end('too');
    expect(await text(late)).toBe('too');
    await agent.stopped;
    expect((await closed)[0]).toBe(1000);
    expect(agent.lines.slice(-2)).toMatchObject([{ event: 'summary', connections: 2 }, { event: 'stopped' }]);
  });

  it('cuts off what still runs when the time is over, and says how much', async () => {
    const service = await TestService.start();
    const { multiplexer, agent } = await connectedAgent(service, {}, { drainMs: 100 });
    const stream = await multiplexer.open(await startTarget(echo), signal);
    const cut = text(stream);
    const stopped = agent.stop();
    await expect(cut).rejects.toMatchObject({ code: 'ECONNRESET' });
    await stopped;
    expect(agent.logged('warning')).toMatchObject([{ message: '1 connections were still running and were cut off.' }]);
  });

  it('interrupts the pause between attempts', async () => {
    const agent = new TestAgent({
      url: (
        await TestService.start({ refuse: (_request, socket) => refuseWith(socket, 429, '', 'Retry-After: 60\r\n') })
      ).url,
    });
    await until(() => agent.logged('disconnected').length > 0);
    await agent.stop();
  });

  it('interrupts an attempt', async () => {
    const accepted: Socket[] = [];
    const silent = createServer((socket) => accepted.push(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closeAfterTest(() => [...accepted.map((socket) => socket.destroy()), silent.close()]);
    const { port } = silent.address() as AddressInfo;
    const agent = new TestAgent({ url: new URL(`http://127.0.0.1:${port}`) });
    await until(() => accepted.length > 0);
    await agent.stop();
    expect(agent.logged('disconnected')).toEqual([]);
  });
});

it('an attempt that fails names the host and the cause', async () => {
  const service = await TestService.start();
  const { url } = service;
  await service.kill();
  const agent = new TestAgent({ url });
  await until(() => agent.logged('disconnected').length > 0);
  expect(agent.logged('disconnected')).toMatchObject([
    { refused: false, reason: `${url.host} cannot be reached: the connection was refused.` },
  ]);
});
