import { NO_TIME, WINDOW_CLOSED } from '../../jobs/domain/job-kind';

interface Covered {
  readonly check: string;
  readonly reason: string;
}

/**
 * The checks that a job could not run; null if there is nothing to continue. After a lack of time, only as long as each job
 * leaves fewer of them than the one before.
 */
export function checksToContinue(coverage: readonly Covered[], before: readonly string[] | null): string[] | null {
  const ofReason = (reason: string): Set<string> =>
    new Set(coverage.filter((one) => one.reason === reason).map(({ check }) => check));
  const stopped = ofReason(WINDOW_CLOSED);
  const left = [...new Set([...stopped, ...ofReason(NO_TIME)])];
  const isProgress = before === null || left.length < before.length;
  return left.length > 0 && (stopped.size > 0 || isProgress) ? left : null;
}
