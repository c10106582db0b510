import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ActiveProgress,
  type CrawledPage,
  type InsertionPoint,
  type KnownPoint,
  type LeftOut,
  pointKey,
  type CheckResult,
  type SentRequest,
} from '../../../engine';
import type { Page, Slice } from '../../../kernel/page';
import { asLine } from '../../../kernel/plain-text';
import { storableJson } from '../../../kernel/storable-json';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { ListOrder, readSlice } from '../../../platform/database/list-order';
import { type Sql, emptySql, sql } from '../../../platform/database/sql';
import { ownedIn } from '../../../platform/database/visible';
import type { ActivePage } from './active-page.entity';
import type { ActivePoint } from './active-point.entity';
import type { ActiveState } from '../domain/active-state';
import type { OutcomeCount } from '../domain/active-result';
import type { PointOutcome } from '../domain/active-result';
import type { JobRow } from './job.entity';
import { at, atLanes, isTestedBy, type JobOnOrigin, type LanesOnOrigin, ofLane } from './job-on-origin';
import { keptResults } from './kept-results';

/** The most pages, and the most points, of an origin. */
const MOST = 10_000;

/** Longer ones are left out: requests of forms and queries are shorter. */
const MAX_POINT_LENGTH = 16_384;
const MAX_PATH_LENGTH = 4_096;

const KEPT_DAYS = 400;

/** A point as a job shows it. */
export interface PointOfJob extends Pick<ActivePoint, 'point' | 'testedAt' | 'accountId'> {
  readonly id: number;
  readonly isTested: boolean;
}

/** An address that active jobs do not request. */
export interface LeftOutPage extends Pick<ActivePage, 'path' | 'source' | 'seen' | 'accountId'> {
  readonly id: number;
  readonly leftOut: LeftOut;
}

const newestFirst = <Row extends { readonly id: number }>(): ListOrder<Row> =>
  new ListOrder<Row>(['p.id'], ({ id }) => [id]);

/** What another account finds is stored separately. */
const digest = ({ accountId }: JobOnOrigin, text: string): string =>
  createHash('sha256')
    .update(accountId === null ? text : `${accountId} ${text}`)
    .digest('hex');

const a = sql`a`;
const p = sql`p`;

/** What active jobs have found on the origins of an organization, and what each of them has tested. */
@Injectable()
export class ActiveInventoryRepository {
  constructor(private readonly database: Database) {}

  listPages(job: JobOnOrigin): Promise<CrawledPage[]> {
    return this.database.rows<CrawledPage>(sql`
      SELECT a.shape, a.path, a.status, a.source, a.left_out AS "leftOut" FROM active_pages a WHERE ${at(a, job)} ORDER BY a.id LIMIT ${MOST}`);
  }

  /** Those that have waited longest come first. */
  listPoints(job: JobOnOrigin): Promise<KnownPoint[]> {
    return this.database.rows<KnownPoint>(sql`
      SELECT p.key, p.point->>'kind' AS kind, p.tested_at AS "testedAt", ${isTestedBy(job)} AS "isTestedByThisJob"
      FROM active_points p WHERE ${at(p, job)} ORDER BY p.tested_at NULLS FIRST, p.id LIMIT ${MOST}`);
  }

  async readPoints(job: JobOnOrigin, keys: readonly string[]): Promise<ReadonlyMap<string, InsertionPoint>> {
    const rows = await this.database.rows<Pick<ActivePoint, 'key' | 'point'>>(sql`
      SELECT p.key, p.point FROM active_points p WHERE ${at(p, job)} AND p.key = ANY(${keys}::text[])`);
    return new Map(rows.map(({ key, point }) => [key, point]));
  }

  /** Adds as many as there is room for. */
  async addPages(job: JobOnOrigin, pages: readonly CrawledPage[]): Promise<void> {
    const short = pages.filter(({ path, shape }) => Math.max(path.length, shape.length) <= MAX_PATH_LENGTH);
    const rows = onceEach(short.map((page) => ({ ...page, key: digest(job, keyOf(page)) })));
    const { organizationId, beaconId, origin, accountId } = job;
    const texts = (field: 'key' | 'shape' | 'path' | 'source'): string[] => rows.map((row) => asLine(row[field]));
    await this.database.change(sql`
      INSERT INTO active_pages (organization_id, beacon_id, origin, account_id, key, shape, path, status, source, left_out)
      SELECT ${organizationId}, ${beaconId}, ${origin}, ${accountId}::int, given.* FROM unnest(${texts('key')}::text[], ${texts('shape')}::text[],
        ${texts('path')}::text[], ${rows.map(({ status }) => status)}::int[], ${texts('source')}::text[],
        ${rows.map(({ leftOut = null }) => leftOut && storableJson(leftOut))}::json[])
        AS given (key, shape, path, status, source, left_out)
      ${asManyAsFit('active_pages', job, texts('key'))}
      ON CONFLICT ON CONSTRAINT uq_active_pages_key
      DO UPDATE SET status = coalesce(excluded.status, active_pages.status), left_out = excluded.left_out, seen = now()`);
  }

