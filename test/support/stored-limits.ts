import { query } from './database';

/** Runs with another limit of what an organization stores, for all organizations of the test database. */
export async function withLimit<T>(name: string, most: number, work: () => Promise<T>): Promise<T> {
  const [before] = await query<{ most: string }>('SELECT most FROM stored_limits WHERE name = $1', [name]);
  await query('UPDATE stored_limits SET most = $2 WHERE name = $1', [name, most]);
  try {
    return await work();
  } finally {
    await query('UPDATE stored_limits SET most = $2 WHERE name = $1', [name, before?.most]);
  }
}
