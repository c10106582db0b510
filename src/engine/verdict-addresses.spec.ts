import { getEventListeners, getMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Cidr } from '../kernel/cidr';
import { assess } from './assess';
import { exposedGit } from './checks/exposed-git';
import { openRedis } from './checks/open-redis';
import type { Baseline } from './baseline';
import { ProbeSession } from './probe-session';
import { certificate } from './testing/certificate';
import { NameServer, type Zone } from './testing/name-server';
import { BROWSER, HOST } from './testing/test-target';
import { type Site, TargetServer } from './testing/target-server';
import type { Route } from './transport/route';
import { Transport, type TransportOptions, type Via } from './transport/transport';
import { type Verification, verify } from './verdict';

const PROBE_POLICY = { probes: 3, spreadMs: 4 };
const VULNERABLE: Site = { pages: { '/.git/HEAD': 'ref: refs/heads/main\n' } };
const FIXED: Site = {};

const local = (last: number): string => `127.0.0.${last}`;
const named = (...addresses: readonly string[]): Zone => ({ [HOST]: { A: addresses } });

describe('a name with several servers behind it', () => {
  const servers: TargetServer[] = [];
  let names: NameServer;
  beforeEach(async () => {
    names = await NameServer.start();
  });
  afterEach(async () => {
    await Promise.all([names.stop(), ...servers.splice(0).map((server) => server.stop())]);
  });

  /** Serves the sites on one port, at 127.0.0.1, 127.0.0.2 and so on. */
  async function serve(...sites: readonly Site[]): Promise<number> {
    for (const [at, site] of sites.entries()) {
      const server = await TargetServer.start(certificate(), local(at + 1), servers[0]?.port);
      server.site = site;
      servers.push(server);
    }
    names.zone = named(...sites.map((_site, at) => local(at + 1)));
    return servers[0]?.port ?? 0;
  }

  const target = (port: number) => ({ scheme: 'http', host: HOST, port, path: '/' }) as const;
  const transportTo = (port: number, more: Partial<TransportOptions> = {}): Transport =>
    new Transport({
      userAgent: 'engine-tests (security@example.test)',
      egressAllow: Array.from({ length: 40 }, (_none, at) => ({ address: local(at + 1), port })),
      dnsServers: [names.address],
      limits: { exchangeMs: 20_000, perSecond: 10_000, concurrency: 4 },
      ...more,
    });
  const via = (more: Partial<Via> = {}): Via => ({ signal: new AbortController().signal, ...more });

  async function baselineAt(port: number, address: string, more?: Partial<Via>): Promise<Baseline> {
    const session = new ProbeSession(transportTo(port), via({ ...more, address }));
    const { observation, baseline } = await assess(exposedGit, target(port), session);
    if (observation.state !== 'vulnerable' || baseline === null) throw new Error(observation.detail);
    return baseline;
  }

  const verified = (port: number, before: Baseline, more?: Partial<Via>): Promise<Verification> =>
    verify(exposedGit, target(port), before, transportTo(port), via(more), async () => null, PROBE_POLICY);
  const sent = (): number[] => servers.map(({ paths }) => paths.filter((path) => path === '/.git/HEAD').length);
  const asked = (): boolean[] => servers.map(({ paths }) => paths.includes('/.git/HEAD'));

  it('is fixed when all its servers are fixed, and probes each of them', async () => {
    const port = await serve(VULNERABLE, FIXED, FIXED, FIXED, FIXED);
    const before = await baselineAt(port, local(1));
    for (const server of servers) {
      server.site = FIXED;
      server.paths.length = 0;
    }
    const { signal } = new AbortController();
    const counts: number[] = [];
    jest.spyOn(signal, 'addEventListener').mockImplementation((...listener: readonly unknown[]) => {
      Reflect.apply(EventTarget.prototype.addEventListener, signal, listener);
      counts.push(getEventListeners(signal, 'abort').length);
    });
    const { verdict, probes } = await verified(port, before, { signal });
    // More repeats wait at the same time than Node allows without warning of a leak. There is none.
    const most = Math.max(...counts);
    expect(most).toBeGreaterThan(10);
    expect(getMaxListeners(signal)).toBeGreaterThan(most);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('sent 16 times to each of 5 addresses'),
    });
    // The first one gets a HEAD request too.
    expect(sent()).toEqual([17, 16, 16, 16, 16]);
    expect(probes.filter(({ kind }) => kind === 'probe')).toHaveLength(10);
    expect(probes.filter(({ kind }) => kind === 'control')).toHaveLength(5);
  });

  it.each([1, 2, 3, 4, 5])('is not fixed while server %d is vulnerable', async (vulnerable) => {
    const port = await serve(...[1, 2, 3, 4, 5].map((at) => (at === vulnerable ? VULNERABLE : FIXED)));
    const before = await baselineAt(port, local(vulnerable));
    expect((await verified(port, before)).verdict.result).toBe('still_vulnerable');
  });

  it('is not fixed while one server is vulnerable and the order of the addresses changes', async () => {
    const port = await serve(FIXED, VULNERABLE);
    const before = await baselineAt(port, local(2));
    let questions = 0;
    names.onQuestion = () => {
      questions += 1;
      names.zone = questions % 2 === 0 ? named(local(1), local(2)) : named(local(2), local(1));
    };
    expect((await verified(port, before)).verdict.result).toBe('still_vulnerable');
  });

  it('is not fixed when a vulnerable server is added during the test', async () => {
    const port = await serve(FIXED, VULNERABLE);
    const before = await baselineAt(port, local(2));
    let questions = 0;
    names.onQuestion = () => {
      questions += 1;
      names.zone = questions > 4 ? named(local(1), local(2)) : named(local(1));
    };
    expect((await verified(port, before)).verdict.result).toBe('still_vulnerable');
  });

  it('is not fixed while the server where the weakness was seen is out of the DNS', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    names.zone = named(local(2));
    const { verdict, probes } = await verified(port, before);
    expect(verdict).toEqual({
      result: 'still_vulnerable',
      reason: expect.stringContaining('at 127.0.0.1, where it was seen before and which the DNS does not give now'),
    });
    expect(probes.filter(({ kind }) => kind === 'interleaved')).toHaveLength(1);
  });

  it('is fixed when the server that is out of the DNS is fixed too', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    for (const server of servers) server.paths.length = 0;
    for (const server of servers) server.site = FIXED;
    names.zone = named(local(2));
    expect((await verified(port, before)).verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('sent 16 times to each of 2 addresses'),
    });
    expect(sent().map((count) => count >= 16)).toEqual([true, true]);
  });

  it.each<[string, (server: TargetServer) => unknown, string]>([
    ['is off', (server) => server.stop(), 'the connection was refused'],
    [
      'serves another site',
      (server) => (server.site = { pages: { ...VULNERABLE.pages, '/': '<title>Bakery</title><p>Fresh bread</p>' } }),
      '/: the page differs from the one in the baseline',
    ],
    [
      'does not know the name any more',
      (server) => (server.site = { answer: () => ({ status: 404, body: 'default backend - 404' }) }),
      'a firewall responds instead of the target (404)',
    ],
  ])('is fixed at the new address when the old server %s', async (_what, move, why) => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    const [old] = servers;
    if (old !== undefined) await move(old);
    servers.forEach(({ paths }) => (paths.length = 0));
    names.zone = named(local(2));
    expect((await verified(port, before)).verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining(
        `not tested: 127.0.0.1, where the weakness was seen and which the DNS does not give now (${why})`,
      ),
    });
    expect(asked()).toEqual([false, true]);
  });

  it.each<[string, (server: TargetServer) => unknown, string]>([
    ['fails', (server) => (server.site = { answer: () => ({ status: 503, body: 'Busy' }) }), 'it fails with 503'],
    [
      'cuts connections',
      (server) => (server.disturb = (_request, _response, line) => Boolean(line.destroy())),
      'the connection was closed before',
    ],
  ])('is inconclusive while the old server %s, as a busy server of the site may do', async (_what, fail, why) => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    const [old] = servers;
    if (old !== undefined) fail(old);
    names.zone = named(local(2));
    expect((await verified(port, before)).verdict).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining(
        `seen at 127.0.0.1, which the DNS does not give now, and nothing shows that it is gone there: ${why}`,
      ),
    });
  });

  it('is fixed although the old server fails, if its certificate is for another name', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const [old, now] = servers;
    for (const server of servers) server.showTls(certificate({ names: [HOST] }));
    const place = { ...target(port), scheme: 'https' } as const;
    const session = new ProbeSession(transportTo(port), via({ address: local(1) }));
    const { baseline } = await assess(exposedGit, place, session);
    if (old !== undefined) old.site = { answer: () => ({ status: 503, body: 'Busy' }) };
    old?.showTls(certificate({ names: ['bakery.test'] }));
    now?.showTls(certificate({ names: [HOST] }));
    names.zone = named(local(2));
    const { verdict } = await verify(
      exposedGit,
      place,
      baseline,
      transportTo(port),
      via(),
      async () => null,
      PROBE_POLICY,
    );
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('does not give now (its certificate is for another name)'),
    });
  });

  it.each<[string, boolean, string]>([
    ['inconclusive', true, 'is gone there: a service that answers there does not say whose it is'],
    ['fixed', false, 'does not give now (the connection was refused)'],
  ])('is %s for a service, and sends nothing to the old address', async (result, isOn, why) => {
    const port = await serve({}, {});
    const heard: string[] = [];
    const [old, now] = servers;
    if (old !== undefined) old.service = (socket) => void socket.on('data', (data) => heard.push(String(data)));
    if (now !== undefined)
      now.service = (socket) =>
        void socket.on('data', () => socket.write('-NOAUTH Authentication required.\r\n')).on('error', () => {});
    if (!isOn) await old?.stop();
    names.zone = named(local(2));
    const before: Baseline = { on: 'tcp', format: 2, address: local(1) };
    const place = { ...target(port), scheme: 'tcp' } as const;
    const { verdict } = await verify(
      openRedis,
      place,
      before,
      transportTo(port),
      via(),
      async () => null,
      PROBE_POLICY,
    );
    expect(verdict).toEqual({ result, reason: expect.stringContaining(why) });
    expect(heard).toEqual([]);
  });

  it('names the contact in all requests to an address that the DNS does not give', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    const contacts = [0, 0];
    servers.forEach((server, at) => {
      server.paths.length = 0;
      server.site = {
        answer: ({ headers }) => {
          contacts[at] =
            (contacts[at] ?? 0) +
            (`${headers['user-agent']} ${headers.from}`.includes('security@example.test') ? 1 : 0);
          return null;
        },
      };
    });
    names.zone = named(local(2));
    const transport = transportTo(port, { browserUserAgent: BROWSER });
    const own = via({ isOwn: async () => true });
    const { verdict } = await verify(exposedGit, target(port), before, transport, own, async () => null, PROBE_POLICY);
    expect(verdict.result).toBe('fixed');
    expect(servers.map(({ paths }, at) => paths.length - (contacts[at] ?? 0))).toEqual([0, expect.any(Number)]);
    expect(contacts[1]).toBeLessThan(servers[1]?.paths.length ?? 0);
  });

  it('tests the old server, too, when the whole site has a new look', async () => {
    const known = {
      '/about':
        '<title>About</title><p>We have baked bread in this street since the winter of nineteen ninety nine</p>',
      '/prices': '<title>Prices</title><p>Small loaves cost two euros while large ones are sold for five or six</p>',
    };
    const home = '<title>Shop</title><h1>Shop</h1><a href="/about">About</a><a href="/prices">Prices</a>';
    const look = '<title>New</title><main id="new"><h2 class="big">Everything is new here</h2></main>';
    const old: Site = { pages: { ...VULNERABLE.pages, ...known, '/': home } };
    const port = await serve(old, old);
    const before = await baselineAt(port, local(1));
    const [first, second] = servers;
    if (first !== undefined) first.site = { pages: { ...old.pages, '/': look } };
    if (second !== undefined) second.site = { pages: { ...known, '/': look } };
    names.zone = named(local(2));
    expect((await verified(port, before)).verdict.result).toBe('still_vulnerable');
  });

  it('sends no experiment to an address that is not proved to be ours', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    servers.forEach(({ paths }) => (paths.length = 0));
    names.zone = named(local(2));
    const pinned = { keep: async () => {}, has: (_host: string, address: string) => address === local(2) };
    expect((await verified(port, before, { pinned })).verdict).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('it answers as before, and no active test may be sent there'),
    });
    expect(asked()).toEqual([false, true]);
  });

  it('tests all addresses of a name that gives one at a time', async () => {
    const port = await serve(VULNERABLE, FIXED, FIXED, FIXED);
    const before = await baselineAt(port, local(1));
    for (const server of servers) server.site = FIXED;
    let questions = 0;
    names.onQuestion = () => {
      questions += 1;
      names.zone = named(local(1 + (Math.ceil(questions / 2) % 4)));
    };
    const { verdict, probes } = await verified(port, before);
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('sent 16 times to each of 4 addresses'),
    });
    expect(probes.filter(({ kind }) => kind === 'probe')).toHaveLength(8);
  });

  it('tests an address that the DNS gives while the request is repeated', async () => {
    const port = await serve(VULNERABLE, VULNERABLE);
    const before = await baselineAt(port, local(1));
    const [first] = servers;
    if (first !== undefined) first.site = FIXED;
    names.onQuestion = () => {
      names.zone = named(local((first?.paths.filter((path) => path === '/.git/HEAD').length ?? 0) > 10 ? 2 : 1));
    };
    names.zone = named(local(1));
    expect((await verified(port, before)).verdict.result).toBe('still_vulnerable');
  });

  it('is inconclusive while one server is down', async () => {
    const port = await serve(FIXED, VULNERABLE);
    const before = await baselineAt(port, local(2));
    await servers[1]?.stop();
    expect((await verified(port, before)).verdict).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('the connection was refused'),
    });
  });

  it('is inconclusive while not all addresses can be resolved', async () => {
    const port = await serve(VULNERABLE);
    const before = await baselineAt(port, local(1));
    for (const server of servers) server.site = FIXED;
    names.failing = 'AAAA';
    const { verdict } = await verified(port, before);
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('not all addresses of') });
  });

  it('is inconclusive when one server refuses the request that the other answers as missing', async () => {
    const port = await serve(VULNERABLE, FIXED);
    const before = await baselineAt(port, local(1));
    const [first] = servers;
    if (first !== undefined) first.site = { pages: { '/.git/HEAD': { status: 403, body: 'Forbidden' } } };
    const { verdict } = await verified(port, before);
    expect(verdict).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('the same request was answered with 403 and with 404: by different servers'),
    });
  });

  it('is inconclusive when it has more addresses than the limit', async () => {
    const port = await serve(VULNERABLE);
    const before = await baselineAt(port, local(1));
    for (const server of servers) server.site = FIXED;
    names.zone = named(...Array.from({ length: 17 }, (_none, at) => local(at + 1)));
    const { verdict } = await verified(port, before);
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('more than 16 addresses') });
    expect(asked()).toEqual([true]);
  });

  describe('with an address to which this machine has no route', () => {
    const [HERE, AWAY] = ['10.0.0.1', 'fd00::1'];
    const route = (port: number): Route => ({
      key: 'beacon',
      isProven: () => Promise.resolve(false),
      cidrs: ['10.0.0.0/8', 'fd00::/8'].map((block) => Cidr.parse(block, 'cidr')),
      resolve: () => Promise.resolve([HERE, AWAY]),
      connect: ({ address }) =>
        address === AWAY
          ? Promise.reject(Object.assign(new Error('no IPv6'), { code: 'ENETUNREACH' }))
          : new Promise<Socket>((resolve) => {
              const socket = connect(port, '127.0.0.1', () => resolve(socket));
            }),
    });

    it('is fixed at the other addresses, and names the address that was not tested', async () => {
      const port = await serve(VULNERABLE);
      const more = { route: route(port) };
      const before = await baselineAt(port, HERE, more);
      for (const server of servers) server.site = FIXED;
      const { verdict, probes } = await verified(port, before, more);
      expect(verdict).toEqual({
        result: 'fixed',
        reason: expect.stringContaining('has no route to them: fd00::1'),
      });
      expect(probes.filter(({ kind }) => kind === 'probe')).toHaveLength(2);
      expect(probes.filter(({ kind }) => kind === 'repeat')).toHaveLength(14);
    });

    it('is inconclusive when the weakness was there, or when there is no other address', async () => {
      const port = await serve(VULNERABLE);
      const more = { route: route(port) };
      const before = await baselineAt(port, HERE, more);
      for (const server of servers) server.site = FIXED;
      const reason = expect.stringContaining('this machine has no route to the address');
      const seenThere = { ...before, address: AWAY };
      expect((await verified(port, seenThere, more)).verdict).toEqual({ result: 'inconclusive', reason });
      const alone = { route: { ...route(port), resolve: () => Promise.resolve([AWAY]) } };
      expect((await verified(port, before, alone)).verdict).toEqual({ result: 'inconclusive', reason });
    });
  });
});
