import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DiscoveriesRepository } from '../../src/modules/discovery/data/discoveries.repository';
import { Relay } from '../../src/modules/beacons';
import type { Role } from '../../src/kernel/role';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { FakeBeaconLinks, FakeNetwork } from '../support/fake-beacon-links';
import { connectAgent } from '../support/test-agent';
import { type Browser, signedInAs, usePortal } from '../support/portal';

/** An API of its own, because its links are replaced. */
const api = useApi({});
const make = new Factories(api);
const links = new FakeBeaconLinks();
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker();
  links.installIn(api.app);
  links.installIn(worker.context);
});
afterAll(() => worker.stop());

const openHost = (last: number) => ({ address: `10.20.0.${last}`, ports: [80], asset_id: null });

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly beaconId: number;
  /** Of the beacon. */
  readonly path: string;
  readonly network: FakeNetwork;
}

/** A beacon of an organization whose agent is connected to a network. */
async function fixtureOf(
  network = new FakeNetwork(),
  { cidrs = ['10.20.0.0/28'], assetsLimit }: { cidrs?: string[]; assetsLimit?: number } = {},
): Promise<Fixture> {
  const tenant = await make.organization({ assetsLimit });
  const { id: beaconId } = await make.beacon(tenant.id, { allowed_cidrs: cidrs });
  links.connect(beaconId, network);
  const path = `/v1/organizations/${tenant.id}/beacons/${beaconId}`;
  return { tenant, admin: (await tenant.as('admin')).client, beaconId, path, network };
}

const start = (
  { admin, path }: Pick<Fixture, 'admin' | 'path'>,
  body: object = { ports: [80] },
  headers?: Record<string, string>,
) => admin.post(`${path}/discover`, body, headers);

async function started(fixture: Pick<Fixture, 'admin' | 'path'>, body?: object): Promise<string> {
  const answer = await start(fixture, body);
  if (answer.status !== 202) throw new Error(answer.text);
  return `${fixture.path}/discoveries/${answer.body.uuid}`;
}

async function ended({ admin }: Pick<Fixture, 'admin'>, path: string): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await admin.get(path));
    expect(['FINISHED', 'ERROR', 'CANCELED']).toContain(body.status);
  });
  return body;
}

const run = async (fixture: Fixture, body?: object): Promise<Answer['body']> =>
  ended(fixture, await started(fixture, body));

const dialled = ({ network }: Fixture, count: number): Promise<void> =>
  eventually(async () => expect(network.dials.length).toBeGreaterThanOrEqual(count));

/** Until its worker has completed it, so that nothing is dialled any more. */
const workEnded = (uuid: string): Promise<void> =>
  eventually(async () => {
    const rows = await query('SELECT 1 FROM work WHERE reference = $1 AND lease_until IS NOT NULL', [uuid]);
    expect(rows).toEqual([]);
  });

async function entriesOf({ tenant }: Fixture, operation: string): Promise<Answer['body'][]> {
  const { client } = await tenant.as('owner');
  return (await client.get(`/v1/audit-logs/?operation=${operation}&per_page=100`)).body.audit_logs;
}

