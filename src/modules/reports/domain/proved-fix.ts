import type { SnapshotFinding } from './snapshot-finding';

export interface FinishedRetest {
  readonly result: string | null;
  /** The person who gave the result; null for a check. */
  readonly judgedBy: number | string | null;
  readonly finished: Date | null;
  /** When the response arrived that decided; retests of earlier versions have none. */
  readonly decided?: Date | null;
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(['open', 'accepted', 'in_progress', 'ready_for_retest']);

/**
 * Whether the last finished retest of a resolved finding proves the fix. A finding that was open since was seen again, or a
 * person doubts the fix. If its history is too long to show when it was open, nothing is proved.
 */
export function provesFix(last: FinishedRetest | undefined, lastOpen: Date | undefined): boolean {
  // A worker may end a retest long after it was answered.
  const answered = last?.decided ?? last?.finished ?? null;
  return (
    last?.result === 'fixed' &&
    last.judgedBy === null &&
    answered !== null &&
    lastOpen !== undefined &&
    answered > lastOpen
  );
}

const dateOf = (iso: string | null | undefined): Date | null => (iso == null ? null : new Date(iso));

/** Of a resolved finding. */
export function isFixProved({ history, retests }: Pick<SnapshotFinding, 'history' | 'retests'>): boolean {
  const last = retests.findLast(({ status }) => status === 'finished');
  const open = history.findLast(({ to }) => OPEN_STATUSES.has(to));
  return provesFix(
    last && {
      result: last.result,
      judgedBy: last.judged_by,
      finished: dateOf(last.finished),
      decided: dateOf(last.decided),
    },
    open && new Date(open.at),
  );
}

/** Whether its last finished retest was fixed by a refusal alone. */
export const isFixedByRefusal = ({ retests }: Pick<SnapshotFinding, 'retests'>): boolean =>
  retests.findLast(({ status }) => status === 'finished')?.by_refusal != null;
