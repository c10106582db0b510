import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';

@Injectable()
export class PurgeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Every table whose rows belong to an organization, from the schema itself: a new table is purged without anybody
   * having to remember it. Those that refer to others come before them: what is removed last has nothing left that hangs
   * on it, so no statement does more than its own batch. Names come quoted from the catalogue.
   */
  async tablesOfOrganizations(): Promise<string[]> {
    const references = await this.database.rows<{ child: string; parent: string }>(sql`
      SELECT DISTINCT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
      WHERE contype = 'f' AND conrelid IN (
        SELECT conrelid FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'organizations'::regclass AND confdeltype = 'c')
      ORDER BY child, parent`);
    const tables = [...new Set(references.map(({ child }) => child))];
    return childrenFirst(tables, references);
  }

  removeSome(table: string, organizationId: number, most: number): Promise<number> {
    const from = raw(table);
    return this.database.change(sql`
      DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${from} WHERE organization_id = ${organizationId} LIMIT ${most}))`);
  }

  /** The row stays, to say whose the audit log is; what its people called it does not. */
  async eraseName(organizationId: number): Promise<void> {
    await this.database.change(sql`
      UPDATE organizations SET name = 'deleted', folded_name = 'deleted' WHERE id = ${organizationId} AND deleted_at IS NOT NULL`);
  }
}

/** Takes, again and again, a table that none of the remaining refers to. */
function childrenFirst(tables: string[], references: readonly { child: string; parent: string }[]): string[] {
  const isReferredTo = (table: string, others: readonly string[]): boolean =>
    references.some(({ child, parent }) => parent === table && child !== table && others.includes(child));
  const ordered: string[] = [];
  for (let rest = tables; rest.length > 0;) {
    const next = rest.find((table) => !isReferredTo(table, rest)) ?? rest[0];
    if (next === undefined) break;
    ordered.push(next);
    rest = rest.filter((table) => table !== next);
  }
  return ordered;
}
