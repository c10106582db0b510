import { AssetsService } from '../../src/modules/assets';
import { everything } from '../../src/platform/api/scope';
import { Work } from '../../src/platform/work/work';
import { sortedStatuses, repeat } from '../support/answers';
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

describe('adding an asset', () => {
  it('stores the canonical value and returns the Location of the asset', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const answer = await add(client, { organization_id: tenant.id, asset_value: 'Shop.Example.COM.', tier: 2 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ code: 201, description: 'Asset created.', id: answer.body.id, success: true });
    expect(answer.headers.get('location')).toBe(`/v1/assets/${answer.body.id}`);
    const asset = await client.get(`/v1/assets/${answer.body.id}`);
    expect(asset.body).toEqual({
      id: answer.body.id,
      active_tests: 'off',
      requests_per_second: null,
      proof_file: null,
      allowed_paths: [],
      forbidden_paths: [],
      value: 'shop.example.com',
      type: 'domain',
      tier: 2,
      organization_id: tenant.id,
      private: false,
      owner: null,
      organization_name: tenant.name,
      risk_score: '0.0',
      ip: null,
      tld: false,
      purl: null,
      cpe: null,
      services: [],
      ports: [],
      technologies: [],
      created: asset.body.created,
      n_findings: 0,
      labels: [],
      findings: { findings: [] },
    });
  });

  it.each([
    ['domain', 'Example.COM', { value: 'example.com', tld: true, ip: null }],
    ['domain', 'bücher.example', { value: 'xn--bcher-kva.example', tld: true }],
    ['url', 'HTTPS://Example.com:443/a/../b#c', { value: 'https://example.com/b', tld: false }],
    ['ip', '2001:DB8:0::1', { value: '2001:db8::1', ip: '2001:db8::1' }],
    ['cidr', '192.0.2.0/24', { value: '192.0.2.0/24', ip: null }],
  ])('accepts a %s such as %s', async (type, value, expected) => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const answer = await add(client, { asset_type: type, asset_value: value });
    expect(answer.status).toBe(201);
    expect((await client.get(`/v1/assets/${answer.body.id}`)).body).toMatchObject(expected);
  });

  it.each([
    [{ asset_value: undefined }, 'asset_value is missing'],
    [{ asset_type: undefined }, 'asset_type is missing'],
    [{ asset_type: 'host' }, 'asset_type must be one of: domain, url, ip, cidr'],
    [{ asset_value: 7 }, 'asset_value must be a string'],
    [{ asset_value: '' }, 'asset_value must be a string of 1 to 2048'],
    [{ asset_value: 'localhost' }, 'asset_value must be a domain'],
    [{ asset_value: 'co.uk' }, 'asset_value must be a domain that can be registered'],
    [{ asset_type: 'url', asset_value: 'https://user:secret@example.com/' }, 'user information'],
    [{ asset_type: 'ip', asset_value: '0x7f.1' }, 'asset_value must be an IP address'],
    [{ asset_type: 'cidr', asset_value: '192.0.2.1/24' }, 'did you mean 192.0.2.0/24?'],
    [{ tier: 0 }, 'tier must be a whole number from 1 to 3, or null'],
    [{ tier: '1' }, 'tier must be a whole number'],
    [{ purl: 'shop' }, 'purl must be a package URL'],
    [{ cpe: 'cpe:/a:f5:nginx' }, 'cpe must be a CPE 2.3 formatted string'],
    [{ purl: `pkg:npm/${'x'.repeat(512)}` }, 'purl must be a string of at most 512 characters'],
    [{ organization_id: 2_147_483_648 }, 'organization_id must be a whole number'],
    [{ beacon_id: 'x' }, 'beacon_id must be a whole number'],
    [{ id: 1 }, '"id" is not a field'],
    [{ private: true }, '"private" is not a field'],
  ])('refuses %j with a message that says what is wrong', async (body, sentence) => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const answer = await add(client, body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('refuses a CIDR block that is too large only after all other checks', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const block = { asset_type: 'cidr', asset_value: '10.0.0.0/15' };
    const answer = await add(client, block);
    expect([answer.status, answer.body.description]).toEqual([
      422,
      'asset_value is a block that is too large: the largest is /16.',
    ]);
    expect((await add(client, { ...block, organization_id: 2_147_483_647 })).status).toBe(404);
    expect(await query('SELECT 1 FROM assets WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });

  it('requires organization_id from a caller who sees several organizations', async () => {
    const { client, integratorId } = await make.integrator();
    const { id } = await make.organization({ integratorId });
    expect((await add(client, {})).status).toBe(201);
    await make.organization({ integratorId });
    const answer = await add(client, {});
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining('organization_id')]);
    expect((await add(client, { organization_id: id })).status).toBe(201);
  });

  it('refuses a duplicate value in any spelling within an organization, and allows it in another', async () => {
    const one = await make.organization();
    const other = await make.organization();
    const { value } = await make.asset(one.id);
    const { client } = await one.as('member');
    expect((await add(client, { asset_value: `${value.toUpperCase()}.` })).status).toBe(409);
    expect((await add((await other.as('member')).client, { asset_value: value })).status).toBe(201);
  });

  it('creates exactly one asset from twenty simultaneous equal requests', async () => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const asset_value = uniqueDomain();
    const answers = await Promise.all(repeat(20, null).map(() => add(client, { asset_value })));
    expect(sortedStatuses(answers)).toEqual([201, ...repeat(19, 409)]);
  });

  it('enforces the asset limit of the organization for twenty simultaneous requests', async () => {
    const { id } = await make.organization({ assetsLimit: 3 });
    const { client } = await make.member(id, 'member');
    const answers = await Promise.all(repeat(20, null).map(() => add(client, {})));
    expect(sortedStatuses(answers)).toEqual([...repeat(3, 201), ...repeat(17, 422)]);
    expect(await query('SELECT 1 FROM assets WHERE organization_id = $1', [id])).toHaveLength(3);
    const [first] = (await client.get(`/v1/organizations/${id}/assets/`)).body.assets;
    expect((await add(client, { asset_value: first.value })).status).toBe(409);
  });

  it('adds no asset to an organization that is being deleted', async () => {
    const { client, integratorId } = await make.integrator();
    const { id } = await make.organization({ integratorId });
    const [deletion, ...answers] = await Promise.all([
      client.delete(`/v1/organizations/${id}/`),
      ...repeat(20, null).map(() => add(client, { organization_id: id })),
    ]);
    expect(deletion?.status).toBe(200);
    for (const { status } of answers) expect([201, 404]).toContain(status);
    expect((await add(client, { organization_id: id })).status).toBe(404);
  });
});

