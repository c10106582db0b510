import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { raw, sql } from '../database/sql';
import type { Claim, NewWork } from './claim';

const claimColumns = raw(`id, kind, reference, organization_id AS "organizationId", asset_id AS "assetId",
  event_id AS "eventId", attempt`);

const unfinished = raw(`state IN ('waiting', 'running')`);

/** Claim, lease, fence and sweep, once for all kinds of work. Time is the database's, so that hosts need not agree. */
@Injectable()
export class WorkRepository {
  constructor(private readonly database: Database) {}

  /** Answers false if the same piece of work is already unfinished. */
  async add({ kind, reference, organizationId, assetId, eventId, runAt }: NewWork): Promise<boolean> {
    const added = await this.database.change(sql`
      INSERT INTO work (kind, reference, organization_id, asset_id, event_id, run_at)
      VALUES (${kind}, ${reference}, ${organizationId ?? null}, ${assetId ?? null}, ${eventId ?? null}, coalesce(${runAt ?? null}, now()))
      ON CONFLICT (kind, reference) WHERE ${unfinished} DO NOTHING`);
    return added === 1;
  }

  claim(kinds: readonly string[], leaseSeconds: number, mostAttempts: number): Promise<Claim | undefined> {
    return this.database.row<Claim>(sql`
      UPDATE work SET state = 'running', attempt = attempt + 1, lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = (
        SELECT id FROM work
        WHERE kind = ANY(${kinds}::text[])
          AND ((state = 'waiting' AND run_at <= now()) OR (state = 'running' AND lease_until < now() AND attempt < ${mostAttempts}))
        ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${claimColumns}`);
  }

  /** Renews the leases of all claims at once; what it does not answer is no longer theirs: canceled, or taken over. */
  async renew(claims: readonly Claim[], leaseSeconds: number): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(sql`
      UPDATE work SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      FROM unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ attempt }) => attempt)}::int[]) AS mine (id, attempt)
      WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running'
      RETURNING work.id`);
    return new Set(rows.map(({ id }) => id));
  }

  /** The fence: ends the claim if it is still the current one. A late result answers false, and is dropped. */
  async finish({ id, attempt }: Claim, state: 'done' | 'failed', error?: string): Promise<boolean> {
    const finished = await this.database.change(sql`
      UPDATE work SET state = ${state}, lease_until = NULL, finished = now(), error = ${error ?? null}
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
    return finished === 1;
  }

  /** Gives a claim back: for a shutdown at once, after a failure with a pause. The attempt it cost is counted. */
  async handBack({ id, attempt }: Claim, pauseSeconds: number): Promise<void> {
    await this.database.change(sql`
      UPDATE work SET state = 'waiting', lease_until = NULL, run_at = now() + make_interval(secs => ${pauseSeconds})
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
  }

  /** What has used up its attempts and is held by nobody. Of several sweepers that see it, the fence lets one give it up. */
  findExhausted(mostAttempts: number): Promise<Claim | undefined> {
    return this.database.row<Claim>(sql`
      SELECT ${claimColumns} FROM work
      WHERE state = 'running' AND lease_until < now() AND attempt >= ${mostAttempts}
      ORDER BY lease_until LIMIT 1`);
  }

  cancel(kind: string, reference: string): Promise<number> {
    return this.database.change(sql`
      UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
      WHERE kind = ${kind} AND reference = ${reference} AND ${unfinished}`);
  }

  cancelAllOf(organizationId: number): Promise<number> {
    return this.database.change(sql`
      UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
      WHERE organization_id = ${organizationId} AND ${unfinished}`);
  }

  async isRunningOn(assetId: number, eventId?: number): Promise<boolean> {
    const running = await this.database.row(sql`
      SELECT 1 FROM work WHERE asset_id = ${assetId} AND state = 'running'
        AND (${eventId ?? null}::int IS NULL OR event_id = ${eventId ?? null}) LIMIT 1`);
    return running !== undefined;
  }

  /** Makes a task of the clock this worker's for now, if it is due. */
  async takeTask(name: string, everySeconds: number): Promise<boolean> {
    const taken = await this.database.change(sql`
      INSERT INTO clock_tasks AS task (name, next_run) VALUES (${name}, now() + make_interval(secs => ${everySeconds}))
      ON CONFLICT (name) DO UPDATE SET next_run = excluded.next_run WHERE task.next_run <= now()`);
    return taken === 1;
  }

  /** Finished work is of no more use once people have stopped asking about it. */
  removeFinished(days: number, most: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM work WHERE id IN (
        SELECT id FROM work WHERE state NOT IN ('waiting', 'running') AND finished < now() - make_interval(days => ${days}) LIMIT ${most})`);
  }
}
