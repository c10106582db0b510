import { sortedStatuses, repeat } from '../support/answers';
import { useApi } from '../support/api';
import type { Answer } from '../support/client';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { DomainFactory } from '../support/domains';
import { Factories, uniqueDomain } from '../support/factories';

const dns = useDnsServer();
const api = useApi(dns.settings);
const make = new Factories(api);
const domains = new DomainFactory(make, dns);

const unknownId = 2_147_483_647;

describe('adding a domain', () => {
  it('creates its asset too, and returns its Location and the record to publish', async () => {
    const tenant = await make.organization();
    const { client, userId } = await tenant.as('owner');
    const answer = await client.post('/v1/domains/', { value: 'Bücher.Example.', organization_id: tenant.id });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ code: 201, description: 'Domain created.', id: answer.body.id, success: true });
    const path = `/v1/organizations/${tenant.id}/domains/${answer.body.id}`;
    expect(answer.headers.get('location')).toBe(path);
    const { body } = await client.get(path);
    expect(body).toEqual({
      id: answer.body.id,
      value: 'xn--bcher-kva.example',
      organization_id: tenant.id,
      verified: false,
      verification_token: expect.stringMatching(/^[0-9a-f]{32}$/),
      verification_txt_record: `assay-verification=${body.verification_token}`,
      verification_result: null,
      last_checked: null,
    });
    const { assets } = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body;
    expect(assets).toMatchObject([{ value: 'xn--bcher-kva.example', type: 'domain', private: false }]);
    const log = (await client.get('/v1/audit-logs/?operation=domain.create')).body;
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({
      actor_id: String(userId),
      operation_category: 'assets',
      resource_id: String(answer.body.id),
      status: 'success',
      metadata: { value: 'xn--bcher-kva.example' },
    });
    expect((await client.get('/v1/audit-logs/?operation=asset.create')).body.total).toBe(0);
  });

  it('uses an existing asset of the same value', async () => {
    const tenant = await make.organization();
    const { value } = await make.asset(tenant.id, { tier: 1 });
    const { client } = await domains.add(value, { tenant });
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toMatchObject([
      { value, tier: 1 },
    ]);
  });

  it.each([
    [{}, 'value is missing'],
    [{ value: 7 }, 'value must be a string'],
    [{ value: '' }, 'value must be a string of 1 to'],
    [{ value: 'com' }, 'value must be a domain that can be registered'],
    [{ value: 'co.uk' }, 'value must be a domain that can be registered'],
    [{ value: 'github.io' }, 'value must be a domain that can be registered'],
    [{ value: 'localhost' }, 'value must be a domain that can be registered'],
    [{ value: '192.0.2.1' }, 'value must be a domain name'],
    [{ value: 'https://example.com' }, 'value must be a domain name'],
    [{ value: '*.example.com' }, 'value must be a domain name'],
    [{ value: `${'a.'.repeat(126)}example.com` }, 'value must be a domain name'],
    [{ value: 'example.com', organization_id: '1' }, 'organization_id must be a whole number'],
    [{ value: 'example.com', verified: true }, '"verified" is not a field'],
    [{ value: 'example.com', verification_token: 'x' }, '"verification_token" is not a field'],
  ])('refuses %j with a message that says what is wrong', async (body, sentence) => {
    const { client } = await (await make.organization()).as('member');
    const answer = await client.post('/v1/domains/', body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('requires organization_id from a caller who sees several organizations', async () => {
    const { client, integratorId } = await make.integrator();
    await make.organization({ integratorId });
    expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(201);
    await make.organization({ integratorId });
    expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(400);
  });

  it('creates exactly one domain and asset from twenty simultaneous equal requests; another organization may add it too', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const value = uniqueDomain();
    const answers = await Promise.all(repeat(20, value).map((value) => client.post('/v1/domains/', { value })));
    expect(sortedStatuses(answers)).toEqual([201, ...repeat(19, 409)]);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toHaveLength(1);
    expect((await domains.add(value)).tenant.id).not.toBe(tenant.id);
  });

  it('enforces the asset limit for twenty simultaneous domains, and leaves no rows of the refused ones', async () => {
    const tenant = await make.organization({ assetsLimit: 3 });
    const { client } = await tenant.as('member');
    const { value } = await make.asset(tenant.id);
    const answers = await Promise.all(
      repeat(20, null).map(() => client.post('/v1/domains/', { value: uniqueDomain() })),
    );
    expect(sortedStatuses(answers)).toEqual([201, 201, ...repeat(18, 422)]);
    expect((await client.get(`/v1/organizations/${tenant.id}/domains/`)).body.domains).toHaveLength(2);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toHaveLength(3);
    // Its asset already exists, so the limit is not affected.
    expect((await client.post('/v1/domains/', { value })).status).toBe(201);
  });
});

