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

it('a connection that owes an answer for too long is ended, and all who wait on it are told', async () => {
  const waiting = [client.query('SELECT pg_sleep(2)'), client.query('SELECT 1')];
  for (const answer of waiting) await expect(answer).rejects.toBeInstanceOf(DatabaseSilent);
});

it('a connection that owes nothing is kept, also in a transaction and time and again', async () => {
  await client.query('BEGIN');
  for (let turn = 0; turn < 2; turn++) {
    await pause(500);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  }
  await client.query('COMMIT');
});

it('is silent again after it had owed nothing', async () => {
  await pause(500);
  await expect(client.query('SELECT pg_sleep(2)')).rejects.toBeInstanceOf(DatabaseSilent);
});
