import { Injectable } from '@nestjs/common';
import type { Coverage } from '../../../engine';
import { type Page, type Slice, MAX_COUNT } from '../../../kernel/page';
import { storableJson } from '../../../kernel/storable-json';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import type { ActiveState } from '../domain/active-state';
import type { SelectedTemplate } from '../domain/check-selection';
import { ACTIVE_JOB_KIND, JOB_KIND } from '../domain/job-kind';
import type { JobStatus } from '../domain/job-status';
import type { Gate } from '../domain/job-success';
import type { Lane } from '../domain/lanes';
import { type Job, JobRow, UNREAD } from './job.entity';
import { failedSince, hasFewOrganizations, newestFirst, newestOfEach, newestOwn } from './job-lists';

export type NewJob = Pick<
  JobRow,
  | 'uuid'
  | 'organizationId'
  | 'eventId'
  | 'assetId'
  | 'beaconId'
  | 'url'
  | 'kind'
  | 'checks'
  | 'templates'
  | 'hostedBy'
  | 'hostedTarget'
> &
  Partial<Pick<JobRow, 'until' | 'depth' | 'seeds' | 'startedBy' | 'accounts'>>;

export interface BegunJob extends Job {
  /** By the database's clock, which also recorded the start: a worker's clock may be minutes off. */
  readonly sinceStartMs: number;
}

export interface JobEnd extends Pick<JobRow, 'hostedBy' | 'hostedTarget'> {
  readonly status: Extract<JobStatus, 'FINISHED' | 'ERROR'>;
  readonly error: string | null;
  readonly coverage: readonly Coverage[];
  readonly gate: Gate;
  readonly requests?: number;
  readonly active?: ActiveState | null;
  readonly lanes?: readonly Lane[] | null;
}

/** What a plan needs to know of a job. */
export type JobState = Pick<JobRow, 'uuid' | 'kind' | 'status' | 'error' | 'coverage'>;

/** The jobs of an event that ended on a day. */
export interface JobsOfDay {
  /** Of UTC, as in 2026-03-02. */
  readonly day: string;
  readonly jobs: number;
  readonly assets: number;
  readonly pages: number;
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
}

