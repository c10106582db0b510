import type { Assessment } from './assess';
import type { Baseline } from './baseline';
import type { RandomBelow } from './client-behaviors';
import type { Refusal } from './refusal';

/** What several probes show together. */
export interface Verdict {
  readonly result: 'still_vulnerable' | 'fixed' | 'inconclusive' | 'blocked';
  readonly reason: string;
  /** Of `blocked`. */
  readonly refusal?: Refusal;
  /** Of `fixed`, where the refusal alone shows it: a user has confirmed it, or a setting lets it count. */
  readonly byRefusal?: 'confirmed' | 'setting';
}

export interface Verification {
  readonly verdict: Verdict;
  readonly probes: readonly Assessment[];
  /** The state of the target when the weakness was seen; null when it was not seen, or the target was down. */
  readonly baseline: Baseline | null;
  /** It is inconclusive only because the site has changed. */
  readonly isSiteChanged: boolean;
}

export interface ProbePolicy {
  /** The number of probes that send all the requests of the check. They and the repeats are spread over `spreadMs`. */
  readonly probes: number;
  readonly spreadMs: number;
  /** Decides the order of requests. Unpredictable by default; tests pass a seeded one. */
  readonly randomBelow?: RandomBelow;
  /** Refusals by the site's own server count as fixed. */
  readonly refusalsCountAsFixed?: boolean;
  /** Probes of an experiment that measures no time go on beside each other. A job tests its points at once already. */
  readonly overlaps?: boolean;
  /** Called with each probe when it has ended. It changes nothing. */
  readonly onProbe?: (probe: Assessment) => void;
}

export const DEFAULT_PROBE_POLICY: ProbePolicy = { probes: 3, spreadMs: 4_000 };
