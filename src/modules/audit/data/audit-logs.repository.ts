import { Injectable } from '@nestjs/common';
import { growingCache } from '../../../kernel/growing-cache';
import type { Page, Slice } from '../../../kernel/page';
import { storableJson } from '../../../kernel/storable-json';
import { minUuidV7 } from '../../../kernel/uuid-v7';
import type { Actor } from '../../../platform/api/caller';
import { Database } from '../../../platform/database/database';
import { countUpTo, isUnfiltered, ListOrder, readSlice } from '../../../platform/database/list-order';
import { type Sql, allOf, raw, sql } from '../../../platform/database/sql';
import { AuditLog } from './audit-log.entity';

export interface AuditFilter {
  readonly organizationId: number;
  readonly from?: Date;
  readonly to?: Date;
  readonly operation?: string;
  readonly operationCategory?: string;
  readonly status?: string;
  readonly actorId?: string;
  readonly resourceType?: string;
  readonly resourceId?: string;
}

export interface ChangedRecord {
  readonly key: string;
  readonly type: string;
  readonly id: string;
  readonly at: Date;
  readonly action: string;
}

/** Filters that compare a column by equality, if they are set. */
const EQUALITIES = [
  ['operation', 'operation'],
  ['operationCategory', 'operation_category'],
  ['status', 'status'],
  ['actorId', 'actor_id'],
  ['resourceType', 'resource_type'],
  ['resourceId', 'resource_id'],
] as const satisfies readonly (readonly [keyof AuditFilter, string])[];

/** They take some 5 ms. */
const COUNTED_AT_ONCE = 20_000;

/** An entry has the time of its request, and is committed later; clocks of hosts differ. */
const LATE_MS = 86_400_000;

/** Somebody may remove entries under a retention, and the retention after it. */
const KNOWN_MS = 3_600_000;
const MAX_KNOWN = 5_000;

const listOf = (filter: AuditFilter): Sql => sql`FROM audit_logs l WHERE ${conditions(filter)}`;

const newestFirst = new ListOrder<AuditLog>(['l.id'], ({ id }) => [id], 'uuid');

@Injectable()
export class AuditLogsRepository {
  private readonly months = growingCache<string, { readonly count: number; readonly until: number }>(MAX_KNOWN);
  private readonly columns = this.database.columns(AuditLog, 'l', ['organizationId']);

  constructor(private readonly database: Database) {}

  /** The unit of work sends it together with the commit. It fails if the organization must be active and is suspended. */
  insertStatement(entry: AuditLog, needsActive: boolean): Sql {
    const { organizationId } = entry;
    const organization = needsActive ? sql`active_organization(${organizationId})` : sql`${organizationId}`;
    return sql`
      INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
        resource_type, resource_id, status, metadata)
      VALUES (${entry.id}, ${entry.timestamp}, ${organization}, ${entry.actorType}, ${entry.actorId}, ${entry.operation},
        ${entry.operationCategory}, ${entry.resourceType}, ${entry.resourceId}, ${entry.status}, ${storableJson(entry.metadata)})`;
  }

