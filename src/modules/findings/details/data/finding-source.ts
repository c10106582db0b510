import type { ListOrder } from '../../../../platform/database/list-order';
import { type Sql, sql } from '../../../../platform/database/sql';
import type { OwnerFilter } from '../../../identity';
import type { ListedFinding } from '../../data/finding.entity';
import { ORDERS, ORDERS_OF_EVENT } from '../../lists/data/finding-orders';

/** The findings that were seen in an event, that have these ids (at any time), or of an organization. */
export type FindingsOf =
  { readonly eventId: number } | { readonly ids: readonly number[] } | { readonly organizationId: number };

/**
 * Selects findings with one of these statuses and at least this severity that the subject saw in the period: a result with a
 * date in it counts, and so do a scan, an import and an own test that happened in it.
 */
export interface FindingSelection {
  readonly minSeverity: number;
  readonly statuses: readonly number[];
  readonly seenFrom: Date;
  readonly seenTo: Date;
  readonly withoutIds: readonly number[];
  /** On whose assets; null for any. */
  readonly owner: OwnerFilter | null;
  readonly organizationId: number;
}

/** The findings of a subject, and the times at which it saw one first and last. */
export interface Source {
  readonly rows: Sql;
  readonly firstSeen: Sql;
  readonly lastSeen: Sql;
  readonly inPeriod: (selection: FindingSelection) => Sql;
  /** Conditions for the first so many of its findings, which indexes find. */
  readonly isNewest: (most: number) => Sql;
  readonly isMostUrgent: (most: number) => Sql;
}

export function sourceOf(subject: FindingsOf): Source {
  if ('ids' in subject) {
    const rows = sql`FROM findings f WHERE f.id = ANY(${subject.ids}::int[])`;
    const always = () => sql`true`;
    const times = { firstSeen: sql`f.created`, lastSeen: sql`f.last_seen` };
    return { rows, ...times, inPeriod: always, isNewest: always, isMostUrgent: always };
  }
  if ('eventId' in subject) {
    const list = sql`FROM event_findings l WHERE l.event_id = ${subject.eventId}`;
    return seenSource(
      {
        rows: sql`FROM event_findings l JOIN findings f ON f.id = l.finding_id AND f.organization_id = l.organization_id
          WHERE l.event_id = ${subject.eventId}`,
        firstSeen: sql`l.first_seen`,
        lastSeen: sql`greatest(f.last_seen, f.verified_at, l.last_seen)`,
        ...firstOf(sql`l.finding_id`, list, ORDERS_OF_EVENT),
      },
      sql`s.finding_id = f.id AND s.event_id = l.event_id`,
    );
  }
  const rows = sql`FROM findings f WHERE f.organization_id = ${subject.organizationId} AND f.merged_into IS NULL`;
  return seenSource(
    {
      rows,
      firstSeen: sql`f.created`,
      lastSeen: sql`greatest(f.last_seen, f.verified_at, f.created)`,
      ...firstOf(sql`f.id`, rows, ORDERS),
    },
    sql`s.finding_id = f.id`,
  );
}

/** Arrays, so that the planner begins with them: it takes each for a few ids, and a position for a third of all findings. */
const firstOf = (
  id: Sql,
  list: Sql,
  orders: Pick<typeof ORDERS, 'newest' | 'priority'>,
): Pick<Source, 'isNewest' | 'isMostUrgent'> => {
  const isFirst = (order: ListOrder<ListedFinding>) => (most: number) =>
    sql`${id} = ANY(ARRAY(SELECT ${id} ${list}${order.page({ page: 1, perPage: most - 1 })}))`;
  return { isNewest: isFirst(orders.newest), isMostUrgent: isFirst(orders.priority) };
};

/** An import stores a sighting now and its result may be older: both times count. */
const seenSource = (source: Omit<Source, 'inPeriod'>, sightings: Sql): Source => ({
  ...source,
  inPeriod: ({
    seenFrom,
    seenTo,
  }) => sql`(${source.firstSeen} <= ${seenTo} AND ${source.lastSeen} >= ${seenFrom} OR EXISTS (
    SELECT 1 FROM finding_sightings s WHERE ${sightings}
      AND (s.seen_at BETWEEN ${seenFrom} AND ${seenTo} OR s.created BETWEEN ${seenFrom} AND ${seenTo})))`,
});
