import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { storableJson } from '../../../kernel/storable-json';
import { minUuidV7 } from '../../../kernel/uuid-v7';
import type { Actor } from '../../../platform/api/caller';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
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

const newestFirst = new ListOrder<AuditLog>(['l.id'], ({ id }) => [id], 'uuid');

@Injectable()
export class AuditLogsRepository {
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
    const list = sql`FROM audit_logs l WHERE ${conditions(filter)}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /**
   * Who changed these records at that time, by their keys: who created one, under whatever name (`launch`, `start`), or the only
   * one who changed, canceled or deleted it in that minute. The
   * clock of the database may differ from that of the service, and nobody is named rather than somebody else.
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

  async count(filter: AuditFilter): Promise<number> {
    const row = await this.database.row<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM audit_logs l WHERE ${conditions(filter)}`,
    );
    return row?.total ?? 0;
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
