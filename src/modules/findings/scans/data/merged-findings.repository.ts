import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { type Sql, sql } from '../../../../platform/database/sql';
import { DATABASE_ONLY_COLUMNS, FindingRow, LONG_COLUMNS, type ScannedFinding } from '../../data/finding.entity';

/** The id of a finding and those of the findings that are merged into it. An array, so that indexes can serve it. */
export const idsWithParts = (id: Sql): Sql =>
  sql`ARRAY(SELECT ${id} UNION ALL SELECT part.id FROM findings part WHERE part.merged_into = ${id})`;

type Separated = Pick<FindingRow, 'id' | 'status' | 'previousStatus' | 'deadlineStart' | 'dueDate'>;

/** Which findings are merged. The caller has locked the organization for counting, so that nothing is recorded meanwhile. */
@Injectable()
export class MergedFindingsRepository {
  constructor(private readonly database: Database) {}

  /** With the findings into which they are merged. */
  lockByIds(organizationId: number, ids: readonly number[]): Promise<ScannedFinding[]> {
    return this.database.rows<ScannedFinding>(sql`
      SELECT ${this.database.columns(FindingRow, 'f', [...DATABASE_ONLY_COLUMNS, ...LONG_COLUMNS])}, encode(f.fingerprint, 'hex') AS "scanFingerprint"
      FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(ARRAY(
        SELECT unnest(ARRAY[own.id, own.merged_into]) FROM findings own
        WHERE own.organization_id = ${organizationId} AND own.id = ANY(${ids}::int[])))
      ORDER BY f.id FOR NO KEY UPDATE OF f`);
  }

  /** The findings that are merged into these. */
  async listParts(organizationId: number, mainIds: readonly number[]): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT f.id FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.merged_into = ANY(${mainIds}::int[]) ORDER BY f.id`);
    return rows.map(({ id }) => id);
  }

  async save(organizationId: number, ids: readonly number[], mergedInto: number): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET merged_into = ${mergedInto} WHERE organization_id = ${organizationId} AND id = ANY(${ids}::int[])`);
  }

  async saveSeparated({ id, status, previousStatus, deadlineStart, dueDate }: Separated): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET merged_into = NULL, status = ${status}, previous_status = ${previousStatus},
        deadline_start = ${deadlineStart}, due_date = ${dueDate}
      WHERE id = ${id}`);
  }

  /** When this finding itself was last seen, without those that are merged into it. */
  async findLastSeen(id: number): Promise<Date | null> {
    const row = await this.database.row<{ last: Date | null }>(
      sql`SELECT max(s.seen_at) AS last FROM finding_sightings s WHERE s.finding_id = ${id}`,
    );
    return row?.last ?? null;
  }

  /** The main finding is in all events of its parts, and they are in none, because pages of an event read only its links. */
  async moveEvents(organizationId: number, mainId: number, partIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO event_findings AS l (event_id, finding_id, organization_id, severity, priority, first_seen, last_seen)
      SELECT p.event_id, f.id, f.organization_id, f.severity, f.priority, min(p.first_seen), max(p.last_seen)
      FROM event_findings p JOIN findings f ON f.id = ${mainId} AND f.organization_id = p.organization_id
      WHERE p.organization_id = ${organizationId} AND p.finding_id = ANY(${partIds}::int[])
      GROUP BY p.event_id, f.id, f.organization_id ORDER BY p.event_id
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE
      SET first_seen = least(l.first_seen, excluded.first_seen), last_seen = greatest(l.last_seen, excluded.last_seen)`);
    await this.database.change(sql`
      DELETE FROM event_findings WHERE organization_id = ${organizationId} AND finding_id = ANY(${partIds}::int[])`);
  }

  /** Each is in the events that its own sightings name, the main one also in those of its other parts. */
  async separateEvents(organizationId: number, mainId: number, partIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      DELETE FROM event_findings l
      WHERE l.organization_id = ${organizationId} AND l.finding_id = ${mainId} AND l.event_id IN (
        SELECT s.event_id FROM finding_sightings s WHERE s.finding_id = ANY(${partIds}::int[]) AND s.event_id IS NOT NULL)`);
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority, first_seen, last_seen)
      SELECT e.id, f.id, f.organization_id, f.severity, f.priority, min(s.created), max(s.created)
      FROM findings f
      JOIN finding_sightings s ON s.finding_id = ANY(${idsWithParts(sql`f.id`)}) AND s.organization_id = f.organization_id
      JOIN events e ON e.id = s.event_id AND e.organization_id = s.organization_id
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(${[mainId, ...partIds]}::int[])
      GROUP BY e.id, f.id, f.organization_id ORDER BY f.id, e.id
      ON CONFLICT (event_id, finding_id, organization_id) DO NOTHING`);
  }
}
