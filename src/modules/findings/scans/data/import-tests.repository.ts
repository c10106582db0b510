import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database';
import { sql } from '../../../../platform/database/sql';
import type { FindingRow } from '../../data/finding.entity';
import { NOT_REQUESTED } from '../../domain/verification';

/** A finding of an import with the check that tests it. */
export type BoundFinding = Pick<FindingRow, 'id' | 'organizationId' | 'assetId' | 'checkId' | 'checkDefinition'>;

/** Which findings of an import are tested, and why others are not. */
@Injectable()
export class ImportTestsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Open findings of the import that a check can test, unless a test has confirmed them or the import has requested their test.
   * The most severe first.
   */
  listBound(
    organizationId: number,
    importId: number,
    requested: readonly number[],
    limit: number,
  ): Promise<BoundFinding[]> {
    return this.database.rows<BoundFinding>(sql`
      SELECT f.id, f.organization_id AS "organizationId", f.asset_id AS "assetId", f.check_id AS "checkId", f.check_definition AS "checkDefinition"
      FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.check_id IS NOT NULL AND f.verification <> 'confirmed'
        AND f.status BETWEEN 1 AND 4 AND f.merged_into IS NULL AND f.id <> ALL(${requested}::int[])
        AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
      ORDER BY f.severity DESC, f.id LIMIT ${limit}`);
  }

  listWithCheck(organizationId: number, ids: readonly number[]): Promise<BoundFinding[]> {
    return this.database.rows<BoundFinding>(sql`
      SELECT f.id, f.organization_id AS "organizationId", f.asset_id AS "assetId", f.check_id AS "checkId", f.check_definition AS "checkDefinition"
      FROM findings f WHERE f.organization_id = ${organizationId} AND f.id = ANY(${ids}::int[]) ORDER BY f.id`);
  }

  /** Only updates findings that were not tested. Locks them in the order of their ids, to avoid deadlocks. */
  async saveUntestedReason(organizationId: number, ids: readonly number[], reason: string): Promise<void> {
    await this.database.change(sql`
      UPDATE findings SET verification_reason = ${reason} WHERE organization_id = ${organizationId} AND id IN (
        SELECT f.id FROM findings f WHERE f.id = ANY(${ids}::int[]) AND f.organization_id = ${organizationId}
          AND f.verification = 'untested' ORDER BY f.id FOR NO KEY UPDATE)`);
  }

  /** The same for some findings of an import whose test was not requested. */
  saveMissingReason(organizationId: number, importId: number, reason: string, limit: number): Promise<number> {
    return this.database.change(sql`
      UPDATE findings SET verification_reason = ${reason} WHERE organization_id = ${organizationId} AND id IN (
        SELECT f.id FROM findings f
        WHERE f.organization_id = ${organizationId} AND f.check_id IS NOT NULL AND f.verification = 'untested'
          AND f.verification_reason = ${NOT_REQUESTED} AND f.status BETWEEN 1 AND 4
          AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
        ORDER BY f.id LIMIT ${limit} FOR NO KEY UPDATE)`);
  }

  /** Why open findings of an import were not tested, the most frequent reason first. */
  countUntested(
    organizationId: number,
    importId: number,
    requested: readonly number[],
  ): Promise<{ reason: string | null; findings: number }[]> {
    return this.database.rows(sql`
      SELECT f.verification_reason AS reason, count(*)::int AS findings FROM findings f
      WHERE f.organization_id = ${organizationId} AND f.verification = 'untested' AND f.status BETWEEN 1 AND 4 AND f.merged_into IS NULL
        AND f.id <> ALL(${requested}::int[])
        AND f.id IN (SELECT s.finding_id FROM finding_sightings s WHERE s.import_id = ${importId})
      GROUP BY 1 ORDER BY 2 DESC, 1`);
  }
}
