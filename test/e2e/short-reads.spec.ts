import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database';
import { DatabaseContext } from '../../src/platform/database/database-context';
import { sql } from '../../src/platform/database/sql';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { administer, testDatabase } from '../support/database';
import { expectWaitingForLocks, lockReads } from '../support/row-locks';

const api = useApi({ DATABASE_POOL_SIZE: '10' });

const database = (): Database => api.app.get(Database);
const read = (value: number): Promise<{ value: number } | undefined> =>
  database().shortRow<{ value: number }>(sql`SELECT ${value}::int AS value`);
const readsOf = (count: number): Promise<{ value: number } | undefined>[] =>
  Array.from({ length: count }, (_, value) => read(value));
const expected = (count: number): { value: number }[] => Array.from({ length: count }, (_, value) => ({ value }));

it('gives each of several hundred short reads its own rows, over three connections at a time', async () => {
  const rows = await Promise.all(
    Array.from({ length: 400 }, (_, value) =>
      database().shortRow<{ value: number; connection: number; began: Date; ended: Date }>(
        sql`SELECT ${value}::int AS value, pg_backend_pid() AS connection, clock_timestamp() AS began, pg_sleep(0.002),
          clock_timestamp() AS ended`,
      ),
    ),
  );
  expect(rows.map((row) => row?.value)).toEqual(rows.map((_, value) => value));
  // Not of all rows: the service may use one of the connections for something else, and then another one is next.
  const usedAt = (time: Date): number =>
    new Set(rows.filter((row) => row && row.began <= time && time < row.ended).map((row) => row?.connection)).size;
  expect(Math.max(...rows.map((row) => usedAt(row?.began ?? new Date(0))))).toBeLessThanOrEqual(3);
});

it('fails only the short read whose statement fails', async () => {
  const failing = [0, 7, 20].map((at) => database().shortRow(sql`SELECT 1 / ${at - at}::int`));
  const results = readsOf(60);
  for (const one of failing) await expect(one).rejects.toMatchObject({ code: '22012' });
  expect(await Promise.all(results)).toEqual(expected(60));
});

it('continues over other connections while statements wait for a lock, and after connections were lost', async () => {
  const release = await lockReads('reports');
  try {
    const waiting = database().shortRow<{ count: string }>(sql`SELECT count(*) FROM reports`);
    const settled = expect(waiting).rejects.toMatchObject({ message: expect.stringContaining('terminat') });
    await expectWaitingForLocks(1);
    expect(await Promise.all(readsOf(50))).toEqual(expected(50));
    const { name } = await testDatabase();
    await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${name}' AND wait_event_type = 'Lock'`);
    await settled;
  } finally {
    await release();
  }
  expect(await Promise.all(readsOf(50))).toEqual(expected(50));
});

it('continues over other connections as soon as the server ends that of a statement', async () => {
  for (let round = 0; round < 5; round++) {
    const ended = database().shortRow(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
    await expect(ended).rejects.toMatchObject({ message: expect.stringContaining('terminat') });
    expect(await read(round)).toEqual({ value: round });
  }
});

it('gives tenants their turns, however many short reads of one wait', async () => {
  const context = api.app.get(DatabaseContext);
  let answered = 0;
  const flood = context.runFor('flood', () =>
    Array.from({ length: 300 }, () =>
      database()
        .shortRow(sql`SELECT pg_sleep(0.01)`)
        .then(() => answered++),
    ),
  );
  const before = await context.runFor('other', () => read(1).then(() => answered));
  await Promise.all(flood);
  expect(before).toBeLessThan(150);
});

it('leaves a connection to others while all short reads of one tenant hang', async () => {
  const context = api.app.get(DatabaseContext);
  const release = await lockReads('reports');
  let hanging: Promise<unknown>[] = [];
  try {
    hanging = context.runFor('hanging', () =>
      Array.from({ length: 60 }, () => database().shortRow(sql`SELECT count(*) FROM reports`)),
    );
    await expectWaitingForLocks(2);
    const answer = context.runFor('other', () => read(1));
    expect(await Promise.race([answer, delay(5_000, 'no answer')])).toEqual({ value: 1 });
  } finally {
    await release();
  }
  await Promise.all(hanging);
});

it('reads in the transaction of the current unit of work', async () => {
  const seen = await api.app.get(Transactions).run(async () => {
    await database().rows(sql`SELECT set_config('assay.test', 'here', true)`);
    return database().shortRow(sql`SELECT current_setting('assay.test', true) AS value`);
  });
  expect(seen).toEqual({ value: 'here' });
});
