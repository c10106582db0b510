import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly slug: string;
  readonly assetId: number;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  return { tenant, client, slug, assetId };
}

const filtered = async ({ client, tenant, slug }: Fixture, verification: string): Promise<number[][]> =>
  Promise.all(
    [`organizations/${tenant.id}`, `events/${slug}`].map(async (path) => {
      const { body } = await client.get(`/v1/${path}/findings/?verification=${verification}&sort=severity`);
      return body.findings.map(({ id }: { id: number }) => id);
    }),
  );

const read = async ({ client }: Pick<Fixture, 'client'>, id: number): Promise<Answer['body']> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0];

async function recorded(at: Fixture, state: VulnerableSite['state']): Promise<Answer['body']> {
  site.state = state;
  const check = { id: 'missing-nosniff', location: site.url };
  const body = { title: 'Browsers may guess', severity: 'low', asset_id: at.assetId, check };
  const { id } = (await at.client.post(`/v1/events/${at.slug}/findings/`, body)).body;
  let finding: Answer['body'];
  await eventually(async () => {
    finding = await read(at, id);
    expect(finding.verification.tested_at).not.toBeNull();
  });
  return finding;
}

describe('the verification of a recorded finding', () => {
  it.each([
    ['confirmed', 'vulnerable', 'X-Content-Type-Options'],
    ['refuted', 'fixed', 'The decisive request was sent 16 times'],
    ['inconclusive', 'unavailable', '503'],
    ['inconclusive', 'redirected', 'redirects to https://login.example.com'],
  ] as const)('is %s where the site is %s, and the status stays', async (result, state, reason) => {
    const at = await fixture();
    const finding = await recorded(at, state);
    expect(finding.verification).toMatchObject({ result, reason: expect.stringContaining(reason) });
    expect(finding.status).toBe(1);
    expect((await at.client.get(`/v1/findings/${finding.id}/history`)).body.history).toHaveLength(1);
    expect(await filtered(at, result)).toEqual([[finding.id], [finding.id]]);
    expect(await filtered(at, 'untested')).toEqual([[], []]);
  });

  it('of a finding that was confirmed once does not change when it is fixed', async () => {
    const at = await fixture();
    const { id } = await recorded(at, 'vulnerable');
    expect((await recorded(at, 'vulnerable')).id).toBe(id);
    site.state = 'fixed';
    await at.client.post(`/v1/findings/${id}/retest`);
    await eventually(async () =>
      expect((await at.client.get(`/v1/findings/${id}/retest`)).body.status).toBe('finished'),
    );
    expect(await read(at, id)).toMatchObject({
      status: 5,
      verification: { result: 'confirmed' },
    });
  });

  it('says that no check is bound', async () => {
    const at = await fixture();
    const { id } = (
      await at.client.post(`/v1/events/${at.slug}/findings/`, {
        title: 'By hand',
        severity: 'low',
        asset_id: at.assetId,
      })
    ).body;
    expect((await read(at, id)).verification).toEqual({
      result: 'untested',
      reason: 'No check is bound to the finding.',
      tested_at: null,
    });
    expect(await filtered(at, 'untested')).toEqual([[id], [id]]);
    expect((await at.client.get(`/v1/organizations/${at.tenant.id}/findings/?verification=true`)).status).toBe(400);
  });
});
