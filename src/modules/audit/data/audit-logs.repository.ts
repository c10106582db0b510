import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import { storableJson } from '../../../kernel/storable-json';
import { minUuidV7 } from '../../../kernel/uuid-v7';
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

  /** The unit of work sends it together with the commit. */
  insertStatement(entry: AuditLog): Sql {
    return sql`
      INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
        resource_type, resource_id, status, metadata)
      VALUES (${entry.id}, ${entry.timestamp}, ${entry.organizationId}, ${entry.actorType}, ${entry.actorId}, ${entry.operation},
        ${entry.operationCategory}, ${entry.resourceType}, ${entry.resourceId}, ${entry.status}, ${storableJson(entry.metadata)})`;
  }

  listFor(filter: AuditFilter, page: Page): Promise<Slice<AuditLog>> {
    const list = sql`FROM audit_logs l WHERE ${conditions(filter)}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
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
