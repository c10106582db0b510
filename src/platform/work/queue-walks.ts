import { growingCache } from '../../kernel/growing-cache';
import { type Sql, raw, sql } from '../database/sql';
import type { Queue } from './fair-share';

/** The organization, or 0 for work of the service itself, as in the index. */
export const queueOwner = raw('coalesce(organization_id, 0)');

/** The queue of due work: of the integrator, of an organization without one, or of the service itself. */
export const queueOf = (organization: Sql): Sql =>
  sql`coalesce((SELECT coalesce(integrator_id, -id) FROM organizations WHERE organizations.id = ${organization}), 0)`;

/** Where to continue in the queues of a kind, and how many of those without running work to read. */
export interface Walk {
  readonly kind: string;
  readonly after: number | null;
  readonly size: number;
  /** The same within the queue of an integrator. */
  readonly innerSize: number;
}

/** Where to continue among the organizations of an integrator. */
export interface InnerWalk {
  readonly kind: string;
  readonly queue: number;
  readonly after: number;
}

/** On a way round: `served` are those behind `after` that had their turn, before others that come first. */
interface Round {
  readonly after: number;
  readonly served: ReadonlySet<number>;
  /** For how many walks the first one has not been served. */
  readonly waits: number;
}

/** A queue that a walk has found. Only those without running work have positions, from 1: the others come in addition. */
export interface WalkedQueue extends Queue {
  readonly position: number | null;
  readonly innerPosition: number | null;
}

/** More than the free slots: the oldest come first among these, and some may be locked. */
const MORE_QUEUES = 15;
const MORE_ORGANIZATIONS = 3;
const REMEMBERED_INTEGRATORS = 500;

/**
 * Where a worker is on its way round the queues of each kind. A walk reads the next ones only, so that a claim costs the same
 * however many organizations wait. None is passed before it was served, unless that fails again and again.
 */
export class QueueWalks {
  private readonly outer = new Map<string, Round>();
  private readonly inner = growingCache<string, InnerWalk & Round>(REMEMBERED_INTEGRATORS);

  next(kinds: readonly string[], freeOf: (kind: string) => number): Walk[] {
    return kinds.map((kind) => ({
      kind,
      after: this.outer.get(kind)?.after ?? null,
      size: freeOf(kind) + MORE_QUEUES,
      innerSize: freeOf(kind) + MORE_ORGANIZATIONS,
    }));
  }

  get innerWalks(): InnerWalk[] {
    return [...this.inner.values()];
  }

  /** Returns whether a walk saw a part of the queues of a kind, and nothing in it is due. */
  advance(walks: readonly Walk[], found: readonly WalkedQueue[], served: ReadonlySet<string>): boolean {
    let missed = false;
    for (const { kind, size, innerSize } of walks) {
      const queues = found.filter((one) => one.kind === kind && one.key !== null);
      const next = nextRound(this.outer.get(kind), queues, size, served, (one) => [one.position, one.key]);
      if (next !== undefined) this.outer.set(kind, next);
      missed ||= next !== undefined && isHeld(queues);
      for (const queue of new Set(queues.map((one) => one.key ?? 0))) {
        const own = queues.filter((one) => one.key === queue);
        const name = `${kind} ${queue}`;
        const inner = nextRound(this.inner.get(name), own, innerSize, served, (one) => [
          one.innerPosition,
          one.organizationId,
        ]);
        if (inner !== undefined) this.inner.set(name, { kind, queue, ...inner });
        missed ||= inner !== undefined && isHeld(own);
      }
    }
    return missed;
  }
}

export const ownerKey = ({ kind, organizationId }: Pick<Queue, 'kind' | 'organizationId'>): string =>
  `${kind} ${organizationId}`;

const isHeld = (queues: readonly WalkedQueue[]): boolean => queues.every(({ dueSince }) => dueSince === null);

/** Behind those at the begin that were served, or behind all if nothing is due; undefined if the walk saw them all. */
function nextRound(
  round: Round | undefined,
  found: readonly WalkedQueue[],
  size: number,
  served: ReadonlySet<string>,
  placeOf: (queue: WalkedQueue) => readonly [position: number | null, key: number | null],
): Round | undefined {
  const places = new Map<number, number>();
  const passed = new Set<number>();
  for (const one of found) {
    const [position, key] = placeOf(one);
    if (key === null) continue;
    if (served.has(ownerKey(one)) || round?.served.has(key)) passed.add(key);
    if (position !== null) places.set(position, key);
  }
  const [first, last] = [places.get(1), places.get(size)];
  if (first === undefined || last === undefined) return undefined;
  if (isHeld(found)) return { after: last, served: new Set(), waits: 0 };
  if ((round?.waits ?? 0) > size) passed.add(first);
  let after: number | undefined;
  for (let position = 1; passed.delete(places.get(position) ?? NaN); position++) after = places.get(position);
  return after === undefined
    ? { after: round?.after ?? first - 1, served: passed, waits: (round?.waits ?? 0) + 1 }
    : { after, served: passed, waits: 0 };
}

