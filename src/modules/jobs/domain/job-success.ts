import { unprocessable } from '../../../kernel/domain-error';
import { isAtLeast, type Severity } from '../../../kernel/severity';
import type { JobStatus } from './job-status';

/** A finding that this job saw. */
export interface SeenFinding {
  readonly title: string;
  readonly severity: Severity;
  /** In status 6 to 10: people know of it and have decided. */
  readonly setAside: boolean;
}

/** A finding from before on the same origin, which this job did not see. */
export interface EarlierFinding {
  readonly title: string;
  readonly severity: Severity;
  /** In status 1 to 4, or resolved by hand with no test that confirmed it. */
  readonly unsettled: boolean;
  /** This job ran its check again, and it found nothing. */
  readonly confirmedFixed: boolean;
}

export interface JobSuccess {
  /** Null: not known yet, ask again. */
  readonly success: boolean | null;
  readonly description: string;
}

/** May the pipeline go on? Whatever is not known to be good is bad: it must not go green by accident. */
export function jobSuccess(
  status: JobStatus,
  seen: readonly SeenFinding[],
  earlier: readonly EarlierFinding[],
  threshold: Severity = 'medium',
  error: string | null = null,
): JobSuccess {
  if (status === 'PENDING' || status === 'IN_PROGRESS') {
    return { success: null, description: `The job is ${status}: ask again.` };
  }
  if (status !== 'FINISHED') {
    const reason = error?.replace(/\.$/, '') ?? 'nothing was shown';
    return { success: false, description: `The job ended in ${status}: ${reason}.` };
  }
  const counts = ({ severity }: { severity: Severity }): boolean => isAtLeast(severity, threshold);
  const found = seen.filter((finding) => counts(finding) && !finding.setAside);
  const left = earlier.filter((finding) => counts(finding) && finding.unsettled && !finding.confirmedFixed);
  const reasons = [...summary('seen by this job', found), ...summary('from before, and not shown to be gone', left)];
  if (reasons.length > 0) {
    return { success: false, description: `Findings of at least ${threshold} severity: ${reasons.join('; ')}.` };
  }
  return { success: true, description: `No finding of at least ${threshold} severity stands.` };
}

/** For clients that look at the status of an answer alone: what is no success is refused, where they ask for that. */
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