describe('a discovery', () => {
  it('finds the hosts with open ports, and says which are already assets', async () => {
    const network = new FakeNetwork('10.20.0.10:443', '10.20.0.10:22', '10.20.0.9:22');
    const fixture = await fixtureOf(network);
    const asset = await make.asset(fixture.tenant.id, { value: '10.20.0.9', type: 'ip', beaconId: fixture.beaconId });
    await make.asset(fixture.tenant.id, { value: '10.20.0.10', type: 'ip' });
    const answer = await start(fixture, { ports: [443, 22] });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`${fixture.path}/discoveries/${answer.body.uuid}`);
    expect(answer.body).toMatchObject({ status: 'PENDING', hosts_total: 14, hosts_tried: 0, cidrs: ['10.20.0.0/28'] });
    const discovery = await ended(fixture, answer.headers.get('location') ?? '');
    expect(discovery).toMatchObject({
      status: 'FINISHED',
      error: null,
      ports: [443, 22],
      hosts_tried: 14,
      hosts_skipped: 0,
      hosts_answered: 2,
      candidates: [
        { address: '10.20.0.9', ports: [22], asset_id: asset.id },
        { address: '10.20.0.10', ports: [22, 443], asset_id: null },
      ],
    });
    expect(network.addresses).not.toContain('10.20.0.0');
    expect(network.addresses).not.toContain('10.20.0.15');
    const { candidates: _candidates, ...listed } = discovery;
    expect((await fixture.admin.get(`${fixture.path}/discoveries/`)).body.discoveries).toEqual([listed]);
  });

  it('shows its progress and what it has found while it runs', async () => {
    const network = new FakeNetwork('10.20.0.1:80');
    // The last three wait. Their hosts are not done.
    network.holdAfter(11);
    const fixture = await fixtureOf(network);
    const path = await started(fixture);
    await eventually(async () => {
      const { body } = await fixture.admin.get(path);
      expect(body).toMatchObject({ status: 'IN_PROGRESS', hosts_tried: 11, finished: null });
    });
    network.release();
    expect(await ended(fixture, path)).toMatchObject({ status: 'FINISHED', hosts_tried: 14 });
  });

  it('has at most 32 connections at a time', async () => {
    const network = new FakeNetwork();
    network.holdAfter(0);
    const fixture = await fixtureOf(network, { cidrs: ['10.20.0.0/26'] });
    const path = await started(fixture, { ports: [80] });
    await dialled(fixture, 32);
    // At 50 a second, others would follow now.
    await delay(500);
    expect(network.peakConnections).toBe(32);
    network.release();
    await ended(fixture, path);
    expect(network.dials).toHaveLength(62);
    expect(network.peakConnections).toBe(32);
  });

  it('opens at most 50 connections a second', async () => {
    const network = new FakeNetwork();
    await run(await fixtureOf(network, { cidrs: ['10.20.0.0/26'] }), { ports: [80] });
    const times = network.dials.map(({ at }) => at);
    // Timers may fire a millisecond early.
    const seconds = times.slice(50).map((at, index) => at - (times[index] ?? at));
    expect(Math.min(...seconds)).toBeGreaterThan(900);
  });

  it('has audit entries for its start, its beginning and its end', async () => {
    const fixture = await fixtureOf(new FakeNetwork('10.20.0.1:80'));
    const { uuid } = await run(fixture);
    const resource_id = String(fixture.beaconId);
    const [begun] = await entriesOf(fixture, 'beacon.discover');
    expect(begun).toMatchObject({ resource_id, metadata: { discovery: uuid, hosts: 14, ports: [80] } });
    expect(await entriesOf(fixture, 'beacon.discovery_begin')).toMatchObject([{ resource_id }]);
    expect(await entriesOf(fixture, 'beacon.discovery_finish')).toMatchObject([
      { resource_id, metadata: { discovery: uuid, status: 'FINISHED', answered: 1, hosts_done: 14 } },
    ]);
  });

  it('continues where a lost worker stopped', async () => {
    const fixture = await fixtureOf(new FakeNetwork('10.20.0.1:80'));
    const uuid = randomUUID();
    await query(
      `INSERT INTO beacon_discoveries
         (uuid, organization_id, beacon_id, cidrs, ports, status, attempt, hosts, hosts_done, candidates, started)
       VALUES ($1, $2, $3, '{10.20.0.0/28}', '{80}', 'IN_PROGRESS', 1, 14, 12, $4, now())`,
      [uuid, fixture.tenant.id, fixture.beaconId, JSON.stringify([{ address: '10.20.0.5', ports: [80] }])],
    );
    await query(`INSERT INTO work (kind, reference, organization_id, attempt) VALUES ('beacon.discover', $1, $2, 1)`, [
      uuid,
      fixture.tenant.id,
    ]);
    const discovery = await ended(fixture, `${fixture.path}/discoveries/${uuid}`);
    expect(discovery).toMatchObject({ status: 'FINISHED', hosts_tried: 14 });
    expect(discovery.candidates).toContainEqual({ address: '10.20.0.5', ports: [80], asset_id: null });
    expect(fixture.network.dials).toHaveLength(2);
  });

  it('does not save the progress of an attempt that is not current', async () => {
    const fixture = await fixtureOf();
    fixture.network.holdAfter(0);
    const path = await started(fixture);
    await dialled(fixture, 1);
    const [row] = await query<{ id: number; attempt: number }>(
      'SELECT id, attempt FROM beacon_discoveries WHERE beacon_id = $1',
      [fixture.beaconId],
    );
    const { id = 0, attempt = 0 } = row ?? {};
    const rows = api.app.get(DiscoveriesRepository);
    const progress = { hostsDone: 0, hostsSkipped: 0, candidates: [] };
    expect(await rows.saveProgress(id, attempt - 1, progress)).toBe(false);
    expect(await rows.saveProgress(id, attempt, progress)).toBe(true);
    fixture.network.release();
    await ended(fixture, path);
    expect(await rows.saveProgress(id, attempt, progress)).toBe(false);
  });

  it('ends in ERROR when its links are lost repeatedly, and keeps what it has found', async () => {
    const fixture = await fixtureOf(new FakeNetwork('10.20.0.9:80'));
    fixture.network.holdAfter(13);
    const path = await started(fixture);
    await dialled(fixture, 14);
    fixture.network.isFlapping = true;
    fixture.network.loseLinks();
    const discovery = await ended(fixture, path);
    expect(discovery).toMatchObject({ status: 'ERROR', hosts_tried: 13, hosts_answered: 1 });
    expect(discovery.error).toContain('was lost too often');
    expect(discovery.candidates).toEqual([{ address: '10.20.0.9', ports: [80], asset_id: null }]);
  });

  it('does not try hosts that the beacon no longer allows', async () => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs: ['10.20.0.0/24'] });
    fixture.network.holdAfter(5);
    const path = await started(fixture);
    await dialled(fixture, 5);
    const change = await fixture.admin.patch(fixture.path, { allowed_cidrs: ['10.20.0.0/25'] });
    expect(change.status).toBe(200);
    fixture.network.release();
    const discovery = await ended(fixture, path);
    expect(discovery).toMatchObject({ status: 'FINISHED', hosts_tried: 254 });
    expect(discovery.hosts_skipped).toBeGreaterThan(0);
    expect(fixture.network.dials).toHaveLength(254 - discovery.hosts_skipped);
  });

  it('ends with its beacon', async () => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs: ['10.20.0.0/24'] });
    fixture.network.holdAfter(5);
    const path = await started(fixture);
    await dialled(fixture, 6);
    expect((await fixture.admin.delete(fixture.path)).status).toBe(204);
    fixture.network.release();
    await workEnded(path.split('/').at(-1) ?? '');
    expect(fixture.network.dials.length).toBeLessThan(254);
    expect((await fixture.admin.get(path)).status).toBe(404);
    expect(await query('SELECT 1 FROM beacon_discoveries WHERE beacon_id = $1', [fixture.beaconId])).toEqual([]);
  });

  it('goes through the agent of the beacon, and over another one when that is gone', async () => {
    const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await api.app.get(Relay).start();
    try {
      const tenant = await make.organization();
      const { client: admin } = await tenant.as('admin');
      const beacon = await make.beacon(tenant.id, { allowed_cidrs: ['10.20.0.0/26'] });
      const fixture = { admin, path: `/v1/organizations/${tenant.id}/beacons/${beacon.id}` };
      const ports = { '10.20.0.5:80': port, '10.20.0.6:80': port };
      const first = await connectAgent(api.port, beacon, { ports });
      const discovery = await started(fixture, { ports: [80] });
      await eventually(async () => expect(first.asked.length).toBeGreaterThan(4));
      first.socket.terminate();
      const second = await connectAgent(api.port, beacon, { ports });
      const { status, candidates } = await ended(fixture, discovery);
      expect([status, candidates]).toEqual(['FINISHED', [5, 6].map(openHost)]);
      const asked = new Set([...first.asked, ...second.asked].map(({ address }) => address));
      expect(asked.size).toBe(62);
    } finally {
      await api.app.get(Relay).stop();
      server.close();
    }
  });

  it('is kept with the nine before it', async () => {
    const fixture = await fixtureOf();
    await query(
      `INSERT INTO beacon_discoveries (uuid, organization_id, beacon_id, cidrs, ports, status, hosts)
       SELECT gen_random_uuid(), $1, $2, '{}', '{}', 'FINISHED', number FROM generate_series(1, 12) number`,
      [fixture.tenant.id, fixture.beaconId],
    );
    await run(fixture);
    const { discoveries } = (await fixture.admin.get(`${fixture.path}/discoveries/`)).body;
    expect(discoveries.map(({ hosts_total }: { hosts_total: number }) => hosts_total)).toEqual([
      14, 12, 11, 10, 9, 8, 7, 6, 5, 4,
    ]);
  });
});

