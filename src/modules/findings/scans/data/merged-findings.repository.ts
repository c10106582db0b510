import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../../platform/api/scope';
import { Database } from '../../../../platform/database/database';
import { type Sql, sql } from '../../../../platform/database/sql';
import { visibleTo } from '../../../../platform/database/visible';
import { copiedColumns, copiedToEvents } from '../../changes/data/belief-columns';
import { DATABASE_ONLY_COLUMNS, FindingRow, LONG_COLUMNS, type ScannedFinding } from '../../data/finding.entity';
import { NOT_REQUESTED } from '../../domain/verification';

/** The id of a finding and of those merged into it. An array, so that indexes can be used. */
export const idsWithParts = (id: Sql): Sql =>
  sql`ARRAY(SELECT ${id} UNION ALL SELECT part.id FROM findings part WHERE part.merged_into = ${id})`;

const MAX_ALIKE = 20;

/** A finding with the place that a file states. */
export type ImportedFinding = Pick<FindingRow, 'id' | 'assetId' | 'assetValue' | 'beaconId'> & {
  readonly place: string;
};

type Separated = Pick<FindingRow, 'id' | 'status' | 'previousStatus' | 'deadlineStart' | 'dueDate'>;

/**
 * Reads and writes which findings are merged. The caller has locked the organization for counting, so that nothing is recorded
 * meanwhile.
 */
@Injectable()
export class MergedFindingsRepository {
  constructor(private readonly database: Database) {}

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<{ id: number }>(sql`
      SELECT f.organization_id AS id FROM findings f WHERE f.id = ${id} AND ${visibleTo(scope, 'f.organization_id')}`);
    return row?.id;
  }

  /** Includes the findings they are merged into. */
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

  /** Other findings of the asset that the same check has confirmed at the same place, unless one of them is merged. */
  async listAlike(organizationId: number, id: number): Promise<number[]> {
    const location = sql`(check_definition ->> 'location') COLLATE "C"`;
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT other.id FROM (
        SELECT *, ${location} AS location FROM findings WHERE id = ${id} AND organization_id = ${organizationId}) own
      JOIN findings other ON other.organization_id = own.organization_id AND other.id <> own.id
        AND (other.check_definition ->> 'location') COLLATE "C" = own.location
      WHERE own.asset_id = other.asset_id AND own.check_id = other.check_id AND own.check_definition = other.check_definition
        AND own.verification = 'confirmed' AND other.verification = 'confirmed'
        AND own.merged_into IS NULL AND other.merged_into IS NULL
      ORDER BY other.id LIMIT ${MAX_ALIKE}`);
    return rows.map(({ id: other }) => other);
  }

  /** The next findings of an organization that imports have assigned to URLs, with the place that the file states. */
  listOnUrls(organizationId: number, after: number, limit: number): Promise<ImportedFinding[]> {
    return this.database.rows<ImportedFinding>(sql`
      SELECT f.id, f.asset_id AS "assetId", f.asset_value AS "assetValue", f.beacon_id AS "beaconId", s.place FROM findings f
      CROSS JOIN LATERAL (
        SELECT own.place FROM finding_sightings own
        WHERE own.finding_id = f.id AND own.import_id IS NOT NULL AND own.place IS NOT NULL ORDER BY own.id LIMIT 1) s
      WHERE f.organization_id = ${organizationId} AND f.id > ${after} AND f.asset_id IS NOT NULL AND f.asset_value ~ '^https?://'
        AND NOT EXISTS (SELECT 1 FROM findings main WHERE main.id = f.merged_into AND main.fingerprint = f.fingerprint)
      ORDER BY f.id LIMIT ${limit}`);
  }

  /** The finding that would have the same identity on another asset. */
  async findTwin({ id, organizationId, beaconId, assetValue }: ScannedFinding): Promise<number | undefined> {
    const row = await this.database.row<{ id: number }>(sql`
      SELECT twin.id FROM findings f JOIN findings twin ON twin.organization_id = f.organization_id AND twin.fingerprint = f.fingerprint
      WHERE f.id = ${id} AND f.organization_id = ${organizationId} AND twin.asset_value = ${assetValue}
        AND twin.beacon_id IS NOT DISTINCT FROM ${beaconId} AND twin.id <> f.id`);
    return row?.id;
  }

  /**
   * An untested finding with a check gets the reason that its test was not requested: earlier reasons were about the previous
   * asset.
   */
  async saveAsset({ id, assetId, assetValue, assetTier, priority }: ScannedFinding): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET asset_id = ${assetId}, asset_value = ${assetValue}, asset_tier = ${assetTier}, priority = ${priority},
        verification_reason = CASE WHEN verification = 'untested' AND check_id IS NOT NULL THEN ${NOT_REQUESTED} ELSE verification_reason END
      WHERE id = ${id}`);
    await this.database.change(copiedToEvents([id]));
  }

  async saveDueDate({ id, dueDate, dueByHand }: Pick<FindingRow, 'id' | 'dueDate' | 'dueByHand'>): Promise<void> {
    await this.database.change(
      sql`UPDATE findings SET due_date = ${dueDate}, due_by_hand = ${dueByHand} WHERE id = ${id}`,
    );
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

  /**
   * Moves the event links of the parts to the main finding, because pages of an event only read links. The parts are in no event.
   */
  async moveEvents(organizationId: number, mainId: number, partIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO event_findings AS l (event_id, finding_id, organization_id, severity, priority, belief_rank, first_seen, last_seen)
      SELECT p.event_id, f.id, f.organization_id, ${copiedColumns}, min(p.first_seen), max(p.last_seen)
      FROM event_findings p JOIN findings f ON f.id = ${mainId} AND f.organization_id = p.organization_id
      WHERE p.organization_id = ${organizationId} AND p.finding_id = ANY(${partIds}::int[])
      GROUP BY p.event_id, f.id, f.organization_id ORDER BY p.event_id
      ON CONFLICT (event_id, finding_id, organization_id) DO UPDATE
      SET first_seen = least(l.first_seen, excluded.first_seen), last_seen = greatest(l.last_seen, excluded.last_seen)`);
    await this.database.change(sql`
      DELETE FROM event_findings WHERE organization_id = ${organizationId} AND finding_id = ANY(${partIds}::int[])`);
  }

  /** Each part is again in the events of its own sightings, and the main finding also in those of its remaining parts. */
  async separateEvents(organizationId: number, mainId: number, partIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      DELETE FROM event_findings l
      WHERE l.organization_id = ${organizationId} AND l.finding_id = ${mainId} AND l.event_id IN (
        SELECT s.event_id FROM finding_sightings s WHERE s.finding_id = ANY(${partIds}::int[]) AND s.event_id IS NOT NULL)`);
    await this.database.change(sql`
      INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority, belief_rank, first_seen, last_seen)
      SELECT e.id, f.id, f.organization_id, ${copiedColumns}, min(s.created), max(s.created)
      FROM findings f
      JOIN finding_sightings s ON s.finding_id = ANY(${idsWithParts(sql`f.id`)}) AND s.organization_id = f.organization_id
      JOIN events e ON e.id = s.event_id AND e.organization_id = s.organization_id
      WHERE f.organization_id = ${organizationId} AND f.id = ANY(${[mainId, ...partIds]}::int[])
      GROUP BY e.id, f.id, f.organization_id ORDER BY f.id, e.id
      ON CONFLICT (event_id, finding_id, organization_id) DO NOTHING`);
  }
}
