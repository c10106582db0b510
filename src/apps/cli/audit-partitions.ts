import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { conflict } from '../../kernel/domain-error';

const FIRST = 'audit_logs_before';
const MOST_ATTEMPTS = 60;
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface Partition {
  readonly name: string;
  /** The bounds of its ids, as SQL. */
  readonly start: string;
  readonly end: string;
}

/** Those of the audit log that end before, oldest first. The last one has no end. */
export async function auditPartitions(owner: Client, before: Date): Promise<Partition[]> {
  const { rows } = await owner.query<Partition>(
    `SELECT inhrelid::regclass::text AS name, bounds[1] AS start, bounds[2] AS "end" FROM pg_inherits JOIN pg_class ON oid = inhrelid
     CROSS JOIN regexp_match(pg_get_expr(relpartbound, oid), 'FROM \\((.+)\\) TO \\((.+)\\)') bounds
     WHERE inhparent = 'audit_logs'::regclass AND bounds[2] COLLATE "C" <= quote_literal(audit_logs_first_id($1)) ORDER BY bounds[2]`,
    [before],
  );
  return rows;
}

/**
 * Drops a partition if a query allows it, under a lock that keeps only its writers away. An empty one takes its place, so that an entry
 * with an old time still has one; at the start of the log, the first partition takes it. Every reader and writer of the log waits for
 * the lock of the drop itself, so that gives up soon and is tried again. PostgreSQL removes the files after it released the locks.
 */
export async function dropPartition(
  owner: Client,
  { name, start, end }: Partition,
  check: string,
  values: readonly unknown[],
): Promise<boolean> {
  await owner.query('BEGIN');
  try {
    await owner.query(`SET LOCAL lock_timeout = '100ms'`);
    await owner.query(`LOCK TABLE ${name}, ${FIRST} IN SHARE MODE`);
    const { rows } = await owner.query<{ mayDrop: boolean }>(check, [...values]);
    const joins = await joinsFirst(owner, start);
    const isUseful = joins || !(await isEmpty(owner, name));
    const mayDrop = rows[0]?.mayDrop === true && isUseful;
    if (mayDrop) {
      await dropWhenFree(owner, joins ? `${FIRST}, ${name}` : name);
      const place = joins ? [FIRST, 'MINVALUE', end] : [name, start, end];
      await owner.query('SELECT audit_logs_add_partition($1, $2, $3)', place);
    }
    await owner.query('COMMIT');
    return mayDrop;
  } catch (error) {
    await owner.query('ROLLBACK');
    if (!isLocked(error)) throw error;
    throw conflict(`${name} could not be dropped, because others use the audit log. Run the command again.`);
  }
}

async function joinsFirst(owner: Client, start: string): Promise<boolean> {
  const { rows } = await owner.query(
    `SELECT 1 FROM pg_class WHERE oid = $1::regclass AND pg_get_expr(relpartbound, oid) = 'FOR VALUES FROM (MINVALUE) TO (' || $2 || ')'`,
    [FIRST, start],
  );
  return rows.length > 0 && (await isEmpty(owner, FIRST));
}

async function isEmpty(owner: Client, name: string): Promise<boolean> {
  return (await owner.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length === 0;
}

async function dropWhenFree(owner: Client, names: string): Promise<void> {
  await owner.query('SAVEPOINT locked');
  for (let attempt = 1; ; attempt++) {
    try {
      await owner.query(`DROP TABLE ${names}`);
      return;
    } catch (error) {
      if (!isLocked(error) || attempt === MOST_ATTEMPTS) throw error;
      await owner.query('ROLLBACK TO SAVEPOINT locked');
      await delay(PAUSE_MS);
    }
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
