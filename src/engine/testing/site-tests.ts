import type { Baseline } from '../baseline';
import type { Check } from '../check';
import { detect } from '../detect';
import type { Via } from '../transport/transport';
import { type NewSite, retest, type Retested, withConfirmedSite } from '../retest';
import type { ProbePolicy, Verification } from '../verdict';
import { SeededRandom } from './seeded-random';
import type { Site } from './target-server';
import { siteSetup } from './target-states';
import { HOST, sharedTestTarget, type TargetSetup } from './test-target';

/** For all requests of a retest whose paths do not redirect. */
const MOST_REQUESTS = 88;
/** If the rules without a baseline are applied as well. */
const MOST_WITHOUT_BASELINE = 100;

export const said = ({ verdict: { result, reason } }: Pick<Verification, 'verdict'>): string => `${result}: ${reason}`;

export const HOUR = 3_600_000;

/** The baseline as if the new response for missing paths had first been seen this long ago. */
export function seenBefore(baseline: Baseline | null, ms: number): Baseline {
  if (baseline?.on !== 'web' || baseline.moved === undefined) throw new Error('the new response was not kept');
  return { ...baseline, moved: { ...baseline.moved, since: new Date(Date.now() - ms).toISOString() } };
}

interface SiteTests {
  readonly baselineOf: (check: Check, site: Site, path?: string, isInScope?: Via['isInScope']) => Promise<Baseline>;
  /** The requested paths since the test began. */
  readonly paths: () => readonly string[];
  readonly retest: (
    check: Check,
    before: Baseline,
    setup: (turn: number) => TargetSetup,
    path?: string,
    rules?: Pick<ProbePolicy, 'refusalsCountAsFixed'>,
  ) => Promise<Retested>;
  /** The baseline after a person confirmed the new site this long ago; null if it is refused. */
  readonly confirm: (
    check: Check,
    before: Baseline,
    site: NewSite | null,
    ms: number,
    path?: string,
  ) => Baseline | null;
}

/** Tests of one target: learns a baseline of a site, and retests it after a change. */
export function siteTests(scheme: 'http' | 'https' = 'http'): SiteTests {
  const testTarget = sharedTestTarget();
  const { signal } = new AbortController();
  const target = (path = '/') => ({ scheme, host: HOST, port: testTarget().server.port, path }) as const;
  return {
    paths: () => testTarget().server.paths,
    baselineOf: async (check, site, path, isInScope) => {
      const transport = testTarget().transport(4_000, () => siteSetup(site));
      const seen = await detect(check, target(path), transport, { signal, isInScope });
      if (seen?.observation.state !== 'vulnerable' || seen.baseline === null)
        throw new Error(`the weakness was not seen: ${seen?.observation.detail}`);
      // As a database returns it.
      return JSON.parse(JSON.stringify(seen.baseline));
    },
    retest: async (check, before, setup, path, rules = {}) => {
      const random = new SeededRandom(7);
      const policy = { probes: 3, spreadMs: 4, randomBelow: (limit: number) => random.below(limit), ...rules };
      const tested = await retest(
        check,
        target(path),
        before,
        testTarget().transport(4_000, setup),
        { signal },
        async () => null,
        policy,
      );
      const requests = tested.probes.flatMap(({ exchanges }) => exchanges);
      const redirects = requests.filter(({ received }) => /^HTTP\S+ 30[1278]/.test(received)).length;
      const most = tested.isSiteChanged ? MOST_WITHOUT_BASELINE : MOST_REQUESTS;
      expect(requests.length - redirects).toBeLessThanOrEqual(most);
      return tested;
    },
    confirm: (check, before, site, ms, path) => {
      const at = new Date(Date.now() - ms).toISOString();
      const stored: NewSite | null = JSON.parse(JSON.stringify(site));
      return stored && withConfirmedSite(before, check, target(path), stored, { by: 12, at });
    },
  };
}