describe('reading and deleting domains', () => {
  it('lists domains newest first, in pages', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const ids: number[] = [];
    for (let index = 0; index < 3; index++) ids.push((await domains.add(undefined, { tenant })).id);
    const list = async (search: string): Promise<Answer> =>
      client.get(`/v1/organizations/${tenant.id}/domains?${search}`);
    const idsOf = ({ body }: Answer): number[] => body.domains.map((domain: { id: number }) => domain.id);
    expect(idsOf(await list(''))).toEqual(ids.toReversed());
    expect(idsOf(await list('per_page=2&page=2'))).toEqual([ids[0]]);
    expect((await list('per_page=2')).headers.get('link')).toContain('rel="next"');
    expect(idsOf(await list('page=9'))).toEqual([]);
    expect((await list('page=0')).status).toBe(400);
  });

  it('deletes the domain, cancels its pending lookup, and keeps its asset', async () => {
    const domain = await domains.add(undefined, { verified: true });
    await query("INSERT INTO work (kind, reference, organization_id) VALUES ('domain.lookup', $1, $2)", [
      domain.id,
      domain.tenant.id,
    ]);
    const answer = await domain.client.delete(domain.path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 200, description: 'Domain deleted.', id: domain.id, success: true });
    expect((await domain.read()).status).toBe(404);
    const lookups = await query("SELECT state FROM work WHERE kind = 'domain.lookup' AND reference = $1", [
      String(domain.id),
    ]);
    expect(lookups).toEqual([{ state: 'canceled' }]);
    const { assets } = (await domain.client.get(`/v1/organizations/${domain.tenant.id}/assets/`)).body;
    expect(assets).toMatchObject([{ value: domain.value }]);
    expect((await domain.log('operation=domain.delete')).audit_logs).toMatchObject([
      { status: 'success', resource_id: String(domain.id), metadata: { value: domain.value, verified: true } },
    ]);
  });

  it('deletes the domain once for twenty simultaneous requests', async () => {
    const { client, path } = await domains.add();
    const answers = await Promise.all(repeat(20, null).map(() => client.delete(path)));
    expect(sortedStatuses(answers)).toEqual([200, ...repeat(19, 404)]);
  });
});

describe('permissions on domains', () => {
  it.each([
    ['viewer', 403, 403, 403],
    ['member', 201, 200, 403],
    ['admin', 201, 200, 200],
    ['owner', 201, 200, 200],
  ] as const)(
    'a %s gets %d for adding, %d for verifying and %d for deleting',
    async (role, createStatus, verifyStatus, deleteStatus) => {
      const { tenant, path } = await domains.add();
      const { client } = await tenant.as(role);
      expect((await client.get(path)).body.verification_token).toMatch(/^[0-9a-f]{32}$/);
      expect((await client.get(`/v1/organizations/${tenant.id}/domains/`)).status).toBe(200);
      expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(createStatus);
      expect((await client.post(`${path}/verify`)).status).toBe(verifyStatus);
      expect((await client.delete(path)).status).toBe(deleteStatus);
    },
  );

  it('a role counts only in its own organization, whose audit log records the refusal', async () => {
    const domain = await domains.add();
    const { client, userId } = await domain.tenant.as('viewer');
    await make.membership(userId, (await make.organization()).id, 'owner');
    const organization_id = domain.tenant.id;
    expect((await client.post('/v1/domains/', { value: uniqueDomain(), organization_id })).status).toBe(403);
    expect((await client.post(`${domain.path}/verify`)).status).toBe(403);
    expect((await client.delete(domain.path)).status).toBe(403);
    expect((await domain.log('status=failure')).total).toBe(3);
  });

  it('a domain of another organization is answered like one that does not exist', async () => {
    const mine = await make.organization();
    const { client } = await mine.as('owner');
    const theirs = await domains.add();
    const own = await domains.add(undefined, { tenant: mine });
    const at = (organizationId: number, id: number): string => `/v1/organizations/${organizationId}/domains/${id}`;
    const pairs: [string, string][] = [
      [theirs.path, at(unknownId, unknownId)],
      [at(mine.id, theirs.id), at(mine.id, unknownId)],
      [at(theirs.tenant.id, own.id), at(unknownId, own.id)],
    ];
    for (const [foreign, unknown] of pairs) {
      const answers = [
        [await client.get(foreign), await client.get(unknown)],
        [await client.delete(foreign), await client.delete(unknown)],
        [await client.post(`${foreign}/verify`), await client.post(`${unknown}/verify`)],
      ] as const;
      for (const [foreignAnswer, unknownAnswer] of answers) {
        expect(foreignAnswer.status).toBe(404);
        expect(foreignAnswer.text).toBe(unknownAnswer.text);
      }
    }
    const lists = [
      await client.get(`/v1/organizations/${theirs.tenant.id}/domains/`),
      await client.get(`/v1/organizations/${unknownId}/domains/`),
    ] as const;
    expect([lists[0].status, lists[0].text]).toEqual([404, lists[1].text]);
    const body = { value: uniqueDomain() };
    const created = [
      await client.post('/v1/domains/', { ...body, organization_id: theirs.tenant.id }),
      await client.post('/v1/domains/', { ...body, organization_id: unknownId }),
    ] as const;
    expect([created[0].status, created[0].text]).toEqual([404, created[1].text]);
  });
});
