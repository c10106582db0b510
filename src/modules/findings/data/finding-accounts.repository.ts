import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { FindingRow } from './finding.entity';
import { FindingHistory } from './finding-history.entity';

export type FindingOutline = Pick<
  FindingRow,
  'id' | 'status' | 'severity' | 'priority' | 'assetId' | 'created' | 'lastSeen'
>;

/** Many findings at once, whole, for who tells of them: each kind of row in one statement, never one for each finding. */
@Injectable()
export class FindingAccountsRepository {
  private readonly columns = this.database.columns(FindingRow, 'f', ['identity']);
  private readonly moveColumns = this.database.columns(FindingHistory, 'h');

  constructor(private readonly database: Database) {}

  /** Most urgent first. */
  listOutlines(scope: Scope, eventId: number, most: number): Promise<FindingOutline[]> {
    return this.database.rows<FindingOutline>(sql`
      SELECT f.id, f.status, f.severity, f.priority, f.asset_id AS "assetId", f.created, f.last_seen AS "lastSeen"
      FROM findings f WHERE f.event_id = ${eventId} AND ${visibleTo(scope, 'f.organization_id')}
      ORDER BY f.priority, f.severity DESC, f.id DESC LIMIT ${most}`);
  }

  listWhole(scope: Scope, ids: readonly number[]): Promise<FindingRow[]> {
    return this.database.rows<FindingRow>(sql`
      SELECT ${this.columns} FROM findings f
      WHERE f.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'f.organization_id')}`);
  }

  /** Of each the newest, up to so many; newest first. */
  listMovesOfVisible(findingIds: readonly number[], mostEach: number): Promise<FindingHistory[]> {
    return this.database.rows<FindingHistory>(sql`
      SELECT ${this.moveColumns} FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT * FROM finding_history mine WHERE mine.finding_id = wanted.id ORDER BY mine.id DESC LIMIT ${mostEach}) h
      ORDER BY h.id DESC`);
  }
}