@Injectable()
export class JobsRepository {
  private readonly columns = this.database.columns(JobRow, 'j', UNREAD);
  private readonly begun = sql`
    ${this.columns}, round(extract(epoch FROM now() - j.started) * 1000 - j.waited_ms)::float8 AS "sinceStartMs"`;

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, uuid: string): Promise<Job | undefined> {
    return this.one(scope, uuid, emptySql);
  }

  lockOne(scope: Scope, uuid: string): Promise<Job | undefined> {
    return this.one(scope, uuid, raw('FOR UPDATE'));
  }

  listFor(scope: Scope, page: Page): Promise<Slice<Job>> {
    const list = newestOfEach(scope, sql` LIMIT ${MAX_COUNT + 1}`);
    const rows = sql`
      SELECT ${this.columns} FROM jobs j WHERE j.id = ANY(ARRAY(
        SELECT own.id ${newestOfEach(scope, newestFirst.pageToMerge(page))}${newestOwn.page(page)}))
      ${newestFirst.by(page)}`;
    const isShort = hasFewOrganizations(scope);
    return readSlice(this.database, page, newestFirst, { rows, list, isShort });
  }

  listFailed(scope: Scope, organizationId: number, since: Date, page: Page): Promise<Slice<Job>> {
    const list = failedSince(scope, organizationId, since);
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** The newest `maxEach` jobs of each asset, newest first. */
  listNewestOf(scope: Scope, assetIds: readonly number[], maxEach: number): Promise<Job[]> {
    return this.database.rows<Job>(sql`
      SELECT ${this.columns} FROM unnest(${assetIds}::int[]) AS wanted (id)
      CROSS JOIN LATERAL (
        SELECT * FROM jobs own WHERE own.asset_id = wanted.id ORDER BY own.id DESC LIMIT ${maxEach}) j
      WHERE ${visibleTo(scope, 'j.organization_id')} ORDER BY j.id DESC`);
  }

  /** Newest first. */
  listNewestOfEvent(scope: Scope, eventId: number, limit: number): Promise<Job[]> {
    return this.database.rows<Job>(sql`
      SELECT ${this.columns} FROM jobs j WHERE j.event_id = ${eventId} AND ${visibleTo(scope, 'j.organization_id')}
      ORDER BY j.id DESC LIMIT ${limit}`);
  }

  /** Other ended jobs on a page of the same asset, through the same beacon; newest first. */
  listOfPage(scope: Scope, job: Job, page: string, limit: number): Promise<Job[]> {
    return this.database.rows<Job>(sql`
      SELECT ${this.columns} FROM jobs j
      WHERE j.organization_id = ${job.organizationId} AND j.asset_id = ${job.assetId} AND j.beacon_id IS NOT DISTINCT FROM ${job.beaconId}
        AND j.id <> ${job.id} AND j.status IN ('FINISHED', 'ERROR') AND substring(j.url FROM '^[^?#]*') = ${page}
        AND ${visibleTo(scope, 'j.organization_id')} ORDER BY j.id DESC LIMIT ${limit}`);
  }

  listStatesOf(scope: Scope, uuids: readonly string[]): Promise<JobState[]> {
    return this.database.rows<JobState>(sql`
      SELECT j.uuid, j.kind, j.status, j.error, j.coverage FROM jobs j
      WHERE j.uuid = ANY(${uuids}::uuid[]) AND ${visibleTo(scope, 'j.organization_id')}`);
  }

  /** Newest first. */
  listDaysOfEvent(scope: Scope, eventId: number, limit: number): Promise<JobsOfDay[]> {
    return this.database.rows<JobsOfDay>(sql`
      SELECT to_char(j.finished AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS jobs,
        count(DISTINCT j.asset_id)::int AS assets, count(DISTINCT j.url)::int AS pages,
        coalesce(sum(j.requests), 0)::float8 AS requests, count(*) FILTER (WHERE j.status = 'ERROR')::int AS failed,
        coalesce(sum(extract(epoch FROM j.finished - j.started)), 0)::float8 AS seconds
      FROM jobs j WHERE j.event_id = ${eventId} AND j.status IN ('FINISHED', 'ERROR')
        AND ${visibleTo(scope, 'j.organization_id')}
      GROUP BY 1 ORDER BY 1 DESC LIMIT ${limit}`);
  }

  async findCoverageOfVisible(id: number): Promise<readonly Coverage[]> {
    const row = await this.database.row<Pick<JobRow, 'coverage'>>(
      sql`SELECT j.coverage FROM jobs j WHERE j.id = ${id}`,
    );
    return row?.coverage ?? [];
  }

  /** Null until the job ends, and for a job without accounts. */
  async findLanesOfVisible(id: number): Promise<readonly Lane[] | null> {
    const row = await this.database.row<Pick<JobRow, 'lanes'>>(sql`SELECT j.lanes FROM jobs j WHERE j.id = ${id}`);
    return row?.lanes ?? null;
  }

  /** The templates that the launch of a job selected. */
  async findTemplatesOfVisible(jobId: number): Promise<readonly SelectedTemplate[]> {
    const row = await this.database.row<{ templates: SelectedTemplate[] }>(
      sql`SELECT coalesce(j.templates, '[]') AS templates FROM jobs j WHERE j.id = ${jobId}`,
    );
    return row?.templates ?? [];
  }

  /** The caller has locked the organization for counting, so that no other job is launched meanwhile. */
  countUnfinishedOfLocked(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM jobs
      WHERE organization_id = ${organizationId} AND status IN ('PENDING', 'IN_PROGRESS') AND kind IN (${JOB_KIND}, ${ACTIVE_JOB_KIND})`);
  }

  /** Removes the oldest job that has ended, with its results and reports. Its findings stay. */
  async removeOldest(organizationId: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM jobs WHERE id = (
        SELECT id FROM jobs WHERE organization_id = ${organizationId} AND status NOT IN ('PENDING', 'IN_PROGRESS')
        ORDER BY id LIMIT 1)`);
  }

  async save(job: NewJob): Promise<void> {
    const repository = await this.database.repository(JobRow);
    await repository.insert(job);
  }

  /** Returns the started job; undefined if it has begun before or is over. */
  begin(scope: Scope, uuid: string): Promise<BegunJob | undefined> {
    return this.database.row<BegunJob>(sql`
      UPDATE jobs j SET status = 'IN_PROGRESS', started = now()
      WHERE j.uuid = ${uuid} AND j.status = 'PENDING' AND ${visibleTo(scope, 'j.organization_id')}
      RETURNING ${this.begun}`);
  }

  /** A job in progress, whose worker was lost. */
  findBegun(scope: Scope, uuid: string): Promise<BegunJob | undefined> {
    return this.database.row<BegunJob>(sql`
      SELECT ${this.begun} FROM jobs j
      WHERE j.uuid = ${uuid} AND j.status = 'IN_PROGRESS' AND ${visibleTo(scope, 'j.organization_id')}`);
  }

  /** For its turns of accounts. */
  async addWaited(uuid: string, ms: number): Promise<void> {
    await this.database.change(sql`
      UPDATE jobs SET waited_ms = least(waited_ms + ${Math.round(ms)}::bigint, 2147483647) WHERE uuid = ${uuid} AND status = 'IN_PROGRESS'`);
  }

  async end(id: number, ended: JobEnd): Promise<void> {
    const { status, error, coverage, gate, requests, active, hostedBy, hostedTarget, lanes } = ended;
    await this.database.change(sql`
      UPDATE jobs SET status = ${status}, error = ${error}, coverage = ${storableJson(coverage)}, finished = now(),
        gate = ${gate}, requests = ${requests ?? null}, hosted_by = ${hostedBy}, hosted_target = ${hostedTarget}, seeds = NULL,
        lanes = ${lanes == null ? null : storableJson(lanes)}::json, active = coalesce(${active == null ? null : JSON.stringify(active)}::json, active)
      WHERE id = ${id}`);
  }

  async saveCanceled(id: number): Promise<void> {
    await this.database.change(sql`
      UPDATE jobs SET status = 'CANCELED', gate = 'failed', finished = now(), seeds = NULL WHERE id = ${id}`);
  }

  private one(scope: Scope, uuid: string, rest: Sql): Promise<Job | undefined> {
    return this.database.row<Job>(sql`
      SELECT ${this.columns} FROM jobs j WHERE j.uuid = ${uuid} AND ${visibleTo(scope, 'j.organization_id')} ${rest}`);
  }
}
