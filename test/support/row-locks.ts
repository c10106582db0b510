import { Client as Postgres } from 'pg';
import { administer, testDatabase } from './database';
import { eventually } from './eventually';

/** Locks rows: transactions that change them wait until the returned function is called. */
export const lockRows = (
  table: 'beacons' | 'beacon_connections' | 'findings' | 'domains' | 'work' | 'event_targets' | 'users',
  ids: readonly number[],
): Promise<() => Promise<void>> => lockUntilReleased(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR UPDATE`, [ids]);

/** Locks all work of an organization, as its deletion does. */
export const lockWorkOf = (organizationId: number): Promise<() => Promise<void>> =>
  lockUntilReleased('SELECT 1 FROM work WHERE organization_id = $1 FOR UPDATE', [organizationId]);

/** Removes the password of a user in a transaction that ends when the returned function is called. */
export const removePassword = (userId: number): Promise<() => Promise<void>> =>
  lockUntilReleased('UPDATE users SET password_hash = NULL WHERE id = $1', [userId]);

/** Ends all sessions of a user, and the sign-ins that wait for a code when the returned function is called, in one transaction. */
export const endSignIns = (userId: number): Promise<() => Promise<void>> =>
  lockUntilReleased(
    `WITH locked AS (SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE)
     DELETE FROM sessions WHERE user_id = (SELECT id FROM locked)`,
    [userId],
    'DELETE FROM sign_in_challenges WHERE user_id = $1',
  );

/** Makes a member an owner in a transaction that ends when the returned function is called. */
export const makeOwner = (organizationId: number, userId: number): Promise<() => Promise<void>> =>
  lockUntilReleased(
    `UPDATE memberships SET role = 'owner' WHERE user_id = $2
      AND organization_id = (SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE)`,
    [organizationId, userId],
  );

/** Removes a member in a transaction that ends when the returned function is called, and lets others share the organization. */
export const removeMember = (organizationId: number, userId: number): Promise<() => Promise<void>> =>
  lockUntilReleased(
    `DELETE FROM memberships WHERE user_id = $2
      AND organization_id = (SELECT id FROM organizations WHERE id = $1 FOR SHARE)`,
    [organizationId, userId],
  );

/** Adds a member in a transaction that ends when the returned function is called. */
export const addMember = (organizationId: number, userId: number): Promise<() => Promise<void>> =>
  lockUntilReleased(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`, [
    organizationId,
    userId,
  ]);

/** Finds the member who gets a new finding of this asset, in a transaction that ends when the returned function is called. */
export const findOwnerOf = (organizationId: number, assetId: number): Promise<() => Promise<void>> =>
  lockUntilReleased('SELECT user_owning_asset($1, $2)', [organizationId, assetId]);

/** Takes the name of a beacon in a transaction that ends when the returned function is called. */
export const takeBeaconName = (organizationId: number, name: string): Promise<() => Promise<void>> =>
  lockUntilReleased('UPDATE beacons SET name = $2 WHERE organization_id = $1', [organizationId, name]);

/** Blocks inserts into this table until the returned function is called; reads go on. */
export const lockInserts = (table: 'observations' | 'jobs' | 'retests' | 'reports'): Promise<() => Promise<void>> =>
  lockUntilReleased(`LOCK TABLE ${table} IN SHARE MODE`, []);

/** Blocks reads, too, until the returned function is called. */
export const lockReads = (table: 'api_keys' | 'beacons' | 'reports'): Promise<() => Promise<void>> =>
  lockUntilReleased(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, []);

/** Claims a scheduled task of a minute in a transaction that ends, with the task planned from then, at the returned function. */
export const claimTask = async (name: string): Promise<() => Promise<void>> =>
  lockUntilReleased(
    `INSERT INTO clock_tasks VALUES ($1, now() + interval '1 minute')`,
    [name],
    `UPDATE clock_tasks SET next_run = clock_timestamp() + interval '1 minute' WHERE name = $1`,
  );

async function lockUntilReleased(statement: string, values: unknown[], last?: string): Promise<() => Promise<void>> {
  const holder = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(statement, values);
  return async () => {
    if (last !== undefined) await holder.query(last, values);
    await holder.query('COMMIT');
    await holder.end();
  };
}

/** Waits until exactly this many statements wait for a lock, not counting the renewal of leases. */
export async function expectWaitingForLocks(count: number): Promise<void> {
  const { name } = await testDatabase();
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'
    AND query NOT LIKE '%lease_until = now() +%'`;
  await eventually(async () => expect(await administer(waiting)).toHaveLength(count));
}

/** Waits until a change of this table waits for a lock. */
export async function untilBlocked(table: string): Promise<void> {
  const { name } = await testDatabase();
  const waiting = `SELECT trim(left(query, 100), E' \\n') AS query FROM pg_stat_activity
    WHERE datname = '${name}' AND wait_event_type = 'Lock'`;
  const query = expect.stringMatching(new RegExp(`^(INSERT INTO|UPDATE|DELETE FROM) "?${table}\\b`));
  await eventually(async () => expect(await administer(waiting)).toContainEqual({ query }));
}
