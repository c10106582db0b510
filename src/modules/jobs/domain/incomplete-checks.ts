import type { Coverage } from '../../../engine';
import type { IncompleteCheck, JobSuccess } from './job-success';

/** What a job completed, and what not. */
export interface JobCompletion {
  readonly completed: number;
  readonly incomplete: readonly IncompleteCheck[];
}

type Tested = Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason'>;

export function completionOf(coverage: readonly Tested[]): JobCompletion {
  const incomplete = coverage.filter(({ outcome }) => outcome === 'inconclusive');
  const completed = coverage.filter(({ outcome }) => outcome === 'vulnerable' || outcome === 'not_vulnerable').length;
  return { completed, incomplete: incomplete.map(({ check, location, reason }) => ({ check, location, reason })) };
}

/** With what a caller reads the result of a job. */
export interface Allowance {
  /** Whether the caller allows incomplete checks (`incomplete=allow`). */
  readonly isRequested: boolean;
  /** The checks that have an open finding on the origin. */
  readonly openChecks: ReadonlySet<string>;
}

/** Why a caller may not allow that this check is incomplete, or null. */
function notAllowedReason(
  check: string,
  { completed, incomplete }: JobCompletion,
  allowance: Allowance,
): string | null {
  if (!allowance.isRequested) return 'not allowed';
  if (completed < incomplete.length) return 'cannot be allowed, because fewer than half of the checks are complete';
  return allowance.openChecks.has(check) ? 'cannot be allowed, because the check has an open finding here' : null;
}

const SHOWN = 3;

function listOf(checks: readonly IncompleteCheck[]): string {
  const texts = checks.slice(0, SHOWN).map(({ check, location, reason }) => `${check} at ${location}: ${reason}`);
  const rest = checks.length > SHOWN ? [`${checks.length - SHOWN} more`] : [];
  return [...texts, ...rest].join('; ');
}

/** What could not be tested fails a job, unless its caller allows it. */
export function withIncompleteChecks(outcome: JobSuccess, completion: JobCompletion, allowance: Allowance): JobSuccess {
  const { incomplete } = completion;
  if (incomplete.length === 0) return outcome;
  const refusals = incomplete.map((one) => ({ one, refusal: notAllowedReason(one.check, completion, allowance) }));
  const failing = refusals.filter(({ refusal }) => refusal !== null);
  const allowed = refusals.filter(({ refusal }) => refusal === null).map(({ one }) => one);
  const sentences = [
    ...[...new Set(failing.map(({ refusal }) => refusal))].map((refusal) => {
      const checks = failing.filter((other) => other.refusal === refusal).map(({ one }) => one);
      return `Checks that could not be completed (${refusal}): ${listOf(checks)}.`;
    }),
    ...(allowed.length > 0 ? [`Incomplete checks are allowed by this request: ${listOf(allowed)}.`] : []),
  ];
  const success = outcome.success === true && failing.length === 0;
  return { ...outcome, success, description: [outcome.description, ...sentences].join(' '), incomplete, allowed };
}
