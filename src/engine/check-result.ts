import type { Assessment } from './assess';
import { renewedBaseline } from './baseline';
import { type Check, type Observation, templateOf } from './check';
import { decidedAt, momentOf } from './decided-at';
import type { Coverage, PreviousFinding, Sighting } from './scan-request';
import { locationOf, type Target } from './target';
import { titleAt } from './titles';
import type { ProbePolicy, Verdict, Verification } from './verdict';

/** What one check has seen at one place. */
export interface CheckResult {
  readonly coverage: Coverage;
  /** Set only if the check is vulnerable. */
  readonly sighting: Sighting | null;
}

export interface Planned {
  readonly check: Check;
  readonly place: Target;
}

function sightingOf({ check, place }: Planned, seen: Assessment, known: PreviousFinding | undefined): Sighting {
  const { id, severity, cvss } = check;
  const location = locationOf(place);
  const before = known?.own === undefined || known.own === check ? known?.baseline : null;
  return {
    check: id,
    template: templateOf(check),
    location,
    title: titleAt(check, location),
    severity,
    cwe: check.cwe[0] ?? null,
    cvss,
    detail: seen.observation.detail,
    seenAt: momentOf(seen),
    baseline: renewedBaseline(before ?? null, seen.baseline),
    exchanges: seen.exchanges,
  };
}

type Outcome = Pick<Coverage, 'outcome' | 'reason' | 'refusal'>;

function outcomeOf(observation: Observation, verdict: Verdict | null, countsAsFixed: boolean): Outcome {
  const { state: outcome, detail: reason } = observation;
  if (verdict?.result === 'blocked') return { outcome: 'blocked', reason: verdict.reason, refusal: verdict.refusal };
  if (observation.state !== 'blocked') return { outcome, reason };
  if (verdict?.result === 'fixed') return { outcome: 'not_vulnerable', reason: verdict.reason };
  const { refusal } = observation;
  return countsAsFixed && refusal?.isOwn === true
    ? { outcome: 'not_vulnerable', reason }
    : { outcome, reason, refusal };
}

/** A single probe is not enough to show that a known finding is fixed, so `confirm` verifies it. */
export async function resultOf(
  { check, place }: Planned,
  seen: Assessment,
  known: PreviousFinding | undefined,
  confirm: (known: PreviousFinding) => Promise<Verification | null>,
  policy?: ProbePolicy,
): Promise<CheckResult> {
  const { observation, controlFailure } = seen;
  const { state } = observation;
  const isUnseen = state === 'not_vulnerable' || state === 'blocked';
  const verification = isUnseen && known !== undefined ? await confirm(known) : null;
  // The verification found the weakness after all. Repeats that were running may have ended after that.
  const last =
    verification?.verdict.result === 'still_vulnerable'
      ? verification.probes.findLast((probe) => probe.observation.state === 'vulnerable')
      : undefined;
  if (last !== undefined) return resultOf({ check: known?.own ?? check, place }, last, known, confirm, policy);
  const verdict = verification?.verdict ?? null;
  const result = outcomeOf(observation, verdict, policy?.refusalsCountAsFixed === true);
  const decided = verification && decidedAt(verification.verdict, verification.probes);
  const coverage = { check: check.id, location: locationOf(place), ...result, controlFailure, verdict };
  return {
    coverage: decided === null ? coverage : { ...coverage, decided },
    sighting: state === 'vulnerable' ? sightingOf({ check, place }, seen, known) : null,
  };
}
