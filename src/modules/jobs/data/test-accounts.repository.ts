import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { CoveringJob } from '../domain/coverage-account';
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

  /**
   * The ids of the last jobs that ended in the period on each page of an asset, up to so many pages of each asset; whichever
   * ended last comes first. A job tests a page whatever its query, which with pipelines is often another every time.
   */
  async listLastJobs(scope: Scope, eventId: number, { from, to }: Period, mostEach: number): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT id FROM (
        SELECT id, finished, row_number() OVER (PARTITION BY asset_id ORDER BY finished DESC, id DESC) AS place FROM (
          SELECT DISTINCT ON (asset_id, page) id, asset_id, finished
          FROM jobs j CROSS JOIN LATERAL substring(j.url FROM '^[^?#]*') page
          WHERE event_id = ${eventId} AND asset_id IS NOT NULL AND status IN ('FINISHED', 'ERROR')
            AND finished BETWEEN ${from} AND ${to} AND ${visibleTo(scope, 'j.organization_id')}
          ORDER BY asset_id, page, finished DESC, id DESC) last) ranked
      WHERE place <= ${mostEach} ORDER BY finished DESC, id DESC`);
    return rows.map(({ id }) => id);
  }

  /** Whichever ended last comes first. */
  listCoverageOfVisible(jobIds: readonly number[]): Promise<CoveringJob[]> {
    return this.database.rows<CoveringJob>(sql`
      SELECT j.asset_id AS "assetId", j.url, j.finished, j.error, coalesce(j.coverage, '[]') AS coverage FROM jobs j
      WHERE j.id = ANY(${jobIds}::int[]) AND j.asset_id IS NOT NULL ORDER BY j.finished DESC, j.id DESC`);
  }
}
