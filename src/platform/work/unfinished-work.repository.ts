import { Injectable } from '@nestjs/common';
import { Config } from '../config/load-config';
import { Database } from '../database/database';
import { raw, type Sql, sql } from '../database/sql';
import type { Claim } from './claim';
import { queueOf, queueOwner } from './queue-walks';
import { keepOrganization, unfinished } from './work.repository';

/** Work that waits for a worker or is running. */
export interface UnfinishedWork {
  readonly state: 'waiting' | 'running';
  /** What its worker shows of it; null until the worker has shown something. */
  readonly progress: unknown;
}

/** Work that no worker has begun, or that is tried again. */
export interface WaitingWork {
  /** In the queue of its kind and organization, from 1. */
  readonly position: number;
  /** Waiting since then, or until then. */
  readonly runAt: Date;
  readonly isDue: boolean;
  /** Its organization is suspended. */
  readonly isHeld: boolean;
  /** Running work of its kind: of its organization, and of others. */
  readonly ownRunning: number;
  readonly othersRunning: number;
  /** Set if no worker was seen for a minute, or for three sweeps if these are longer. `since` is null if none ever was. */
  readonly workersGone: { readonly since: Date | null } | null;
}

/** The task with which a running worker shows that it runs: this often, or at each sweep if sweeps are rarer. */
export const WORKERS_SEEN = { name: 'work.workers_seen', everySeconds: 20 };
const GONE_SECONDS = 60;
const GONE_SWEEPS = 3;

/** The work up to `mine`. Rows that no worker has placed in their queue yet are apart in the index. */
const before = (which: Sql): Sql => sql`
          SELECT count(*)::int FROM work
          WHERE state = 'waiting' AND kind = mine.kind AND ${queueOwner} = mine.owner AND (run_at, id) <= (mine.run_at, mine.id) AND ${which}`;

/** Reads single pieces of work for those who wait for them. */
@Injectable()
export class UnfinishedWorkRepository {
  private readonly goneSeconds: number;

  constructor(
    private readonly database: Database,
    { WORK_SWEEP_SECONDS }: Config,
  ) {
    this.goneSeconds = Math.max(GONE_SECONDS, GONE_SWEEPS * WORK_SWEEP_SECONDS);
  }

  findUnfinished(kind: string, reference: string): Promise<UnfinishedWork | undefined> {
    return this.database.row<UnfinishedWork>(sql`
      SELECT state, progress FROM work WHERE kind = ${kind} AND reference = ${reference} AND ${unfinished}`);
  }

  /** Undefined if it does not wait for a worker. */
  async findWaiting(kind: string, reference: string): Promise<WaitingWork | undefined> {
    const row = await this.database.row<Omit<WaitingWork, 'workersGone'> & { seen: Date | null; isGone: boolean }>(sql`
      SELECT mine.run_at AS "runAt", mine.run_at <= now() AS "isDue",
        EXISTS (SELECT FROM organizations WHERE id = mine.owner AND suspended_at IS NOT NULL) AS "isHeld", running.own AS "ownRunning", running.others AS "othersRunning",
        (${before(sql`queue = ${queueOf(raw('nullif(mine.owner, 0)'))}`)}) + (${before(raw('queue IS NULL'))}) AS position,
        seen.at AS seen, (seen.at > now() - make_interval(secs => ${this.goneSeconds})) IS NOT TRUE AS "isGone"
      FROM (
        SELECT kind, ${queueOwner} AS owner, run_at, id FROM work
        WHERE kind = ${kind} AND reference = ${reference} AND state = 'waiting') mine
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE ${queueOwner} = mine.owner)::int AS own,
          count(*) FILTER (WHERE ${queueOwner} <> mine.owner)::int AS others
        FROM work WHERE state = 'running' AND kind = mine.kind) running
      CROSS JOIN LATERAL (
        SELECT max(next_run) - make_interval(secs => ${WORKERS_SEEN.everySeconds}) AS at
        FROM clock_tasks WHERE name = ${WORKERS_SEEN.name}) seen`);
    if (row === undefined) return undefined;
    const { seen, isGone, ...waiting } = row;
    return { ...waiting, workersGone: isGone ? { since: seen } : null };
  }

  /** Whether the claim is current. It stays so until the end of the transaction, which locks in the order of a completion. */
  async lockCurrent({ id, attempt, organizationId }: Claim): Promise<boolean> {
    await this.database.rows(keepOrganization(sql`${organizationId}`));
    const current = await this.database.row(sql`
      SELECT 1 AS current FROM work WHERE id = ${id} AND attempt = ${attempt} AND state = 'running' FOR UPDATE`);
    return current !== undefined;
  }
}
