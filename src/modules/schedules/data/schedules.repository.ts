import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { byId, readSlice } from '../../../platform/database/list-order';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { visibleOrganization, visibleTo } from '../../../platform/database/visible';
import { assetNotFound } from '../../assets';
import { eventNotFound } from '../../events';
import { Schedule } from './schedule.entity';

export type NewSchedule = Omit<Schedule, 'id' | 'created'>;

const newestFirst = byId<Schedule>('s.id');

@Injectable()
export class SchedulesRepository {
  private readonly columns = this.database.columns(Schedule, 's');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, organizationId: number, id: number): Promise<Schedule | undefined> {
    return this.one(scope, organizationId, id, emptySql);
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<Pick<Schedule, 'organizationId'>>(sql`
      SELECT s.organization_id AS "organizationId" FROM schedules s
      WHERE s.id = ${id} AND ${visibleTo(scope, 's.organization_id')}`);
    return row?.organizationId;
  }

  lockOne(scope: Scope, organizationId: number, id: number): Promise<Schedule | undefined> {
    return this.one(scope, organizationId, id, raw('FOR UPDATE OF s'));
  }

  /** Undefined if another worker starts it, or it is no longer due. */
  lockDue(scope: Scope, { id, organizationId }: Pick<Schedule, 'id' | 'organizationId'>, now: Date) {
    return this.one(scope, organizationId, id, sql`AND s.next_due <= ${now} FOR UPDATE OF s SKIP LOCKED`);
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Schedule>> {
    const list = sql`FROM schedules s WHERE s.organization_id = ${organizationId} AND ${visibleTo(scope, 's.organization_id')}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** The next to run first. */
  listNextFor(scope: Scope, organizationId: number, until: Date, limit: number): Promise<Schedule[]> {
    return this.database.rows<Schedule>(sql`
      SELECT ${this.columns} FROM schedules s
      WHERE s.organization_id = ${organizationId} AND s.next_due <= ${until} AND ${visibleTo(scope, 's.organization_id')}
      ORDER BY s.next_due, s.id LIMIT ${limit}`);
  }

  /** The first `ofEach` of each organization, in turns. */
  listDue(scope: Scope, now: Date, ofEach: number, limit: number): Promise<Pick<Schedule, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT due.id, due.organization_id AS "organizationId" FROM organizations o CROSS JOIN LATERAL (
        SELECT first.*, row_number() OVER (ORDER BY first.next_due, first.id) AS turn FROM (
          SELECT * FROM schedules WHERE organization_id = o.id AND next_due <= ${now}
          ORDER BY next_due LIMIT ${ofEach}) first) due
      WHERE ${visibleOrganization(scope, 'o')} ORDER BY due.turn, due.next_due, random() LIMIT ${limit}`);
  }

  listMakers(scope: Scope): Promise<Pick<Schedule, 'organizationId' | 'makerId'>[]> {
    return this.database.rows(sql`
      SELECT DISTINCT s.organization_id AS "organizationId", s.maker_id AS "makerId" FROM schedules s
      WHERE s.status = 'active' AND ${visibleTo(scope, 's.organization_id')}`);
  }

  /** Active ones that wait for a confirmation, or those that do not. */
  listIdsOfMaker(
    { organizationId, makerId }: Pick<Schedule, 'organizationId' | 'makerId'>,
    waits: boolean,
  ): Promise<Pick<Schedule, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT s.id, s.organization_id AS "organizationId" FROM schedules s
      WHERE s.organization_id = ${organizationId} AND s.maker_id = ${makerId} AND s.status = 'active'
        AND (s.confirm_by IS NOT NULL) = ${waits}`);
  }

  /** The caller has locked the organization for counting. */
  countOfLocked(organizationId: number): Promise<number> {
    return this.database.count(
      sql`SELECT count(*)::int AS count FROM schedules WHERE organization_id = ${organizationId}`,
    );
  }

  async save(schedule: NewSchedule): Promise<number> {
    const repository = await this.database.repository(Schedule);
    const row = repository.create(schedule);
    await onViolation(repository.insert(row), {
      fk_schedules_asset: assetNotFound,
      fk_schedules_event: eventNotFound,
    });
    return row.id;
  }

  /** The caller has locked it. */
  async change({ id, organizationId }: Schedule, change: Partial<NewSchedule>): Promise<void> {
    const repository = await this.database.repository(Schedule);
    await onViolation(repository.update({ id, organizationId }, change), {
      fk_schedules_asset: assetNotFound,
      fk_schedules_event: eventNotFound,
    });
  }

  async remove({ id, organizationId }: Schedule): Promise<void> {
    const repository = await this.database.repository(Schedule);
    await repository.delete({ id, organizationId });
  }

  private one(scope: Scope, organizationId: number, id: number, rest: Sql): Promise<Schedule | undefined> {
    return this.database.row<Schedule>(sql`
      SELECT ${this.columns} FROM schedules s
      WHERE s.id = ${id} AND s.organization_id = ${organizationId} AND ${visibleTo(scope, 's.organization_id')} ${rest}`);
  }
}