describe('starting a discovery', () => {
  it('is refused while another one of the beacon is unfinished, also for simultaneous requests', async () => {
    const fixture = await fixtureOf();
    fixture.network.holdAfter(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(fixture)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(19).fill(409)]);
    fixture.network.release();
    const [path] = answers.flatMap(({ headers }) => headers.get('location') ?? []);
    await ended(fixture, path ?? '');
    expect((await start(fixture)).status).toBe(202);
  });

  it('is refused without a connected agent, and says what to do', async () => {
    const fixture = await fixtureOf();
    fixture.network.isConnected = false;
    const answer = await start(fixture);
    expect(answer.status).toBe(422);
    expect(answer.body.description).toContain('Start assay-beacon in its network');
  });

  it.each([
    [['10.20.0.0/16'], {}, '65,534 hosts'],
    [['fd00:20::/64'], {}, '18,446,744,073,709,551,616 hosts'],
    [['10.20.0.0/16'], { cidrs: ['10.21.0.0/24'] }, '10.21.0.0/24 is not inside'],
    [['8.8.8.0/24'], { cidrs: ['8.8.8.0/24'] }, 'not private'],
    [['8.8.8.0/24'], {}, 'is a private network'],
  ])('of a beacon with %j is refused with %j: %s', async (cidrs, body, reason) => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs });
    const answer = await start(fixture, body);
    expect([answer.status, answer.body.description]).toEqual([422, expect.stringContaining(reason)]);
    expect(fixture.network.dials).toEqual([]);
  });

  it.each([
    [{ ports: [] }],
    [{ ports: [0] }],
    [{ ports: [65_536] }],
    [{ ports: [80, 80] }],
    [{ ports: Array.from({ length: 21 }, (_none, index) => index + 1) }],
    [{ cidrs: [] }],
    [{ cidrs: ['10.20.0.0'] }],
    [{ cidrs: ['10.20.0.1/28'] }],
    [{ cidrs: ['127.0.0.0/8'] }],
    [{ hosts: 5 }],
  ])('with %j is a 400', async (body) => {
    expect((await start(await fixtureOf(), body)).status).toBe(400);
  });

  it('needs no body', async () => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs: ['10.20.0.7/32'] });
    const answer = await fixture.admin.post(`${fixture.path}/discover`);
    expect(answer.status).toBe(202);
    await ended(fixture, answer.headers.get('location') ?? '');
    expect(fixture.network.dials.map(({ port }) => port)).toEqual([22, 80, 443, 3306, 5432, 6379, 8080, 8443]);
  });

  it('happens once for requests with the same Idempotency-Key', async () => {
    const fixture = await fixtureOf();
    const key = { 'idempotency-key': randomUUID() };
    const first = await start(fixture, { ports: [80] }, key);
    const again = await start(fixture, { ports: [80] }, key);
    expect([again.status, again.body.uuid]).toEqual([202, first.body.uuid]);
    await ended(fixture, first.headers.get('location') ?? '');
  });
});