describe('an asset behind a beacon', () => {
  const beaconOf = async (organizationId: number): Promise<number> => {
    const { client } = await make.member(organizationId, 'admin');
    const beacon = { name: `b${uniqueDomain().slice(0, 12)}`, allowed_cidrs: ['10.0.0.0/8'] };
    return (await client.post(`/v1/organizations/${organizationId}/beacons/`, beacon)).body.id;
  };

  it('is private, and distinct from a public asset of the same value', async () => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const beacon_id = await beaconOf(id);
    const asset = { asset_type: 'ip', asset_value: '10.1.2.3' };
    const behind = await add(client, { ...asset, beacon_id });
    const open = await add(client, asset);
    expect([behind.status, open.status, (await add(client, { ...asset, beacon_id })).status]).toEqual([201, 201, 409]);
    expect((await client.get(`/v1/organizations/${id}/assets/${behind.body.id}`)).body.private).toBe(true);
    expect((await client.get(`/v1/organizations/${id}/assets/${open.body.id}`)).body.private).toBe(false);
    const found = await api.app.get(AssetsService).findByValue(everything('a test'), id, '10.1.2.3');
    expect(found?.id).toBe(open.body.id);
  });

  it('is deleted with its beacon', async () => {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'admin');
    const beacon_id = await beaconOf(id);
    const asset = (await add(client, { beacon_id })).body.id;
    expect((await client.delete(`/v1/organizations/${id}/beacons/${beacon_id}`)).status).toBe(204);
    expect((await client.get(`/v1/assets/${asset}`)).status).toBe(404);
  });

  it('cannot use a beacon of another organization', async () => {
    const mine = await make.organization();
    const { client } = await mine.as('member');
    const foreign = await add(client, { beacon_id: await beaconOf((await make.organization()).id) });
    const unknown = await add(client, { beacon_id: 2_147_483_647 });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });
});

