import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engineSettings = { EGRESS_ALLOW: site.endpoint };
const api = useApi(engineSettings);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

it('a worker with a hung database and a closed log stream exits after SIGTERM, and another worker takes over its retest', async () => {
  const proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  const hung = await startProcess('worker', { ...engineSettings, DATABASE_URL: proxy.url, LOG_LEVEL: 'warn' });
  site.hold();
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
  const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
  const path = `/v1/findings/${id}/retest`;
  const { uuid } = (await client.post(path)).body;
  await eventually(async () => expect(site.heldRequests).toBe(1));

  proxy.hang();
  hung.child.stdout?.destroy();
  hung.kill('SIGTERM');
  await hung.exited;

  const other = await startProcess('worker', engineSettings);
  await eventually(async () => expect(site.heldRequests).toBe(2), 20_000);
  site.release();
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  const ends = await query(`SELECT 1 FROM audit_logs WHERE operation = 'retest.end' AND resource_id = $1`, [uuid]);
  expect(ends).toHaveLength(1);
  other.kill('SIGTERM');
  expect(await other.exited).toBe(0);
  await proxy.disconnect();
});
