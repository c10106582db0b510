import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { raw, type Sql, sql } from '../../../platform/database/sql';
import type { RecordedFinding } from '../domain/job-reference';
import { type JobReference, JobReferenceRow, UNREAD } from './job-reference.entity';
import { joinedMain } from './known-findings';

type ReferenceId = Pick<JobReferenceRow, 'organizationId' | 'assetId' | 'name'>;
type Recording = Pick<JobReferenceRow, 'jobUuid' | 'testedAt' | 'recordedBy'> & {
  readonly findings: readonly RecordedFinding[];
};

const isOne = ({ organizationId, assetId, name }: ReferenceId): Sql =>
  sql`r.organization_id = ${organizationId} AND r.asset_id = ${assetId} AND r.name = ${name}`;

/** The caller has found the asset or the job in a scope. */
@Injectable()
export class JobReferencesRepository {
  private readonly columns = this.database.columns(JobReferenceRow, 'r', UNREAD);

  constructor(private readonly database: Database) {}

  listOfVisible(assetId: number): Promise<JobReference[]> {
    return this.database.rows<JobReference>(
      sql`SELECT ${this.columns} FROM job_references r WHERE r.asset_id = ${assetId} ORDER BY r.name`,
    );
  }

  findOneOfVisible(id: ReferenceId): Promise<JobReference | undefined> {
    return this.database.row<JobReference>(sql`SELECT ${this.columns} FROM job_references r WHERE ${isOne(id)}`);
  }

  lockOneOfVisible(id: ReferenceId): Promise<JobReference | undefined> {
    return this.database.row<JobReference>(
      sql`SELECT ${this.columns} FROM job_references r WHERE ${isOne(id)} FOR UPDATE`,
    );
  }

  /** Includes the findings that the gate compares. */
  readOneOfVisible(id: ReferenceId): Promise<JobReferenceRow | undefined> {
    return this.database.row<JobReferenceRow>(
      sql`SELECT ${this.columns}, r.findings FROM job_references r WHERE ${isOne(id)}`,
    );
  }

  /** The caller has locked the organization for counting. */
  async countOfLocked(organizationId: number, assetId: number): Promise<{ all: number; ofAsset: number }> {
    const row = await this.database.row<{ all: number; ofAsset: number }>(sql`
      SELECT count(*)::int AS "all", (count(*) FILTER (WHERE r.asset_id = ${assetId}))::int AS "ofAsset"
      FROM job_references r WHERE r.organization_id = ${organizationId}`);
    return row ?? { all: 0, ofAsset: 0 };
  }

  /** The recorded job stays. */
  async saveKeys({ organizationId, assetId, name }: ReferenceId, accessKeys: readonly string[]): Promise<void> {
    await this.database.change(sql`
      INSERT INTO job_references (asset_id, name, organization_id, access_keys)
      VALUES (${assetId}, ${name}, ${organizationId}, ${accessKeys}::text[])
      ON CONFLICT (asset_id, name, organization_id) DO UPDATE SET access_keys = excluded.access_keys`);
  }

  async record(id: ReferenceId, { jobUuid, testedAt, recordedBy, findings }: Recording): Promise<void> {
    await this.database.change(sql`
      UPDATE job_references r SET job_uuid = ${jobUuid}, tested_at = ${testedAt}, recorded_at = now(), recorded_by = ${recordedBy},
        findings = ${JSON.stringify(findings)}::jsonb WHERE ${isOne(id)}`);
  }

  remove(id: ReferenceId): Promise<JobReference | undefined> {
    return this.database.row<JobReference>(
      sql`DELETE FROM job_references r WHERE ${isOne(id)} RETURNING ${this.columns}`,
    );
  }

  /** Any sign of a fix counts, so that a weakness that came back is new. */
  async listFixedSince(organizationId: number, ids: readonly number[], since: Date): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT one.id FROM unnest(${ids}::int[]) AS one (id)
      LEFT JOIN findings f ON f.id = one.id AND f.organization_id = ${organizationId} ${joinedMain}
      WHERE f.id IS NULL OR coalesce(main.status, f.status) = 5 OR EXISTS (
        SELECT 1 FROM finding_history h WHERE h.finding_id IN (f.id, f.merged_into) AND h.organization_id = ${organizationId}
          AND ${raw('h.status = 5 AND h.previous_status IS DISTINCT FROM 5')} AND h.created > ${since}
        UNION ALL
        SELECT 1 FROM job_findings g WHERE g.finding_id = f.id AND g.organization_id = ${organizationId} AND g.outcome = 'fixed'
          AND g.seen_at > ${since}
        UNION ALL
        SELECT 1 FROM retests t WHERE t.finding_id = f.id AND t.organization_id = ${organizationId} AND t.result = 'fixed'
          AND coalesce(t.decided, t.finished) > ${since})`);
    return rows.map(({ id }) => id);
  }
}
