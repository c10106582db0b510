import { setTimeout as pause } from 'node:timers/promises';
import { AnswerTimeoutError, DatabaseClient } from '../../src/platform/database/database-client';
import { testDatabase } from '../support/database';

let client: DatabaseClient;

beforeEach(async () => {
  const { appUrl } = await testDatabase();
  client = new DatabaseClient({ connectionString: appUrl, pipeline: true, answerTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  await client.connect();
});

afterEach(() => client.end().catch(() => undefined));

it('closes the connection when an answer is overdue, and fails every statement that waits for one', async () => {
  const waiting = [client.query('SELECT pg_sleep(5)'), client.query('SELECT 1')];
  for (const answer of waiting) await expect(answer).rejects.toBeInstanceOf(AnswerTimeoutError);
});

it('fails a statement that was given a callback, as the pool gives one', async () => {
  const error = await new Promise((resolve) => {
    client.query('SELECT pg_sleep(5)', resolve);
  });
  expect(error).toBeInstanceOf(AnswerTimeoutError);
});

it('keeps a connection that waits for no answer, also inside a transaction', async () => {
  await client.query('BEGIN');
  for (let turn = 0; turn < 2; turn++) {
    await pause(1_500);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  }
  await client.query('COMMIT');
});

it('limits the wait for each answer, not the time for all statements that are sent together', async () => {
  const sleeps = Array.from({ length: 4 }, () => client.query('SELECT pg_sleep(0.4)'));
  expect(await Promise.all(sleeps)).toHaveLength(4);
});

it('notices an overdue answer after a pause in which none was awaited', async () => {
  await pause(1_500);
  await expect(client.query('SELECT pg_sleep(5)')).rejects.toBeInstanceOf(AnswerTimeoutError);
});

it('disconnects without an answer of the server, and emits the cause', async () => {
  const cause = new Error('given up');
  const emitted = new Promise((resolve) => {
    client.once('error', resolve);
  });
  const waiting = client.query('SELECT pg_sleep(5)');
  client.disconnect(cause);
  await expect(waiting).rejects.toBe(cause);
  expect(await emitted).toBe(cause);
});
