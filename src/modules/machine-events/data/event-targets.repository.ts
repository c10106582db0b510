import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { type TargetState, targetTransitions } from '../domain/target-state';
import type { TargetCount } from '../domain/target-totals';
import { EventTarget } from './event-target.entity';
import type { EventPlan } from './event-plan.entity';

type OfEvent = Pick<EventPlan, 'eventId' | 'organizationId'>;

export type TargetChange = Partial<
  Pick<EventTarget, 'reason' | 'dueAt' | 'lastRun' | 'runs' | 'attempts' | 'work' | 'checksLeft'>
>;

/** The plan of an event. Callers have locked it, or read its event in their scope. */
@Injectable()
export class EventTargetsRepository {
  private readonly columns = this.database.columns(EventTarget, 't');

  constructor(private readonly database: Database) {}

  listRunning(eventId: number): Promise<EventTarget[]> {
    return this.database.rows<EventTarget>(sql`
      SELECT ${this.columns} FROM event_targets t WHERE t.event_id = ${eventId} AND t.state = 'running' ORDER BY t.id`);
  }

  /** Those that it tests of these. */
  async listOriginsAmong(eventId: number, origins: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ origin: string }>(sql`
      SELECT DISTINCT t.origin FROM event_targets t WHERE t.event_id = ${eventId} AND t.origin = ANY(${origins}::text[])`);
    return rows.map(({ origin }) => origin);
  }

  /** Longest due first. */
  listDue(eventId: number, now: Date, limit: number): Promise<EventTarget[]> {
    return this.database.rows<EventTarget>(sql`
      SELECT ${this.columns} FROM event_targets t
      WHERE t.event_id = ${eventId} AND t.state <> 'running' AND t.due_at <= ${now} ORDER BY t.due_at, t.id LIMIT ${limit}`);
  }

  /** Those of the next assets, and all of the last one. */
  listDone(eventId: number, afterAsset: number, limit: number): Promise<EventTarget[]> {
    return this.database.rows<EventTarget>(sql`
      SELECT ${this.columns} FROM event_targets t
      WHERE t.event_id = ${eventId} AND t.state = 'done' AND t.asset_id > ${afterAsset}
      ORDER BY t.asset_id FETCH FIRST (${limit}::int) ROWS WITH TIES`);
  }

  async saveDueTimes(eventId: number, dues: readonly Pick<EventTarget, 'id' | 'dueAt'>[]): Promise<void> {
    const ids = dues.map(({ id }) => id);
    const times = dues.map(({ dueAt }) => dueAt);
    await this.database.change(sql`
      UPDATE event_targets t SET due_at = moved.due_at
      FROM unnest(${ids}::int[], ${times}::timestamptz[]) AS moved (id, due_at)
      WHERE t.id = moved.id AND t.event_id = ${eventId}`);
  }

  async nextDue(eventId: number): Promise<Date | null> {
    const row = await this.database.row<{ dueAt: Date | null }>(sql`
      SELECT min(t.due_at) AS "dueAt" FROM event_targets t WHERE t.event_id = ${eventId} AND t.state <> 'running'`);
    return row?.dueAt ?? null;
  }

  listNotTestable(eventId: number, limit: number): Promise<EventTarget[]> {
    return this.database.rows<EventTarget>(sql`
      SELECT ${this.columns} FROM event_targets t
      WHERE t.event_id = ${eventId} AND t.state = 'not_testable' ORDER BY t.asset_id, t.id LIMIT ${limit}`);
  }

  /** The assets that the plan leaves out are targets that cannot be tested. */
  count(eventId: number, now: Date, since: Date): Promise<TargetCount[]> {
    return this.database.rows<TargetCount>(sql`
      SELECT t.origin IS NULL AS "isAsset", t.state, coalesce(t.due_at <= ${now}, false) AS "isDue", count(*)::int AS count,
        count(*) FILTER (WHERE t.last_run >= ${since})::int AS lately,
        count(*) FILTER (WHERE t.last_run IS NULL)::int AS never, min(t.due_at) AS "nextDue"
      FROM event_targets t WHERE t.event_id = ${eventId} GROUP BY 1, 2, 3
      UNION ALL SELECT true, 'not_testable', false, p.assets_left_out, 0, p.assets_left_out, NULL
      FROM event_plans p WHERE p.event_id = ${eventId} AND p.assets_left_out > 0`);
  }

  /** Returns how many were added. */
  addAssets({ eventId, organizationId }: OfEvent, assetIds: readonly number[], dueAt: Date): Promise<number> {
    return this.database.change(sql`
      INSERT INTO event_targets (event_id, organization_id, asset_id, due_at)
      SELECT ${eventId}, ${organizationId}, asset_id, ${dueAt} FROM unnest(${assetIds}::int[]) AS added (asset_id)
      ON CONFLICT DO NOTHING`);
  }

  async addOrigins(
    { eventId, organizationId, assetId }: EventTarget,
    origins: readonly string[],
    dueAt: Date,
  ): Promise<void> {
    await this.database.change(sql`
      INSERT INTO event_targets (event_id, organization_id, asset_id, origin, due_at)
      SELECT ${eventId}, ${organizationId}, ${assetId}, origin, ${dueAt} FROM unnest(${origins}::text[]) AS added (origin)
      ON CONFLICT DO NOTHING`);
  }

  /** Those of an asset are due now, because something on it changed. */
  async makeOriginsDue({ eventId, assetId }: EventTarget, dueAt: Date): Promise<void> {
    await this.database.change(sql`
      UPDATE event_targets SET due_at = ${dueAt} WHERE event_id = ${eventId} AND asset_id = ${assetId}
        AND origin IS NOT NULL AND (due_at IS NULL OR due_at > ${dueAt})`);
  }

  /** Those that the event tests as assets of their own. */
  async listPlannedElsewhere({ eventId, assetId }: EventTarget, origins: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ origin: string }>(sql`
      SELECT DISTINCT t.origin FROM event_targets t
      WHERE t.event_id = ${eventId} AND t.asset_id <> ${assetId} AND t.origin = ANY(${origins}::text[])`);
    return rows.map(({ origin }) => origin);
  }

  async removeOtherOrigins({ eventId, assetId }: EventTarget, origins: readonly string[]): Promise<void> {
    await this.database.change(sql`
      DELETE FROM event_targets WHERE event_id = ${eventId} AND asset_id = ${assetId} AND origin IS NOT NULL
        AND state <> 'running' AND origin <> ALL (${origins}::text[])`);
  }

  /** Those of assets that are not in scope any more. What runs is stopped first. */
  async removeOthers(eventId: number, assetIds: readonly number[]): Promise<void> {
    await this.database.change(sql`
      DELETE FROM event_targets
      WHERE event_id = ${eventId} AND asset_id <> ALL (${assetIds}::int[])`);
  }

  async move({ id, state }: EventTarget, to: TargetState, change: TargetChange): Promise<void> {
    if (state !== to) targetTransitions.requireAllowed(state, to);
    const repository = await this.database.repository(EventTarget);
    await repository.update({ id }, { state: to, reason: null, ...change });
  }
}
