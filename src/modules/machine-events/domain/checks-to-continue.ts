import { NO_TIME, WINDOW_CLOSED } from '../../jobs/domain/job-kind';

interface Covered {
  readonly check: string;
  readonly reason: string;
}

interface Left {
  readonly checks: readonly string[];
  /** There was no time for them, and this job has left no fewer than the one before. */
  readonly isStuck: boolean;
}

/** The checks that a job could not run, and where it could not run some, those that have left points. */
export function checksToContinue(
  coverage: readonly Covered[],
  before: readonly string[] | null,
  atPoints: readonly string[] = [],
): Left {
  const ofReason = (reason: string): Set<string> =>
    new Set(coverage.filter((one) => one.reason === reason).map(({ check }) => check));
  const stopped = ofReason(WINDOW_CLOSED);
  const notRun = new Set([...stopped, ...ofReason(NO_TIME)]);
  const checks = notRun.size === 0 ? [] : [...new Set([...notRun, ...atPoints])];
  const isProgress = before === null || checks.length < before.length;
  return { checks, isStuck: checks.length > 0 && stopped.size === 0 && !isProgress };
}
