import { randomBytes } from 'node:crypto';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import { SigningKeysService } from '../../src/modules/evidence';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const make = new Factories(api);
const keys = (): SigningKeysService => api.app.get(SigningKeysService);

/** A key that differs from the one that encrypts the signing keys of these tests. */
const another = { SECRET_KEY: randomBytes(32).toString('base64') };

const retireKey = () =>
  asOperator(api.app, { operation: 'signing_key.retire', resourceType: 'signing_key' }, () => keys().retireCurrent());

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(async () => {
  await retireKey();
  await keys().current();
});
// Otherwise other tests on this database would find a key that they cannot decrypt.
afterEach(retireKey);

it('a worker with a different SECRET_KEY does not start and says what to do', async () => {
  await expect(startProcess('worker', another)).rejects.toThrow(
    /SECRET_KEY is not the one[^]*cli -- retire-signing-key/,
  );
  const production = { NODE_ENV: 'production', ENGINE_USER_AGENT: 'Assay (abuse@example.com)' };
  await expect(startProcess('worker', production)).rejects.toThrow('SECRET_KEY is missing');
  await retireKey();
  const worker = await startWorker(another);
  await worker.stop();
});

it('a retest whose evidence cannot be signed ends at once with the reason and sends no request', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const draft = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
  const finding = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...draft });
  const path = `/v1/findings/${finding.id}/retest`;
  const expectStatus = async (status: string): Promise<void> => {
    expect((await client.post(path)).status).toBe(202);
    await eventually(async () => expect((await client.get(path)).body.status).toBe(status));
  };
  // The worker starts with a readable key; the unreadable one is created afterwards.
  const worker = await startWorker({ ...engine, ...another });
  try {
    const before = site.requestCount;
    await expectStatus('error');
    expect((await client.get(`${path}/evidence`)).body.reason).toContain('must correct SECRET_KEY');
    expect(site.requestCount).toBe(before);
    const attempts = 'SELECT attempt FROM work WHERE organization_id = $1';
    expect(await query(attempts, [tenant.id])).toEqual([{ attempt: 1 }]);
    await retireKey();
    await expectStatus('finished');
  } finally {
    await worker.stop();
  }
});
