import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/auth/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { type Job, JobRow } from './job.entity';
import { type Retest, RetestRow } from './retest.entity';

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export type EvidenceOfRetest = Pick<RetestRow, 'id' | 'evidence'>;

/** What has been tested, for many findings or a whole event at once. */
@Injectable()
export class TestAccountsRepository {
  private readonly retestColumns = this.database.columns(RetestRow, 'r', ['evidence']);
  private readonly jobColumns = this.database.columns(JobRow, 'j', ['coverage']);

  constructor(private readonly database: Database) {}

  /** Of each finding the newest, up to so many; newest first. */
  listRetests(scope: Scope, findingIds: readonly number[], mostEach: number): Promise<Retest[]> {
    return this.database.rows<Retest>(sql`
      SELECT ${this.retestColumns} FROM unnest(${findingIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT * FROM retests mine WHERE mine.finding_id = wanted.id ORDER BY mine.id DESC LIMIT ${mostEach}) r
      WHERE ${visibleTo(scope, 'r.organization_id')} ORDER BY r.id DESC`);
  }

  listEvidenceOfVisible(retestIds: readonly number[]): Promise<EvidenceOfRetest[]> {
    return this.database.rows<EvidenceOfRetest>(
      sql`SELECT r.id, r.evidence FROM retests r WHERE r.id = ANY(${retestIds}::int[]) AND r.evidence IS NOT NULL`,
    );
  }

  /** The last job on each place that ended in the period, newest first. */
  listLastJobs(scope: Scope, eventId: number, { from, to }: Period, most: number): Promise<Job[]> {
    return this.database.rows<Job>(sql`
      SELECT ${this.jobColumns} FROM (
        SELECT DISTINCT ON (asset_id, url) * FROM jobs
        WHERE event_id = ${eventId} AND asset_id IS NOT NULL AND status IN ('FINISHED', 'ERROR')
          AND finished BETWEEN ${from} AND ${to}
        ORDER BY asset_id, url, id DESC) j
      WHERE ${visibleTo(scope, 'j.organization_id')} ORDER BY j.id DESC LIMIT ${most}`);
  }

  listCoverageOfVisible(jobIds: readonly number[]): Promise<Pick<JobRow, 'id' | 'coverage'>[]> {
    return this.database.rows(sql`SELECT j.id, j.coverage FROM jobs j WHERE j.id = ANY(${jobIds}::int[])`);
  }
}
