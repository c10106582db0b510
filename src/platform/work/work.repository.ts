import { Injectable } from '@nestjs/common';
import { traceparentOf } from '../../kernel/trace-context';
import type { Scope } from '../api/scope';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { type Sql, raw, sql } from '../database/sql';
import { ownedIn } from '../database/visible';
import type { Claim, NewWork } from './claim';
import { claimTasks } from './claim-tasks';
import { claimColumns, type ClaimedRow, claimOf } from './claimed-row';
import type { QueuePick } from './fair-share';
import { type InnerWalk, queueOf, queueOwner, type Walk, type WalkedQueue, walkedQueues } from './queue-walks';
import type { TaskTerms } from './work-handler';

/** So that a round of claims takes milliseconds also after an upgrade, or a night without workers. */
export const PLACED_AT_ONCE = 1_000;

export const unfinished = raw(`state IN ('waiting', 'running')`);

/** With the attempt, since another worker may have claimed the row. */
const claimPairs = (claims: readonly Claim[]): Sql =>
  sql`unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ attempt }) => attempt)}::int[]) AS mine (id, attempt)`;

export interface UnfinishedOfKind {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  /** How long the oldest has been waiting; 0 if none is waiting. */
  readonly oldestSeconds: number;
}

export interface ClaimTerms {
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** Whether rows with expired leases may be claimed. */
  readonly reclaimExpired: boolean;
  /** The kinds of which an organization has one running piece at a time. */
  readonly onePerOrganization: readonly string[];
}

/** The condition that a running row has lost its worker and may be claimed. */
const isExpiredAndClaimable = ({ reclaimExpired, maxAttempts }: ClaimTerms): Sql =>
  sql`(${reclaimExpired}::boolean AND lease_until < now() AND failures + 1 < ${maxAttempts})`;

/** Locks in the same order everywhere, to prevent deadlocks. */
export const lockInIdOrder = raw('ORDER BY id FOR UPDATE');

/** Like a foreign key does: it cannot be deleted until the transaction ends, and other transactions can still refer to it. */
export const keepOrganization = (id: Sql): Sql => sql`SELECT 1 FROM organizations WHERE id = ${id} FOR KEY SHARE`;

/**
 * If an organization may run one at a time, only its first piece can be claimed, and only while none runs: two workers that
 * claim at the same moment choose the same row, and one of them finds it locked or running. What no worker has placed counts.
 */
const isFirstOfPicked = sql`NOT EXISTS (
                SELECT FROM work WHERE state = 'running' AND kind = picked.kind AND ${queueOwner} = picked.owner)
              AND id = (SELECT id FROM (
                (SELECT id, run_at FROM work
                  WHERE state = 'waiting' AND kind = picked.kind AND queue = picked.key AND ${queueOwner} = picked.owner AND run_at <= now()
                  ORDER BY run_at, id LIMIT 1)
                UNION ALL
                (SELECT id, run_at FROM work
                  WHERE state = 'waiting' AND kind = picked.kind AND queue IS NULL AND ${queueOwner} = picked.owner AND run_at <= now()
                  ORDER BY run_at, id LIMIT 1)) firsts ORDER BY run_at, id LIMIT 1)`;

/**
 * Claims, leases, fencing and sweeps for all kinds of work. Uses the time of the database, since clocks of hosts may differ.
 * Work is finished after locking its organization, in the same order as when an organization is deleted.
 */
