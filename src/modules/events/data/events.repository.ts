import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { type Sql, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import type { EventStatus } from '../domain/event-status';
import { Event } from './event.entity';

export type NewEvent = Pick<
  Event,
  'organizationId' | 'name' | 'slug' | 'eventType' | 'eventCategory' | 'status' | 'dimension' | 'startDate' | 'endDate'
>;

const newestFirst = byId<Event>('e.id');

@Injectable()
export class EventsRepository {
  private readonly columns = this.database.columns(Event, 'e');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, slug: string): Promise<Event | undefined> {
    return this.database.row<Event>(this.one(scope, bySlug(slug)));
  }

  findById(scope: Scope, id: number): Promise<Event | undefined> {
    return this.database.row<Event>(this.one(scope, sql`e.id = ${id}`));
  }

  lockOne(scope: Scope, slug: string): Promise<Event | undefined> {
    return this.database.row<Event>(sql`${this.one(scope, bySlug(slug))} FOR UPDATE OF e`);
  }

  listForVisible(organizationId: number, page: Page): Promise<Slice<Event>> {
    const list = sql`FROM events e WHERE e.organization_id = ${organizationId}`;
    const rows = sql`
      SELECT ${this.columns} FROM (SELECT e.id ${list}${newestFirst.page(page)}) page
      JOIN events e USING (id) ${newestFirst.by(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Returns undefined if the slug is taken. */
  save(event: NewEvent): Promise<Event | undefined> {
    return this.database.row<Event>(sql`
      INSERT INTO events AS e (organization_id, name, slug, event_type, event_category, status, dimension, start_date, end_date)
      VALUES (${event.organizationId}, ${event.name}, ${event.slug}, ${event.eventType}, ${event.eventCategory},
        ${event.status}, ${event.dimension}, ${event.startDate}, ${event.endDate})
      ON CONFLICT (slug) DO NOTHING RETURNING ${this.columns}`);
  }

  async saveStatus(id: number, status: EventStatus): Promise<void> {
    const repository = await this.database.repository(Event);
    await repository.update({ id }, { status });
  }

  async saveSecondLook(id: number, secondLook: boolean): Promise<void> {
    const repository = await this.database.repository(Event);
    await repository.update({ id }, { secondLook });
  }

  /** The slugs of events that must start or end now, longest overdue first. */
  async findDue(scope: Scope, now: Date, limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ slug: string }>(sql`
      SELECT e.slug FROM events e
      WHERE (e.status = 'scheduled' AND e.start_date <= ${now} OR e.status IN ('running', 'paused') AND e.end_date <= ${now})
        AND ${visibleTo(scope, 'e.organization_id')}
      ORDER BY e.start_date LIMIT ${limit}`);
    return rows.map(({ slug }) => slug);
  }

  private one(scope: Scope, condition: Sql): Sql {
    return sql`SELECT ${this.columns} FROM events e WHERE ${condition} AND ${visibleTo(scope, 'e.organization_id')}`;
  }
}

const bySlug = (slug: string): Sql => sql`e.slug = ${slug}`;