describe('canceling a discovery', () => {
  it('ends its connections, and keeps what it has found', async () => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs: ['10.20.0.0/24'] });
    for (let host = 1; host < 255; host++) fixture.network.accepts.add(`10.20.0.${host}:80`);
    fixture.network.holdAfter(5);
    const path = await started(fixture);
    await eventually(async () => expect((await fixture.admin.get(path)).body.hosts_answered).toBe(5));
    expect((await fixture.admin.post(`${path}/cancel`)).status).toBe(200);
    expect((await fixture.admin.get(path)).body).toMatchObject({ status: 'CANCELED', hosts_answered: 5 });
    await eventually(async () => expect(fixture.network.openConnections).toBe(0));
    expect((await fixture.admin.get(path)).body).toMatchObject({ status: 'CANCELED', hosts_answered: 5 });
    expect((await fixture.admin.post(`${path}/cancel`)).status).toBe(200);
    expect(await entriesOf(fixture, 'beacon.discovery_finish')).toEqual([]);
  });

  it('is a conflict after its end', async () => {
    const fixture = await fixtureOf();
    const { uuid } = await run(fixture);
    expect((await fixture.admin.post(`${fixture.path}/discoveries/${uuid}/cancel`)).status).toBe(409);
  });
});

describe('adding candidates as assets', () => {
  const addresses = ['10.20.0.3', '10.20.0.5', '10.20.0.11'];

  async function discovered(options: { assetsLimit?: number } = {}): Promise<Fixture & { add: Adding }> {
    const fixture = await fixtureOf(new FakeNetwork(...addresses.map((address) => `${address}:80`)), options);
    const { uuid } = await run(fixture);
    const add: Adding = async (body, role = 'member', headers) =>
      (await fixture.tenant.as(role)).client.post(`${fixture.path}/discoveries/${uuid}/assets`, body, headers);
    return { ...fixture, add };
  }

  type Adding = (body: object, role?: Role, headers?: Record<string, string>) => Promise<Answer>;

  const assetsOf = ({ tenant, beaconId }: Fixture) =>
    query<{ value: string; type: string }>(
      'SELECT value, type, ip FROM assets WHERE organization_id = $1 AND beacon_id = $2 ORDER BY id',
      [tenant.id, beaconId],
    );

  it('adds all of them behind the beacon, each with an audit entry', async () => {
    const fixture = await discovered();
    const answer = await fixture.add({});
    expect(answer.body).toMatchObject({ added: 3, refused: 0, remaining: 0 });
    expect(answer.body.results.map(({ address }: { address: string }) => address)).toEqual(addresses);
    expect(await assetsOf(fixture)).toEqual(addresses.map((value) => ({ value, type: 'ip', ip: value })));
    const entries = await entriesOf(fixture, 'asset.create');
    expect(entries.map(({ metadata }) => [metadata.value, metadata.beacon_id]).sort()).toEqual(
      addresses.map((address) => [address, fixture.beaconId]).sort(),
    );
    expect(await entriesOf(fixture, 'beacon.add_discovered_assets')).toMatchObject([
      { resource_id: String(fixture.beaconId), metadata: { added: 3, exists: 0, refused: 0 } },
    ]);
    expect((await fixture.add({})).body).toEqual({ added: 0, refused: 0, remaining: 0, results: [] });
  });

  it('returns the result of each address, in the order of the request', async () => {
    const fixture = await discovered();
    const { id } = await make.asset(fixture.tenant.id, {
      value: '10.20.0.11',
      type: 'ip',
      beaconId: fixture.beaconId,
    });
    const { body } = await fixture.add({ addresses: ['10.20.0.11', '::ffff:10.20.0.5', '10.20.0.4'] });
    expect(body).toMatchObject({ added: 1, refused: 1, remaining: 1 });
    expect(body.results).toMatchObject([
      { address: '10.20.0.11', result: 'exists', asset_id: id, status: null, error: null },
      { address: '10.20.0.5', result: 'added', asset_id: expect.any(Number), status: null, error: null },
      { address: '10.20.0.4', result: 'refused', asset_id: null, status: 422 },
    ]);
    expect(body.results[2].error).toContain('not a candidate');
  });

  it('stops at the limit of assets with its reason, and keeps those before it', async () => {
    const fixture = await discovered({ assetsLimit: 2 });
    const { body } = await fixture.add({});
    expect(body).toMatchObject({ added: 2, refused: 1, remaining: 1 });
    expect(body.results[2]).toMatchObject({ address: '10.20.0.11', result: 'refused', status: 422 });
    expect(body.results[2].error).toContain('limit of 2 assets');
    expect(await assetsOf(fixture)).toHaveLength(2);
  });

  it('has its effect once for twenty concurrent requests', async () => {
    const fixture = await discovered();
    const { client } = await fixture.tenant.as('member');
    const [{ uuid }] = (await client.get(`${fixture.path}/discoveries/`)).body.discoveries;
    const path = `${fixture.path}/discoveries/${uuid}/assets`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path, { addresses })));
    const results = answers.flatMap(({ body }) => body.results.map(({ result }: { result: string }) => result));
    expect(results.filter((result) => result === 'added')).toHaveLength(3);
    expect(results.filter((result) => result === 'exists')).toHaveLength(57);
    expect(await assetsOf(fixture)).toHaveLength(3);
  });

  it('needs the role of a member', async () => {
    const fixture = await discovered();
    expect((await fixture.add({}, 'viewer')).status).toBe(403);
    expect(await assetsOf(fixture)).toEqual([]);
  });

  it.each([[{ addresses: [] }], [{ addresses: ['host.example.com'] }], [{ addresses: '10.20.0.3' }]])(
    'with %j is a 400',
    async (body) => {
      const fixture = await fixtureOf();
      const path = `${fixture.path}/discoveries/${randomUUID()}/assets`;
      expect((await fixture.admin.post(path, body)).status).toBe(400);
    },
  );
});

