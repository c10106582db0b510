import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, sql } from '../../../platform/database/sql';

@Injectable()
export class PurgeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Every table whose rows belong to an organization, from the schema itself: a new table is purged without anybody
   * having to remember it. Names come quoted from the catalogue.
   */
  async tablesOfOrganizations(): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(sql`
      SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'organizations'::regclass AND confdeltype = 'c' ORDER BY name`);
    return rows.map(({ name }) => name);
  }

  removeSome(table: string, organizationId: number, most: number): Promise<number> {
    const from = raw(table);
    return this.database.change(sql`
      DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${from} WHERE organization_id = ${organizationId} LIMIT ${most}))`);
  }

  /** The row stays, to say whose the audit log is; what its people called it does not. */
  async forgetName(organizationId: number): Promise<void> {
    await this.database.change(sql`
      UPDATE organizations SET name = 'deleted', folded_name = 'deleted' WHERE id = ${organizationId} AND deleted_at IS NOT NULL`);
  }
}
