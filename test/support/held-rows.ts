import { Client as Postgres } from 'pg';
import { administer, testDatabase } from './database';
import { eventually } from './eventually';

/** Whoever is about to change one of these rows stops there, in the middle of its transaction, until they are let go. */
export const holdRows = (
  table: 'findings' | 'domains' | 'work',
  ids: readonly number[],
): Promise<() => Promise<void>> => hold(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR UPDATE`, [ids]);

/** All work of an organization, as its deletion locks it. */
export const holdWorkOf = (organizationId: number): Promise<() => Promise<void>> =>
  hold('SELECT 1 FROM work WHERE organization_id = $1 FOR UPDATE', [organizationId]);

/** Whoever is about to add a row to this table stops there; reading goes on. */
export const holdInserts = (table: 'jobs' | 'retests' | 'reports'): Promise<() => Promise<void>> =>
  hold(`LOCK TABLE ${table} IN SHARE MODE`, []);

async function hold(statement: string, values: unknown[]): Promise<() => Promise<void>> {
  const holder = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement, values);
  return async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
}

/** Until so many wait for somebody else's lock. Heartbeats, which may have to wait as well, are not counted. */
export async function waitingForLocks(count: number): Promise<void> {
  const { name } = await testDatabase();
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'
    AND query NOT LIKE '%lease_until = now() +%'`;
  await eventually(async () => expect(await administer(waiting)).toHaveLength(count), 20_000);
}
