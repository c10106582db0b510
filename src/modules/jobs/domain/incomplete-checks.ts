import type { Coverage } from '../../../engine';
import { checkById } from '../../../engine/checks';
import { ANY_PARAMETER } from '../../../engine/spots';
import { parseLocation } from '../../../engine/target';
import type { TestDepth } from '../../../kernel/test-depth';
import type { AcceptedCheckOfAsset } from '../../assets';
import { keyOf } from './active-result';
import { ACCEPTANCE_HINT, type IncompleteCheck, type JobSuccess } from './job-success';
import { textOfAccepted } from './accepted-text';
import { testsPoints } from './point-checks';

/** Which checks a job completed, and which it did not. */
export interface JobCompletion {
  readonly completed: number;
  readonly incomplete: readonly IncompleteCheck[];
  /** Blocked checks that count as completed: they are few and have no open finding. */
  readonly refused: readonly IncompleteCheck[];
}

type Tested = Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason' | 'refusal'>;

/** The share of blocked checks above which something in front of the site refuses the tests. */
const MAX_REFUSED_SHARE = 0.1;

/** A payload may be refused although the parameter is weak. */
function isOfPoint(id: string): boolean {
  const check = checkById(id);
  return check !== null && testsPoints(check);
}

export function completionOf(coverage: readonly Tested[], openChecks: ReadonlySet<string>): JobCompletion {
  const tested = coverage.filter(({ outcome }) => outcome !== 'not_applicable');
  const blocked = tested.filter(({ outcome }) => outcome === 'blocked');
  const areFew = blocked.length <= tested.length * MAX_REFUSED_SHARE;
  const refused = blocked.filter(({ check }) => areFew && !openChecks.has(check) && !isOfPoint(check));
  const counted = new Set(refused);
  const incomplete = tested.filter(
    (one) => one.outcome === 'inconclusive' || (one.outcome === 'blocked' && !counted.has(one)),
  );
  return {
    completed: tested.length - incomplete.length,
    incomplete: incomplete.map(incompleteOf),
    refused: refused.map(incompleteOf),
  };
}

const incompleteOf = ({ check, location, reason, outcome, refusal }: Tested): IncompleteCheck => ({
  check,
  location,
  reason,
  result: outcome === 'blocked' ? outcome : 'inconclusive',
  refusal: outcome === 'blocked' ? (refusal ?? null) : null,
});

/** How a caller reads the result of a job. */
export interface Allowance {
  /** Whether the caller allows incomplete checks (`incomplete=allow`). */
  readonly isRequested: boolean;
  /** The organization requires a second approval, so a request alone allows nothing. */
  readonly needsApproval?: boolean;
  /** The checks that have an open finding on the origin. */
  readonly openChecks: ReadonlySet<string>;
  /** The acceptance by an admin that this check is incomplete at a location. */
  readonly acceptedAt: (check: string, location: string) => AcceptedCheckOfAsset | null;
}

/** Why the job fails because this check is incomplete, or null. */
function notAllowedReason(
  { check, location }: IncompleteCheck,
  { completed, incomplete }: JobCompletion,
  allowance: Allowance,
): string | null {
  const { isRequested, needsApproval = false } = allowance;
  if ((!isRequested || needsApproval) && allowance.acceptedAt(check, location) === null)
    return isRequested ? 'not allowed without a second approval' : 'not allowed';
  if (completed < incomplete.length) return 'cannot be allowed, because fewer than half of the checks are complete';
  return allowance.openChecks.has(check) ? 'cannot be allowed, because the check has an open finding here' : null;
}

/** What a job has left at insertion points, or where it was refused. */
export interface UntestedPoints {
  readonly checks: readonly string[];
  /** What to do about it. */
  readonly reason: string;
}

const isRest = (location: string): boolean => parseLocation(location).parameter === ANY_PARAMETER;

/**
 * Null if all points were tested, or if an admin accepts what is left. Where something in front of the site refused more than
 * a few checks, the site was not tested either.
 */
export function untestedPointsOf(
  completion: JobCompletion,
  allowance: Allowance,
  depth: TestDepth,
): UntestedPoints | null {
  const left = completion.incomplete
    .filter(
      ({ check, location, result }) =>
        result === 'blocked' || (isOfPoint(check) && (depth === 'active' || isRest(location))),
    )
    .filter((one) => notAllowedReason(one, completion, allowance) !== null);
  if (left.length === 0) return null;
  const what = left.some(({ result }) => result === 'blocked') ? 'Checks were refused' : 'Not all points were tested';
  const reason = `${what}: ${listOf(left)}. ${ACCEPTANCE_HINT}`;
  return { checks: [...new Set(left.map(({ check }) => check))], reason };
}

const SHOWN = 3;

/** Leaves out a reason that the text already has. */
function listOf(checks: readonly IncompleteCheck[], said = ''): string {
  const texts = checks
    .slice(0, SHOWN)
    .map(({ check, location, reason }) => `${check} at ${location}${said.includes(reason) ? '' : `: ${reason}`}`);
  const rest = checks.length > SHOWN ? [`${checks.length - SHOWN} more`] : [];
  return [...texts, ...rest].join('; ');
}

/** What could not be tested fails a job, unless an admin has accepted it or the caller allows it. */
export function withIncompleteChecks(outcome: JobSuccess, completion: JobCompletion, allowance: Allowance): JobSuccess {
  const { incomplete, refused } = completion;
  if (incomplete.length + refused.length === 0) return outcome;
  const refusals = incomplete.map((one) => ({ one, refusal: notAllowedReason(one, completion, allowance) }));
  const failing = refusals.filter(({ refusal }) => refusal !== null);
  const passing = refusals.filter(({ refusal }) => refusal === null).map(({ one }) => one);
  const acceptances = new Map(passing.map((one) => [one, allowance.acceptedAt(one.check, one.location)]));
  const accepted = [...new Set([...acceptances.values()].filter((one) => one !== null))];
  const allowed = passing.filter((one) => acceptances.get(one) === null);
  // Their finding has the same step, and a number.
  const named = new Set(
    outcome.failing.flatMap(({ check, place }) =>
      check === null || place === null ? [] : keyOf({ check, location: place }),
    ),
  );
  const sentences = [
    ...[...new Set(failing.map(({ refusal }) => refusal))].map((refusal) => {
      const checks = failing.filter((other) => other.refusal === refusal).map(({ one }) => one);
      return `Checks that could not be completed (${refusal}): ${listOf(checks, outcome.description)}.`;
    }),
    ...(accepted.length > 0 ? [`Accepted checks may be incomplete: ${textOfAccepted(accepted)}.`] : []),
    ...(allowed.length > 0 ? [`Incomplete checks are allowed by this request: ${listOf(allowed)}.`] : []),
    ...(refused.length > 0 ? [`Refused, not shown absent: ${listOf(refused)}.`] : []),
  ];
  return {
    ...outcome,
    success: outcome.success === true && failing.length === 0,
    description: [outcome.description, ...sentences].join(' '),
    accepted: [...outcome.accepted, ...accepted],
    incomplete,
    refused,
    allowed,
    undecided: [
      ...outcome.undecided,
      ...failing.filter(({ one }) => !named.has(keyOf(one))).map(({ one }) => ({ ...one, findingId: null })),
    ],
  };
}
