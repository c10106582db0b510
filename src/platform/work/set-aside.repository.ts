import { Injectable } from '@nestjs/common';
import type { Scope } from '../api/scope';
import { Database } from '../database/database';
import { type Sql, sql } from '../database/sql';
import { visibleOrganization } from '../database/visible';

export interface FailedOrganization {
  readonly organizationId: number;
  readonly isLeftOut: boolean;
}

/** The first failure may have been an accident. */
const TOLERATED = 1;

const REASON_LENGTH = 500;

const isLeftOut: Sql = sql`s.failures > ${TOLERATED}`;

/**
 * The organizations for which a scheduled task fails, and when it tries each of them again. A task with several steps has a
 * name for each: `webhook.due:feed`.
 */
@Injectable()
export class SetAsideRepository {
  constructor(private readonly database: Database) {}

  listOf(task: string): Promise<FailedOrganization[]> {
    return this.database.rows<FailedOrganization>(sql`
      SELECT s.organization_id AS "organizationId", ${isLeftOut} AND s.retry_at > now() AS "isLeftOut"
      FROM set_aside_tasks s WHERE s.task = ${task}`);
  }

  /** How many organizations each task leaves out. */
  async countByTask(): Promise<Map<string, number>> {
    const rows = await this.database.rows<{ task: string; count: number }>(sql`
      SELECT split_part(s.task, ':', 1) AS task, count(DISTINCT s.organization_id)::int AS count
      FROM set_aside_tasks s WHERE ${isLeftOut} GROUP BY 1`);
    return new Map(rows.map(({ task, count }) => [task, count]));
  }

  /** Counts a failure. Returns until when the organization is set aside, with pauses from a minute to six hours. */
  async add(task: string, organizationId: number, reason: string): Promise<Date | undefined> {
    const row = await this.database.row<{ retryAt: Date; isLeftOut: boolean }>(sql`
      INSERT INTO set_aside_tasks AS s (task, organization_id, failures, reason, since, retry_at)
      SELECT ${task}, o.id, 1, ${reason.slice(0, REASON_LENGTH).toWellFormed()}, now(), now()
      FROM organizations o WHERE o.id = ${organizationId}
      ON CONFLICT (organization_id, task) DO UPDATE SET failures = s.failures + 1, reason = excluded.reason,
        retry_at = now() + least(interval '6 hours', interval '1 minute' * power(5, least(s.failures, 9) - 1))
      RETURNING s.retry_at AS "retryAt", ${isLeftOut} AS "isLeftOut"`);
    return row?.isLeftOut === true ? row.retryAt : undefined;
  }

  async remove(task: string, organizationIds: readonly number[]): Promise<void> {
    if (organizationIds.length === 0) return;
    await this.database.change(sql`
      DELETE FROM set_aside_tasks WHERE task = ${task} AND organization_id = ANY(${organizationIds}::int[])`);
  }

  async listOrganizations(scope: Scope): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(
      sql`SELECT o.id FROM organizations o WHERE ${visibleOrganization(scope, 'o')} ORDER BY o.id`,
    );
    return rows.map(({ id }) => id);
  }
}
