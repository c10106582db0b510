import { DomainsService } from '../../src/modules/assets';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { everything } from '../../src/platform/auth/scope';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { type Said, useDnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';

const dns = useDnsServer();
const connections = 8;
const settings = {
  get DNS_SERVERS() {
    return dns.address;
  },
  DATABASE_POOL_SIZE: String(connections),
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const nobodys = 2_147_483_647;
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort((a, b) => a - b);
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const challenge = (domain: string): string => `_assay-challenge.${domain}`;
const recordOf = (token: string): string => `assay-verification=${token}`;

interface Owned {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly id: number;
  readonly value: string;
  readonly record: string;
  readonly path: string;
  readonly verify: () => Promise<Answer>;
  readonly read: () => Promise<Answer>;
}

/** A domain in an organization of its own, with somebody who may do everything to it. */
async function domainOf(value = uniqueDomain(), options: { verified?: boolean; tenant?: Tenant } = {}): Promise<Owned> {
  const tenant = options.tenant ?? (await make.organization());
  const { client } = await tenant.as('owner');
  const { id, token } = await make.domain(tenant.id, { value, verified: options.verified });
  const path = `/v1/organizations/${tenant.id}/domains/${id}`;
  const verify = (): Promise<Answer> => client.post(`${path}/verify`);
  return { tenant, client, id, value, record: recordOf(token), path, verify, read: () => client.get(path) };
}

/** A domain that is held by the record in the zone of it, as `verify` has found it. */
async function heldDomain(value?: string): Promise<Owned> {
  const domain = await domainOf(value);
  dns.publish(challenge(domain.value), domain.record);
  expect((await domain.verify()).body.verified).toBe(true);
  return domain;
}

const logOf = async ({ client }: Owned, filter: string): Promise<{ total: number; audit_logs: object[] }> =>
  (await client.get(`/v1/audit-logs/?resource_type=domain&${filter}`)).body;

/** The clock's time has come for these domains, and for the clock to look. */
async function makeDue(...ids: number[]): Promise<void> {
  await query('UPDATE domains SET next_lookup = now() WHERE id = ANY($1)', [ids]);
  await query("DELETE FROM clock_tasks WHERE name = 'domain.lookups'");
}

describe('adding a domain', () => {
  it('adds its asset too, and says where it is and how to prove it', async () => {
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

  it('takes the asset that is there already', async () => {
    const tenant = await make.organization();
    const { value } = await make.asset(tenant.id, { tier: 1 });
    const { client } = await domainOf(value, { tenant });
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
  ])('refuses %j with a sentence', async (body, sentence) => {
    const { client } = await (await make.organization()).as('member');
    const answer = await client.post('/v1/domains/', body);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('asks for the organization where the caller can see several', async () => {
    const { client, integratorId } = await make.integrator();
    await make.organization({ integratorId });
    expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(201);
    await make.organization({ integratorId });
    expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(400);
  });

  it('gives exactly one of twenty equal domains at once, with one asset; another organization may add it too', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const value = uniqueDomain();
    const answers = await Promise.all(times(20, value).map((value) => client.post('/v1/domains/', { value })));
    expect(statuses(answers)).toEqual([201, ...times(19, 409)]);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toHaveLength(1);
    expect((await domainOf(value)).tenant.id).not.toBe(tenant.id);
  });

  it('counts against the limit of assets when twenty come at once, and leaves nothing behind', async () => {
    const tenant = await make.organization({ assetsLimit: 3 });
    const { client } = await tenant.as('member');
    const { value } = await make.asset(tenant.id);
    const answers = await Promise.all(
      times(20, null).map(() => client.post('/v1/domains/', { value: uniqueDomain() })),
    );
    expect(statuses(answers)).toEqual([201, 201, ...times(18, 422)]);
    expect((await client.get(`/v1/organizations/${tenant.id}/domains/`)).body.domains).toHaveLength(2);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toHaveLength(3);
    // Its asset is there already: nothing is added that would count.
    expect((await client.post('/v1/domains/', { value })).status).toBe(201);
  });
});

describe('what the DNS may answer', () => {
  const padding = (count: number): string[] => times(count, 'x'.repeat(250));

  it.each<[string, (record: string, alias: string) => [Said, Said?], boolean, string]>([
    ['the record at its own name', (record) => [{ txt: [[record]] }], true, '_assay-challenge.D has the record.'],
    [
      'the record at the domain itself',
      (record) => [{ txt: [] }, { txt: [['v=spf1 -all'], [record]] }],
      true,
      'D has the record.',
    ],
    [
      'the record, split into strings',
      (record) => [{ txt: [[record.slice(0, 20), record.slice(20)]] }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record among two',
      (record) => [{ txt: [[recordOf('0'.repeat(32))], [record]] }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record behind an alias',
      (record, alias) => (dns.publish(alias, record), [{ cname: alias }]),
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record in an answer too large for a datagram',
      (record) => [{ txt: [...padding(200), record].map((text) => [text]) }],
      true,
      '_assay-challenge.D has the record.',
    ],
    [
      'the record although the other name fails',
      (record) => [{ rcode: 'SERVFAIL' }, { txt: [[record]] }],
      true,
      'D has the record.',
    ],
    [
      'no such name',
      () => [{ rcode: 'NXDOMAIN' }],
      false,
      '_assay-challenge.D has no TXT record. D has no TXT record.',
    ],
    ['no record', () => [{ txt: [] }], false, '_assay-challenge.D has no TXT record. D has no TXT record.'],
    [
      'a wrong token',
      () => [{ txt: [[recordOf('0'.repeat(32))]] }],
      false,
      '_assay-challenge.D has an assay-verification= record, but with another token. D has no TXT record.',
    ],
    [
      'the token alone',
      (record) => [{ txt: [[record.replace(/.*=/, '')]] }],
      false,
      '_assay-challenge.D has 1 TXT record, but no assay-verification= record. D has no TXT record.',
    ],
    [
      'half of it in each of two records',
      (record) => [{ txt: [[record.slice(0, 30)], [record.slice(30)]] }],
      false,
      '_assay-challenge.D has an assay-verification= record, but with another token. D has no TXT record.',
    ],
    [
      'an alias to nothing',
      (_record, alias) => [{ cname: alias }],
      false,
      '_assay-challenge.D has no TXT record. D has no TXT record.',
    ],
    [
      'a failure',
      () => [{ rcode: 'SERVFAIL' }],
      false,
      '_assay-challenge.D could not be looked up: its name servers report a failure. D has no TXT record.',
    ],
    [
      'a refusal',
      () => [{ rcode: 'REFUSED' }],
      false,
      '_assay-challenge.D could not be looked up: its name servers refuse to answer. D has no TXT record.',
    ],
    [
      'what is no answer',
      () => ['garbage'],
      false,
      '_assay-challenge.D could not be looked up: the answer is not readable. D has no TXT record.',
    ],
    [
      'nothing at all',
      () => ['silence'],
      false,
      '_assay-challenge.D could not be looked up in time. D has no TXT record.',
    ],
  ])('%s', async (_what, said, verified, result) => {
    const domain = await domainOf();
    const [atChallenge, atDomain] = said(domain.record, `alias.${domain.value}`);
    dns.say(challenge(domain.value), atChallenge);
    if (atDomain !== undefined) dns.say(domain.value, atDomain);
    const answer = await domain.verify();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ verified, verification_result: result.replaceAll('D ', `${domain.value} `) });
    expect(Math.abs(Date.now() - Date.parse(answer.body.last_checked))).toBeLessThan(20_000);
    expect((await domain.read()).body).toEqual(answer.body);
  });

  it('has come over TCP where it was too large', () => {
    expect(dns.overTcp).toBeGreaterThan(0);
  });
});

describe('verifying on demand', () => {
  it('leaves one entry for each look, found or not', async () => {
    const domain = await domainOf();
    await domain.verify();
    dns.publish(domain.value, domain.record);
    await domain.verify();
    const log = await logOf(domain, 'operation=domain.verify');
    expect(log.total).toBe(2);
    expect(log.audit_logs).toMatchObject([
      { status: 'success', resource_id: String(domain.id), metadata: { result: 'found', from: false, to: true } },
      { status: 'success', metadata: { result: 'absent', from: false, to: false } },
    ]);
  });

  it('covers the subdomains, of this organization alone', async () => {
    const { tenant, value } = await heldDomain();
    const domains = api.app.get(DomainsService);
    expect(await domains.isVerifiedFor(tenant.id, value)).toBe(true);
    expect(await domains.isVerifiedFor(tenant.id, `a.b.${value}`)).toBe(true);
    expect(await domains.isVerifiedFor(tenant.id, `not${value}`)).toBe(false);
    expect(await domains.isVerifiedFor(tenant.id, 'example')).toBe(false);
    expect(await domains.isVerifiedFor((await make.organization()).id, value)).toBe(false);
    expect(await domains.isVerifiedFor((await domainOf()).tenant.id, value)).toBe(false);
  });

  it('holds no connection to the database while it waits for the DNS', async () => {
    const owned = await Promise.all(times(connections + 2, null).map(() => domainOf()));
    const gates = owned.map(({ value }) => dns.hold(challenge(value)));
    const answers = owned.map((domain) => domain.verify());
    await Promise.all(gates.map(({ asked }) => asked));
    for (const domain of owned) expect((await domain.read()).body.last_checked).toBeNull();
    for (const gate of gates) gate.release();
    expect(statuses(await Promise.all(answers))).toEqual(times(connections + 2, 200));
  });

  it('does not bring back what was deleted meanwhile', async () => {
    const { value, record, verify, client, path, id } = await domainOf();
    dns.publish(challenge(value), record);
    const gate = dns.hold(challenge(value));
    const answer = verify();
    await gate.asked;
    expect((await client.delete(path)).status).toBe(200);
    gate.release();
    expect((await answer).status).toBe(404);
    expect(await query('SELECT 1 FROM domains WHERE id = $1', [id])).toEqual([]);
  });
});

describe('looking in the background', () => {
  it('begins after a minute, and verifies what is found', async () => {
    const domain = await domainOf();
    const [planned] = await query<{ minutes: number }>(
      'SELECT extract(epoch FROM next_lookup - created)::float / 60 AS minutes FROM domains WHERE id = $1',
      [domain.id],
    );
    expect(planned?.minutes).toBeCloseTo(1, 1);
    dns.publish(domain.value, domain.record);
    await makeDue(domain.id);
    await eventually(async () => expect((await domain.read()).body.verified).toBe(true));
    const log = await logOf(domain, 'operation=domain.lookup');
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({ actor_type: 'system', status: 'success', metadata: { to: true } });
    const [row] = await query<{ days: number }>(
      'SELECT extract(epoch FROM next_lookup - last_lookup)::float / 86400 AS days FROM domains WHERE id = $1',
      [domain.id],
    );
    expect(row?.days).toBe(7);
  });

  it('waits longer each time it is in vain, and begins anew when somebody asks', async () => {
    const domain = await domainOf();
    const pauseAfter = async (lookups: number): Promise<number | undefined> => {
      await eventually(async () =>
        expect(await query('SELECT 1 FROM domains WHERE id = $1 AND lookups = $2', [domain.id, lookups])).toHaveLength(
          1,
        ),
      );
      const [row] = await query<{ minutes: number }>(
        'SELECT extract(epoch FROM next_lookup - last_lookup)::float / 60 AS minutes FROM domains WHERE id = $1',
        [domain.id],
      );
      return row?.minutes;
    };
    const pauses: (number | undefined)[] = [];
    for (const lookups of [1, 2, 3]) {
      await makeDue(domain.id);
      pauses.push(await pauseAfter(lookups));
    }
    await domain.verify();
    expect([...pauses, await pauseAfter(1)]).toEqual([1, 2, 5, 1]);
  });

  it('takes a domain back after three answers without the record, a day apart', async () => {
    const domain = await heldDomain();
    dns.withdraw(challenge(domain.value));
    for (const misses of [1, 2]) {
      await domain.verify();
      await domain.verify();
      const [row] = await query('SELECT verified, misses FROM domains WHERE id = $1', [domain.id]);
      expect(row).toEqual({ verified: true, misses });
      await query("UPDATE domains SET last_miss = last_miss - interval '25 hours' WHERE id = $1", [domain.id]);
    }
    await makeDue(domain.id);
    await eventually(async () => expect((await domain.read()).body.verified).toBe(false));
    expect((await logOf(domain, 'operation=domain.lookup')).audit_logs).toMatchObject([
      { metadata: { result: 'absent', from: true, to: false } },
    ]);
  });

  it('never takes one back for want of an answer', async () => {
    const domain = await heldDomain();
    dns.say(challenge(domain.value), { rcode: 'SERVFAIL' });
    for (let day = 0; day < 4; day++) {
      expect((await domain.verify()).body).toMatchObject({ verified: true });
      await query("UPDATE domains SET last_miss = last_miss - interval '25 hours' WHERE id = $1", [domain.id]);
    }
  });

  it('says so when it was given up, and tries again later', async () => {
    const { id, tenant, read } = await domainOf();
    const claim = {
      id: '1',
      reference: String(id),
      organizationId: tenant.id,
      assetId: null,
      eventId: null,
      attempt: 5,
    };
    const handler = api.app.get(WorkRegistry).handlerOf('domain.lookup');
    const { audit, apply } = handler.abandon({ ...claim, kind: handler.kind }, 'the worker was lost');
    await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
    expect((await read()).body.verification_result).toBe('It could not be looked up: something failed on our side.');
    expect(await query('SELECT 1 FROM domains WHERE id = $1 AND lookups = 1 AND next_lookup > now()', [id])).toHaveLength(1);
  });

  it('leaves alone what belongs to a deleted organization', async () => {
    const { client, integratorId } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const dead = await domainOf(undefined, { tenant });
    await client.delete(`/v1/organizations/${tenant.id}/`);
    const alive = await domainOf();
    dns.publish(dead.value, dead.record);
    dns.publish(alive.value, alive.record);
    await makeDue(dead.id, alive.id);
    await eventually(async () => expect((await alive.read()).body.verified).toBe(true));
    expect(await query('SELECT 1 FROM domains WHERE id = $1 AND verified', [dead.id])).toEqual([]);
  });
});

describe('a domain that two organizations prove', () => {
  const held = 'The record is there, but another verification record of this domain';

  it('stays with the first while its record stands, for a reason that names nobody', async () => {
    const first = await heldDomain();
    const second = await domainOf(first.value);
    dns.publish(second.value, second.record);
    const { body } = await second.verify();
    expect(body).toMatchObject({ verified: false, verification_result: expect.stringContaining(held) });
    expect(JSON.stringify(body)).not.toContain(first.tenant.name);
    expect((await first.read()).body.verified).toBe(true);
    expect((await logOf(first, 'operation=domain.lose')).total).toBe(0);
  });

  it('goes to the second when the first has no record any more, and both can read why', async () => {
    const first = await heldDomain();
    const second = await domainOf(first.value);
    dns.publish(challenge(first.value), second.record);
    expect((await second.verify()).body.verified).toBe(true);
    const lost = await first.read();
    expect(lost.body).toMatchObject({
      verified: false,
      verification_result: 'The record is gone, and the domain has been proved anew by another verification record.',
    });
    const log = await logOf(first, 'operation=domain.lose');
    expect(log.audit_logs).toMatchObject([{ actor_type: 'system', resource_id: String(first.id) }]);
    expect(JSON.stringify([log, lost.body])).not.toContain(second.tenant.name);
    expect((await logOf(second, 'status=success')).total).toBe(2);
    expect(await api.app.get(DomainsService).isVerifiedFor(first.tenant.id, first.value)).toBe(false);
  });

  it('stays with the first while nobody can say whether its record stands', async () => {
    const first = await heldDomain();
    const second = await domainOf(first.value);
    dns.say(challenge(first.value), { rcode: 'SERVFAIL' });
    dns.publish(first.value, second.record);
    expect((await second.verify()).body).toMatchObject({ verified: false });
    expect((await first.read()).body.verified).toBe(true);
  });

  it('is held with all that lies below it, and below what is held by another', async () => {
    const parent = await heldDomain();
    const below = await domainOf(`shop.${parent.value}`);
    dns.publish(below.value, below.record);
    expect((await below.verify()).body).toMatchObject({ verified: false });
    const child = await heldDomain(`shop.${uniqueDomain()}`);
    const above = await domainOf(child.value.replace('shop.', ''));
    dns.publish(above.value, above.record);
    expect((await above.verify()).body).toMatchObject({ verified: false });
    const beside = await domainOf(child.value.replace('shop.', 'blog.'));
    dns.publish(beside.value, beside.record);
    expect((await beside.verify()).body).toMatchObject({ verified: true });
    dns.withdraw(challenge(child.value));
    dns.withdraw(beside.value);
    expect((await above.verify()).body).toMatchObject({ verified: true });
    expect((await child.read()).body.verified).toBe(false);
    expect((await beside.read()).body.verified).toBe(false);
  });

  it('is no matter within one organization', async () => {
    const parent = await heldDomain();
    const below = await domainOf(`shop.${parent.value}`, { tenant: parent.tenant });
    dns.publish(below.value, below.record);
    expect((await below.verify()).body.verified).toBe(true);
    expect((await parent.read()).body.verified).toBe(true);
  });

  it('is held by nobody whose organization was deleted', async () => {
    const { client, integratorId } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const first = await domainOf(undefined, { tenant, verified: true });
    await client.delete(`/v1/organizations/${tenant.id}/`);
    dns.publish(challenge(first.value), first.record);
    const second = await domainOf(first.value);
    dns.publish(second.value, second.record);
    expect((await second.verify()).body.verified).toBe(true);
  });

  it('is given to exactly one of twenty at once', async () => {
    const value = uniqueDomain();
    const all: Owned[] = [];
    for (let index = 0; index < 20; index++) all.push(await domainOf(value));
    dns.publish(value, ...all.map(({ record }) => record));
    const gate = dns.hold(value, 20);
    const asking = all.map(({ verify }) => verify());
    await gate.asked;
    gate.release();
    const answers = await Promise.all(asking);
    expect(statuses(answers)).toEqual(times(20, 200));
    expect(answers.filter(({ body }) => body.verified)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.verification_result.startsWith(held))).toHaveLength(19);
    expect(await query('SELECT 1 FROM domains WHERE value = $1 AND verified', [value])).toHaveLength(1);
  });

  it('is given to one of two who prove it and a part of it at once', async () => {
    const above = await domainOf();
    const below = await domainOf(`shop.${above.value}`);
    const both = [above, below];
    for (const { value, record } of both) dns.publish(value, record);
    const gates = both.map(({ value }) => dns.hold(value));
    const asking = both.map(({ verify }) => verify());
    await Promise.all(gates.map(({ asked }) => asked));
    for (const gate of gates) gate.release();
    const answers = await Promise.all(asking);
    expect(answers.filter(({ body }) => body.verified)).toHaveLength(1);
  });
});

describe('reading and deleting domains', () => {
  it('lists them newest first, page by page', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const ids: number[] = [];
    for (let index = 0; index < 3; index++) ids.push((await domainOf(undefined, { tenant })).id);
    const list = async (search: string): Promise<Answer> =>
      client.get(`/v1/organizations/${tenant.id}/domains?${search}`);
    const idsOf = ({ body }: Answer): number[] => body.domains.map((domain: { id: number }) => domain.id);
    expect(idsOf(await list(''))).toEqual(ids.toReversed());
    expect(idsOf(await list('per_page=2&page=2'))).toEqual([ids[0]]);
    expect((await list('per_page=2')).headers.get('link')).toContain('rel="next"');
    expect(idsOf(await list('page=9'))).toEqual([]);
    expect((await list('page=0')).status).toBe(400);
  });

  it('deletes the domain and leaves its asset; its work goes with it', async () => {
    const domain = await domainOf(undefined, { verified: true });
    const answer = await domain.client.delete(domain.path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 200, description: 'Domain deleted.', id: domain.id, success: true });
    expect((await domain.read()).status).toBe(404);
    const { assets } = (await domain.client.get(`/v1/organizations/${domain.tenant.id}/assets/`)).body;
    expect(assets).toMatchObject([{ value: domain.value }]);
    expect((await logOf(domain, 'operation=domain.delete')).audit_logs).toMatchObject([
      { status: 'success', resource_id: String(domain.id), metadata: { value: domain.value, verified: true } },
    ]);
  });

  it('happens once when twenty ask for it', async () => {
    const { client, path } = await domainOf();
    const answers = await Promise.all(times(20, null).map(() => client.delete(path)));
    expect(statuses(answers)).toEqual([200, ...times(19, 404)]);
  });
});

describe('who may do what with domains', () => {
  it.each([
    ['viewer', 403, 403, 403],
    ['member', 201, 200, 403],
    ['admin', 201, 200, 200],
    ['owner', 201, 200, 200],
  ] as const)('%s', async (role, onCreate, onVerify, onDelete) => {
    const { tenant, path } = await domainOf();
    const { client } = await tenant.as(role);
    expect((await client.get(path)).body.verification_token).not.toBeNull();
    expect((await client.get(`/v1/organizations/${tenant.id}/domains/`)).status).toBe(200);
    expect((await client.post('/v1/domains/', { value: uniqueDomain() })).status).toBe(onCreate);
    expect((await client.post(`${path}/verify`)).status).toBe(onVerify);
    expect((await client.delete(path)).status).toBe(onDelete);
  });

  it('a role counts in its own organization alone, and the refusal stands in that log', async () => {
    const domain = await domainOf();
    const { client, userId } = await domain.tenant.as('viewer');
    await make.membership(userId, (await make.organization()).id, 'owner');
    const organization_id = domain.tenant.id;
    expect((await client.post('/v1/domains/', { value: uniqueDomain(), organization_id })).status).toBe(403);
    expect((await client.post(`${domain.path}/verify`)).status).toBe(403);
    expect((await client.delete(domain.path)).status).toBe(403);
    expect((await logOf(domain, 'status=failure')).total).toBe(3);
  });

  it('another organization’s is answered like one that nobody has', async () => {
    const mine = await make.organization();
    const { client } = await mine.as('owner');
    const theirs = await domainOf();
    const own = await domainOf(undefined, { tenant: mine });
    const at = (organizationId: number, id: number): string => `/v1/organizations/${organizationId}/domains/${id}`;
    const pairs: [string, string][] = [
      [theirs.path, at(nobodys, nobodys)],
      [at(mine.id, theirs.id), at(mine.id, nobodys)],
      [at(theirs.tenant.id, own.id), at(nobodys, own.id)],
    ];
    for (const [foreign, unknown] of pairs) {
      const answers = [
        [await client.get(foreign), await client.get(unknown)],
        [await client.delete(foreign), await client.delete(unknown)],
        [await client.post(`${foreign}/verify`), await client.post(`${unknown}/verify`)],
      ] as const;
      for (const [theirAnswer, noAnswer] of answers) {
        expect(theirAnswer.status).toBe(404);
        expect(theirAnswer.text).toBe(noAnswer.text);
      }
    }
    const lists = [
      await client.get(`/v1/organizations/${theirs.tenant.id}/domains/`),
      await client.get(`/v1/organizations/${nobodys}/domains/`),
    ] as const;
    expect([lists[0].status, lists[0].text]).toEqual([404, lists[1].text]);
    const body = { value: uniqueDomain() };
    const created = [
      await client.post('/v1/domains/', { ...body, organization_id: theirs.tenant.id }),
      await client.post('/v1/domains/', { ...body, organization_id: nobodys }),
    ] as const;
    expect([created[0].status, created[0].text]).toEqual([404, created[1].text]);
  });
});