/** Whether nothing of it runs. */
const isIdle = (key: Sql, busy: Sql): Sql =>
  sql`NOT coalesce(${key} = ANY ((SELECT ${busy} FROM busy WHERE busy.kind = w.kind)::int[]), false)`;

/** In the order of the index: the next, or the first again behind the last. */
const nextWaiting = (columns: Sql, which: Sql, after: Sql, order: Sql): Sql => sql`LATERAL (
        (SELECT ${columns}, w.wrapped FROM work WHERE state = 'waiting' AND ${which} AND ${after} > w.at ORDER BY ${order} LIMIT 1)
        UNION ALL
        (SELECT ${columns}, true FROM work WHERE NOT w.wrapped AND state = 'waiting' AND ${which} AND queue IS NOT NULL ORDER BY ${order} LIMIT 1)
        LIMIT 1) next`;

/**
 * The queues that come next on these walks, and what runs of their kinds. Those of suspended organizations are held. A first
 * walk begins anywhere: workers that start often must not always begin with the same organizations.
 */
export const walkedQueues = (walks: readonly Walk[], innerWalks: readonly InnerWalk[]): Sql => sql`
  WITH RECURSIVE walk AS (
    SELECT kind, size, inner_size, last, coalesce(after, (random() * (last + shared))::int - last) AS after
    FROM unnest(${walks.map(({ kind }) => kind)}::text[], ${walks.map(({ after }) => after)}::int[],
        ${walks.map(({ size }) => size)}::int[], ${walks.map(({ innerSize }) => innerSize)}::int[]) AS given (kind, after, size, inner_size),
      (SELECT coalesce(max(id), 0) AS last FROM organizations) own, (SELECT coalesce(max(id), 0) AS shared FROM integrators) others),
  running AS MATERIALIZED (
    SELECT kind, ${queueOwner} AS owner, count(*) FILTER (WHERE lease_until >= now())::int AS pieces
    FROM work WHERE state = 'running' AND kind IN (SELECT kind FROM walk) GROUP BY 1, 2),
  busy AS MATERIALIZED (
    SELECT kind, array_agg(owner) AS owners, array_agg(coalesce(integrator_id, -owner)) AS queues
    FROM running LEFT JOIN organizations ON organizations.id = owner WHERE pieces > 0 GROUP BY 1),
  outer_walk AS (
    SELECT kind, after, size, 0 AS step, after AS at, false AS wrapped, 0 AS passed, false AS is_idle FROM walk
    UNION ALL
    SELECT w.kind, w.after, w.size, step + 1, next.queue, next.wrapped, passed + found.is_idle::int, found.is_idle
    FROM outer_walk w
      CROSS JOIN ${nextWaiting(raw('queue'), raw('kind = w.kind'), raw('queue'), raw('queue'))}
      CROSS JOIN LATERAL (SELECT ${isIdle(raw('next.queue'), raw('queues'))} AS is_idle) found
    WHERE passed < size AND NOT (next.wrapped AND next.queue > w.after)),
  inner_walk AS (
    SELECT w.kind, w.at AS queue, CASE WHEN w.is_idle THEN w.passed END AS position, start.after,
      CASE WHEN w.at > 0 THEN inner_size ELSE 1 END AS size, 0 AS step, start.after AS at, NULL::timestamptz AS run_at,
      false AS wrapped, 0 AS passed, false AS is_idle
    FROM outer_walk w JOIN walk USING (kind)
      LEFT JOIN unnest(${innerWalks.map(({ kind }) => kind)}::text[], ${innerWalks.map(({ queue }) => queue)}::int[],
        ${innerWalks.map(({ after }) => after)}::int[]) AS given (kind, queue, after) ON given.kind = w.kind AND given.queue = w.at
      CROSS JOIN LATERAL (
        SELECT CASE WHEN w.at > 0 THEN coalesce(given.after, (random() * last)::int) ELSE -w.at - 1 END AS after) start
    WHERE step > 0
    UNION ALL
    SELECT w.kind, w.queue, position, w.after, size, step + 1, next.owner, next.run_at, next.wrapped,
      passed + (found.is_idle OR w.queue <= 0)::int, found.is_idle
    FROM inner_walk w
      CROSS JOIN ${nextWaiting(
        sql`${queueOwner} AS owner, run_at`,
        raw('kind = w.kind AND queue = w.queue'),
        queueOwner,
        sql`${queueOwner}, run_at`,
      )}
      CROSS JOIN LATERAL (SELECT ${isIdle(raw('next.owner'), raw('owners'))} AS is_idle) found
    WHERE passed < size AND NOT (next.wrapped AND next.owner > w.after)),
  waiting AS (
    SELECT kind, queue, at AS owner, run_at, position, CASE WHEN is_idle THEN passed END AS inner_position
    FROM inner_walk WHERE step > 0)
  SELECT kind, queue AS key, position, inner_position AS "innerPosition", nullif(owner, 0) AS "organizationId",
    integrator_id AS "integratorId", coalesce(pieces, 0) AS running,
    CASE WHEN run_at <= now() AND suspended_at IS NULL THEN run_at END AS "dueSince"
  FROM waiting FULL JOIN running USING (kind, owner) LEFT JOIN organizations ON organizations.id = owner`;
