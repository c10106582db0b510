import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { ownedIn, visibleOrganization, visibleTo } from '../../../platform/database/visible';
import type { RunEnd, RunStatus, What } from '../domain/vocabulary';
import type { Schedule } from './schedule.entity';
import { type ScheduleRun, ScheduleRunRow } from './schedule-run.entity';

export type NewRun = Pick<
  ScheduleRunRow,
  'uuid' | 'organizationId' | 'scheduleId' | 'due' | 'status' | 'reason' | 'ended' | 'nextStep'
>;

/** A run with the name of its schedule. */
export type NamedRun = ScheduleRun & { readonly name: string };

const OPEN = raw('ru.ended IS NULL');

@Injectable()
export class ScheduleRunsRepository {
  private readonly columns = this.database.columns(ScheduleRunRow, 'ru', ['nextStep']);

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, uuid: string): Promise<ScheduleRun | undefined> {
    return this.one(scope, uuid, emptySql);
  }

  lockOne(scope: Scope, uuid: string): Promise<ScheduleRun | undefined> {
    return this.one(scope, uuid, raw('FOR UPDATE OF ru'));
  }

  /** Of a schedule that the caller has read in scope. */
  findOpenOfVisible({ id, organizationId }: Schedule): Promise<ScheduleRun | undefined> {
    return this.database.row<ScheduleRun>(sql`
      SELECT ${this.columns} FROM schedule_runs ru
      WHERE ru.schedule_id = ${id} AND ru.organization_id = ${organizationId} AND ${OPEN} LIMIT 1`);
  }

  /** Newest first. */
  listNewestOfVisible({ id, organizationId }: Schedule, limit: number): Promise<ScheduleRun[]> {
    return this.database.rows<ScheduleRun>(sql`
      SELECT ${this.columns} FROM schedule_runs ru
      WHERE ru.schedule_id = ${id} AND ru.organization_id = ${organizationId} ORDER BY ru.id DESC LIMIT ${limit}`);
  }

  /** When the last run before this one was due that has looked at its findings. */
  async lastDoneBeforeOfVisible({ id, scheduleId, organizationId }: ScheduleRun): Promise<Date | null> {
    const row = await this.database.row<{ due: Date }>(sql`
      SELECT ru.due FROM schedule_runs ru
      WHERE ru.schedule_id = ${scheduleId} AND ru.organization_id = ${organizationId} AND ru.id < ${id}
        AND ru.status IN ('finished', 'partial') ORDER BY ru.id DESC LIMIT 1`);
    return row?.due ?? null;
  }

  /** The first `ofEach` of each organization that a worker should look after. */
  listToContinue(scope: Scope, now: Date, ofEach: number, limit: number) {
    return this.database.rows<Pick<ScheduleRun, 'uuid' | 'organizationId'>>(sql`
      SELECT next.uuid, next.organization_id AS "organizationId" FROM organizations o CROSS JOIN LATERAL (
        SELECT ru.uuid, ru.organization_id, ru.next_step FROM schedule_runs ru
        WHERE ru.organization_id = o.id AND ${OPEN} AND ru.next_step <= ${now} ORDER BY ru.next_step LIMIT ${ofEach}) next
      WHERE ${visibleOrganization(scope, 'o')} ORDER BY random() LIMIT ${limit}`);
  }

  /** Those that ended in one of these states since then, newest first. */
  listEndedFor(scope: Scope, organizationId: number, statuses: readonly RunStatus[], since: Date, limit: number) {
    return this.database.rows<NamedRun>(sql`
      SELECT ${this.columns}, s.name FROM schedule_runs ru
      JOIN schedules s ON s.id = ru.schedule_id AND s.organization_id = ru.organization_id
      WHERE ru.organization_id = ${organizationId} AND ru.ended >= ${since} AND ru.status = ANY(${statuses}::text[])
        AND ${visibleTo(scope, 'ru.organization_id')}
      ORDER BY ru.id DESC LIMIT ${limit}`);
  }

  /** How many parts of the runs of a kind ended in which way since then. */
  async countResultsFor(scope: Scope, organizationId: number, what: What, since: Date): Promise<Map<string, number>> {
    const rows = await this.database.rows<{ result: string; count: number }>(sql`
      SELECT ended.key AS result, sum(ended.value::int)::int AS count
      FROM schedule_runs ru
      JOIN schedules s ON s.id = ru.schedule_id AND s.organization_id = ru.organization_id AND s.what = ${what}
      CROSS JOIN LATERAL jsonb_each_text(ru.results) ended
      WHERE ru.organization_id = ${organizationId} AND ru.ended >= ${since} AND ${visibleTo(scope, 'ru.organization_id')}
      GROUP BY 1`);
    return new Map(rows.map(({ result, count }) => [result, count]));
  }

  async save(run: NewRun): Promise<void> {
    const repository = await this.database.repository(ScheduleRunRow);
    await repository.insert(run);
  }

  /** The caller has locked it. */
  async begin(id: number, parts: number, now: Date): Promise<void> {
    await this.database.change(
      sql`UPDATE schedule_runs SET status = 'running', started = ${now}, parts = ${parts} WHERE id = ${id}`,
    );
  }

  async planStep(id: number, nextStep: Date): Promise<void> {
    await this.database.change(sql`UPDATE schedule_runs SET next_step = ${nextStep} WHERE id = ${id}`);
  }

  /** The caller has locked it. */
  async end(
    id: number,
    status: RunStatus,
    { results, obstacles }: Omit<RunEnd, 'parts'>,
    reason: string | null,
    now: Date,
  ) {
    await this.database.change(sql`
      UPDATE schedule_runs SET status = ${status}, results = ${JSON.stringify(results)},
        obstacles = ${JSON.stringify(obstacles)}, reason = ${reason}, ended = ${now}, next_step = NULL WHERE id = ${id}`);
  }

  removeEnded(scope: Scope, before: Date, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM schedule_runs WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM schedule_runs WHERE ended < ${before} AND ${ownedIn(scope, 'organization_id')}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`);
  }

  private one(scope: Scope, uuid: string, rest: Sql): Promise<ScheduleRun | undefined> {
    return this.database.row<ScheduleRun>(sql`
      SELECT ${this.columns} FROM schedule_runs ru
      WHERE ru.uuid = ${uuid} AND ${visibleTo(scope, 'ru.organization_id')} ${rest}`);
  }
}
