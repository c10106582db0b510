import { Injectable } from '@nestjs/common';
import { type Page, type Slice, MAX_COUNT } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { ofEachOrganization, visibleTo } from '../../../platform/database/visible';
import type { Automation } from '../domain/automation';
import { Event } from './event.entity';

export type NewEvent = Pick<
  Event,
  | 'organizationId'
  | 'name'
  | 'slug'
  | 'eventType'
  | 'eventCategory'
  | 'status'
  | 'startDate'
  | 'endDate'
  | 'startedBy'
  | 'accountsRole'
  | EventPlaceField
  | keyof Automation
>;

/** Where it takes place. */
export type EventPlaceField = 'dimension' | 'dimensionType' | 'latitude' | 'longitude';

/** The fields of an event for notifications. */
export type NotifiedEvent = Pick<Event, 'id' | 'slug' | 'name' | 'startedBy'>;

const newestFirst = byId<Event>('e.id');
const newestOwn = byId<Event>('own.id');

const newestOfEach = (scope: Scope, pageOfEach: Sql): Sql =>
  ofEachOrganization(scope, sql`SELECT e.id FROM events e WHERE e.organization_id = o.id${pageOfEach}`);

@Injectable()
export class EventsRepository {
  private readonly columns = this.database.columns(Event, 'e');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, slug: string): Promise<Event | undefined> {
    return this.database.shortRow<Event>(this.one(scope, bySlug(slug)));
  }

  findById(scope: Scope, id: number): Promise<Event | undefined> {
    return this.database.row<Event>(this.one(scope, sql`e.id = ${id}`));
  }

  /** Of an organization that the caller has checked. */
  listNotifiedOfVisible(organizationId: number, ids: readonly number[]): Promise<NotifiedEvent[]> {
    return this.database.rows<NotifiedEvent>(sql`
      SELECT e.id, e.slug, e.name, e.started_by AS "startedBy" FROM events e
      WHERE e.organization_id = ${organizationId} AND e.id = ANY(${ids}::int[])`);
  }

  lockOne(scope: Scope, slug: string): Promise<Event | undefined> {
    return this.database.row<Event>(sql`${this.one(scope, bySlug(slug))} FOR UPDATE OF e`);
  }

  /** Its status does not change until the transaction ends. */
  lockForShare(scope: Scope, id: number): Promise<Event | undefined> {
    return this.database.row<Event>(sql`${this.one(scope, sql`e.id = ${id}`)} FOR SHARE OF e`);
  }

  listForVisible(organizationId: number, page: Page): Promise<Slice<Event>> {
    const list = sql`FROM events e WHERE e.organization_id = ${organizationId}`;
    const rows = sql`
      SELECT ${this.columns} FROM (SELECT e.id ${list}${newestFirst.page(page)}) page
      JOIN events e USING (id) ${newestFirst.by(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list, isShort: true });
  }

  listFor(scope: Scope, page: Page): Promise<Slice<Event>> {
    const list = newestOfEach(scope, sql` LIMIT ${MAX_COUNT + 1}`);
    const rows = sql`
      SELECT ${this.columns} FROM events e WHERE e.id = ANY(ARRAY(
        SELECT own.id ${newestOfEach(scope, newestFirst.pageToMerge(page))}${newestOwn.page(page)}))
      ${newestFirst.by(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Returns undefined if the slug is taken. */
  save(event: NewEvent): Promise<Event | undefined> {
    return this.database.row<Event>(sql`
      INSERT INTO events AS e (organization_id, name, slug, event_type, event_category, status, dimension, dimension_type,
        latitude, longitude, start_date, end_date, automatic, every_hours, windows, requests_per_second, parallel_targets,
        report_at_end, depth, accounts, accounts_role, started_by)
      VALUES (${event.organizationId}, ${event.name}, ${event.slug}, ${event.eventType}, ${event.eventCategory},
        ${event.status}, ${event.dimension}, ${event.dimensionType}, ${event.latitude}, ${event.longitude},
        ${event.startDate}, ${event.endDate}, ${event.automatic}, ${event.everyHours}, ${event.windows},
        ${event.requestsPerSecond}, ${event.parallelTargets}, ${event.reportAtEnd}, ${event.depth},
        ${event.accounts}, ${event.accountsRole}, ${event.startedBy})
      ON CONFLICT (slug) DO NOTHING RETURNING ${this.columns}`);
  }

  async change(id: number, change: Partial<Event>): Promise<void> {
    const repository = await this.database.repository(Event);
    await repository.update({ id }, change);
  }

  /** The slugs of events that must start or end now, longest overdue first. */
  findDue(scope: Scope, now: Date, limit: number): Promise<Pick<Event, 'slug' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT e.slug, e.organization_id AS "organizationId" FROM events e
      WHERE (e.status = 'scheduled' AND e.start_date <= ${now} OR e.status IN ('running', 'paused') AND e.end_date <= ${now})
        AND ${visibleTo(scope, 'e.organization_id')}
      ORDER BY e.start_date LIMIT ${limit}`);
  }

  /** Machine events that have begun, and those that ended lately. */
  listToPlan(scope: Scope, endedSince: Date): Promise<Pick<Event, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT e.id, e.organization_id AS "organizationId" FROM events e
      WHERE (e.automatic OR e.report_at_end) AND ${visibleTo(scope, 'e.organization_id')}
        AND (e.status IN ('running', 'paused', 'retesting') OR e.status = 'finished' AND e.end_date > ${endedSince})`);
  }

  private one(scope: Scope, condition: Sql): Sql {
    return sql`SELECT ${this.columns} FROM events e WHERE ${condition} AND ${visibleTo(scope, 'e.organization_id')}`;
  }
}

const bySlug = (slug: string): Sql => sql`e.slug = ${slug}`;
