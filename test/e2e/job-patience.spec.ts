import { randomUUID } from 'node:crypto';
import { type RunningApi, startApi } from '../support/api';
import { useContract } from '../support/contract';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { Factories } from '../support/factories';

let api: RunningApi;
let proxy: DatabaseProxy;

beforeAll(async () => {
  proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  // Credentials are looked up each time, so that this too has to wait.
  api = await startApi({ DATABASE_URL: proxy.url, AUTH_CACHE_SECONDS: '0' });
  useContract(api.app);
});

afterAll(async () => {
  await api.app.close();
  await proxy.takeAway();
});

it('what pipelines poll waits for a database that is away; the rest says so at once', async () => {
  const tenant = await new Factories(api).organization();
  const { client } = await tenant.as('member');
  const uuid = randomUUID();
  const url = 'https://www.example.com/';
  await query('INSERT INTO jobs (uuid, organization_id, url) VALUES ($1, $2, $3)', [uuid, tenant.id, url]);

  await proxy.takeAway();
  const polled = ['status', 'success?fail=true'].map((what) => client.get(`/v1/jobs/${uuid}/${what}`));
  expect((await client.get(`/v1/jobs/${uuid}`)).status).toBe(503);
  await proxy.bringBack();
  expect((await Promise.all(polled)).map(({ status, body }) => [status, body])).toEqual([
    [200, { status: 'PENDING' }],
    [200, { success: null, description: 'The job is PENDING: ask again.' }],
  ]);
});
