import { checkById } from '../checks';
import { assess } from '../assess';
import { ProbeSession } from '../probe-session';
import { NameServer, type Zone } from '../testing/name-server';
import { verify, type Verification } from '../verdict';
import { Transport } from './transport';

const SECOND = '127.0.0.2';
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
  beforeEach(async () => {
    first = await NameServer.start(OPEN);
    second = await NameServer.start(OPEN, SECOND, first.port);
  });
  afterEach(() => Promise.all([first.stop(), second.stop()]));

  /** Only the first one is configured; the other is found as a server of the zone. */
  const transport = (): Transport =>
    new Transport({
      userAgent: 'engine-tests (security@example.test)',
      dnsServers: [first.address],
      egressAllow: [{ address: SECOND, port: first.port }],
      authorityPort: first.port,
      limits: { exchangeMs: 6_000 },
    });

  async function retestAfter(fix: () => void, host = 'target.test'): Promise<Verification> {
    const check = checkById('missing-spf');
    if (check === null) throw new Error('there is no such check');
    const target = { scheme: 'dns', host, port: 53, path: '/' } as const;
    const via = { signal: new AbortController().signal };
    const { baseline } = await assess(check, target, new ProbeSession(transport(), via));
    if (baseline === null) throw new Error('it was not seen');
    fix();
    return verify(check, target, baseline, transport(), via, PROBE_POLICY);
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
      // The first one keeps an old copy of a zone that it is no server of.
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
});
