import { Injectable } from '@nestjs/common';
import type { Coverage } from '../../../engine';
import { type Page, type Slice, offsetOf, sliceOf } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, nothing, raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { JobStatus } from '../domain/job-status';
import { type Job, JobRow } from './job.entity';

export type NewJob = Pick<Job, 'uuid' | 'organizationId' | 'eventId' | 'assetId' | 'url'>;

export interface BegunJob extends Job {
  /** By the clock that wrote down the start: a worker's own may be minutes ahead. */
  readonly sinceStartMs: number;
}

export interface JobEnd {
  readonly status: Extract<JobStatus, 'FINISHED' | 'ERROR'>;
  readonly error: string | null;
  readonly coverage: readonly Coverage[];
}

@Injectable()
export class JobsRepository {
  private readonly columns = this.database.columns(JobRow, 'j', ['coverage']);
  private readonly begun = sql`
    ${this.columns}, round(extract(epoch FROM now() - j.started) * 1000)::float8 AS "sinceStartMs"`;

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, uuid: string): Promise<Job | undefined> {
    return this.one(scope, uuid, nothing);
  }

  lockOne(scope: Scope, uuid: string): Promise<Job | undefined> {
    return this.one(scope, uuid, raw('FOR UPDATE'));
  }

  async listFor(scope: Scope, page: Page): Promise<Slice<Job>> {
    const rows = await this.database.rows<Job>(sql`
      SELECT ${this.columns} FROM (
        SELECT id FROM jobs WHERE ${visibleTo(scope, 'jobs.organization_id')}
        ORDER BY id DESC LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}
      ) page JOIN jobs j USING (id) ORDER BY j.id DESC`);
    return sliceOf(rows, page);
  }

  /** The caller holds the organization for counting, so that nobody else launches one meanwhile. */
  async countUnfinishedOfHeld(organizationId: number): Promise<number> {
    const row = await this.database.row<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM jobs
      WHERE organization_id = ${organizationId} AND status IN ('PENDING', 'IN_PROGRESS')`);
    return row?.count ?? 0;
  }

  async save(job: NewJob): Promise<void> {
    const repository = await this.database.repository(JobRow);
    await repository.insert(job);
  }

  /** Answers it as it is then; nothing if it was begun before, or is over. */
  begin(scope: Scope, uuid: string): Promise<BegunJob | undefined> {
    return this.database.row<BegunJob>(sql`
      UPDATE jobs j SET status = 'IN_PROGRESS', started = now()
      WHERE j.uuid = ${uuid} AND j.status = 'PENDING' AND ${visibleTo(scope, 'j.organization_id')}
      RETURNING ${this.begun}`);
  }

  /** One that is under way, by a worker that was lost. */
  findBegun(scope: Scope, uuid: string): Promise<BegunJob | undefined> {
    return this.database.row<BegunJob>(sql`
      SELECT ${this.begun} FROM jobs j
      WHERE j.uuid = ${uuid} AND j.status = 'IN_PROGRESS' AND ${visibleTo(scope, 'j.organization_id')}`);
  }

  async end(id: number, { status, error, coverage }: JobEnd): Promise<void> {
    await this.database.change(sql`
      UPDATE jobs SET status = ${status}, error = ${error}, coverage = ${JSON.stringify(coverage)}, finished = now()
      WHERE id = ${id}`);
  }

  async saveCanceled(id: number): Promise<void> {
    await this.database.change(sql`UPDATE jobs SET status = 'CANCELED', finished = now() WHERE id = ${id}`);
  }

  private one(scope: Scope, uuid: string, rest: Sql): Promise<Job | undefined> {
    return this.database.row<Job>(sql`
      SELECT ${this.columns} FROM jobs j WHERE j.uuid = ${uuid} AND ${visibleTo(scope, 'j.organization_id')} ${rest}`);
  }
}
