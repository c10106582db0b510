import { checkById } from '../checks';
import { assess } from '../assess';
import { ProbeSession } from '../probe-session';
import { NameServer, type Zone } from '../testing/name-server';
import type { Limits } from './limits';
import { verify, type Verification } from '../verdict';
import { Transport } from './transport';

const SECOND = '127.0.0.2';
const PARENT = '127.0.0.5';
const FORGOTTEN = '127.0.0.4';
/** An address where nobody answers, with or without IPv6. */
const FAR = '2001:db8::53';
const PROBE_POLICY = { probes: 3, spreadMs: 3 };

const zone = (txt: string, more: Zone = {}): Zone => ({
  'target.test': {
    SOA: ['ns1.target.test hostmaster.target.test 1'],
    NS: ['ns1.target.test', 'ns2.target.test'],
    TXT: [txt],
  },
  'ns1.target.test': { A: ['127.0.0.1'] },
  'ns2.target.test': { A: [SECOND] },
  ...more,
});

const OPEN = zone('v=spf1 +all');
const CLOSED = zone('v=spf1 -all');

describe('authoritative name servers', () => {
  let first: NameServer;
  let second: NameServer;
  const started: NameServer[] = [];
  const start = async (records: Zone, address: string): Promise<NameServer> => {
    const server = await NameServer.start(records, address, first.port);
    started.push(server);
    return server;
  };
  beforeEach(async () => {
    first = await NameServer.start(OPEN);
    started.push(first);
    second = await start(OPEN, SECOND);
  });
  afterEach(() => Promise.all(started.splice(0).map((server) => server.stop())));

  /** Only the first server is configured; the others are found as servers of the zone. */
  const transport = (limits: Partial<Limits> = {}): Transport =>
    new Transport({
      userAgent: 'engine-tests (security@example.test)',
      dnsServers: [first.address],
      egressAllow: [SECOND, PARENT, FORGOTTEN, '::1', FAR].map((address) => ({ address, port: first.port })),
      authorityPort: first.port,
      limits: { exchangeMs: 10_000, perSecond: 1_000, ...limits },
    });

  async function retestAfter(
    fix: () => void,
    host = 'target.test',
    limits: Partial<Limits> = {},
  ): Promise<Verification> {
    const check = checkById('missing-spf');
    if (check === null) throw new Error('there is no such check');
    const target = { scheme: 'dns', host, port: 53, path: '/' } as const;
    const via = { signal: new AbortController().signal };
    const { baseline } = await assess(check, target, new ProbeSession(transport(), via));
    if (baseline === null) throw new Error('it was not seen');
    fix();
    return verify(check, target, baseline, transport(limits), via, async () => null, PROBE_POLICY);
  }

  it('are all queried before a zone counts as fixed, and named in the reason', async () => {
    const { verdict } = await retestAfter(() => {
      first.zone = CLOSED;
      second.zone = CLOSED;
    });
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining(`each of 2 name servers of the zone (${first.address}, ${second.address})`),
    });
  });

  it.each(['first', 'second'])('reveal a weakness that only the %s server still has', async (which) => {
    const { verdict } = await retestAfter(() => {
      first.zone = which === 'first' ? OPEN : CLOSED;
      second.zone = which === 'first' ? CLOSED : OPEN;
    });
    expect(verdict.result).toBe('still_vulnerable');
  });

  it('make the verdict inconclusive when one of them fails', async () => {
    const { verdict } = await retestAfter(() => {
      first.zone = CLOSED;
      second.mode = 'servfail';
    });
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('the name server failed') });
  });

  it('are those of the target zone for an alias', async () => {
    const other = (txt: string): Zone => ({
      'provider.test': { SOA: ['ns9.provider.test a.provider.test 1'], NS: ['ns9.provider.test'] },
      'ns9.provider.test': { A: [SECOND] },
      'spf.provider.test': { TXT: [txt], MX: ['1 mx.target.test'] },
    });
    const alias: Zone = { 'mail.target.test': { CNAME: ['spf.provider.test'] } };
    first.zone = { ...zone('', alias), ...other('v=spf1 +all') };
    second.zone = { ...zone('', alias), ...other('v=spf1 +all') };
    const { verdict } = await retestAfter(() => {
      // The first server still has an old copy of a zone that it no longer serves.
      second.zone = { ...zone('', alias), ...other('v=spf1 -all') };
    }, 'mail.target.test');
    expect(verdict.result).toBe('fixed');
  });

  it('are skipped and named when their address is not public', async () => {
    const hidden = (txt: string): Zone => zone(txt, { 'ns2.target.test': { A: ['10.0.0.7'] } });
    first.zone = hidden('v=spf1 +all');
    const { verdict } = await retestAfter(() => {
      first.zone = hidden('v=spf1 -all');
    });
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('their addresses are not public: ns2.target.test'),
    });
  });

  it('are never queried at an address that the egress rules forbid', async () => {
    const inside = (txt: string): Zone =>
      zone(txt, { 'ns1.target.test': { A: ['169.254.169.254'] }, 'ns2.target.test': { A: ['127.0.0.3'] } });
    first.zone = inside('v=spf1 +all');
    const { probes } = await retestAfter(() => {
      first.zone = inside('v=spf1 -all');
    });
    const asked = new Set(probes.flatMap(({ exchanges }) => exchanges.map(({ address }) => address)));
    expect([...asked]).toEqual([first.address]);
  });

  /** Changes the servers of the zone and, if there is a parent zone, those that the parent names. */
  const fixAll =
    (more: Zone = {}, servers: readonly NameServer[] = [first, second]) =>
    (): void => {
      for (const server of servers) server.zone = zone('v=spf1 -all', more);
    };

  it('are queried at their IPv6 addresses too', async () => {
    const more = { 'ns2.target.test': { A: [SECOND], AAAA: ['::1'] } };
    first.zone = zone('v=spf1 +all', more);
    await start(OPEN, '::1');
    const { verdict } = await retestAfter(fixAll(more));
    expect(verdict.result).toBe('still_vulnerable');
  });

  it.each(['::1', FAR])(
    'are skipped and named if none of their IPv6 addresses answers, such as %s',
    async (address) => {
      const more = { 'ns2.target.test': { A: [SECOND], AAAA: [address] } };
      first.zone = zone('v=spf1 +all', more);
      const { verdict } = await retestAfter(fixAll(more));
      expect(verdict).toEqual({
        result: 'fixed',
        reason: expect.stringContaining(`this machine does not reach them: [${address}]:${first.port}`),
      });
    },
  );

  it('make the verdict inconclusive when neither IPv4 nor IPv6 answers', async () => {
    const more = { 'ns2.target.test': { A: [SECOND], AAAA: ['::1'] } };
    first.zone = zone('v=spf1 +all', more);
    const { verdict } = await retestAfter(() => {
      fixAll(more)();
      second.mode = 'silent';
    });
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('no name server responded') });
  });

  it('make the verdict inconclusive when one of them does not answer with authority', async () => {
    const { verdict } = await retestAfter(() => {
      fixAll()();
      second.isAuthoritative = false;
    });
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('the name server failed') });
  });

  it('are each asked sixteen times for the record of the name, and once for what it includes', async () => {
    const included = {
      'spf.other.test': { TXT: ['v=spf1 -all'] },
      'other.test': { NS: ['ns2.target.test'], SOA: ['ns2.target.test a.other.test 1'] },
    };
    const record = 'v=spf1 include:spf.other.test -all';
    const asked = new Map<string, number>();
    first.zone = zone('v=spf1 +all', included);
    const { verdict } = await retestAfter(() => {
      for (const [who, server] of Object.entries({ first, second })) {
        server.zone = zone(record, included);
        server.onQuestion = (name, type) =>
          void asked.set(`${who} ${name} ${type}`, (asked.get(`${who} ${name} ${type}`) ?? 0) + 1);
      }
    });
    expect(verdict).toEqual({ result: 'fixed', reason: expect.stringContaining('16 times') });
    expect([asked.get('first target.test TXT'), asked.get('second target.test TXT')]).toEqual([16, 16]);
    expect(asked.get('second spf.other.test TXT')).toBe(1);
  });

  it('reveal machines behind one address that answer in turns', async () => {
    let answers = 0;
    const { verdict } = await retestAfter(() => {
      fixAll()();
      second.onQuestion = (_name, type) => {
        if (type === 'TXT') second.zone = (answers += 1) % 4 === 0 ? OPEN : CLOSED;
      };
    });
    expect(verdict.result).toBe('still_vulnerable');
  });

  it('are asked at the pace of other targets', async () => {
    const times: number[] = [];
    await retestAfter(
      () => {
        fixAll()();
        second.onQuestion = () => void times.push(performance.now());
      },
      'target.test',
      { perSecond: 5 },
    );
    expect(times.length).toBeGreaterThan(10);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 3) * 200);
  });

  describe('of a zone whose parent names another one', () => {
    const more: Zone = {
      test: { NS: ['ns.test'] },
      'ns.test': { A: [PARENT] },
      'ns3.target.test': { A: [FORGOTTEN] },
    };
    let parent: NameServer;
    let forgotten: NameServer;
    beforeEach(async () => {
      parent = await start({}, PARENT);
      parent.delegated = { 'target.test': ['ns1.target.test', 'NS3.target.test'] };
      forgotten = await start(OPEN, FORGOTTEN);
      first.zone = zone('v=spf1 +all', more);
    });

    it('reveal a weakness that only the forgotten server still has', async () => {
      const { verdict } = await retestAfter(fixAll(more));
      expect(verdict.result).toBe('still_vulnerable');
    });

    it('include it when the zone is fixed there too', async () => {
      const { verdict } = await retestAfter(fixAll(more, [first, second, forgotten]));
      expect(verdict).toEqual({ result: 'fixed', reason: expect.stringContaining('each of 3 name servers') });
      expect(verdict.reason).not.toContain('parent zone');
    });

    it.each(['does not answer with authority', 'refuses', 'is silent'])(
      'name it and do not count it when it %s',
      async (how) => {
        const { verdict } = await retestAfter(() => {
          fixAll(more)();
          forgotten.isAuthoritative = false;
          forgotten.mode = how === 'refuses' ? 'refused' : how === 'is silent' ? 'silent' : 'answer';
        });
        expect(verdict).toEqual({
          result: 'fixed',
          reason: expect.stringContaining(`do not answer with authority: ${FORGOTTEN}:${first.port}`),
        });
      },
    );

    it('say so when no server of the parent answers', async () => {
      const { verdict } = await retestAfter(() => {
        fixAll(more)();
        parent.mode = 'refused';
        parent.delegated = {};
      });
      expect(verdict).toEqual({
        result: 'fixed',
        reason: expect.stringContaining('The parent zone was not asked for further name servers: target.test'),
      });
    });
  });

  it('say so when the only server of the parent is the configured one', async () => {
    const more: Zone = { test: { NS: ['ns.test'] }, 'ns.test': { A: ['127.0.0.1'] } };
    first.zone = zone('v=spf1 +all', more);
    const { verdict } = await retestAfter(fixAll(more));
    expect(verdict).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('The parent zone was not asked for further name servers: target.test'),
    });
  });

  it('are refused when there are more than 32 addresses', async () => {
    const addresses = Array.from({ length: 33 }, (_none, at) => `11.7.0.${at + 1}`);
    const many = (txt: string): Zone => zone(txt, { 'ns2.target.test': { A: addresses } });
    first.zone = many('v=spf1 +all');
    const { verdict } = await retestAfter(() => {
      first.zone = many('v=spf1 -all');
    });
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('more than 32 addresses') });
  });
});
