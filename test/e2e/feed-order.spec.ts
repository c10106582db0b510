import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { QueryRunner } from 'typeorm';
import { WriteFeed1795780100000 } from '../../migrations/1795780100000-write-feed';
import { useApi } from '../support/api';
import type { Client as ApiClient } from '../support/client';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

interface Entry {
  readonly position: number;
  readonly record_id: string;
  readonly data: { readonly changed?: { readonly labels?: { readonly from: string[]; readonly to: string[] } } };
}

const WRITERS = 64;
const CHANGES_EACH = 12;
const FINDINGS = 20;

/** Follows the feed until the writers have ended and nothing is left. Fails if a position is missing. */
async function follow(
  client: ApiClient,
  organizationId: number,
  limit: number,
  isOver: () => boolean,
): Promise<Entry[]> {
  const seen: Entry[] = [];
  for (;;) {
    const over = isOver();
    const path = `/v1/organizations/${organizationId}/feed?limit=${limit}&after=${seen.length}`;
    const { entries } = (await client.get(path)).body as { entries: Entry[] };
    for (const entry of entries) {
      expect(entry.position).toBe(seen.length + 1);
      seen.push(entry);
    }
    if (over && entries.length === 0) return seen;
  }
}

describe('the feed under 64 concurrent writers', () => {
  let pool: Pool;

  beforeAll(async () => {
    pool = new Pool({ connectionString: (await testDatabase()).ownerUrl, max: WRITERS });
  });
  afterAll(() => pool.end());

  /** A transaction that changes one to three findings, with pauses, and may be rolled back. */
  async function change(ids: readonly number[]): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const chosen = ids.filter(() => Math.random() < 2 / ids.length);
      for (const id of chosen) {
        // Each change of a finding counts one up, so that the entries of a finding show their order.
        await client.query(
          `UPDATE findings SET labels = ARRAY[(coalesce(labels[1], '0')::int + 1)::text] WHERE id = $1`,
          [id],
        );
        if (Math.random() < 0.4) await delay(Math.random() * 20);
      }
      await client.query(Math.random() < 0.2 ? 'ROLLBACK' : 'COMMIT');
    } finally {
      client.release();
    }
  }

  it('has every committed change once, in the order of each record, for readers that follow', async () => {
    const tenant = await make.organization();
    const other = await make.organization();
    const { client } = await tenant.as('viewer');
    const ids: number[] = [];
    for (let count = 0; count < FINDINGS; count++) ids.push((await make.finding(tenant.id)).id);
    const foreign = [(await make.finding(other.id)).id];
    // Holds a transaction id and a snapshot all the time, like a backup and a long import.
    const long = await pool.connect();
    await long.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await long.query('SELECT pg_current_xact_id()');
    try {
      let isOver = false;
      const readers = [7, 40, 1_000].map((limit) => follow(client, tenant.id, limit, () => isOver));
      await Promise.all(
        Array.from({ length: WRITERS - 1 }, async (_writer, index) => {
          for (let count = 0; count < CHANGES_EACH; count++) await change(index % 8 === 0 ? foreign : ids.toSorted());
        }),
      );
      isOver = true;
      const rows = await query<{ id: number; count: number }>(
        `SELECT id, coalesce(labels[1], '0')::int AS count FROM findings WHERE organization_id = $1`,
        [tenant.id],
      );
      const total = rows.reduce((sum, { count }) => sum + count, FINDINGS);
      expect(total).toBeGreaterThan(FINDINGS + 100);
      for (const seen of await Promise.all(readers)) {
        expect(seen).toHaveLength(total);
        for (const { id, count } of rows) {
          const labels = seen
            .filter(({ record_id, data }) => record_id === `${id}` && data.changed !== undefined)
            .map(({ data }) => Number(data.changed?.labels?.to[0]));
          expect(labels).toEqual(Array.from({ length: count }, (_change, index) => index + 1));
        }
      }
    } finally {
      await long.query('ROLLBACK');
      long.release();
    }
  });

  it('keeps an entry that is appended while older ones are removed', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    await make.finding(tenant.id);
    await follow(client, tenant.id, 10, () => true);
    await query(`UPDATE feed_entries SET appended = now() - interval '50 days' WHERE organization_id = $1`, [
      tenant.id,
    ]);
    await make.finding(tenant.id);
    const appending = await pool.connect();
    await appending.query('BEGIN');
    await appending.query('SELECT feed_append($1)', [tenant.id]);
    const removing = query('SELECT feed_keep_partitions()');
    await eventually(async () =>
      expect(
        await query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%keep_partitions%'`),
      ).not.toEqual([]),
    );
    await appending.query('COMMIT');
    appending.release();
    await removing;
    expect(await query('SELECT oldest, newest FROM feed_positions WHERE organization_id = $1', [tenant.id])).toEqual([
      { oldest: '2', newest: '2' },
    ]);
    const page = await client.get(`/v1/organizations/${tenant.id}/feed?after=1`);
    expect(page.body.entries).toHaveLength(1);
  });

  it('loses nothing and repeats nothing when a process is killed while it appends', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    for (let count = 0; count < 3; count++) await make.finding(tenant.id);
    const killed = new Client({ connectionString: (await testDatabase()).ownerUrl });
    killed.on('error', () => undefined);
    await killed.connect();
    await killed.query('BEGIN');
    const { rows } = await killed.query('SELECT newest, pg_backend_pid() AS pid FROM feed_append($1)', [tenant.id]);
    expect(rows[0].newest).toBe('3');
    const reading = follow(client, tenant.id, 2, () => true);
    await query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    expect((await reading).map(({ position }) => position)).toEqual([1, 2, 3]);
    // Appended by a process that ended before it has read.
    await make.finding(tenant.id);
    await query('SELECT feed_append($1)', [tenant.id]);
    expect(await follow(client, tenant.id, 100, () => true)).toHaveLength(4);
  });
});

it('the migration of the triggers stops no writer, and waits for a transaction that writes', async () => {
  const tenant = await make.organization();
  const { id } = await make.finding(tenant.id);
  const { id: other } = await make.finding(tenant.id);
  const { ownerUrl: connectionString } = await testDatabase();
  const clients = [1, 2, 3].map(() => new Client({ connectionString, statement_timeout: 20_000 }));
  await Promise.all(clients.map((one) => one.connect()));
  const [writing, migrating, free] = clients as [Client, Client, Client];
  await writing.query('BEGIN');
  await writing.query('UPDATE findings SET status = 3 WHERE id = $1', [id]);
  let isDone = false;
  const migration = new WriteFeed1795780100000()
    .up({ query: (text: string) => migrating.query(text) } as unknown as QueryRunner)
    .then(() => (isDone = true));
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%TRIGGER%ON findings%'`;
  try {
    await eventually(async () => expect(await query(waiting)).not.toEqual([]));
    await free.query(`SET statement_timeout = '8s'`);
    await free.query('UPDATE findings SET status = 3 WHERE id = $1', [other]);
    expect(isDone).toBe(false);
  } finally {
    await writing.query('COMMIT');
    await migration;
    await Promise.all(clients.map((one) => one.end()));
  }
  const { client } = await tenant.as('viewer');
  expect(await follow(client, tenant.id, 100, () => true)).toHaveLength(4);
});
