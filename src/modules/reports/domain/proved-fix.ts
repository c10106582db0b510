import type { SnapshotFinding } from './snapshot-finding';

export interface FinishedRetest {
  readonly result: string | null;
  /** The person who gave the result; null for a check. */
  readonly judgedBy: number | string | null;
  readonly finished: Date | null;
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(['open', 'accepted', 'in_progress', 'ready_for_retest']);

/**
 * Whether the last finished retest of a resolved finding proves the fix. A finding that was open since was seen again, or a
 * person doubts the fix. If its history is too long to show when it was open, nothing is proved.
 */
export const provesFix = (last: FinishedRetest | undefined, lastOpen: Date | undefined): boolean =>
  last?.result === 'fixed' &&
  last.judgedBy === null &&
  last.finished !== null &&
  lastOpen !== undefined &&
  last.finished > lastOpen;

/** Of a resolved finding. */
export function isFixProved({ history, retests }: Pick<SnapshotFinding, 'history' | 'retests'>): boolean {
  const last = retests.findLast(({ status }) => status === 'finished');
  const open = history.findLast(({ to }) => OPEN_STATUSES.has(to));
  return provesFix(
    last && { ...last, judgedBy: last.judged_by, finished: last.finished === null ? null : new Date(last.finished) },
    open && new Date(open.at),
  );
}

/** Whether its last finished retest was fixed by a refusal alone. */
export const isFixedByRefusal = ({ retests }: Pick<SnapshotFinding, 'retests'>): boolean =>
  retests.findLast(({ status }) => status === 'finished')?.by_refusal != null;