describe('accepting a check on an asset', () => {
  const reason = 'The staging site is only in the office network.';
  const until = '2099-01-01T12:00:00.000Z';
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

  async function createAccepted() {
    const tenant = await make.organization();
    const { id } = await make.asset(tenant.id);
    const { client } = await tenant.as('admin');
    const path = `/v1/assets/${id}/accepted-checks/`;
    const accept = (body: object, check = 'no-https-redirect', caller = client): Promise<Answer> =>
      caller.put(`${path}${check}`, { reason, until: inDays(30), ...body });
    return { tenant, id, client, path, accept };
  }

  it('stores the reason, the end and the person, and a second request replaces them', async () => {
    const { tenant, id, client, path, accept } = await createAccepted();
    await query(
      "UPDATE users SET name = 'Ada Ito' WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = $1)",
      [tenant.id],
    );
    const end = inDays(200);
    const first = await accept({ reason: `  ${reason} `, until: end });
    const stored = {
      check_id: 'no-https-redirect',
      reason,
      until: end,
      covers: 'findings',
      accepted_by: 'Ada Ito',
      accepted_at: expect.any(String),
      expired: false,
    };
    expect([first.status, first.body]).toEqual([200, stored]);
    expect((await client.get(path)).body).toEqual({ accepted_checks: [stored] });

    const { client: owner } = await tenant.as('owner');
    const lastDay = inDays(60).slice(0, 10);
    const changed = { reason: 'Until the move.', until: lastDay, covers: 'incompleteness' };
    const second = await accept(changed, 'no-https-redirect', owner);
    expect(second.body).toMatchObject({ ...changed, expired: false, until: `${lastDay}T23:59:59.999Z` });
    expect(second.body.accepted_by).not.toBe(first.body.accepted_by);
    expect((await client.get(path)).body).toEqual({ accepted_checks: [second.body] });

    expect((await client.delete(`${path}no-https-redirect`)).body).toEqual({
      code: 200,
      description: 'Accepted check deleted.',
      id: null,
      success: true,
    });
    expect((await client.get(path)).body).toEqual({ accepted_checks: [] });
    expect((await client.delete(`${path}no-https-redirect`)).status).toBe(404);

    const { audit_logs: logs } = await logOf(client, `resource_type=asset&resource_id=${id}&per_page=4`);
    const noted = ({ body }: Answer) => ({ reason: body.reason, until: body.until, covers: body.covers });
    const common = { check: 'no-https-redirect' };
    expect(logs).toMatchObject([
      { operation: 'asset.delete_accepted_check', status: 'failure', metadata: common },
      {
        operation: 'asset.delete_accepted_check',
        status: 'success',
        metadata: { ...common, from: noted(second), to: null },
      },
      {
        operation: 'asset.accept_check',
        status: 'success',
        metadata: { ...common, from: noted(first), to: noted(second) },
      },
      { operation: 'asset.accept_check', status: 'success', metadata: { ...common, from: null, to: noted(first) } },
    ]);
  });

  it('lists an acceptance that has expired', async () => {
    const { id, client, path, accept } = await createAccepted();
    await accept({});
    await query('UPDATE accepted_checks SET until = now() WHERE asset_id = $1', [id]);
    expect((await client.get(path)).body.accepted_checks).toMatchObject([{ reason, expired: true }]);
  });

  it.each([
    ['without a reason', { reason: undefined }, 'reason is missing'],
    ['with a blank reason', { reason: ' ' }, 'reason must say why'],
    ['with a reason of several lines', { reason: 'a\nb' }, 'reason must have no control characters'],
    ['with a reason of 501 characters', { reason: 'x'.repeat(501) }, 'reason must be a string of at most 500'],
    ['without an end', { until: undefined }, 'until is missing'],
    ['with null as its end', { until: null }, 'until must be an ISO 8601'],
    ['with an end in the past', { until: '2020-01-01' }, 'until must be in the future'],
    ['with an end more than a year ahead', { until }, 'until must be at most a year ahead'],
    ['with an unknown field', { unitl: until }, 'unitl'],
  ])('is refused %s', async (_what, body, message) => {
    const { client, path, accept } = await createAccepted();
    const answer = await accept(body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(message)]);
    expect((await client.get(path)).body).toEqual({ accepted_checks: [] });
  });

  it.each(['no-http-redirect', 'NO-HTTPS-REDIRECT', 'no-https-redirect%00', 'x'.repeat(3_000)])(
    'is refused for the unknown check %s, with similar ids',
    async (check) => {
      const { client, path, accept } = await createAccepted();
      const answer = await accept({}, check);
      expect([answer.status, answer.body.description]).toEqual([400, expect.stringMatching(/Similar ids: [a-z-]+, /)]);
      expect((await client.delete(`${path}${check}`)).status).toBe(404);
    },
  );

  it('is refused for a key for pipelines, also of an admin, and is recorded', async () => {
    const { tenant, id, client, path, accept } = await createAccepted();
    const { credentials, userId } = await make.member(tenant.id, 'admin', { scopes: ['ci'] });
    const ci = make.withCredentials(credentials);
    await accept({});
    expect((await accept({}, 'login-over-http', ci)).status).toBe(403);
    expect((await ci.delete(`${path}no-https-redirect`)).status).toBe(403);
    expect((await ci.get(path)).status).toBe(403);
    expect((await client.get(path)).body.accepted_checks).toHaveLength(1);
    const { total } = await logOf(client, `resource_id=${id}&actor_id=${userId}&status=failure`);
    expect(total).toBe(2);
  });

  it('is accepted on an asset behind a beacon', async () => {
    const { tenant, client } = await createAccepted();
    const { id: beaconId } = await make.beacon(tenant.id);
    const { id } = await make.asset(tenant.id, { value: '10.20.0.1', type: 'ip', beaconId });
    const body = { reason, until: inDays(1) };
    expect((await client.put(`/v1/assets/${id}/accepted-checks/no-https-redirect`, body)).status).toBe(200);
  });
});

