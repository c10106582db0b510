import { isDeepStrictEqual } from 'node:util';
import type { FindingChange, LockedFinding } from '../../findings';
import type { BulkAction } from '../finding-bulk.service';

export const SELECTION_STATUSES = ['ready', 'running', 'finished', 'failed', 'undoing', 'undone'] as const;
export type SelectionStatus = (typeof SELECTION_STATUSES)[number];

export const ITEM_RESULTS = ['changed', 'unchanged', 'skipped', 'refused', 'undone', 'kept'] as const;
type ItemResult = (typeof ITEM_RESULTS)[number];

/** What happened, or would happen, to findings for one reason. Without a result, nothing yet. */
export interface SelectionOutcome {
  readonly result: ItemResult | null;
  readonly reason: string | null;
  readonly findings: number;
  /** The first hundred; none in a dry run. */
  readonly findingIds: readonly number[];
}

/** The fields of a finding that people decide. A run changes it only while they are as in the dry run. */
export type SelectedFinding = Pick<
  LockedFinding,
  'status' | 'severity' | 'assigneeId' | 'dueDate' | 'dueByHand' | 'labels' | 'mergedInto'
>;

export interface SelectedItem {
  readonly findingId: number;
  readonly before: SelectedFinding;
  /** As the run has left it. */
  readonly after: SelectedFinding | null;
}

export interface RefusedItem extends Pick<SelectionOutcome, 'result' | 'reason'> {
  readonly findingId: number;
}

/** JSON has no dates. */
export function actionOf({ action }: { readonly action: BulkAction }): BulkAction {
  if (action.kind !== 'status' || action.change.until == null) return action;
  return { ...action, change: { ...action.change, until: new Date(action.change.until) } };
}

/** Gives the changed fields their former values. */
export const undoOf = (
  { assigneeId, dueDate, addLabels, removeLabels }: FindingChange,
  { before }: SelectedItem,
): Partial<SelectedFinding> => ({
  ...(assigneeId !== undefined && { assigneeId: before.assigneeId }),
  ...(dueDate !== undefined && { dueDate: before.dueDate, dueByHand: before.dueByHand }),
  ...((addLabels ?? removeLabels) !== undefined && { labels: before.labels }),
});

/** Whether these fields still have the values that the run gave. */
export const isAsLeft = (fields: object, after: SelectedFinding | null, now: SelectedFinding): boolean =>
  Object.keys(fields).every((field) =>
    isDeepStrictEqual(after?.[field as keyof SelectedFinding], now[field as keyof SelectedFinding]),
  );
