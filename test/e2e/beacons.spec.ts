import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../src/kernel/role';
import { startApi, useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';

const serverKey = 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=';

const api = useApi({
  BEACON_RATHOLE_SERVER: 'tunnel.example.com:2333',
  BEACON_RATHOLE_PORTS: '20000-20999',
  BEACON_WIREGUARD_PUBLIC_KEY: serverKey,
  BEACON_WIREGUARD_ENDPOINT: '192.0.2.10:51820',
});
useWorker();
const make = new Factories(api);

const draft = (name: string) => ({ name, allowed_cidrs: ['10.20.0.0/16'] });
const pathOf = (organizationId: number) => `/v1/organizations/${organizationId}/beacons/`;

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly path: string;
}

async function createFixture(role: Role = 'admin'): Promise<Fixture> {
  const tenant = await make.organization();
  return { tenant, client: (await tenant.as(role)).client, path: pathOf(tenant.id) };
}

const reporterOf = ({ id, beacon_token: secret }: { id: number; beacon_token: string }): Client =>
  make.withCredentials({ accessKey: String(id), secret });

/** The audit entries of an operation, newest first. */
async function entriesOf({ tenant }: Fixture, operation: string) {
  const { client } = await tenant.as('owner');
  return (await client.get(`/v1/audit-logs/?operation=${operation}&per_page=100`)).body.audit_logs;
}

