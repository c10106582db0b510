import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';

@Injectable()
export class PurgeRepository {
  constructor(private readonly database: Database) {}

  /**
   * All tables with rows of an organization, from the PostgreSQL catalog, so that new tables are purged too; no partitions. A table
   * comes before the tables that it references, so that no DELETE cascades beyond its batch. The names are quoted.
   */
  async tablesOfOrganizations(): Promise<string[]> {
    const references = await this.database.rows<{ child: string; parent: string }>(sql`
      SELECT DISTINCT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
      WHERE contype = 'f' AND conrelid IN (
        SELECT conrelid FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'organizations'::regclass AND confdeltype = 'c' AND conparentid = 0)
      ORDER BY child, parent`);
    const tables = [...new Set(references.map(({ child }) => child))];
    return childrenFirst(tables, references);
  }

  /** In a table with partitions, rows of other organizations may have the same ctid. */
  removeBatch(table: string, organizationId: number, limit: number): Promise<number> {
    const from = raw(table);
    return this.database.change(sql`
      DELETE FROM ${from} WHERE organization_id = ${organizationId} AND ctid = ANY(ARRAY(
        SELECT ctid FROM ${from} WHERE organization_id = ${organizationId} LIMIT ${limit}))`);
  }

  /** The row stays as the owner of the audit log; its name is overwritten. */
  async eraseName(organizationId: number): Promise<void> {
    await this.database.change(sql`
      UPDATE organizations SET name = 'deleted', folded_name = 'deleted' WHERE id = ${organizationId} AND deleted_at IS NOT NULL`);
  }
}

/** Repeatedly takes a table that no remaining table references. */
function childrenFirst(tables: string[], references: readonly { child: string; parent: string }[]): string[] {
  const isReferenced = (table: string, others: readonly string[]): boolean =>
    references.some(({ child, parent }) => parent === table && child !== table && others.includes(child));
  const ordered: string[] = [];
  for (let rest = tables; rest.length > 0;) {
    const next = rest.find((table) => !isReferenced(table, rest)) ?? rest[0];
    if (next === undefined) break;
    ordered.push(next);
    rest = rest.filter((table) => table !== next);
  }
  return ordered;
}