describe('the product of an asset', () => {
  const purl = 'pkg:npm/%40example/shop@4.2.0';
  const cpe = 'cpe:2.3:a:example:shop:4.2.0:*:*:*:*:*:*:*';

  it('is set when the asset is added, and changed and removed later', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = (await add(client, { purl, tier: 1 })).body;
    const path = `/v1/assets/${id}`;
    expect((await client.get(path)).body).toMatchObject({ purl, cpe: null, tier: 1 });
    const changed = await client.patch(path, { cpe });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ purl, cpe, tier: 1 })]);
    expect((await client.patch(path, { purl: null, tier: null })).body).toMatchObject({ purl: null, cpe, tier: null });
    expect((await client.patch(path, {})).body).toMatchObject({ purl: null, cpe, tier: null });
    const { client: admin } = await tenant.as('admin');
    const { audit_logs } = await logOf(admin, `operation=asset.change&resource_id=${id}`);
    expect(audit_logs[2]).toMatchObject({
      status: 'success',
      metadata: { from: { purl, cpe: null, tier: 1 }, to: { cpe } },
    });
  });

  it.each([
    [{ purl: 'pkg:npm' }, 'purl must be a package URL'],
    [{ cpe: 'nginx' }, 'cpe must be a CPE 2.3 formatted string'],
    [{ tier: 4 }, 'tier must be a whole number from 1 to 3'],
    [{ asset_value: 'x.example.com' }, '"asset_value" is not a field'],
  ])('is not changed by %j', async (body, sentence) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = (await add(client, {})).body;
    const answer = await client.patch(`/v1/assets/${id}`, body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

describe('deleting an asset', () => {
  it('keeps the findings of the asset and is recorded in the audit log', async () => {
    const tenant = await make.organization();
    const { client, userId } = await tenant.as('admin');
    const { id, value } = await make.asset(tenant.id);
    const finding = await make.finding(tenant.id, { asset: { id, value, tier: null } });
    const answer = await client.delete(`/v1/assets/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 200, description: 'Asset deleted.', id, success: true });
    const [left] = (await client.get(`/v1/findings/${finding.id}/`)).body.findings;
    expect(left).toMatchObject({ asset_id: null, asset_value: value });
    expect((await client.get(`/v1/assets/${id}`)).status).toBe(404);
    const log = await logOf(client, 'operation=asset.delete');
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({
      actor_id: String(userId),
      operation_category: 'assets',
      resource_type: 'asset',
      resource_id: String(id),
      status: 'success',
      metadata: { value },
    });
  });

  it('is refused while a worker runs a job or retest on the asset', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id } = await make.asset(tenant.id);
    await api.app.get(Work).enqueue({ kind: 'test.nobody', reference: String(id), assetId: id });
    await query("UPDATE work SET state = 'running', lease_until = now() + interval '1 hour' WHERE asset_id = $1", [id]);
    expect((await client.delete(`/v1/assets/${id}`)).status).toBe(409);
    expect((await logOf(client, 'operation=asset.delete&status=failure')).total).toBe(1);
    await api.app.get(Work).cancel('test.nobody', String(id));
    expect((await client.delete(`/v1/assets/${id}`)).status).toBe(200);
  });

  it('deletes the asset once for twenty simultaneous requests', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('owner');
    const { id } = await make.asset(tenant.id);
    const answers = await Promise.all(repeat(20, null).map(() => client.delete(`/v1/assets/${id}`)));
    expect(sortedStatuses(answers)).toEqual([200, ...repeat(19, 404)]);
  });
});
