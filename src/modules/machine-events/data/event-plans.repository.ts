import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { Scope } from '../../../platform/api/scope';
import { EventPlan } from './event-plan.entity';

type Key = Pick<EventPlan, 'eventId' | 'organizationId'>;

@Injectable()
export class EventPlansRepository {
  private readonly columns = this.database.columns(EventPlan, 'p');

  constructor(private readonly database: Database) {}

  /** Of events that have none yet. */
  async addMissing(
    events: readonly { readonly id: number; readonly organizationId: number }[],
    now: Date,
  ): Promise<void> {
    const ids = events.map(({ id }) => id);
    const owners = events.map(({ organizationId }) => organizationId);
    await this.database.change(sql`
      INSERT INTO event_plans (event_id, organization_id, next_turn)
      SELECT added.event_id, added.owner, ${now} FROM unnest(${ids}::int[], ${owners}::int[]) AS added (event_id, owner)
      WHERE EXISTS (SELECT 1 FROM organizations o WHERE o.id = added.owner)
      ON CONFLICT DO NOTHING`);
  }

  /** Longest due first. */
  listDue(scope: Scope, now: Date, limit: number): Promise<Key[]> {
    return this.database.rows<Key>(sql`
      SELECT p.event_id AS "eventId", p.organization_id AS "organizationId" FROM event_plans p
      WHERE p.next_turn <= ${now} AND ${visibleTo(scope, 'p.organization_id')} ORDER BY p.next_turn LIMIT ${limit}`);
  }

  /** Undefined if another worker has it, or had it just now. */
  lockDue({ eventId }: Key, now: Date): Promise<EventPlan | undefined> {
    return this.database.row<EventPlan>(sql`
      SELECT ${this.columns} FROM event_plans p WHERE p.event_id = ${eventId} AND p.next_turn <= ${now}
      FOR UPDATE SKIP LOCKED`);
  }

  /** Whenever its next turn is. */
  lock({ eventId }: Key): Promise<EventPlan | undefined> {
    return this.database.row<EventPlan>(
      sql`SELECT ${this.columns} FROM event_plans p WHERE p.event_id = ${eventId} FOR UPDATE`,
    );
  }

  findOfVisible(eventId: number): Promise<EventPlan | undefined> {
    return this.database.row<EventPlan>(sql`SELECT ${this.columns} FROM event_plans p WHERE p.event_id = ${eventId}`);
  }

  async change({ eventId }: Key, change: Partial<EventPlan>): Promise<void> {
    const repository = await this.database.repository(EventPlan);
    await repository.update({ eventId }, change);
  }

  /** Returns false if it was reported before. */
  async markReported({ eventId }: Key, at: Date): Promise<boolean> {
    const marked = await this.database.change(sql`
      UPDATE event_plans SET reported = ${at} WHERE event_id = ${eventId} AND reported IS NULL`);
    return marked === 1;
  }
}
