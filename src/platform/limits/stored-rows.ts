import { Injectable } from '@nestjs/common';
import { everything, type Scope } from '../api/scope';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import { TenantTurns } from '../work/tenant-turns';
import { ownedIn } from '../database/visible';
import { Scheduled } from '../work/work-handler';

/** How many counts are added up in one transaction. */
const BATCH = 500;

const scope = everything('the rows of all organizations are counted');

/**
 * How many rows each organization has of the tables that it can fill. Triggers note each change, and refuse one beyond the
 * limit; this adds the changes up, so that reading them stays cheap.
 */
@Injectable()
export class StoredRows {
  constructor(
    private readonly database: Database,
    private readonly turns: TenantTurns,
  ) {}

  /** Whether no row may be added. The caller has locked the organization, and removes old rows if so. */
  async isFull(organizationId: number, table: string): Promise<boolean> {
    const row = await this.database.row<{ full: boolean }>(sql`
      SELECT coalesce(sum(s.rows), 0) >= (SELECT most FROM stored_limits WHERE name = ${table}) AS "full"
      FROM stored_rows s WHERE s.organization_id = ${organizationId} AND s.table_name = ${table}`);
    return row?.full ?? false;
  }

  /** Replaces the changes of each table of an organization by their sum. A deleted organization needs none. */
  @Scheduled({ name: 'limits.add_up', everySeconds: 30 })
  async addUp(): Promise<void> {
    await this.turns.sweep('limits.add_up', scope, (part) => this.addSomeUp(part));
    await this.turns.sweep('limits.add_up:near', scope, async (part) => {
      await this.noteNearLimits(part);
      return 0;
    });
  }

  private addSomeUp(part: Scope): Promise<number> {
    return this.database.change(sql`
        WITH several AS (
          SELECT s.organization_id, s.table_name FROM stored_rows s JOIN organizations o ON o.id = s.organization_id
          WHERE ${ownedIn(part, 's.organization_id')} GROUP BY 1, 2 HAVING count(*) > 1 OR bool_or(o.deleted_at IS NOT NULL) LIMIT ${BATCH}),
        taken AS (
          DELETE FROM stored_rows s USING several
          WHERE s.organization_id = several.organization_id AND s.table_name = several.table_name
          RETURNING s.organization_id, s.table_name, s.rows, s.bytes),
        added AS (
          INSERT INTO stored_rows (organization_id, table_name, rows, bytes)
          SELECT t.organization_id, t.table_name, sum(t.rows), sum(t.bytes) FROM taken t
          JOIN organizations o ON o.id = t.organization_id AND o.deleted_at IS NULL GROUP BY 1, 2)
        SELECT 1 FROM several`);
  }

  /** Only organizations with more than half of a limit are checked with each change. */
  private async noteNearLimits(part: Scope): Promise<void> {
    const mine = ownedIn(part, 'organization_id');
    const near = sql`
      SELECT s.organization_id, l.name FROM (
        SELECT organization_id, table_name AS name, sum(rows) AS used FROM stored_rows WHERE ${mine} GROUP BY 1, 2
        UNION ALL SELECT organization_id, 'bytes', sum(bytes) FROM stored_rows WHERE ${mine} GROUP BY 1) s
      JOIN stored_limits l ON l.name = s.name AND s.used > l.most / 2`;
    await this.database.change(sql`
      WITH near AS (${near}),
      over AS (
        DELETE FROM stored_rows_near_limit n
        WHERE ${ownedIn(part, 'n.organization_id')} AND NOT EXISTS (SELECT 1 FROM near WHERE near.organization_id = n.organization_id AND near.name = n.name))
      INSERT INTO stored_rows_near_limit (organization_id, name) SELECT organization_id, name FROM near
      ON CONFLICT DO NOTHING`);
  }
}
