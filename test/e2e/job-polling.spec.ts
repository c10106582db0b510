import { randomUUID } from 'node:crypto';
import { type RunningApi, startApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { useContract } from '../support/contract';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

let api: RunningApi;
let proxy: DatabaseProxy;
let client: Client;
let path: string;

const deadlineMs = 3_000;

beforeAll(async () => {
  proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  api = await startApi({
    DATABASE_URL: proxy.url,
    // Without the cache, so that the lookup of the credentials has to wait too.
    AUTH_CACHE_SECONDS: '0',
    DATABASE_RETRY_MS: String(deadlineMs),
  });
  useContract(api.app);
  const tenant = await new Factories(api).organization();
  ({ client } = await tenant.as('member'));
  const uuid = randomUUID();
  const url = 'https://www.example.com/';
  await query('INSERT INTO jobs (uuid, organization_id, url) VALUES ($1, $2, $3)', [uuid, tenant.id, url]);
  path = `/v1/jobs/${uuid}`;
});

afterAll(async () => {
  await api.app.close();
  await proxy.disconnect();
});

const poll = (): Promise<Answer[]> =>
  Promise.all(['status', 'success?fail=true'].map((what) => client.get(`${path}/${what}`)));

const expectAnswers = (answers: Answer[]): void =>
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { status: 'PENDING' }],
    [200, { success: null, description: 'The job is PENDING: ask again.' }],
  ]);

it('routes that pipelines poll wait for an unreachable database; all others answer 503 at once', async () => {
  await proxy.disconnect();
  const polled = poll();
  expect((await client.get(path)).status).toBe(503);
  await proxy.restore();
  expectAnswers(await polled);
});

it.each([
  ['unreachable', () => proxy.disconnect()],
  ['hanging', async () => proxy.hang()],
])('a polled route waits for a database that is %s until its deadline and no longer', async (_how, end) => {
  await end();
  const began = performance.now();
  const answers = await poll();
  const took = performance.now() - began;
  await proxy.restore();
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(took).toBeGreaterThan(deadlineMs - 500);
  await eventually(async () => expectAnswers(await poll()));
});
