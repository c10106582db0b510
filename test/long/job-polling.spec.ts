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
    DATABASE_TIMEOUT_MS: '4000',
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
  Promise.all(['status', 'success?fail=true'].map((route) => client.get(`${path}/${route}`)));

const expectAnswers = (answers: Answer[]): void =>
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { status: 'PENDING' }],
    [
      200,
      {
        success: null,
        description: 'The job is PENDING: ask again.',
        accepted_checks: [],
        failing: 0,
        failing_findings: [],
        incomplete_checks: [],
        refused_checks: [],
      },
    ],
  ]);

it('the polled routes wait until the database is reachable again; reading the job returns 503 without waiting', async () => {
  await proxy.disconnect();
  const polled = poll();
  expect((await client.get(path)).status).toBe(503);
  await proxy.restore();
  expectAnswers(await polled);
});

it.each([
  ['unreachable', () => proxy.disconnect()],
  ['hanging', async () => proxy.hang()],
])('a polled route answers 503 at its deadline if the database is %s', async (_state, interrupt) => {
  await interrupt();
  const startedAt = performance.now();
  const answers = await poll();
  const elapsedMs = performance.now() - startedAt;
  await proxy.restore();
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(elapsedMs).toBeGreaterThan(deadlineMs - 500);
  await eventually(async () => expectAnswers(await poll()));
});
