import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from './check';
import { CHECKS } from './checks';
import { type Scan, scan } from './scan';
import { type Disturbance, HOME, MISSING, send } from './testing/target-server';
import { siteSetup } from './testing/target-states';
import { HOST, TestTarget } from './testing/test-target';

const REASON = 'the window closed';
const UNTIL_MS = 6_000;

interface Interrupted {
  readonly result: Scan;
  /** When each request arrived, in milliseconds since the start. */
  readonly times: readonly number[];
}

interface SlowSite {
  readonly checks: readonly Check[];
  /** The body of the page and its delay, by milliseconds since the start. */
  readonly page: (at: number) => { readonly body: string; readonly ms: number };
  /** The delay of other paths after this many requests. */
  readonly slow?: { readonly after: number; readonly ms: number };
}

const SITE: SlowSite = { checks: CHECKS, page: () => ({ body: HOME, ms: 100 }) };

/** A scan of a site that needs some time for each response. */
async function interruptedScan(inMs: number, { checks, page, slow }: SlowSite = SITE): Promise<Interrupted> {
  const testTarget = await TestTarget.open();
  try {
    const { server } = testTarget;
    const times: number[] = [];
    const started = performance.now();
    const disturb: Disturbance = (request, response) => {
      times.push(performance.now() - started);
      const { body, ms } = page(performance.now() - started);
      const isSlow = slow !== undefined && request.url !== '/' && times.length > slow.after;
      setTimeout(() => send(response, request.url === '/' ? { body } : MISSING), isSlow ? slow.ms : ms);
      return true;
    };
    const result = await scan({
      target: { scheme: 'https', host: HOST, port: server.port, path: '/' },
      checks,
      transport: testTarget.transport(4_000, () => siteSetup({}, disturb)),
      via: { signal: new AbortController().signal },
      otherWww: async () => null,
      policy: { probes: 2, spreadMs: 4 },
      interruption: { inMs, reason: REASON },
    });
    // Requests that continue in the background would arrive now.
    await delay(Math.max(0, inMs - (performance.now() - started)) + 300);
    return { result, times };
  } finally {
    await testTarget.close();
  }
}

describe('an interrupted scan', () => {
  it('sends nothing after the interruption, keeps what it has tested, and names what is left', async () => {
    const { result, times } = await interruptedScan(UNTIL_MS);
    expect(times.length).toBeGreaterThan(2);
    expect(times.filter((time) => time > UNTIL_MS)).toEqual([]);
    expect(result).toMatchObject({ end: 'interrupted', reason: REASON });
    const left = result.coverage.filter(({ reason }) => reason === REASON);
    expect(left.length).toBeGreaterThan(5);
    expect(left.every(({ outcome }) => outcome === 'inconclusive')).toBe(true);
    const tested = result.coverage.filter(({ outcome }) => outcome === 'vulnerable' || outcome === 'not_vulnerable');
    expect(tested.length).toBeGreaterThan(0);
    const covered = new Set(result.coverage.map(({ check }) => check));
    expect(CHECKS.filter(({ id }) => !covered.has(id))).toEqual([]);
  });

  it('sends nothing after the interruption in its last look at the target either', async () => {
    const checks = CHECKS.filter(({ on }) => on !== 'tcp');
    const closed = { body: '<title>Closed</title><p>See you tomorrow</p>', ms: 2_100 };
    const page = (at: number): { body: string; ms: number } => (at < UNTIL_MS / 2 ? { body: HOME, ms: 20 } : closed);
    const { result, times } = await interruptedScan(UNTIL_MS, { checks, page, slow: { after: 60, ms: UNTIL_MS } });
    expect(times.filter((time) => time > UNTIL_MS / 2)).not.toEqual([]);
    expect(times.filter((time) => time > UNTIL_MS)).toEqual([]);
    expect(result).toMatchObject({ end: 'interrupted', reason: REASON });
  });

  it('is one without results when there is no time for a request', async () => {
    const { result, times } = await interruptedScan(0);
    expect(times).toEqual([]);
    expect(result).toMatchObject({ end: 'interrupted', sightings: [] });
    const open = result.coverage.filter(({ reason }) => reason === REASON).map(({ check }) => check);
    expect(
      new Set(result.coverage.flatMap(({ check, outcome }) => (outcome === 'inconclusive' ? [check] : []))),
    ).toEqual(new Set(open));
    expect(open.length).toBeGreaterThan(30);
  });
});