  /** A known one keeps its request. Returns how many were left out, because they are too long or there is no room. */
  async addPoints(job: JobOnOrigin, points: readonly InsertionPoint[]): Promise<number> {
    const all = onceEach(points.map((point) => ({ key: digest(job, pointKey(point)), text: storableJson(point) })));
    const rows = all.filter(({ text }) => text.length <= MAX_POINT_LENGTH);
    const { organizationId, beaconId, origin, accountId } = job;
    const keys = rows.map(({ key }) => key);
    const stored = await this.database.change(sql`
      INSERT INTO active_points (organization_id, beacon_id, origin, account_id, key, point)
      SELECT ${organizationId}, ${beaconId}, ${origin}, ${accountId}::int, given.key, given.point::json
      FROM unnest(${keys}::text[], ${rows.map(({ text }) => text)}::text[]) AS given (key, point)
      ${asManyAsFit('active_points', job, keys)}
      ON CONFLICT ON CONSTRAINT uq_active_points_key DO UPDATE SET seen = now()`);
    return all.length - stored;
  }

  /** Does nothing if the job was deleted meanwhile. */
  async finishPoint(job: JobOnOrigin, key: string, results: readonly CheckResult[]): Promise<void> {
    const outcomes = results.map(({ coverage: { check, location, outcome } }) => ({ check, location, outcome }));
    const kept = keptResults(results);
    await this.database.change(sql`
      WITH tested AS (
        UPDATE active_points p SET tested_at = now(), seen = now() WHERE ${at(p, job)} AND p.key = ${key} RETURNING p.id)
      INSERT INTO job_points (job_id, point_id, organization_id, outcomes, results)
      SELECT j.id, tested.id, j.organization_id, ${storableJson(outcomes)}::json,
        ${kept.length === 0 ? null : storableJson(kept)}::json
      FROM tested CROSS JOIN jobs j WHERE j.id = ${job.id} AND j.organization_id = ${job.organizationId}
      ON CONFLICT (job_id, point_id, organization_id) DO UPDATE SET outcomes = excluded.outcomes, results = excluded.results`);
  }

  async listResults(job: JobOnOrigin): Promise<CheckResult[]> {
    const rows = await this.database.rows<{ results: CheckResult[] }>(sql`
      SELECT t.results FROM job_points t
      WHERE t.job_id = ${job.id} AND t.results IS NOT NULL AND ${ofLane(job)} ORDER BY t.point_id`);
    return rows.flatMap(({ results }) => results);
  }

  /** Called when the job ends: its findings have the results then. */
  async forgetResults(jobId: number): Promise<void> {
    await this.database.change(
      sql`UPDATE job_points SET results = NULL WHERE job_id = ${jobId} AND results IS NOT NULL`,
    );
  }

  countOutcomes(job: JobOnOrigin): Promise<OutcomeCount[]> {
    return this.database.rows<OutcomeCount>(sql`
      SELECT o->>'check' AS "check", o->>'outcome' AS outcome, count(*)::int AS points
      FROM job_points t CROSS JOIN json_array_elements(t.outcomes) o
      WHERE t.job_id = ${job.id} AND ${ofLane(job)} GROUP BY 1, 2 ORDER BY 1, 2`);
  }

  listOutcomesAt(jobId: number, locations: readonly string[]): Promise<PointOutcome[]> {
    return this.database.rows<PointOutcome>(sql`
      SELECT o->>'check' AS "check", o->>'location' AS location, o->>'outcome' AS outcome
      FROM job_points t CROSS JOIN json_array_elements(t.outcomes) o
      WHERE t.job_id = ${jobId} AND o->>'location' = ANY(${locations}::text[])`);
  }

  async progressOf(job: JobOnOrigin): Promise<ActiveProgress> {
    const row = await this.database.row<ActiveProgress>(sql`
      SELECT count(*) FILTER (WHERE a.left_out IS NULL)::int AS pages,
        count(DISTINCT a.shape) FILTER (WHERE a.left_out IS NULL)::int AS shapes,
        coalesce(sum((a.left_out->>'count')::int), 0)::int AS "leftOut",
        (SELECT count(*) FROM active_points p WHERE ${at(p, job)})::int AS points,
        (SELECT count(*) FROM job_points t WHERE t.job_id = ${job.id} AND ${ofLane(job)})::int AS tested
      FROM active_pages a WHERE ${at(a, job)}`);
    return row ?? { pages: 0, shapes: 0, points: 0, tested: 0 };
  }