@Injectable()
export class WorkRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
  ) {}

  /** Returns false if unfinished work with the same kind and reference exists. */
  async add({ kind, reference, organizationId, assetId, eventId, runAt, trace }: NewWork): Promise<boolean> {
    const added = await this.database.change(sql`
      INSERT INTO work (kind, reference, organization_id, asset_id, event_id, run_at, queue, traceparent, tracestate)
      SELECT ${kind}, ${reference}, owner.id, ${assetId ?? null}::int, ${eventId ?? null}::int, due.at,
        CASE WHEN due.at <= now() THEN ${queueOf(raw('owner.id'))} END, ${trace === undefined ? null : traceparentOf(trace)}, ${trace?.state ?? null}
      FROM (SELECT ${organizationId ?? null}::int AS id) owner, (SELECT coalesce(${runAt ?? null}::timestamptz(3), now()) AS at) due
      ON CONFLICT (kind, reference) WHERE ${unfinished} DO NOTHING`);
    return added === 1;
  }

  /**
   * Places what has become due since it was written, and what has lost its worker, which counts as a failure, in the queues
   * that claims read. Returns the number of rows.
   */
  place(kinds: readonly string[], terms: ClaimTerms): Promise<number> {
    return this.database.change(sql`
      UPDATE work SET state = 'waiting', failures = failures + (state = 'running')::int, lease_until = NULL, progress = NULL,
        queue = ${queueOf(raw('work.organization_id'))}
      WHERE id = ANY (
        ARRAY(SELECT id FROM work WHERE state = 'waiting' AND queue IS NULL AND run_at <= now()
          ORDER BY run_at LIMIT ${PLACED_AT_ONCE} FOR UPDATE SKIP LOCKED)
        || ARRAY(SELECT id FROM work WHERE state = 'running' AND kind = ANY(${kinds}::text[]) AND ${isExpiredAndClaimable(terms)}
          LIMIT ${PLACED_AT_ONCE} FOR UPDATE SKIP LOCKED))`);
  }

  queues(walks: readonly Walk[], innerWalks: readonly InnerWalk[] = []): Promise<WalkedQueue[]> {
    return this.database.rows<WalkedQueue>(walkedQueues(walks, innerWalks));
  }

  /**
   * For metrics: the cost depends on the waiting rows only up to `maxCounted` of a kind, and on organizations up to `maxOwners`.
   * They are read in the order of the index, because without it PostgreSQL may read all finished rows.
   */
  countUnfinished(kinds: readonly string[], maxCounted: number, maxOwners: number): Promise<UnfinishedOfKind[]> {
    return this.database.rows<UnfinishedOfKind>(sql`
      WITH RECURSIVE first AS (
        SELECT next.*, 1 AS number FROM unnest(${kinds}::text[]) AS wanted (kind) CROSS JOIN LATERAL (
          SELECT kind, queue, ${queueOwner} AS owner, run_at FROM work WHERE state = 'waiting' AND kind = wanted.kind AND queue IS NOT NULL
          ORDER BY queue, ${queueOwner}, run_at LIMIT 1) next
        UNION ALL
        SELECT next.*, number + 1 FROM first CROSS JOIN LATERAL (
          SELECT kind, queue, ${queueOwner}, run_at FROM work
          WHERE state = 'waiting' AND kind = first.kind AND (queue, ${queueOwner}) > (first.queue, first.owner)
          ORDER BY queue, ${queueOwner}, run_at LIMIT 1) next
        WHERE number < ${maxOwners}),
      due AS (
        SELECT kind, owner, run_at FROM first WHERE run_at <= now()
        UNION ALL
        (SELECT kind, ${queueOwner}, run_at FROM work WHERE state = 'waiting' AND queue IS NULL AND run_at <= now()
          ORDER BY run_at LIMIT ${maxCounted})),
      oldest AS MATERIALIZED (
        SELECT kind, min(run_at) AS since FROM due
        WHERE NOT EXISTS (SELECT FROM organizations WHERE id = due.owner AND suspended_at IS NOT NULL) GROUP BY kind),
      running AS MATERIALIZED (SELECT kind, count(*)::int AS rows FROM work WHERE state = 'running' GROUP BY kind)
      SELECT kind, coalesce((SELECT rows FROM running WHERE running.kind = wanted.kind), 0) AS running,
        (SELECT count(*)::int FROM (
          SELECT FROM work WHERE state = 'waiting' AND kind = wanted.kind
          ORDER BY queue, ${queueOwner}, run_at LIMIT ${maxCounted}) counted) AS waiting,
        coalesce((SELECT extract(epoch FROM now() - since)::float8 FROM oldest WHERE oldest.kind = wanted.kind), 0) AS "oldestSeconds"
      FROM unnest(${kinds}::text[]) AS wanted (kind)`);
  }

  /** Claims the first unlocked rows of these queues. */
  async claim(picks: readonly QueuePick[], { leaseSeconds, onePerOrganization }: ClaimTerms): Promise<Claim[]> {
    const kinds = picks.map(({ queue }) => queue.kind);
    const keys = picks.map(({ queue }) => queue.key);
    const owners = picks.map(({ queue }) => queue.organizationId ?? 0);
    const counts = picks.map(({ count }) => count);
    const rows = await this.database.rows<ClaimedRow>(sql`
      UPDATE work SET state = 'running', attempt = attempt + 1, progress = NULL, lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY (ARRAY(
        SELECT first.id
        FROM unnest(${kinds}::text[], ${keys}::int[], ${owners}::int[], ${counts}::int[]) AS picked (kind, key, owner, count)
        CROSS JOIN LATERAL (
          SELECT id FROM work
          WHERE state = 'waiting' AND kind = picked.kind AND queue = picked.key AND ${queueOwner} = picked.owner AND run_at <= now()
            AND NOT EXISTS (SELECT FROM organizations WHERE organizations.id = picked.owner AND suspended_at IS NOT NULL)
            AND (picked.kind <> ALL (${onePerOrganization}::text[]) OR (${isFirstOfPicked}))
          ORDER BY run_at, id LIMIT picked.count FOR UPDATE SKIP LOCKED) first))
      RETURNING ${claimColumns}`);
    return rows.map(claimOf);
  }

  /**
   * Renews the leases of all claims, and returns the claims that are lost: canceled, or claimed by another worker. Locked
   * rows are skipped until the next renewal, so that they do not delay the others. A worker renews before it claims, so that
   * it knows the time of the database.
   */
  async renew(claims: readonly Claim[], leaseSeconds: number): Promise<Pick<Claim, 'id' | 'attempt'>[]> {
    const mine = claimPairs(claims);
    await this.clock.measure();
    await this.database.change(sql`
      UPDATE work SET lease_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY(ARRAY(
        SELECT work.id FROM work JOIN ${mine} ON work.id = mine.id AND work.attempt = mine.attempt
        WHERE state = 'running' FOR UPDATE OF work SKIP LOCKED))`);
    return this.database.rows(sql`
      SELECT mine.id, mine.attempt FROM ${mine} WHERE NOT EXISTS (
        SELECT 1 FROM work WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running')`);
  }

  /** The time until the next lease expires. Leases that have expired are ignored: their rows may be waiting for a free slot. */
  async secondsToNextExpiry(): Promise<number | null> {
    const row = await this.database.row<{ seconds: number | null }>(
      sql`SELECT extract(epoch FROM min(lease_until) - now())::float8 AS seconds FROM work WHERE state = 'running' AND lease_until > now()`,
    );
    return row?.seconds ?? null;
  }

  /** Finishes the work if the claim is current; else returns false, and the result must be dropped. */
  async finish({ id, attempt, organizationId }: Claim, state: 'done' | 'failed', error?: string): Promise<boolean> {
    await this.database.rows(keepOrganization(sql`${organizationId}`));
    const finished = await this.database.change(sql`
      UPDATE work SET state = ${state}, lease_until = NULL, finished = now(), error = ${error ?? null}, progress = NULL
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
    return finished === 1;
  }

  /** Releases claims for other workers, without counting a failure. */
  async release(claims: readonly Claim[]): Promise<void> {
    await this.database.change(sql`
      UPDATE work SET state = 'waiting', lease_until = NULL, run_at = now(), progress = NULL
      FROM ${claimPairs(claims)} WHERE work.id = mine.id AND work.attempt = mine.attempt AND state = 'running'`);
  }

  /** Counts a failure and tries again after a pause. */
  async reschedule({ id, attempt }: Claim, pauseSeconds: number): Promise<void> {
    await this.database.change(sql`
      UPDATE work SET state = 'waiting', failures = failures + 1, lease_until = NULL, progress = NULL, queue = NULL,
        run_at = now() + make_interval(secs => ${pauseSeconds})
      WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
  }

  /** Work that lost its worker in the last attempt. If several workers abandon it, the fencing token lets one succeed. */
  async listExhausted(kinds: readonly string[], maxAttempts: number, limit: number): Promise<Claim[]> {
    const rows = await this.database.rows<ClaimedRow>(sql`
      SELECT ${claimColumns} FROM work
      WHERE state = 'running' AND lease_until < now() AND failures + 1 >= ${maxAttempts} AND kind = ANY(${kinds}::text[])
      ORDER BY lease_until LIMIT ${limit}`);
    return rows.map(claimOf);
  }

  /** Returns false if the claim is lost: canceled, finished, or claimed by another worker. */
  async saveProgress({ id, attempt }: Claim, progress: string): Promise<boolean> {
    const saved = await this.database.change(sql`
      UPDATE work SET progress = ${progress} WHERE id = ${id} AND attempt = ${attempt} AND state = 'running'`);
    return saved === 1;
  }

  async isRunningOn(assetId: number, eventId?: number, except: readonly string[] = []): Promise<boolean> {
    const running = await this.database.row(sql`
      SELECT 1 FROM work WHERE asset_id = ${assetId} AND state = 'running' AND kind <> ALL (${except}::text[])
        AND (${eventId ?? null}::int IS NULL OR event_id = ${eventId ?? null}) LIMIT 1`);
    return running !== undefined;
  }

  /** The names of the tasks that this worker has claimed. */
  async claimTasks(tasks: readonly TaskTerms[]): Promise<ReadonlySet<string>> {
    return new Set((await this.database.rows<TaskTerms>(claimTasks(tasks))).map(({ name }) => name));
  }

  removeFinished(scope: Scope, days: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM work WHERE id = ANY(ARRAY(
        SELECT id FROM work WHERE state NOT IN ('waiting', 'running') AND finished < now() - make_interval(days => ${days})
          AND ${ownedIn(scope, 'organization_id')} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
  }
}
