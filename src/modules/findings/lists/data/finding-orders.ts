import { ListOrder, byId } from '../../../../platform/database/list-order';
import type { FindingRow, ListedFinding } from '../../data/finding.entity';
import type { Sql } from '../../../../platform/database/sql';
import { beliefRankIn, beliefRankOf } from '../../domain/belief';

/** How the ids of a page are found. */
export interface IdsOfPage {
  readonly id: Sql;
  readonly list: Sql;
  readonly order: ListOrder<SortedFinding>;
}

/** Only selected for pages that are sorted by deadline. */
type SortedFinding = ListedFinding & Partial<Pick<FindingRow, 'dueOrder'>>;

export type FindingOrder = 'newest' | 'severity' | 'priority' | 'due_date';

type SortColumns = Readonly<Record<'id' | 'severity' | 'negativePriority' | 'beliefRank' | 'dueOrder', string>>;

const ordersBy = ({
  id,
  severity,
  negativePriority,
  beliefRank,
  dueOrder,
}: SortColumns): Readonly<Record<FindingOrder, ListOrder<SortedFinding>>> => ({
  newest: byId<SortedFinding>(id),
  severity: new ListOrder<SortedFinding>([severity, id], (finding) => [finding.severity, finding.id]),
  priority: new ListOrder<SortedFinding>([negativePriority, beliefRank, id], (finding) => [
    -finding.priority,
    beliefRankOf(finding),
    finding.id,
  ]),
  due_date: new ListOrder<SortedFinding>([dueOrder, id], (finding) => [dueOrderOf(finding), finding.id]),
});

function dueOrderOf({ dueOrder }: SortedFinding): number {
  if (dueOrder === undefined) throw new Error('The page was read without the order of deadlines');
  return dueOrder;
}

/** Each order has an index that begins with the organization. */
export const ORDERS = ordersBy({
  id: 'f.id',
  severity: 'f.severity',
  negativePriority: '(-f.priority)',
  beliefRank: beliefRankIn('f'),
  dueOrder: 'f.due_order',
});

/**
 * The same orders for findings of an event, which must use the covering index of the organization. `+ 0` and `0 -` keep the
 * planner from the other indexes, where it would fetch each finding to compare it.
 */
const ORDERS_IN_EVENT = ordersBy({
  id: 'f.id',
  severity: 'f.severity + 0',
  negativePriority: '(0 - f.priority)',
  beliefRank: beliefRankIn('f'),
  dueOrder: 'f.due_order + 0',
});

/**
 * The same orders for a few findings: those that a search found, or those with a minimum EPSS score. With the index of an order,
 * the planner would read all findings of the organization to find them.
 */
const ORDERS_OF_FEW = ordersBy({
  id: 'f.id + 0',
  severity: 'f.severity + 0',
  negativePriority: '(0 - f.priority)',
  beliefRank: beliefRankIn('f'),
  dueOrder: 'f.due_order + 0',
});

export const ordersFor = ({ isSortedInEvent, isOfFew }: Record<'isSortedInEvent' | 'isOfFew', boolean>) =>
  isSortedInEvent ? ORDERS_IN_EVENT : isOfFew ? ORDERS_OF_FEW : ORDERS;

/**
 * The same orders for the findings of an event, each with an index that begins with the event. There is no such index by
 * deadline.
 */
export const { due_date: _withoutIndex, ...ORDERS_OF_EVENT } = ordersBy({
  id: 'l.finding_id',
  severity: 'l.severity',
  negativePriority: '(-l.priority)',
  beliefRank: 'l.belief_rank',
  dueOrder: '',
});