describe('the pages of a discovery', () => {
  const portal = usePortal(api);

  const pageOf = ({ tenant, beaconId }: Fixture) => `/o/${tenant.id}/beacons/${beaconId}`;

  const browserOf = async ({ tenant }: Fixture, role: Role): Promise<Browser> =>
    signedInAs(api, portal, await tenant.as(role));

  it('let an admin start one with networks and ports, follow it, and add the hosts that answered', async () => {
    const fixture = await fixtureOf(new FakeNetwork('10.20.0.2:8080', '10.20.0.3:8080', '10.20.0.30:8080'), {
      cidrs: ['10.20.0.0/24'],
    });
    fixture.network.holdAfter(3);
    const page = pageOf(fixture);
    const browser = await browserOf(fixture, 'admin');
    const fields = { cidrs: '10.20.0.0/29\n10.20.0.28/30', ports: '8080' };
    const { status, headers } = await browser.submit(page, `${page}/discoveries`, fields);
    expect(status).toBe(303);
    const run = headers.get('location') ?? '';
    const stream = await browser.events(`${run}/progress`);
    expect(await stream.readUntil('3 of 8 hosts tried')).toContain('answered');
    fixture.network.release();
    expect(await stream.readToEnd()).toContain('event: end');
    expect((await browser.get(run)).text).toContain('3 hosts answered');
    await browser.submit(run, `${run}/assets`, [
      ['addresses', '10.20.0.2'],
      ['addresses', '10.20.0.30'],
    ]);
    const { text } = await browser.get(run);
    expect(text).toContain('2 assets added.');
    expect(text).toContain('Add 1 host as an asset');
    await browser.submit(run, `${run}/assets`);
    expect((await browser.get(run)).text).not.toContain('not an asset');
    expect((await browser.get(page)).text).toContain('3 of 8 hosts');
  });

  it('say why one cannot be started, and keep what was typed', async () => {
    const fixture = await fixtureOf(new FakeNetwork(), { cidrs: ['10.20.0.0/16'] });
    const page = pageOf(fixture);
    const browser = await browserOf(fixture, 'admin');
    const large = await browser.submit(page, `${page}/discoveries`, { cidrs: '10.20.0.0/17', ports: '22 80' });
    expect(large.status).toBe(422);
    expect(large.text).toContain('32,766 hosts');
    expect(large.text).toContain('10.20.0.0/17</textarea>');
    const wrong = await browser.submit(page, `${page}/discoveries`, { ports: '80, https' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('Ports must be 1 to 20 numbers from 1 to 65535');
  });

  it('let a member add hosts, and only an admin start and cancel one', async () => {
    const fixture = await fixtureOf(new FakeNetwork('10.20.0.2:80'));
    const page = pageOf(fixture);
    const { uuid } = await run(fixture);
    const [member, viewer] = [await browserOf(fixture, 'member'), await browserOf(fixture, 'viewer')];
    const path = `${page}/discoveries/${uuid}`;
    expect((await viewer.get(path)).text).not.toContain(`action="${path}/assets"`);
    expect((await viewer.post(`${path}/assets`, { csrf: 'wrong' })).status).toBe(403);
    expect((await member.get(page)).text).not.toContain('Discover hosts');
    fixture.network.holdAfter(0);
    const running = await started(fixture);
    const runningPage = `${page}/discoveries/${running.split('/').at(-1)}`;
    expect((await member.get(runningPage)).text).not.toContain('Cancel');
    const admin = await browserOf(fixture, 'admin');
    await admin.submit(runningPage, `${runningPage}/cancel`);
    expect((await fixture.admin.get(running)).body.status).toBe('CANCELED');
    await member.submit(path, `${path}/assets`);
    expect((await member.get(path)).text).toContain('Show the asset');
  });
});
