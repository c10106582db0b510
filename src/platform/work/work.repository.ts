import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { type Sql, raw, sql } from '../database/sql';
import type { Claim, NewWork } from './claim';
import type { Queue, QueuePick } from './fair-share';

const claimColumns = raw(`id, kind, reference, organization_id AS "organizationId", asset_id AS "assetId",
  event_id AS "eventId", attempt, failures,
  (SELECT integrator_id FROM organizations WHERE organizations.id = work.organization_id) AS "integratorId"`);

const unfinished = raw(`state IN ('waiting', 'running')`);

/** Whose queue it is in, as their index has it; 0 is the service's own. */
const queueOwner = raw('coalesce(organization_id, 0)');

/** By id and attempt: the row may be somebody else's by now. */
const claimPairs = (claims: readonly Claim[]): Sql =>
  sql`unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ attempt }) => attempt)}::int[]) AS mine (id, attempt)`;

export interface ClaimTerms {
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** Whether to take over from workers that are silent. */
  readonly reclaimExpired: boolean;
}

/** Of a row that is running: its worker was lost, and another may take it over. */
const isExpiredAndClaimable = ({ reclaimExpired, maxAttempts }: ClaimTerms): Sql =>
  sql`(${reclaimExpired}::boolean AND lease_until < now() AND failures + 1 < ${maxAttempts})`;

/** Many rows are locked in one order, so that of two who lock the same nobody waits in a circle. */
const lockInIdOrder = raw('ORDER BY id FOR UPDATE');

