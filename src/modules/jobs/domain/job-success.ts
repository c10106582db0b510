import { unprocessable } from '../../../kernel/domain-error';
import type { Refusal } from '../../../engine';
import type { AcceptedCheckOfAsset } from '../../assets';
import { SHOWN, textOfAccepted } from './accepted-text';
import { isAtLeast, type Severity } from '../../../kernel/severity';
import type { JobStatus } from './job-status';

interface CountedFinding {
  readonly id: number;
  readonly title: string;
  readonly severity: Severity;
  /** What its check requests; null if it has no check. */
  readonly place: string | null;
  readonly check: string | null;
  /** The accepted check that applies to it. */
  readonly accepted: AcceptedCheckOfAsset | null;
  /** The reference of the request had it, so that it does not fail the job. */
  readonly isKnown?: boolean;
}

/** A finding that this job found. */
export interface SeenFinding extends CountedFinding {
  /** In status 6 to 10, by a decision of a person. */
  readonly setAside: boolean;
}

/** An earlier finding on the same origin that this job did not find. */
export interface EarlierFinding extends CountedFinding {
  /** In status 1 to 4, or resolved by hand without a test that confirmed it. */
  readonly unconfirmed: boolean;
  /** Whether a check of this service has ever seen it. It does not change the result of the job. */
  readonly isProved: boolean;
  /** This job ran its check again and confirmed the fix. */
  readonly confirmedFixed: boolean;
  /** What this job's test of it showed, or why there was none. */
  readonly reason: string;
  /** Null where there was none, or where it decided. */
  readonly undecided: Pick<IncompleteCheck, 'result' | 'refusal'> | null;
  /** Of a confirmed fix: a refusal counts as it. */
  readonly byRefusal?: boolean;
}

/** A check that a finished job could not complete at a place. */
export interface IncompleteCheck {
  readonly check: string;
  readonly location: string;
  readonly reason: string;
  readonly result: 'inconclusive' | 'blocked';
  /** Of a blocked one. */
  readonly refusal: Refusal | null;
}

/** What fails a job although no weakness was seen. */
export type UndecidedOfJob = Pick<IncompleteCheck, 'reason' | 'result' | 'refusal'> & {
  readonly check: string | null;
  readonly findingId: number | null;
};

export interface JobSuccess {
  /** Null while the job is unfinished. */
  readonly success: boolean | null;
  readonly description: string;
  /** The accepted checks without which further findings, or incomplete checks, would count. */
  readonly accepted: readonly AcceptedCheckOfAsset[];
  /** The findings that fail it: what it has seen, what was proved before, and what is only claimed. */
  readonly failing: readonly (CountedFinding & Partial<Pick<EarlierFinding, 'reason' | 'isProved'>>)[];
  /** How many further earlier findings fail it. */
  readonly further: number;
  /** How many more known findings fail it, because a job tests a limited number of them. */
  readonly untested: number;
  /** The checks that the job could not complete. */
  readonly incomplete: readonly IncompleteCheck[];
  /** The blocked checks that count as completed. */
  readonly refused: readonly IncompleteCheck[];
  /** Those that the job could not complete and that the caller allows. */
  readonly allowed: readonly IncompleteCheck[];
  readonly undecided: readonly UndecidedOfJob[];
}

/** The result of a job for pipelines, which wait for its end. */
export type Gate = 'passed' | 'failed' | 'incomplete';

/** Incomplete: only what could not be tested fails it. */
export const gateOf = ({ success, failing }: Pick<JobSuccess, 'success' | 'failing'>): Gate => {
  if (success === true) return 'passed';
  return failing.length > 0 ? 'failed' : 'incomplete';
};

const COMPLETE = { further: 0, untested: 0, incomplete: [], refused: [], allowed: [], undecided: [] } as const;

/** The least severity that fails a job, unless a request names another. */
export const DEFAULT_THRESHOLD: Severity = 'medium';

/** The result of a job that waits in a suspended organization: pipelines do not wait for it. */
export const heldSuccess: JobSuccess = {
  success: false,
  description: 'The organization is suspended: the job waits until the operator of this service ends that.',
  accepted: [],
  failing: [],
  ...COMPLETE,
};

