import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
/** Another organization may test it. */
const foreign = new VulnerableSite();
const engine = {
  EGRESS_ALLOW: `${site.endpoint},2147483647@${foreign.endpoint}`,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
};
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => Promise.all([site.start(), foreign.start()]));
afterAll(() => Promise.all([site.stop(), foreign.stop()]));

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

const finding = (url: string, severity = 'low') => ({
  'template-id': 'http-missing-security-headers',
  'matcher-name': 'x-content-type-options',
  info: { name: 'A missing header', severity },
  type: 'http',
  'matched-at': url,
});

async function imported(
  { client, slug }: Pick<Fixture, 'client' | 'slug'>,
  findings: readonly object[],
  parameters = '',
  path = `/v1/events/${slug}/imports`,
): Promise<number> {
  const file = new Blob(
    findings.map((one) => `${JSON.stringify(one)}\n`),
    { type: 'application/x-ndjson' },
  );
  const { body, status, text } = await client.post(path + parameters, file);
  if (status !== 202) throw new Error(text);
  await eventually(async () =>
    expect((await client.get(`/v1/imports/${body.id}`)).body).toMatchObject({ status: 'FINISHED' }),
  );
  return body.id;
}

const countsOf = async ({ client }: Fixture, id: number): Promise<unknown> =>
  (await client.get(`/v1/imports/${id}`)).body.verification;

const listOf = async ({ client, slug }: Fixture): Promise<Answer['body'][]> =>
  (await client.get(`/v1/events/${slug}/findings/`)).body.findings;

describe('the findings of an import', () => {
  beforeEach(() => {
    site.state = 'fixed';
  });

  it.each([
    ['confirmed', 'vulnerable'],
    ['refuted', 'fixed'],
    ['inconclusive', 'unavailable'],
  ] as const)('are %s where the site is %s, which the import counts, and keep their status', async (result, state) => {
    const at = await fixture();
    site.state = state;
    const id = await imported(at, [finding(site.url)]);
    await eventually(async () =>
      expect(await countsOf(at, id)).toEqual({
        tested: 1,
        confirmed: 0,
        refuted: 0,
        inconclusive: 0,
        untested: 0,
        [result]: 1,
      }),
    );
    expect(await listOf(at)).toEqual([
      expect.objectContaining({ status: 1, verification: expect.objectContaining({ result }) }),
    ]);
    // The same file again changes nothing, and asks for no test.
    expect(await countsOf(at, await imported(at, [finding(site.url)]))).toMatchObject({ tested: 0, untested: 0 });
  });

  it('are not tested without a check, without a verified domain, or by a dry run: no request is sent', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id: assetId } = await make.asset(tenant.id, { value: 'unverified.example.com', type: 'domain' });
    const { slug } = await make.event(tenant.id, { status: 'running' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    const at = { tenant, client, slug, assetId };
    const before = site.requestCount;
    const url = 'http://unverified.example.com/';
    const id = await imported(at, [finding(url), { ...finding(url), 'template-id': 'another' }]);
    const reasons = (await listOf(at)).map(({ verification }) => verification.reason);
    expect(reasons.sort()).toEqual([
      'No check is bound to the finding.',
      expect.stringContaining('is not verified: add it to your domains'),
    ]);
    expect(await countsOf(at, id)).toMatchObject({ tested: 0, untested: 0 });
    const allowed = await fixture();
    await imported(allowed, [finding(site.url)], '?dry_run=true');
    expect(site.requestCount).toBe(before);
    const sql = `SELECT 1 FROM work WHERE kind = 'finding.baseline' AND organization_id = ANY($1::int[])`;
    expect(await query(sql, [[tenant.id, allowed.tenant.id]])).toEqual([]);
  });

  it('on an asset that the import has added are not tested: no connection is made', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const own = `/v1/organizations/${tenant.id}`;
    const parameters = '?unknown_assets=add';
    const id = await imported({ client, slug: '' }, [finding(foreign.url)], parameters, `${own}/imports`);
    expect((await client.get(`/v1/imports/${id}`)).body.rows).toMatchObject({ new: 1, refused: 0 });
    const [added] = (await client.get(`${own}/findings/`)).body.findings;
    expect(added).toMatchObject({ asset_value: '127.0.0.1', verification: { result: 'untested' } });
    expect(added.verification.reason).toContain('its owner cannot be verified');
    expect((await client.post(`/v1/findings/${added.id}/retest`)).status).toBe(409);
    expect(foreign.connectionCount).toBe(0);
  });

  it('are tested from the most severe down, at most 500 of an import; undoing it removes the tests that wait', async () => {
    const at = await fixture();
    site.hold();
    try {
      const low = Array.from({ length: 500 }, (_, number) => finding(`${site.url}${number}`));
      const id = await imported(at, [...low, finding(`${site.url}high`, 'high')]);
      const work = `SELECT split_part(reference, ' ', 1)::int AS id FROM work WHERE kind = 'finding.baseline' AND organization_id = $1`;
      const asked = await query<{ id: number }>(`${work} ORDER BY work.id`, [at.tenant.id]);
      expect(asked).toHaveLength(500);
      const [first] = await query<{ id: number }>(
        'SELECT id FROM findings WHERE organization_id = $1 ORDER BY severity DESC LIMIT 1',
        [at.tenant.id],
      );
      expect(asked[0]).toEqual(first);
      expect(
        await query(`SELECT 1 FROM findings WHERE organization_id = $1 AND verification_reason LIKE 'Only 500%'`, [
          at.tenant.id,
        ]),
      ).toHaveLength(1);
      await at.client.post(`/v1/imports/${id}/undo`);
      await eventually(async () =>
        expect((await at.client.get(`/v1/imports/${id}`)).body).toMatchObject({ status: 'UNDONE', removed: 501 }),
      );
      expect(await query(`${work} AND state IN ('waiting', 'running')`, [at.tenant.id])).toEqual([]);
    } finally {
      site.release();
    }
  });
});
