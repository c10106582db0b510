import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseSilent, endWhenSilent } from '../../src/platform/database/silence';
import { testDatabase } from '../support/database';

let client: Client;

beforeEach(async () => {
  client = new Client({ connectionString: (await testDatabase()).appUrl, pipeline: true });
  client.on('error', () => undefined);
  await client.connect();
  endWhenSilent(client, 200);
});

afterEach(() => client.end().catch(() => undefined));

it('a database connection that does not answer in time is closed, and every pending query on it fails', async () => {
  const waiting = [client.query('SELECT pg_sleep(2)'), client.query('SELECT 1')];
  for (const answer of waiting) await expect(answer).rejects.toBeInstanceOf(DatabaseSilent);
});

it('an idle database connection is kept, also inside a transaction and repeatedly', async () => {
  await client.query('BEGIN');
  for (let turn = 0; turn < 2; turn++) {
    await pause(500);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  }
  await client.query('COMMIT');
});

it('a connection that was idle before is closed too when it stops answering', async () => {
  await pause(500);
  await expect(client.query('SELECT pg_sleep(2)')).rejects.toBeInstanceOf(DatabaseSilent);
});
