import type { Severity } from '../kernel/severity';
import type { Baseline } from './baseline';
import type { Check } from './check';
import type { Interruption } from './interruption';
import type { Refusal } from './refusal';
import type { Target } from './target';
import type { Exchange } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import type { ProbePolicy, Verdict } from './verdict';
import type { FindOtherWww } from './www-host';

/** A known finding, which this scan finds again or verifies as fixed. */
export interface PreviousFinding {
  readonly check: string;
  readonly location: string;
  readonly baseline: Baseline | null;
  /** Set if the finding's check is another version than that of this scan: only its own check can show that it is fixed. */
  readonly own?: Check;
}

/** A requested check that does not run. */
export interface SkippedCheck {
  readonly check: string;
  readonly outcome: 'not_applicable' | 'inconclusive';
  readonly reason: string;
}

/** The outcome of one check: `inconclusive` could not be completed, `not_applicable` had nothing to test. */
export interface Coverage {
  readonly check: string;
  readonly location: string;
  readonly outcome: 'vulnerable' | 'not_vulnerable' | 'inconclusive' | 'blocked' | 'not_applicable';
  readonly reason: string;
  /** Why the control failed, if it did. */
  readonly controlFailure: string | null;
  /** Only for a known finding that was not found again. Only `fixed` resolves it. */
  readonly verdict: Verdict | null;
  /** Only for `blocked`. */
  readonly refusal?: Refusal;
  /** When the deciding response arrived. */
  readonly decided?: string;
}

/** A weakness that was seen. */
export interface Sighting {
  readonly check: string;
  /** The YAML of the check that saw it; null for a built-in one. */
  readonly template: string | null;
  readonly location: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: number | null;
  readonly cvss: string | null;
  readonly detail: string;
  /** When the deciding response arrived. Absent in active jobs that an earlier version stored. */
  readonly seenAt?: string;
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
}

/** Informed about a scan while it runs. It must not change anything. */
export interface ScanObserver {
  /** The checks that will run. All others are covered without a test. */
  planned(checks: readonly string[]): void;
  started(check: string): void;
  /** Called again for the same check if its outcome changes. A sighting stays valid whatever the rest of the scan shows. */
  covered(coverage: Coverage, sighting: Sighting | null): void;
}

export interface ScanRequest {
  readonly target: Target;
  readonly checks: readonly Check[];
  readonly skipped?: readonly SkippedCheck[];
  readonly transport: Transport;
  readonly via: Via;
  readonly otherWww: FindOtherWww;
  readonly previousFindings?: readonly PreviousFinding[];
  readonly policy?: ProbePolicy;
  readonly limitMs?: number;
  /** When sending must stop. */
  readonly interruption?: Interruption;
  /** What may be tested; by default everything that a check tests on the target. */
  readonly isInScope?: (place: Target) => boolean;
  readonly observer?: ScanObserver;
}
