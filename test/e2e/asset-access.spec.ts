import { AssetsService } from '../../src/modules/assets';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, uniqueDomain } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const add = (client: Client, body: object): Promise<Answer> =>
  client.post('/v1/assets/', { asset_type: 'domain', asset_value: uniqueDomain(), ...body });
const logOf = async (client: Client, filter: string): Promise<{ total: number; audit_logs: object[] }> =>
  (await client.get(`/v1/audit-logs/?${filter}`)).body;

describe('reading assets', () => {
  it('shows an asset with its newest findings, the count of all, and a risk score from the open ones', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id, value } = await make.asset(tenant.id, { tier: 1 });
    const asset = { id, value, tier: 1 };
    const high = await make.finding(tenant.id, { asset, severity: 'high' });
    const critical = await make.finding(tenant.id, { asset, severity: 'critical' });
    const before = await client.get(`/v1/assets/${id}`);
    expect(before.body).toMatchObject({ n_findings: 2, risk_score: '8.4' });
    expect(before.body.findings.findings.map((finding: { id: number }) => finding.id)).toEqual([critical.id, high.id]);
    await client.post(`/v1/findings/${critical.id}/status`, { status: 5 });
    expect((await client.get(`/v1/assets/${id}`)).body).toMatchObject({ n_findings: 2, risk_score: '4.5' });
    const [listed] = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets;
    expect(listed).toEqual({
      id,
      value,
      type: 'domain',
      tier: 1,
      organization_id: tenant.id,
      private: false,
      owner: null,
      risk_score: '4.5',
      n_findings: 2,
      labels: [],
    });
  });

  it('shows at most 100 findings of an asset, and its detected technologies', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const { id, value } = await make.asset(tenant.id);
    for (let index = 0; index < 101; index++) await make.finding(tenant.id, { asset: { id, value, tier: null } });
    await query(
      "INSERT INTO asset_technologies (organization_id, asset_id, name, vendor, version) VALUES ($1, $2, 'nginx', 'F5', '1.28')",
      [tenant.id, id],
    );
    const { body } = await client.get(`/v1/assets/${id}`);
    expect(body.findings.findings).toHaveLength(100);
    expect(body.n_findings).toBe(101);
    expect(body.technologies).toEqual([
      { id: body.technologies[0].id, name: 'nginx', vendor: 'F5', version: '1.28', os: '', cpe: '', source: '' },
    ]);
  });

  it('lists assets newest first, in pages, with filters', async () => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const ids: number[] = [];
    const values = ['one.example', '10.0.0.1', 'https://one.example/Path', 'two.example', '10.0.0.0/24'];
    const types = ['domain', 'ip', 'url', 'domain', 'cidr'];
    for (const [index, asset_value] of values.entries())
      ids.push((await add(client, { asset_value, asset_type: types[index], tier: index === 3 ? 3 : null })).body.id);
    const list = async (search: string): Promise<number[]> =>
      (await client.get(`/v1/organizations/${id}/assets?${search}`)).body.assets.map(
        (asset: { id: number }) => asset.id,
      );
    expect(await list('')).toEqual(ids.toReversed());
    expect(await list('per_page=2&page=2')).toEqual([ids[2], ids[1]]);
    expect(await list('page=9')).toEqual([]);
    expect(await list('type=domain')).toEqual([ids[3], ids[0]]);
    expect(await list('tier=3')).toEqual([ids[3]]);
    expect(await list('q=ONE.example')).toEqual([ids[2], ids[0]]);
    expect(await list('q=path&type=url')).toEqual([ids[2]]);
    expect(await list('q=%25')).toEqual([]);
    expect(await list('q=two')).toEqual([ids[3]]);
    const first = await client.get(`/v1/organizations/${id}/assets?per_page=2&type=domain&q=example`);
    expect(first.headers.get('link')).toBeNull();
    for (const wrong of ['type=host', 'tier=4', 'tier=1&tier=2', 'q=', 'page=0', 'per_page=101', 'unknown=x'])
      expect((await client.get(`/v1/organizations/${id}/assets/?${wrong}`)).status).toBe(400);
  });

  it('canonicalizes the value in a search for assets', async () => {
    const { id } = await make.organization();
    const asset = await make.asset(id, { type: 'url', value: 'https://shop.example/a' });
    const assets = api.app.get(AssetsService);
    const scope = everything('a test');
    expect((await assets.findByValue(scope, id, 'HTTPS://Shop.example:443/a#x'))?.id).toBe(asset.id);
    expect(await assets.findByValue(scope, id, 'https://shop.example/b')).toBeUndefined();
    expect(await assets.findByValue(scope, id, 'no asset')).toBeUndefined();
    expect((await assets.listByIds(scope, [asset.id, 2_147_483_647])).map(({ value }) => value)).toEqual([
      'https://shop.example/a',
    ]);
  });
});

