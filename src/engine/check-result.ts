import type { Severity } from '../kernel/severity';
import type { Assessment } from './assess';
import { type Baseline, renewedBaseline } from './baseline';
import { type Check, templateOf } from './check';
import { decidedAt, momentOf } from './decided-at';
import type { Coverage, PreviousFinding } from './scan-request';
import { locationOf, type Target } from './target';
import type { Exchange } from './transport/exchange';
import type { Verification } from './verdict';

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
  /** When the deciding response arrived. Absent in what an earlier version has stored of an active job. */
  readonly seenAt?: string;
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
}

/** What one check has seen at one place. */
export interface CheckResult {
  readonly coverage: Coverage;
  /** Only where it is vulnerable. */
  readonly sighting: Sighting | null;
}

export interface Planned {
  readonly check: Check;
  readonly place: Target;
}

function sightingOf({ check, place }: Planned, seen: Assessment, known: PreviousFinding | undefined): Sighting {
  const { id, title, severity, cvss } = check;
  const before = known?.own === undefined || known.own === check ? known?.baseline : null;
  return {
    check: id,
    template: templateOf(check),
    location: locationOf(place),
    title,
    severity,
    cwe: check.cwe[0] ?? null,
    cvss,
    detail: seen.observation.detail,
    seenAt: momentOf(seen),
    baseline: renewedBaseline(before ?? null, seen.baseline),
    exchanges: seen.exchanges,
  };
}

/** A single probe is not enough to show that a known finding is fixed, so `confirm` verifies it. */
export async function resultOf(
  { check, place }: Planned,
  seen: Assessment,
  known: PreviousFinding | undefined,
  confirm: (known: PreviousFinding) => Promise<Verification | null>,
): Promise<CheckResult> {
  const { observation, controlFailure } = seen;
  const { state: outcome, detail: reason } = observation;
  const verification = outcome === 'not_vulnerable' && known !== undefined ? await confirm(known) : null;
  const last = verification?.probes.at(-1);
  // The verification found the weakness after all.
  if (last?.observation.state === 'vulnerable')
    return resultOf({ check: known?.own ?? check, place }, last, known, confirm);
  const verdict = verification?.verdict ?? null;
  const decided = verification && decidedAt(verification.verdict, verification.probes);
  const coverage = { check: check.id, location: locationOf(place), outcome, reason, controlFailure, verdict };
  return {
    coverage: decided === null ? coverage : { ...coverage, decided },
    sighting: outcome === 'vulnerable' ? sightingOf({ check, place }, seen, known) : null,
  };
}