/**
 * Claim, lease, fence and sweep, once for all kinds of work. Time is the database's, so that hosts need not agree. Whoever
 * ends work holds its organization first, as the deletion of an organization does before it ends all its work.
 */
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

  /**
   * The queue of every organization with unfinished work of these kinds. Reads the first waiting row of each, going from
   * one to the next on their index, so that its cost grows with the organizations and not with their work.
   */
  queues(kinds: readonly string[], terms: ClaimTerms): Promise<Queue[]> {
    return this.database.rows<Queue>(sql`
      WITH RECURSIVE waiting AS (
        SELECT first.* FROM unnest(${kinds}::text[]) AS wanted (kind) CROSS JOIN LATERAL (
          SELECT kind, ${queueOwner} AS owner, run_at FROM work WHERE state = 'waiting' AND kind = wanted.kind
          ORDER BY ${queueOwner}, run_at LIMIT 1) first
        UNION ALL
        SELECT next.* FROM waiting CROSS JOIN LATERAL (
          SELECT kind, ${queueOwner}, run_at FROM work
          WHERE state = 'waiting' AND kind = waiting.kind AND ${queueOwner} > waiting.owner
          ORDER BY ${queueOwner}, run_at LIMIT 1) next),
      running AS (
        SELECT kind, ${queueOwner} AS owner, count(*) FILTER (WHERE lease_until >= now())::int AS pieces,
          min(run_at) FILTER (WHERE ${isExpiredAndClaimable(terms)}) AS lost_since
        FROM work WHERE state = 'running' AND kind = ANY(${kinds}::text[]) GROUP BY 1, 2)
      SELECT kind, nullif(owner, 0) AS "organizationId", integrator_id AS "integratorId",
        coalesce(pieces, 0) AS running, least(lost_since, CASE WHEN run_at <= now() THEN run_at END) AS "dueSince"
      FROM waiting FULL JOIN running USING (kind, owner) LEFT JOIN organizations ON organizations.id = owner`);
  }

  /**
   * The first pieces of these queues that nobody is just changing. What runs under an expired lease has lost its worker,
   * which counts as a failure; `reclaimExpired` is false if that must wait.
   */
  claim(picks: readonly QueuePick[], terms: ClaimTerms): Promise<Claim[]> {
    const kinds = picks.map(({ queue }) => queue.kind);
    const owners = picks.map(({ queue }) => queue.organizationId ?? 0);
    const pieces = picks.map((pick) => pick.pieces);
    return this.database.rows<Claim>(sql`
      UPDATE work SET state = 'running', attempt = attempt + 1, failures = failures + (state = 'running')::int,
        lease_until = now() + make_interval(secs => ${terms.leaseSeconds})
      WHERE id = ANY (ARRAY(
        SELECT first.id
        FROM unnest(${kinds}::text[], ${owners}::int[], ${pieces}::int[]) AS picked (kind, owner, pieces)
        CROSS JOIN LATERAL (
          SELECT id FROM work
          WHERE ${unfinished} AND kind = picked.kind AND ${queueOwner} = picked.owner AND run_at <= now()
            AND (state = 'waiting' OR ${isExpiredAndClaimable(terms)})
          ORDER BY run_at, id LIMIT picked.pieces FOR UPDATE SKIP LOCKED) first))
      RETURNING ${claimColumns}`);
  }

  /**
   * Renews the leases of all claims at once, and answers those that are no longer theirs: canceled, or taken over. A row
   * that somebody is just changing is left for the next time, so that one that is locked keeps no other from its lease.
   */
  async renew(claims: readonly Claim[], leaseSeconds: number): Promise<Pick<Claim, 'id' | 'attempt'>[]> {
    const mine = claimPairs(claims);
    await this.database.change(sql`
      UPDATE work SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY(ARRAY(
        SELECT work.id FROM work JOIN ${mine} ON work.id = mine.id AND work.attempt = mine.attempt
        WHERE state = 'running' FOR UPDATE OF work SKIP LOCKED))`);
    return this.database.rows(sql`
      SELECT mine.id, mine.attempt FROM ${mine} WHERE NOT EXISTS (
        SELECT 1 FROM work WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running')`);
  }

  /** How long until the next lease runs out, if nobody renews it. What has run out already may wait for room of its kind. */
  async secondsToNextExpiry(): Promise<number | null> {
    const row = await this.database.row<{ seconds: number | null }>(
      sql`SELECT extract(epoch FROM min(lease_until) - now())::float8 AS seconds FROM work WHERE state = 'running' AND lease_until > now()`,
    );
    return row?.seconds ?? null;
  }

  /** The fence: ends the claim if it is still the current one. A late result answers false, and is dropped. */
  async finish({ id, attempt, organizationId }: Claim, state: 'done' | 'failed', error?: string): Promise<boolean> {
    await this.lockOrganization(sql`${organizationId}`);
    const finished = await this.database.change(sql`
      UPDATE work SET state = ${state}, lease_until = NULL, finished = now(), error = ${error ?? null}
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
    return finished === 1;
  }

  /** Gives claims back in order, for others to take at once: that is no failure of the work. */
  async release(claims: readonly Claim[]): Promise<void> {
    await this.database.change(sql`
      UPDATE work SET state = 'waiting', lease_until = NULL, run_at = now()
      FROM ${claimPairs(claims)} WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running'`);
  }

  /** After a failure, which is counted. */
  async reschedule({ id, attempt }: Claim, pauseSeconds: number): Promise<void> {
    await this.database.change(sql`
      UPDATE work SET state = 'waiting', failures = failures + 1, lease_until = NULL,
        run_at = now() + make_interval(secs => ${pauseSeconds})
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
  }

  /** What has lost its worker once too often, and is held by nobody. Of several who see it, the fence lets one give it up. */
  listExhausted(kinds: readonly string[], maxAttempts: number, limit: number): Promise<Claim[]> {
    return this.database.rows<Claim>(sql`
      SELECT ${claimColumns} FROM work
      WHERE state = 'running' AND lease_until < now() AND failures + 1 >= ${maxAttempts} AND kind = ANY(${kinds}::text[])
      ORDER BY lease_until LIMIT ${limit}`);
  }

  async cancel(kind: string, reference: string): Promise<number> {
    const which = sql`kind = ${kind} AND reference = ${reference} AND ${unfinished}`;
    await this.lockOrganization(sql`(SELECT organization_id FROM work WHERE ${which})`);
    return this.database.change(sql`
      UPDATE work SET state = 'canceled', lease_until = NULL, finished = now() WHERE ${which}`);
  }

  /** The caller has locked the organization. */
  cancelAllOf(organizationId: number): Promise<number> {
    return this.database.change(sql`
      UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
      WHERE id IN (SELECT id FROM work WHERE organization_id = ${organizationId} AND ${unfinished} ${lockInIdOrder})`);
  }

  async positionOf(kind: string, reference: string): Promise<number | null> {
    const row = await this.database.row<{ position: number }>(sql`
      SELECT (
        SELECT count(*)::int FROM work
        WHERE state = 'waiting' AND kind = mine.kind AND ${queueOwner} = mine.owner AND (run_at, id) <= (mine.run_at, mine.id)
      ) AS position
      FROM (
        SELECT kind, ${queueOwner} AS owner, run_at, id FROM work
        WHERE kind = ${kind} AND reference = ${reference} AND state = 'waiting') mine`);
    return row?.position ?? null;
  }

  async isRunningOn(assetId: number, eventId?: number): Promise<boolean> {
    const running = await this.database.row(sql`
      SELECT 1 FROM work WHERE asset_id = ${assetId} AND state = 'running'
        AND (${eventId ?? null}::int IS NULL OR event_id = ${eventId ?? null}) LIMIT 1`);
    return running !== undefined;
  }

  /** Makes a task of the clock this worker's for now, if it is due. */
  async claimTask(name: string, everySeconds: number): Promise<boolean> {
    const taken = await this.database.change(sql`
      INSERT INTO clock_tasks AS task (name, next_run) VALUES (${name}, now() + make_interval(secs => ${everySeconds}))
      ON CONFLICT (name) DO UPDATE SET next_run = excluded.next_run WHERE task.next_run <= now()`);
    return taken === 1;
  }

  /** Finished work is of no more use once people have stopped asking about it. */
  removeFinished(days: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM work WHERE id = ANY(ARRAY(
        SELECT id FROM work WHERE state NOT IN ('waiting', 'running') AND finished < now() - make_interval(days => ${days})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
  }

  /** As a row that refers to it does: it stays until the transaction ends, and others may add to it meanwhile. */
  private async lockOrganization(id: Sql): Promise<void> {
    await this.database.rows(sql`SELECT 1 FROM organizations WHERE id = ${id} FOR KEY SHARE`);
  }
}
