import type { Assessment } from './assess';
import type { Baseline } from './baseline';
import type { RandomBelow } from './client-behaviors';
import type { Refusal } from './refusal';

/** The combined result of several probes. */
export interface Verdict {
  readonly result: 'still_vulnerable' | 'fixed' | 'inconclusive' | 'blocked';
  readonly reason: string;
  /** Only for `blocked`. */
  readonly refusal?: Refusal;
  /** Only for `fixed` if the refusal alone decides: a user has confirmed it, or a setting allows it. */
  readonly byRefusal?: 'confirmed' | 'setting';
}

export interface Verification {
  readonly verdict: Verdict;
  readonly probes: readonly Assessment[];
  /** The state of the target when the weakness was seen; null when it was not seen, or the target was down. */
  readonly baseline: Baseline | null;
  /** Whether it is inconclusive only because the site has changed. */
  readonly isSiteChanged: boolean;
}

export interface ProbePolicy {
  /** The number of probes that send all the requests of the check. They and the repeats are spread over `spreadMs`. */
  readonly probes: number;
  readonly spreadMs: number;
  /** Decides the order of requests. Unpredictable by default; tests pass a seeded function. */
  readonly randomBelow?: RandomBelow;
  /** Whether refusals by the site's own server count as fixed. */
  readonly refusalsCountAsFixed?: boolean;
  /** Whether probes of an experiment that measures no time run at the same time. A job already tests several points at once. */
  readonly overlaps?: boolean;
  /** Called with each probe when it has ended. It must not change anything. */
  readonly onProbe?: (probe: Assessment) => void;
}

export const DEFAULT_PROBE_POLICY: ProbePolicy = { probes: 3, spreadMs: 4_000 };
