import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import { sortedStatuses, repeat } from '../support/answers';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { lockRows, expectWaitingForLocks } from '../support/row-locks';
import { withLimit } from '../support/stored-limits';

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start({});
});
afterAll(() => target.stop());
beforeEach(() => {
  target.disturb = () => false;
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
  // Enough connections and time for twenty transactions that wait for each other.
  DATABASE_POOL_SIZE: '40',
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

interface Fixture {
  readonly tenantId: number;
  readonly client: Client;
  readonly url: string;
  readonly assetId: number;
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenantId: tenant.id, client, url, assetId };
}

const endEntriesOf = (uuid: string) =>
  query(`SELECT 1 FROM audit_logs WHERE operation = 'job.finish' AND status = 'success' AND resource_id = $1`, [uuid]);

const cancelTwentyTimes = ({ client }: Fixture, uuid: string) =>
  Promise.all(repeat(20, uuid).map((one) => client.post(`/v1/jobs/${one}/cancel`)));

it('twenty cancels exactly when a job ends do not change its result', async () => {
  const scene = await createFixture();
  const { client, url, tenantId, assetId } = scene;
  const known = { title: 'Known', severity: 'low', checkId: 'missing-nosniff', checkDefinition: { location: url } };
  const { id } = await make.finding(tenantId, { ...known, asset: { id: assetId, value: url, tier: null } });
  const release = await lockRows('findings', [id]);
  const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
  await expectWaitingForLocks(1);
  const cancels = cancelTwentyTimes(scene, uuid);
  await expectWaitingForLocks(21);
  await release();
  expect(sortedStatuses(await cancels)).toEqual(repeat(20, 409));
  expect((await client.get(`/v1/jobs/${uuid}/status`)).body).toEqual({ status: 'FINISHED' });
  expect(await endEntriesOf(uuid)).toHaveLength(1);
});

it('twenty cancels of a running job cancel it once, and its later result is dropped', async () => {
  const scene = await createFixture();
  const { client, url } = scene;
  let isAsked = false;
  target.disturb = () => (isAsked = true);
  const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
  await eventually(async () => expect(isAsked).toBe(true));
  expect(sortedStatuses(await cancelTwentyTimes(scene, uuid))).toEqual(repeat(20, 200));
  expect((await client.get(`/v1/jobs/${uuid}`)).body.job).toMatchObject({ status: 'CANCELED', findings: [] });
  expect(await query('SELECT state FROM work WHERE reference = $1', [uuid])).toEqual([{ state: 'canceled' }]);
  expect(await endEntriesOf(uuid)).toEqual([]);
});

it('the result of a worker is dropped when its job has already ended', async () => {
  const { client, url, tenantId } = await createFixture();
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let isAsked = false;
  target.disturb = (_request, response) => {
    isAsked = true;
    void gate.then(() => response.end('A page.'));
    return true;
  };
  const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
  await eventually(async () => expect(isAsked).toBe(true));
  await query(`UPDATE jobs SET status = 'CANCELED', finished = now() WHERE uuid = $1`, [uuid]);
  release();
  await eventually(async () =>
    expect(await query('SELECT state FROM work WHERE reference = $1', [uuid])).toEqual([{ state: 'done' }]),
  );
  expect((await client.get(`/v1/jobs/${uuid}`)).body.job).toMatchObject({ status: 'CANCELED', findings: [] });
  expect(await query('SELECT 1 FROM findings WHERE organization_id = $1', [tenantId])).toEqual([]);
});

it('a job that exceeds its time limit ends in ERROR, however slow its target is', async () => {
  const { client, url, tenantId, assetId } = await createFixture();
  target.disturb = () => true;
  const [job] = await query<{ uuid: string }>(
    `INSERT INTO jobs (uuid, organization_id, asset_id, url, status, started)
     VALUES (gen_random_uuid(), $1, $2, $3, 'IN_PROGRESS', now() - interval '298 seconds') RETURNING uuid`,
    [tenantId, assetId, url],
  );
  const uuid = job?.uuid ?? '';
  await query(`INSERT INTO work (kind, reference, organization_id, asset_id) VALUES ('job', $1, $2, $3)`, [
    uuid,
    tenantId,
    assetId,
  ]);
  await eventually(async () => expect((await client.get(`/v1/jobs/${uuid}/status`)).body.status).toBe('ERROR'));
  expect((await client.get(`/v1/jobs/${uuid}`)).body.job.error).toContain('the job did not finish within');
  expect((await client.get(`/v1/jobs/${uuid}/success?fail=true`)).status).toBe(422);
});

it('a job that finds more than its organization may store ends at once with the reason', async () => {
  const { client, url, tenantId } = await createFixture();
  await make.finding(tenantId);
  await withLimit('findings', 1, async () => {
    const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
    await eventually(async () => {
      expect((await client.get(`/v1/jobs/${uuid}`)).body.job).toMatchObject({
        status: 'ERROR',
        error: 'This organization has 1 findings, which is the limit. Undo imports that you no longer need.',
      });
    });
    const [work] = await query<object>('SELECT attempt FROM work WHERE reference = $1', [uuid]);
    expect(work).toEqual({ attempt: 1 });
  });
});