  /** Those that a job has tested, those that it has left, or all. The caller has found the job in a scope. */
  listPointsOfVisible(job: LanesOnOrigin, isTested: boolean | undefined, page: Page): Promise<Slice<PointOfJob>> {
    const filter = isTested === undefined ? emptySql : sql`AND ${isTestedBy(job)} = ${isTested}`;
    const list = sql`FROM active_points p WHERE ${atLanes(p, job)} ${filter}`;
    const rows = sql`
      SELECT p.id::float8 AS id, p.account_id AS "accountId", p.point, p.tested_at AS "testedAt", ${isTestedBy(job)} AS "isTested"
      ${list}${newestFirst<PointOfJob>().page(page)}`;
    return readSlice(this.database, page, newestFirst<PointOfJob>(), { rows, list });
  }

  /** The caller has found the job in a scope. */
  listLeftOutOfVisible(job: LanesOnOrigin, page: Page): Promise<Slice<LeftOutPage>> {
    const list = sql`FROM active_pages p WHERE ${atLanes(p, job)} AND p.left_out IS NOT NULL`;
    const rows = sql`
      SELECT p.id::float8 AS id, p.account_id AS "accountId", p.path, p.source, p.seen, p.left_out AS "leftOut" ${list}${newestFirst<LeftOutPage>().page(page)}`;
    return readSlice(this.database, page, newestFirst<LeftOutPage>(), { rows, list });
  }

  async findSeedsOfVisible(jobId: number): Promise<readonly SentRequest[]> {
    const row = await this.database.row<Pick<JobRow, 'seeds'>>(sql`SELECT j.seeds FROM jobs j WHERE j.id = ${jobId}`);
    return row?.seeds ?? [];
  }

  /** Null until the crawl has ended, without a session or with the account. */
  async findActiveOfVisible(jobId: number, accountId: number | null = null): Promise<ActiveState | null> {
    const row = await this.database.row<Pick<JobRow, 'active'>>(sql`SELECT j.active FROM jobs j WHERE j.id = ${jobId}`);
    const active = row?.active ?? null;
    return accountId === null ? active : (active?.asAccounts?.[accountId] ?? null);
  }

  async endCrawl(
    { id, accountId }: Pick<JobOnOrigin, 'id' | 'accountId'>,
    notes: readonly string[],
    reason: string | null,
  ): Promise<void> {
    const ended: ActiveState = { found: null, reason, notes };
    const before = accountId === null ? null : await this.findActiveOfVisible(id);
    const active: ActiveState =
      accountId === null ? ended : { ...(before ?? ended), asAccounts: { ...before?.asAccounts, [accountId]: ended } };
    await this.database.change(sql`UPDATE jobs SET active = ${storableJson(active)} WHERE id = ${id}`);
  }

  /** Deletes up to `most` pages, and as many points, that no job has seen for long, in all organizations. */
  async deletePast(scope: Scope, most: number): Promise<number> {
    const past = sql`
      seen < now() - make_interval(days => ${KEPT_DAYS}) AND ${ownedIn(scope, 'organization_id')} LIMIT ${most}`;
    const pages = await this.database.change(sql`
      DELETE FROM active_pages WHERE ctid = ANY(ARRAY(SELECT ctid FROM active_pages WHERE ${past}))`);
    const points = await this.database.change(sql`
      DELETE FROM active_points WHERE ctid = ANY(ARRAY(SELECT ctid FROM active_points WHERE ${past}))`);
    return pages + points;
  }
}

/** Similar pages are one entry, and a page has one for each method that was left out. */
const keyOf = ({ path, shape, leftOut = null }: CrawledPage): string => {
  if (leftOut?.by === 'similar') return `similar ${shape}`;
  return leftOut === null || leftOut.method === 'GET' ? path : `${leftOut.method} ${path}`;
};

const onceEach = <Row extends { readonly key: string }>(rows: readonly Row[]): Row[] =>
  [...new Map(rows.toReversed().map((row) => [row.key, row])).values()].toReversed();

/** Limits the given rows to known ones, and to new ones while the origin and the organization have room. */
function asManyAsFit(name: 'active_pages' | 'active_points', job: JobOnOrigin, keys: readonly string[]): Sql {
  const table = name === 'active_pages' ? sql`active_pages` : sql`active_points`;
  const known = sql`FROM ${table} k WHERE ${at(sql`k`, job)}`;
  return sql`
    ORDER BY NOT EXISTS (SELECT 1 ${known} AND k.key = given.key)
    LIMIT (SELECT count(*) ${known} AND k.key = ANY(${keys}::text[])) + greatest(0, least(
      ${MOST} - (SELECT count(*) ${known}),
      (SELECT l.most - coalesce(sum(s.rows), 0) FROM stored_limits l
       LEFT JOIN stored_rows s ON s.table_name = l.name AND s.organization_id = ${job.organizationId}
       WHERE l.name = ${name} GROUP BY l.most)))`;
}