  listFor(filter: AuditFilter, page: Page): Promise<Slice<AuditLog>> {
    const list = listOf(filter);
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /**
   * Who changed these records at that time, by their keys: who created one, under whatever name (`launch`, `start`), or the only
   * one who changed, canceled or deleted it in that minute. The clock of the database may differ from that of the service; in
   * doubt this names nobody.
   */
  async listActors(organizationId: number, changes: readonly ChangedRecord[]): Promise<Map<string, Actor>> {
    if (changes.length === 0) return new Map();
    const rows = await this.database.rows<Actor & { readonly key: string }>(sql`
      SELECT c.key, found.type, found.id
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c (key text, type text, id text, at timestamptz, action text)
      CROSS JOIN LATERAL (
        SELECT (array_agg(l.actor_type ORDER BY l.id))[1] AS type, (array_agg(l.actor_id ORDER BY l.id))[1] AS id,
          count(DISTINCT (l.actor_type, l.actor_id)) AS actors
        FROM audit_logs l
        WHERE l.organization_id = ${organizationId} AND l.resource_type = c.type AND l.resource_id = c.id AND l.status = 'success'
          AND CASE c.action WHEN 'created' THEN true WHEN 'deleted' THEN l.operation LIKE '%.delete'
            WHEN 'canceled' THEN l.operation LIKE '%cancel'
            ELSE l.operation !~ '[.](create|launch|start|record|discover|begin|delete)$' END
          AND l.id >= audit_logs_first_id(c.at - interval '1 minute') AND l.id < audit_logs_first_id(c.at + interval '1 minute')) found
      WHERE found.actors = 1 OR (found.actors > 1 AND c.action = 'created')`);
    return new Map(rows.map(({ key, type, id }) => [key, { type, id }]));
  }

  /**
   * Exact. A long log is counted by months: no entry is added to one that is over, so it is counted once. What the retention of
   * the organization may remove is counted each time.
   */
  async count(filter: AuditFilter): Promise<number> {
    const { organizationId, from, to, ...equalities } = filter;
    // Of a filter with few matches, counting up to a limit would read all entries.
    const few = await countUpTo(this.database, listOf({ organizationId, from, to }), COUNTED_AT_ONCE);
    if (few <= COUNTED_AT_ONCE) return isUnfiltered(equalities) ? few : this.countAll(filter);
    const since = equalities.resourceId === undefined ? await this.countedSince(organizationId) : undefined;
    if (since === undefined) return this.countAll(filter);
    const months = monthsBetween(
      new Date(Math.max(since.getTime(), from?.getTime() ?? 0)),
      new Date(Math.min(Date.now() - LATE_MS, to?.getTime() ?? Infinity)),
    );
    const [first, last] = [months[0], months.at(-1)];
    if (first === undefined || last === undefined) return this.countAll(filter);
    let total = await this.countAll({ ...filter, to: new Date(first.from.getTime() - 1) });
    for (const month of months) total += await this.countMonth({ ...filter, ...month });
    return total + (await this.countAll({ ...filter, from: new Date(last.to.getTime() + 1) }));
  }

  private async countMonth(filter: AuditFilter): Promise<number> {
    const key = JSON.stringify(filter);
    const known = this.months.get(key);
    if (known !== undefined && known.until > Date.now()) return known.count;
    const count = await this.countAll(filter);
    this.months.set(key, { count, until: Date.now() + KNOWN_MS });
    return count;
  }

  private async countAll(filter: AuditFilter): Promise<number> {
    if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to) return 0;
    return this.database.count(sql`SELECT count(*)::int AS count ${listOf(filter)}`);
  }

  /** Since when nothing is removed: since the month of the first entry, or later. */
  private async countedSince(organizationId: number): Promise<Date | undefined> {
    const row = await this.database.row<{ since: Date | null }>(sql`
      SELECT greatest(
        (SELECT date_trunc('month', audit_logs_time_of(l.id), 'UTC') FROM audit_logs l WHERE l.organization_id = ${organizationId} ORDER BY l.id LIMIT 1),
        (SELECT now() - make_interval(days => r.days) FROM history_retentions r WHERE r.organization_id = ${organizationId})) AS since`);
    return row?.since ?? undefined;
  }

  async keepPartitions(): Promise<void> {
    await this.database.rows(sql`SELECT audit_logs_keep_partitions()`);
  }
}

/** An id begins with its time, so the index in the order of the ids also serves time ranges. */
function conditions(filter: AuditFilter): Sql {
  const { organizationId, from, to } = filter;
  return allOf([
    sql`l.organization_id = ${organizationId}`,
    from && sql`l.id >= ${minUuidV7(Math.max(0, from.getTime()))}::uuid`,
    to && sql`l.id < ${minUuidV7(Math.max(0, to.getTime() + 1))}::uuid`,
    ...EQUALITIES.map(([name, column]) =>
      filter[name] === undefined ? undefined : sql`${raw(`l.${column}`)} = ${filter[name]}`,
    ),
  ]);
}

/** The whole months of a time, in UTC. */
function monthsBetween(since: Date, until: Date): { readonly from: Date; readonly to: Date }[] {
  const months: { from: Date; to: Date }[] = [];
  const monthOf = (number: number): Date => new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + number));
  for (let number = monthOf(0) < since ? 1 : 0; monthOf(number + 1) <= until; number++)
    months.push({ from: monthOf(number), to: new Date(monthOf(number + 1).getTime() - 1) });
  return months;
}