/** Whether a pipeline may continue. Everything that is not confirmed as fixed or decided by a person fails it. */
export function jobSuccess(
  status: JobStatus,
  seen: readonly SeenFinding[],
  earlier: readonly EarlierFinding[],
  threshold: Severity = DEFAULT_THRESHOLD,
  error: string | null = null,
  further = { claims: 0, known: 0 },
): JobSuccess {
  if (status === 'PENDING' || status === 'IN_PROGRESS') {
    const description = `The job is ${status}: ask again.`;
    return { success: null, description, accepted: [], failing: [], ...COMPLETE };
  }
  if (status !== 'FINISHED') {
    const reason = error?.replace(/\.$/, '') ?? 'what it has not tested is unknown, and what it had found is kept';
    const description = `The job ended in ${status}: ${reason}.`;
    return { success: false, description, accepted: [], failing: [], ...COMPLETE };
  }
  const counts = ({ severity, isKnown }: CountedFinding): boolean => isAtLeast(severity, threshold) && isKnown !== true;
  const found = seen.filter((finding) => counts(finding) && !finding.setAside);
  const remaining = earlier.filter((finding) => counts(finding) && finding.unconfirmed && !finding.confirmedFixed);
  const accepted = [...new Set([...found, ...remaining].flatMap((finding) => finding.accepted ?? []))];
  const failingFound = found.filter(isNotAccepted);
  const failingEarlier = remaining.filter(isNotAccepted);
  const proved = failingEarlier.filter(({ isProved }) => isProved);
  const claimed = failingEarlier.filter(({ isProved }) => !isProved);
  const texts = (findings: readonly EarlierFinding[]): string[] =>
    findings.map(({ title, reason }) => `"${title}": ${reason}`);
  const reasons = [
    ...summary(
      'found by this job',
      failingFound.map(({ title }) => `"${title}"`),
    ),
    ...summary('found earlier and not confirmed as fixed', texts(proved)),
    ...summary('claimed earlier and not confirmed as fixed', texts(claimed), further.claims),
    ...(further.known > 0 ? [`${further.known} further known findings were not tested`] : []),
  ];
  const success = reasons.length === 0;
  const hasOthers = accepted.length > 0 || [...seen, ...earlier].some(({ isKnown }) => isKnown === true);
  const sentences = [
    success
      ? `No ${hasOthers ? 'other ' : ''}open finding of at least ${threshold} severity.`
      : `Findings of at least ${threshold} severity: ${reasons.join('; ')}.`,
    ...acceptedSentence(accepted),
  ];
  const failing = [...failingFound, ...proved, ...claimed];
  const undecided = failingEarlier.flatMap(({ id, check, reason, undecided: test }) =>
    test === null ? [] : [{ ...test, check, reason, findingId: id }],
  );
  const uncounted = { further: further.claims, untested: further.known };
  return { success, description: sentences.join(' '), accepted, failing, ...COMPLETE, ...uncounted, undecided };
}

/** A finding that the job saw at several places, because others are merged into it, counts once. It is accepted only if each place is. */
export function seenOnceEach(places: readonly SeenFinding[]): SeenFinding[] {
  const byId = new Map<number, SeenFinding>();
  for (const place of places) byId.set(place.id, worseOf(byId.get(place.id) ?? place, place));
  return [...byId.values()];
}

/** What the job saw is accepted only if no other place of the same finding fails the job. */
export function withOtherPlaces(seen: readonly SeenFinding[], earlier: readonly EarlierFinding[]): SeenFinding[] {
  const byId = new Map(seen.map((finding) => [finding.id, finding]));
  for (const place of earlier) {
    const finding = byId.get(place.id);
    if (finding !== undefined && fails(place)) byId.set(place.id, worseOf(finding, place));
  }
  return [...byId.values()];
}

const worseOf = <F extends CountedFinding>(finding: F, { severity, accepted, isKnown }: CountedFinding): F => ({
  ...finding,
  ...(finding.isKnown === true && isKnown !== true && { isKnown: false }),
  severity: isAtLeast(severity, finding.severity) ? severity : finding.severity,
  accepted: accepted === null ? null : finding.accepted,
});

const fails = ({ unconfirmed, confirmedFixed, accepted, isKnown }: EarlierFinding): boolean =>
  unconfirmed && !confirmedFixed && accepted === null && isKnown !== true;

/** A finding with several places, because others are merged into it, once: by the place that fails the job, if one does. */
export function onceEach(places: readonly EarlierFinding[]): EarlierFinding[] {
  const byId = new Map<number, EarlierFinding>();
  for (const place of places) {
    const before = byId.get(place.id);
    if (before === undefined || (fails(place) && !fails(before))) byId.set(place.id, place);
  }
  return [...byId.values()];
}

const isNotAccepted = ({ accepted }: CountedFinding): boolean => accepted === null;

export const ACCEPTANCE_HINT =
  'To accept a check on an asset until a date: PUT /v1/assets/{asset_id}/accepted-checks/{check_id}.';

/**
 * Tells a caller who may accept checks how to do that. Not where only tests fail the job that can be decided: an acceptance would
 * hide later weaknesses.
 */
export const withHint = (outcome: JobSuccess): JobSuccess =>
  outcome.success !== false || (outcome.failing.length > 0 && outcome.failing.length === decidable(outcome))
    ? outcome
    : { ...outcome, description: `${outcome.description} ${ACCEPTANCE_HINT}` };

const decidable = ({ undecided }: JobSuccess): number => undecided.filter(({ findingId }) => findingId !== null).length;

/** A reader must not take a few checks for all of them. */
export const withSelection = (outcome: JobSuccess, checks: readonly string[] | null): JobSuccess =>
  checks === null
    ? outcome
    : { ...outcome, description: `${outcome.description} Only selected checks ran: ${shortened(checks).join(', ')}.` };

function shortened(texts: readonly string[], further = 0): string[] {
  const shown = texts.slice(0, SHOWN);
  const rest = texts.length + further - shown.length;
  return rest > 0 ? [...shown, `${rest} more`] : shown;
}

const acceptedSentence = (accepted: readonly AcceptedCheckOfAsset[]): string[] =>
  accepted.length === 0 ? [] : [`Findings of accepted checks do not count: ${textOfAccepted(accepted)}.`];

/** With `fail`, a failed job is a 422, for clients that check only the status of a response. */
export function requireSuccess<Outcome extends JobSuccess>(outcome: Outcome, fail: boolean): Outcome {
  if (fail && outcome.success === false) throw unprocessable(outcome.description);
  return outcome;
}

function summary(what: string, findings: readonly string[], further = 0): string[] {
  if (findings.length + further === 0) return [];
  return [`${findings.length + further} ${what} (${shortened(findings, further).join(', ')})`];
}