describe('permissions on assets', () => {
  it.each([
    ['viewer', 403, 403],
    ['member', 201, 403],
    ['admin', 201, 200],
    ['owner', 201, 200],
  ] as const)('a %s gets the status codes of the role on every asset route', async (role, onCreate, onDelete) => {
    const tenant = await make.organization();
    const { client } = await tenant.as(role);
    const { id } = await make.asset(tenant.id);
    expect((await client.get(`/v1/assets/${id}`)).status).toBe(200);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/${id}`)).status).toBe(200);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).status).toBe(200);
    expect((await add(client, { organization_id: tenant.id })).status).toBe(onCreate);
    expect((await client.delete(`/v1/assets/${id}`)).status).toBe(onDelete);
  });

  it('an integrator manages assets only in organizations that it created', async () => {
    const { client, integratorId } = await make.integrator();
    const own = await make.organization({ integratorId });
    const foreign = await make.asset((await make.organization()).id);
    const id = (await add(client, { organization_id: own.id })).body.id;
    expect((await client.get(`/v1/assets/${foreign.id}`)).status).toBe(404);
    expect((await client.delete(`/v1/assets/${foreign.id}`)).status).toBe(404);
    expect((await client.delete(`/v1/assets/${id}`)).status).toBe(200);
  });

  it('a role counts only in its own organization, whose audit log records the refusal', async () => {
    const one = await make.organization();
    const two = await make.organization();
    const { client, userId } = await one.as('viewer');
    await make.membership(userId, two.id, 'owner');
    const { id } = await make.asset(one.id);
    expect((await client.delete(`/v1/assets/${id}`)).status).toBe(403);
    expect((await add(client, { organization_id: one.id })).status).toBe(403);
    const owner = await one.as('owner');
    expect((await logOf(owner.client, 'status=failure&resource_type=asset')).total).toBe(2);
    expect((await logOf(client, `status=failure&organization_id=${two.id}`)).total).toBe(0);
  });

  it('a read-only key cannot create or delete assets', async () => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'owner', { scopes: ['read'] });
    expect((await add(client, {})).status).toBe(403);
    expect((await client.get(`/v1/organizations/${id}/assets/`)).status).toBe(200);
  });

  it('an asset of another organization is answered like one that does not exist', async () => {
    const mine = await make.organization();
    const { client } = await mine.as('owner');
    const theirs = await make.organization();
    const { id } = await make.asset(theirs.id);
    const unknownId = 2_147_483_647;
    const own = await make.asset(mine.id);
    const pairs: [Promise<Answer>, Promise<Answer>][] = [
      [client.get(`/v1/assets/${id}`), client.get(`/v1/assets/${unknownId}`)],
      [client.delete(`/v1/assets/${id}`), client.delete(`/v1/assets/${unknownId}`)],
      [
        client.get(`/v1/organizations/${mine.id}/assets/${id}`),
        client.get(`/v1/organizations/${mine.id}/assets/${unknownId}`),
      ],
      [
        client.get(`/v1/organizations/${theirs.id}/assets/${own.id}`),
        client.get(`/v1/organizations/${unknownId}/assets/${own.id}`),
      ],
      [client.get(`/v1/organizations/${theirs.id}/assets/`), client.get(`/v1/organizations/${unknownId}/assets/`)],
      [add(client, { organization_id: theirs.id }), add(client, { organization_id: unknownId })],
    ];
    for (const [foreign, unknown] of pairs) {
      const [foreignAnswer, unknownAnswer] = await Promise.all([foreign, unknown]);
      expect(foreignAnswer.status).toBe(404);
      expect(foreignAnswer.text).toBe(unknownAnswer.text);
    }
    for (const malformed of ['abc', '0', '-1', '0x1', '2147483648', '1.5'])
      expect((await client.get(`/v1/assets/${malformed}`)).text).toBe(
        (await client.get(`/v1/assets/${unknownId}`)).text,
      );
  });
});