describe('creating a beacon', () => {
  it('returns the beacon with its secrets, only once', async () => {
    const { client, path } = await createFixture();
    const answer = await client.post(path, {
      name: 'office-berlin',
      allowed_cidrs: ['10.20.0.0/16', 'FD00:20::/48', '10.20.0.0/16'],
      dns_server: '2001:DB8::53',
      interface_name: 'eth0',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${path}${answer.body.id}`);
    const { beacon_token, wireguard_config, rathole_public_port, created, ...rest } = answer.body;
    expect(rest).toEqual({
      id: answer.body.id,
      name: 'office-berlin',
      allowed_cidrs: ['10.20.0.0/16', 'fd00:20::/48'],
      dns_server: '2001:db8::53',
      interface_name: 'eth0',
      status: 0,
      connected: false,
      agent_version: null,
      observe: true,
      last_seen: created,
      version: 1,
      rathole_server: 'tunnel.example.com:2333',
    });
    expect(beacon_token).toMatch(/^ab_[A-Za-z0-9_-]{43}$/);
    expect(rathole_public_port).toBeGreaterThanOrEqual(20_000);
    expect(rathole_public_port).toBeLessThanOrEqual(20_999);
    expect(wireguard_config).toContain(`PublicKey = ${serverKey}`);
    expect(wireguard_config).toContain('Endpoint = 192.0.2.10:51820');
    expect(wireguard_config).toContain('# remote_addr = "tunnel.example.com:2333"');

    const read = await client.get(`${path}${answer.body.id}`);
    expect(read.body).toEqual({ ...answer.body, beacon_token: null, wireguard_config: null });
    expect((await client.get(path)).body).toEqual({ beacons: [read.body] });
  });

  it('requires only a name and one CIDR block', async () => {
    const { client, path } = await createFixture();
    const answer = await client.post(path, { ...draft('small'), dns_server: null, interface_name: null });
    expect(answer.body).toMatchObject({ name: 'small', dns_server: null, interface_name: null });
    expect((await client.post(path, draft('smaller'))).status).toBe(201);
  });

  it('stores neither the token nor the private key', async () => {
    const { client, path } = await createFixture();
    const { id, beacon_token, wireguard_config } = (await client.post(path, draft('secret'))).body;
    const privateKey = /PrivateKey = (\S+)/.exec(wireguard_config)?.[1] ?? 'none';
    const [row] = await query<{ text: string }>('SELECT b::text AS text FROM beacons b WHERE id = $1', [id]);
    const [log] = await query<{ text: string }>(
      "SELECT string_agg(l::text, ' ') AS text FROM audit_logs l WHERE resource_type = 'beacon' AND resource_id = $1",
      [String(id)],
    );
    for (const secret of [beacon_token, privateKey]) {
      expect(row?.text).not.toContain(secret);
      expect(log?.text).not.toContain(secret);
    }
    expect(log?.text).toContain('beacon.create');
  });

  it.each([
    [{}, ['name is missing: it must be a string', 'allowed_cidrs is missing: it must be a list of strings']],
    [{ name: 7, allowed_cidrs: ['10.0.0.0/8'] }, ['name must be a string']],
    [{ ...draft('a b'), allowed_cidrs: [] }, ['name must be 1 to 63 letters', 'allowed_cidrs must have 1 to 64']],
    [draft('x'.repeat(64)), ['name must be a string of at most 63 characters']],
    [{ ...draft('a'), allowed_cidrs: '10.0.0.0/8' }, ['allowed_cidrs must be a list of strings']],
    [{ ...draft('a'), allowed_cidrs: null }, ['allowed_cidrs must be a list of strings']],
    [{ ...draft('a'), allowed_cidrs: [1] }, ['allowed_cidrs must be a list of strings']],
    [{ ...draft('a'), allowed_cidrs: ['10.0.0.1/8'] }, ['(did you mean 10.0.0.0/8?).']],
    [{ ...draft('a'), allowed_cidrs: ['0.0.0.0/0'] }, ['must not be the whole address space']],
    [{ ...draft('a'), allowed_cidrs: ['127.0.0.0/8'] }, ['loopback']],
    [{ ...draft('a'), allowed_cidrs: ['169.254.169.254/32'] }, ['link-local']],
    [{ ...draft('a'), allowed_cidrs: ['224.0.0.0/4'] }, ['multicast']],
    [{ ...draft('a'), dns_server: 'dns.example' }, ['dns_server must be an IP address']],
    [
      { ...draft('a'), interface_name: 'far-too-long-for-linux' },
      ['interface_name must be a string of at most 15 characters'],
    ],
    [
      { ...draft('a'), allowed_cidrs: [`10.0.0.0/${'8'.repeat(50)}`] },
      ['allowed_cidrs must be a list of strings of at most 49'],
    ],
    [{ ...draft('a'), dns_server: '1'.repeat(46) }, ['dns_server must be a string of at most 45 characters']],
    [{ ...draft('a'), interface_name: '..' }, ['interface_name must be 1 to 15']],
    [{ ...draft('a'), version: 2 }, ['"version" is not a field']],
    [{ ...draft('a'), beacon_token: 'mine' }, ['"beacon_token" is not a field']],
  ])('refuses %j with a message that says what is wrong', async (body, sentences) => {
    const { client, path } = await createFixture();
    const answer = await client.post(path, body);
    expect(answer.status).toBe(400);
    for (const sentence of sentences) expect(answer.body.description).toContain(sentence);
  });

  it('refuses a name that the organization already uses, and allows it in another organization', async () => {
    const one = await createFixture();
    const other = await createFixture();
    expect((await one.client.post(one.path, draft('same'))).status).toBe(201);
    const second = await one.client.post(one.path, draft('same'));
    expect(second.status).toBe(409);
    expect(second.body.description).toContain('name');
    expect((await other.client.post(other.path, draft('same'))).status).toBe(201);
  });

  it('creates exactly one beacon from twenty simultaneous requests with the same name', async () => {
    const { client, path } = await createFixture();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path, draft('race'))));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect((await client.get(path)).body.beacons).toHaveLength(1);
  });

  it('stops at 50 beacons, also for twenty simultaneous requests, and reports a taken name first', async () => {
    const fixture = await createFixture();
    const { client, path, tenant } = fixture;
    await query(
      `INSERT INTO beacons (organization_id, name, allowed_cidrs, token_hash, wireguard_public_key)
       SELECT $1, 'old-' || n, '{10.0.0.0/8}', '', '' FROM generate_series(1, 45) n`,
      [tenant.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.post(path, draft(`new-${index}`))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(15);
    expect((await client.get(`${path}?per_page=100`)).body.beacons).toHaveLength(50);
    expect((await client.post(path, draft('old-1'))).status).toBe(409);
    const ports = answers.flatMap(({ status, body }) => (status === 201 ? [body.rathole_public_port] : []));
    expect(new Set(ports).size).toBe(5);
  });
});

describe('the WireGuard configuration', () => {
  const withWg = spawnSync('wg', ['--version']).status === 0 ? it : it.skip;
  const folder = mkdtempSync(join(tmpdir(), 'assay-beacon-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  withWg('is accepted by wg, and its private key belongs to the stored public key', async () => {
    const { client, path } = await createFixture();
    const { id, wireguard_config } = (await client.post(path, draft('wg'))).body;
    const file = join(folder, 'beacon.conf');
    writeFileSync(file, wireguard_config, { mode: 0o600 });
    const { stderr } = spawnSync('wg', ['setconf', 'assay-none', file], { encoding: 'utf8' });
    expect(stderr).toMatch(/^Unable to modify interface/);
    const privateKey = /PrivateKey = (\S+)/.exec(wireguard_config)?.[1];
    const { stdout } = spawnSync('wg', ['pubkey'], { input: `${privateKey}\n`, encoding: 'utf8' });
    const [row] = await query<{ key: string }>('SELECT wireguard_public_key AS key FROM beacons WHERE id = $1', [id]);
    expect(stdout.trim()).toBe(row?.key);
  });
});

describe('tunnels configured by the operator', () => {
  async function startOtherApi(settings: Record<string, string>) {
    const other = await startApi(settings);
    const factories = new Factories(other);
    const { id } = await factories.organization();
    const { client } = await factories.member(id, 'admin');
    return { client, path: pathOf(id), close: () => other.app.close() };
  }

  it('without a tunnel server, a beacon gets its own keys and no peer', async () => {
    const { client, path, close } = await startOtherApi({});
    try {
      const { body } = await client.post(path, draft('bare'));
      expect(body).toMatchObject({ rathole_server: null, rathole_public_port: null });
      expect(body.wireguard_config).toMatch(/^\[Interface\]\nPrivateKey = \S{44}\nListenPort = 51820\n$/);
    } finally {
      await close();
    }
  });

  it('with two ports, give two of twenty beacons a port each, and reuse a released port', async () => {
    const { client, path, close } = await startOtherApi({ BEACON_RATHOLE_PORTS: '30001-30002' });
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => client.post(path, draft(`port-${index}`))),
      );
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      expect(made.map((body) => body.rathole_public_port).sort((one, two) => one - two)).toEqual([30_001, 30_002]);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(18);
      const [first] = made;
      await client.delete(`${path}${first.id}`);
      const next = await client.post(path, draft('next'));
      expect(next.body.rathole_public_port).toBe(first.rathole_public_port);
    } finally {
      await close();
    }
  });
});

describe('changing a beacon', () => {
  async function withBeacon() {
    const fixture = await createFixture();
    const body = { ...draft('before'), dns_server: '10.20.0.53', interface_name: 'eth0' };
    const beacon = (await fixture.client.post(fixture.path, body)).body;
    return { ...fixture, beacon, own: `${fixture.path}${beacon.id}` };
  }

  it('keeps omitted fields; null keeps name and CIDRs and removes the DNS server', async () => {
    const { client, own, beacon } = await withBeacon();
    const unchanged = { ...beacon, beacon_token: null, wireguard_config: null };
    expect((await client.patch(own, {})).body).toEqual(unchanged);
    expect((await client.patch(own, { name: null, allowed_cidrs: null })).body).toEqual(unchanged);
    expect((await client.patch(own, { name: 'before', dns_server: '10.20.0.53' })).body).toEqual(unchanged);
    expect((await client.patch(own, { name: 'after' })).body).toEqual({ ...unchanged, name: 'after', version: 2 });
    const third = { ...unchanged, name: 'after', dns_server: null, version: 3 };
    expect((await client.patch(own, { dns_server: null })).body).toEqual(third);
    expect((await client.patch(own, { dns_server: null })).body).toEqual(third);
    const fourth = { ...third, allowed_cidrs: ['192.0.2.0/24', 'fd00::/8'], dns_server: '::1', version: 4 };
    const body = { allowed_cidrs: ['192.0.2.0/24', 'FD00::/8'], dns_server: '0:0::1' };
    expect((await client.patch(own, body)).body).toEqual(fourth);
    expect((await client.get(own)).body).toEqual(fourth);
  });

  it('records the changed fields in the audit log', async () => {
    const fixture = await withBeacon();
    await fixture.client.patch(fixture.own, { name: 'after', dns_server: null });
    await fixture.client.patch(fixture.own, { name: 'a b' });
    expect(await entriesOf(fixture, 'beacon.change')).toMatchObject([
      { status: 'failure', resource_id: String(fixture.beacon.id), metadata: { reason: 'invalid' } },
      {
        status: 'success',
        operation_category: 'beacons',
        resource_type: 'beacon',
        resource_id: String(fixture.beacon.id),
        metadata: { from: { name: 'before', dns_server: '10.20.0.53' }, to: { name: 'after', dns_server: null } },
      },
    ]);
  });

  it('increments the version once for each of twenty simultaneous changes', async () => {
    const { client, own } = await withBeacon();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.patch(own, { dns_server: `10.20.1.${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.map(({ body }) => body.version).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
  });

  it('refuses the name of another beacon, also when two beacons are renamed to it at the same time', async () => {
    const { client, path, own } = await withBeacon();
    const other = (await client.post(path, draft('other'))).body;
    expect((await client.patch(own, { name: 'other' })).status).toBe(409);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.patch(index % 2 === 0 ? own : `${path}${other.id}`, { name: 'wanted' }),
      ),
    );
    const winners = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
    expect(winners.size).toBe(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
  });

  it.each([
    [{ name: 'a b' }, 'name must be 1 to 63 letters'],
    [{ name: 7 }, 'name must be a string, or null'],
    [{ allowed_cidrs: [] }, 'allowed_cidrs must have 1 to 64'],
    [{ allowed_cidrs: ['::/0'] }, 'must not be the whole address space'],
    [{ dns_server: 'x' }, 'dns_server must be an IP address'],
    [{ interface_name: 'eth1' }, '"interface_name" is not a field'],
    [{ status: 4 }, '"status" is not a field'],
    [[], 'must be a JSON object'],
  ])(
    'refuses %j with a message that says what is wrong, also for a beacon that does not exist',
    async (body, sentence) => {
      const { client, own, path } = await withBeacon();
      for (const target of [own, `${path}2147483647`]) {
        const answer = await client.patch(target, body);
        expect(answer.status).toBe(400);
        expect(answer.body.description).toContain(sentence);
      }
    },
  );
});

describe('deleting a beacon', () => {
  it('deletes the assets of the beacon, even while work runs on them, and no others', async () => {
    const fixture = await createFixture();
    const { client, path, tenant } = fixture;
    const { id } = (await client.post(path, draft('doomed'))).body;
    const [assetOfBeacon, other] = await query<{ id: number }>(
      `INSERT INTO assets (organization_id, beacon_id, value, type)
       VALUES ($1, $2, '10.20.0.1', 'ip'), ($1, NULL, '192.0.2.1', 'ip') RETURNING id`,
      [tenant.id, id],
    );
    await query(
      `INSERT INTO work (kind, reference, organization_id, asset_id, state, lease_until)
       VALUES ('test.beacons', $3, $1, $2, 'running', now() + interval '1 hour')`,
      [tenant.id, assetOfBeacon?.id, String(assetOfBeacon?.id)],
    );
    const answer = await client.delete(`${path}${id}`);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const left = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1', [tenant.id]);
    expect(left).toEqual([{ id: other?.id }]);
    expect((await client.get(`${path}${id}`)).status).toBe(404);
    expect((await client.delete(`${path}${id}`)).status).toBe(404);
    expect(await entriesOf(fixture, 'beacon.delete')).toMatchObject([
      { status: 'failure', resource_id: String(id), metadata: { reason: 'not_found' } },
      { status: 'success', resource_id: String(id), metadata: { name: 'doomed' } },
    ]);
  });

  it('deletes the beacon once for twenty simultaneous requests', async () => {
    const { client, path } = await createFixture();
    const { id } = (await client.post(path, draft('twenty'))).body;
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.delete(`${path}${id}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  it('makes its name available again', async () => {
    const { client, path } = await createFixture();
    const { id } = (await client.post(path, draft('again'))).body;
    await client.delete(`${path}${id}`);
    expect((await client.post(path, draft('again'))).status).toBe(201);
  });
});

describe('permissions on beacons', () => {
  const allowed: [Role, number, number][] = [
    ['viewer', 200, 403],
    ['member', 200, 403],
    ['admin', 200, 201],
    ['owner', 200, 201],
  ];
  it.each(allowed)('a %s gets %d for reading and %d for creating', async (role, read, create) => {
    const { tenant, client, path } = await createFixture(role);
    const admin = await tenant.as('admin');
    const { id } = (await admin.client.post(path, draft('there'))).body;
    expect((await client.get(path)).status).toBe(read);
    expect((await client.get(`${path}${id}`)).status).toBe(read);
    expect((await client.post(path, draft('mine'))).status).toBe(create);
    expect((await client.patch(`${path}${id}`, { name: 'renamed' })).status).toBe(create === 201 ? 200 : 403);
    expect((await client.delete(`${path}${id}`)).status).toBe(create === 201 ? 204 : 403);
  });

  it('an integrator manages beacons of the organizations that it created', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Mine') })).body;
    expect((await client.post(pathOf(id), draft('mine'))).status).toBe(201);
  });

  it('an admin of another organization who is a viewer here gets 403, recorded in this organization’s audit log', async () => {
    const fixture = await createFixture();
    const startOtherApi = await make.organization();
    const person = await startOtherApi.as('admin');
    await make.membership(person.userId, fixture.tenant.id, 'viewer');
    const client = (await make.person(person.userId)).client;
    expect((await client.post(fixture.path, draft('x'))).status).toBe(403);
    expect(await entriesOf(fixture, 'beacon.create')).toMatchObject([
      { status: 'failure', actor_id: String(person.userId), metadata: { reason: 'forbidden' } },
    ]);
  });

  it('a refusal to a caller with several organizations is recorded in the organization of the path', async () => {
    const { client } = await make.integrator();
    const ids: number[] = [];
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await client.post('/v1/organizations/', { name: unique(name) })).body.id);
    const [, id = 0] = ids;
    expect((await client.post(pathOf(id), { name: 'no blocks' })).status).toBe(400);
    expect((await client.delete(`${pathOf(id)}2147483647`)).status).toBe(404);
    const log = await client.get(`/v1/audit-logs/?organization_id=${id}&status=failure`);
    expect(log.body.audit_logs).toMatchObject([{ operation: 'beacon.delete' }, { operation: 'beacon.create' }]);
  });

  it('a caller without access gets the same answer as for a beacon or organization that does not exist', async () => {
    const fixture = await createFixture('owner');
    const { id } = (await fixture.client.post(fixture.path, draft('hidden'))).body;
    const { client, path } = await createFixture('owner');
    const unknownPaths = [`${pathOf(2_147_483_647)}2147483647`, `${path}2147483647`, `${path}0x1`, `${path}2147483648`];
    const foreign = [`${fixture.path}${id}`, `${path}${id}`];
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const answers = await Promise.all(
        [...unknownPaths, ...foreign].map((target) => client.send(method, target, body)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(404);
    }
    for (const [method, body] of [['GET'], ['POST', draft('x')]] as const) {
      const unknown = await client.send(method, pathOf(2_147_483_647), body);
      const foreign = await client.send(method, fixture.path, body);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    expect((await fixture.client.get(`${fixture.path}${id}`)).status).toBe(200);
  });
});

describe('the list of beacons', () => {
  it('is in pages, newest first', async () => {
    const { client, path } = await createFixture();
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await client.post(path, draft(name))).body.id);
    const first = await client.get(`${path}?per_page=2`);
    const second = await client.get(`${path}?per_page=2&page=2`);
    const seen = [first, second].flatMap(({ body }) => body.beacons.map((beacon: { id: number }) => beacon.id));
    expect(seen).toEqual(ids.toReversed());
    expect(first.headers.get('link')).toContain('rel="next"');
    expect((await client.get(`${path}?page=3`)).body).toEqual({ beacons: [] });
    expect((await client.get(`${path}?per_page=0`)).status).toBe(400);
  });
});

describe('a report of a beacon', () => {
  async function withBeacon() {
    const fixture = await createFixture();
    const beacon = (await fixture.client.post(fixture.path, draft('reporter'))).body;
    return { ...fixture, beacon, own: `${fixture.path}${beacon.id}`, reporter: reporterOf(beacon) };
  }
  const setLastReportAge = (id: number, seconds: number) =>
    query('UPDATE beacons SET last_report = now() - make_interval(secs => $2) WHERE id = $1', [id, seconds]);
  /** Makes the scheduled task due, which otherwise runs every ten seconds. */
  const runMissedReports = () => query("DELETE FROM clock_tasks WHERE name = 'beacon.missed_reports'");

  it('returns the settings of the beacon and sets its status to online', async () => {
    const fixture = await withBeacon();
    const answer = await fixture.reporter.post('/v1/beacons/report', { version: 1, interfaces: ['eth0', 'wg0'] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ allowed_cidrs: ['10.20.0.0/16'], version: 1 });
    const online = (await fixture.client.get(fixture.own)).body;
    expect(online.status).toBe(1);
    expect(online.last_seen > online.created).toBe(true);
    await fixture.client.patch(fixture.own, { allowed_cidrs: ['10.30.0.0/16'] });
    const next = await fixture.reporter.post('/v1/beacons/report');
    expect(next.body).toEqual({ allowed_cidrs: ['10.30.0.0/16'], version: 2 });
    expect(await entriesOf(fixture, 'beacon.status_change')).toMatchObject([
      {
        actor_type: 'beacon',
        actor_id: String(fixture.beacon.id),
        resource_id: String(fixture.beacon.id),
        metadata: { from: 0, to: 1, ip: '127.0.0.1', reported: { version: 1, interfaces: ['eth0', 'wg0'] } },
      },
    ]);
  });

  it('that arrives twenty times at once has one audit entry', async () => {
    const fixture = await withBeacon();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fixture.reporter.post('/v1/beacons/report', { version: 1 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await entriesOf(fixture, 'beacon.status_change')).toHaveLength(1);
  });

  it('that is missed sets the status to degraded, and the next one restores it', async () => {
    const fixture = await withBeacon();
    const { beacon, reporter, client, own } = fixture;
    await reporter.post('/v1/beacons/report', {});
    for (const [seconds, status] of [
      [301, 2],
      [901, 3],
    ] as const) {
      await setLastReportAge(beacon.id, seconds);
      await runMissedReports();
      await eventually(async () => expect((await client.get(own)).body.status).toBe(status));
    }
    await reporter.post('/v1/beacons/report', {});
    expect((await client.get(own)).body.status).toBe(1);
    await setLastReportAge(beacon.id, 100_000);
    await runMissedReports();
    await eventually(async () => expect((await client.get(own)).body.status).toBe(3));
    const transitions = (await entriesOf(fixture, 'beacon.status_change')).map(
      (entry: { actor_type: string; metadata: { from: number; to: number } }) =>
        `${entry.actor_type} ${entry.metadata.from} ${entry.metadata.to}`,
    );
    expect(transitions).toEqual(['system 1 3', 'beacon 3 1', 'system 2 3', 'system 1 2', 'beacon 0 1']);
  });

  it('is not counted as missed for a beacon that never reported', async () => {
    const { beacon, client, own } = await withBeacon();
    const other = await withBeacon();
    await other.reporter.post('/v1/beacons/report');
    await query("UPDATE beacons SET created = now() - interval '1 year' WHERE id = $1", [beacon.id]);
    await setLastReportAge(other.beacon.id, 301);
    await runMissedReports();
    await eventually(async () => expect((await other.client.get(other.own)).body.status).toBe(2));
    expect((await client.get(own)).body.status).toBe(0);
  });

  it('of a disabled beacon changes only the time of its last report', async () => {
    const fixture = await withBeacon();
    await query('UPDATE beacons SET status = 4 WHERE id = $1', [fixture.beacon.id]);
    expect((await fixture.reporter.post('/v1/beacons/report')).status).toBe(200);
    expect((await fixture.client.get(fixture.own)).body.status).toBe(4);
    expect(await entriesOf(fixture, 'beacon.status_change')).toEqual([]);
  });

  it('requires the id and the token of the same beacon', async () => {
    const { beacon, tenant } = await withBeacon();
    const other = await withBeacon();
    const key = (await tenant.as('owner')).credentials;
    const secret = beacon.beacon_token;
    const wrong = [
      { accessKey: String(beacon.id), secret: other.beacon.beacon_token },
      { accessKey: String(beacon.id), secret: `${secret}:x` },
      { accessKey: String(beacon.id), secret: '' },
      { accessKey: '2147483647', secret },
      { accessKey: '2147483648', secret },
      { accessKey: `0${beacon.id}`, secret },
      { accessKey: 'reporter', secret },
      key,
    ];
    const answers = await Promise.all(
      wrong.map((credentials) => make.withCredentials(credentials).post('/v1/beacons/report', {})),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect(answers[0]?.headers.get('www-authenticate')).toContain('Basic');
    const anonymous = await make.anonymous().post('/v1/beacons/report', {});
    expect([anonymous.status, anonymous.body.description]).toEqual([
      401,
      expect.stringContaining('the id of the beacon as username and its token as password'),
    ]);
  });

  it('is the only request that a token allows, and only while the beacon and its organization exist', async () => {
    const integrator = await make.integrator();
    const { id } = (await integrator.client.post('/v1/organizations/', { name: unique('Brief') })).body;
    const [kept, dropped] = await Promise.all(
      ['kept', 'dropped'].map(async (name) => (await integrator.client.post(pathOf(id), draft(name))).body),
    );
    expect((await reporterOf(kept).get('/v1/me')).status).toBe(401);
    await integrator.client.delete(`${pathOf(id)}${dropped.id}`);
    expect((await reporterOf(dropped).post('/v1/beacons/report')).status).toBe(401);
    expect((await reporterOf(kept).post('/v1/beacons/report')).status).toBe(200);
    await integrator.client.delete(`/v1/organizations/${id}/`);
    expect((await reporterOf(kept).post('/v1/beacons/report')).status).toBe(401);
  });

  it.each([
    [{ version: 0 }, 'version must be a whole number'],
    [{ version: '1' }, 'version must be a whole number'],
    [{ interfaces: 'eth0' }, 'interfaces must be a list'],
    [{ interfaces: [''] }, 'interfaces must be a list'],
    [{ status: 1 }, '"status" is not a field'],
  ])('with %j is refused with a message that says what is wrong', async (body, sentence) => {
    const { reporter } = await withBeacon();
    const answer = await reporter.post('/v1/beacons/report', body);
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain(sentence);
  });
});
