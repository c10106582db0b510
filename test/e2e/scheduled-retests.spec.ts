import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { runsOf } from '../support/schedules';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

const WAIT_MS = 120_000;

it('a worker runs a due schedule: a finding that it sees again is reopened, with an entry in its history', async () => {
  site.state = 'vulnerable';
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { id: findingId } = await make.finding(tenant.id, {
    asset: { id: assetId, value: site.url, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: site.url },
  });
  expect((await client.post(`/v1/findings/${findingId}/status`, { status: 5 })).status).toBe(200);
  await query(`UPDATE finding_history SET created = now() - interval '8 days' WHERE finding_id = $1`, [findingId]);
  const path = `/v1/organizations/${tenant.id}/schedules`;
  const body = { name: 'Stays fixed', what: 'resolved_retest', on: 'all', resolved_days: 7, every_hours: 24 };
  const { id } = (await client.post(path, body)).body;
  await query('UPDATE schedules SET next_due = now() WHERE id = $1', [id]);
  await eventually(
    async () => expect(await runsOf(id)).toMatchObject([{ status: 'finished', results: { still_vulnerable: 1 } }]),
    WAIT_MS,
  );
  const { findings } = (await client.get(`/v1/findings/${findingId}/`)).body;
  expect(findings[0]).toMatchObject({ status: 1, previous_status: 5 });
  const { history } = (await client.get(`/v1/findings/${findingId}/history`)).body;
  expect(history[0]).toMatchObject({ status: 1, previous_status: 5 });
  expect(history[0].comment).toContain('still_vulnerable');
});
