import { unprocessable } from '../../../kernel/domain-error';
import { isAtLeast, type Severity } from '../../../kernel/severity';
import type { JobStatus } from './job-status';

/** A finding that this job found. */
export interface SeenFinding {
  readonly id: number;
  readonly title: string;
  readonly severity: Severity;
  /** In status 6 to 10, by a decision of a person. */
  readonly setAside: boolean;
}

/** An earlier finding on the same origin that this job did not find. */
export interface EarlierFinding {
  readonly id: number;
  readonly title: string;
  readonly severity: Severity;
  /** In status 1 to 4, or resolved by hand without a test that confirmed it. */
  readonly unconfirmed: boolean;
  /** This job ran its check again and confirmed the fix. */
  readonly confirmedFixed: boolean;
}

export interface JobSuccess {
  /** Null while the job is unfinished. */
  readonly success: boolean | null;
  readonly description: string;
  /** The ids of the findings that fail it. */
  readonly failing: readonly number[];
}

/** The least severity that fails a job, unless a request names another. */
export const DEFAULT_THRESHOLD: Severity = 'medium';

/** Whether a pipeline may continue. Everything that is not confirmed as fixed or decided by a person fails it. */
export function jobSuccess(
  status: JobStatus,
  seen: readonly SeenFinding[],
  earlier: readonly EarlierFinding[],
  threshold: Severity = DEFAULT_THRESHOLD,
  error: string | null = null,
): JobSuccess {
  if (status === 'PENDING' || status === 'IN_PROGRESS') {
    return { success: null, description: `The job is ${status}: ask again.`, failing: [] };
  }
  if (status !== 'FINISHED') {
    const reason = error?.replace(/\.$/, '') ?? 'nothing was tested';
    return { success: false, description: `The job ended in ${status}: ${reason}.`, failing: [] };
  }
  const counts = ({ severity }: { severity: Severity }): boolean => isAtLeast(severity, threshold);
  const found = seen.filter((finding) => counts(finding) && !finding.setAside);
  const remaining = earlier.filter((finding) => counts(finding) && finding.unconfirmed && !finding.confirmedFixed);
  const reasons = [
    ...summary('found by this job', found),
    ...summary('found earlier and not confirmed as fixed', remaining),
  ];
  if (reasons.length > 0) {
    const failing = [...found, ...remaining].map(({ id }) => id);
    return {
      success: false,
      description: `Findings of at least ${threshold} severity: ${reasons.join('; ')}.`,
      failing,
    };
  }
  return { success: true, description: `No open finding of at least ${threshold} severity.`, failing: [] };
}

/** With `fail`, a failed job is a 422, for clients that check only the status of a response. */
export function requireSuccess(outcome: JobSuccess, fail: boolean): JobSuccess {
  if (fail && outcome.success === false) throw unprocessable(outcome.description);
  return outcome;
}

const SHOWN = 3;

function summary(what: string, findings: readonly { title: string }[]): string[] {
  if (findings.length === 0) return [];
  const titles = findings.slice(0, SHOWN).map(({ title }) => `"${title}"`);
  const rest = findings.length > SHOWN ? [`${findings.length - SHOWN} more`] : [];
  return [`${findings.length} ${what} (${[...titles, ...rest].join(', ')})`];
}
