import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { emptySql, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { CoverageSubject, Period, TestedJob } from '../domain/coverage-summary';
import type { EndedJob } from './job.entity';

/** The jobs whose coverage a report summarizes. */
@Injectable()
export class EndedJobsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The ids of the last jobs that ended in the period on each page of an asset, for at most `maxEach` pages of each asset,
   * latest end first. The query of a URL is ignored, because pipelines often use a different one each time.
   */
  async listLastFinishedFor(
    scope: Scope,
    { organizationId, eventId }: CoverageSubject,
    { from, to }: Period,
    maxEach: number,
  ): Promise<number[]> {
    const ofEvent = eventId === null ? emptySql : sql`event_id = ${eventId} AND`;
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT id FROM (
        SELECT id, finished, row_number() OVER (PARTITION BY asset_id ORDER BY finished DESC, id DESC) AS place FROM (
          SELECT DISTINCT ON (asset_id, page) id, asset_id, finished
          FROM jobs j CROSS JOIN LATERAL substring(j.url FROM '^[^?#]*') page
          WHERE ${ofEvent} organization_id = ${organizationId} AND asset_id IS NOT NULL AND status IN ('FINISHED', 'ERROR')
            AND finished BETWEEN ${from} AND ${to} AND ${visibleTo(scope, 'j.organization_id')}
          ORDER BY asset_id, page, finished DESC, id DESC) last) ranked
      WHERE place <= ${maxEach} ORDER BY finished DESC, id DESC`);
    return rows.map(({ id }) => id);
  }

  /** Latest end first. */
  listCoverageOfVisible(jobIds: readonly number[]): Promise<(TestedJob & EndedJob)[]> {
    return this.database.rows<TestedJob & EndedJob>(sql`
      SELECT j.id, j.organization_id AS "organizationId", j.beacon_id AS "beaconId", j.asset_id AS "assetId", j.url, j.finished, j.error,
        coalesce(j.coverage, '[]') AS coverage FROM jobs j
      WHERE j.id = ANY(${jobIds}::int[]) AND j.asset_id IS NOT NULL ORDER BY j.finished DESC, j.id DESC`);
  }
}
