import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { withLimit } from '../support/stored-limits';
import { FakeHostObserver, host, port } from '../support/fake-host-observer';

/** An API of its own, because its worker sees no network. */
const api = useApi({});
const make = new Factories(api);
const observer = new FakeHostObserver();
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker();
  observer.installIn(worker.context);
});
afterAll(() => worker.stop());

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly admin: Client;
  readonly assetId: number;
  readonly name: string;
  readonly path: string;
}

/** The asset of a verified domain. */
async function createAsset(tenant?: Tenant): Promise<Fixture> {
  const owner = tenant ?? (await make.organization());
  const { value: name } = await make.domain(owner.id, { verified: true });
  const { client } = await owner.as('member');
  const { client: admin } = await owner.as('admin');
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
    owner.id,
    name,
  ]);
  const assetId = asset?.id ?? 0;
  return { tenant: owner, client, admin, assetId, name, path: `/v1/assets/${assetId}` };
}

async function ended({ client }: Pick<Fixture, 'client'>, location: string): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await client.get(location));
    expect(['FINISHED', 'ERROR', 'CANCELED']).toContain(body.status);
  });
  return body;
}

async function start({ client, path }: Fixture): Promise<string> {
  const answer = await client.post(`${path}/observe`);
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.headers.get('location') ?? '';
}

/** Observes the asset, which shows these hosts. */
async function observe(fixture: Fixture, ...hosts: Parameters<typeof host>[]): Promise<Answer['body']> {
  observer.show(fixture.name, { hosts: hosts.map((one) => host(...one)) });
  return ended(fixture, await start(fixture));
}

const changesOf = async ({ client, path }: Fixture, search = ''): Promise<Answer['body'][]> =>
  (await client.get(`${path}/changes${search}`)).body.changes;

const kindsOf = async (fixture: Fixture): Promise<string[]> => (await changesOf(fixture)).map(({ kind }) => kind);

const nginx = (version: string) => ({
  name: 'nginx',
  vendor: 'F5',
  version,
  os: 'Debian',
  cpe: `cpe:2.3:a:f5:nginx:${version}:*:*:*:*:*:*:*`,
  source: 'Server header',
});
const certificate = (days: number, sha256 = 'aa') => ({
  subject: 'CN=www.example.com',
  issuer: 'CN=R11',
  serial: '1',
  sha256,
  from: '2026-01-01T00:00:00.000Z',
  until: new Date(Date.now() + days * 86_400_000).toISOString(),
  names: 'DNS:www.example.com',
  covers: true,
  key: { type: 'EC', bits: 256 },
  signature: null,
});
const https = (version = '1.26.2') =>
  port(443, { service: 'https', security: 'tls', certificate: certificate(60), technologies: [nginx(version)] });
const web = port(80, { service: 'http' });
const closed = (number: number) => port(number, { state: 'closed' });

describe('an observation', () => {
  it('shows the addresses, ports, services, technologies and certificates of an asset', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, { hosts: [host('192.0.2.7', web, https(), closed(8080))] });
    const answer = await fixture.client.post(`${fixture.path}/observe`);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ asset_id: fixture.assetId, status: 'PENDING', cause: 'request' });
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe(`/v1/observations/${answer.body.uuid}`);
    expect(await ended(fixture, location)).toMatchObject({
      status: 'FINISHED',
      error: null,
      note: null,
      hosts: 1,
      open_ports: 2,
      changes: 0,
      not_stored: 0,
    });
    expect((await fixture.client.get(fixture.path)).body).toMatchObject({
      ip: '192.0.2.7',
      ports: [80, 443],
      services: ['http', 'https'],
      technologies: [{ name: 'nginx', vendor: 'F5', version: '1.26.2', os: 'Debian' }],
    });
    const { hosts } = (await fixture.client.get(`${fixture.path}/hosts`)).body;
    expect(hosts).toMatchObject([
      {
        address: '192.0.2.7',
        gone: false,
        ports: [
          { port: 80, state: 'open', service: 'http', security: null, certificate: null, technologies: [] },
          {
            port: 443,
            service: 'https',
            security: 'tls',
            certificate: { subject: 'CN=www.example.com', key_type: 'EC', key_bits: 256 },
            technologies: [{ name: 'nginx', source: 'Server header' }],
          },
        ],
      },
    ]);
    expect(await changesOf(fixture)).toEqual([]);
    const { client: owner } = await fixture.tenant.as('owner');
    const entries = (await owner.get('/v1/audit-logs/?resource_type=observation')).body.audit_logs;
    expect(entries).toMatchObject([
      { operation: 'asset.observation_finish', metadata: { status: 'FINISHED', open_ports: 2 } },
    ]);
  });

  it('records differences, and a port as closed only after two observations without it', async () => {
    const fixture = await createAsset();
    await observe(fixture, ['192.0.2.7', web, https(), closed(8080)]);
    expect(await observe(fixture, ['192.0.2.7', closed(80), https('1.28.0'), port(8080)])).toMatchObject({
      changes: 2,
      open_ports: 3,
    });
    expect((await fixture.client.get(fixture.path)).body.ports).toEqual([80, 443, 8080]);
    await observe(fixture, ['192.0.2.7', closed(80), https('1.28.0'), port(8080)]);
    const changes = await changesOf(fixture);
    expect(changes.map(({ kind, port: number }) => `${kind} ${number}`)).toEqual([
      'port_closed 80',
      'port_opened 8080',
      'version_changed 443',
    ]);
    expect(await changesOf(fixture, '?kind=port_opened')).toMatchObject([{ port: 8080 }]);
    const [version] = await changesOf(fixture, '?kind=version_changed');
    expect(version).toMatchObject({
      address: '192.0.2.7',
      asset_id: fixture.assetId,
      before: { name: 'nginx', vendor: 'F5', version: '1.26.2' },
      after: { version: '1.28.0' },
    });
    expect((await fixture.client.get(fixture.path)).body.ports).toEqual([443, 8080]);
  });

  it('lists the changes of one observation with the most important first', async () => {
    const fixture = await createAsset();
    const numbers = [80, 8080, 8443];
    await observe(fixture, ['192.0.2.7', https(), ...numbers.map(closed)]);
    await observe(fixture, ['192.0.2.7', https('1.28.0'), ...numbers.map((number) => port(number))]);
    const changes = await changesOf(fixture);
    expect(changes.map(({ kind, port: number }) => `${kind} ${number}`)).toEqual([
      ...numbers.map((number) => `port_opened ${number}`),
      'version_changed 443',
    ]);
  });

  it('records nothing when a host is silent once, and that it is gone when it is silent twice', async () => {
    const fixture = await createAsset();
    const silent = port(443, { state: 'filtered' });
    await observe(fixture, ['192.0.2.7', https()]);
    await observe(fixture, ['192.0.2.7', silent]);
    expect(await kindsOf(fixture)).toEqual([]);
    expect((await fixture.client.get(fixture.path)).body).toMatchObject({ ip: '192.0.2.7', ports: [443] });
    await observe(fixture, ['192.0.2.7', silent]);
    expect(await kindsOf(fixture)).toEqual(['host_gone']);
    expect((await fixture.client.get(fixture.path)).body).toMatchObject({ ip: null, ports: [], technologies: [] });
    await observe(fixture, ['192.0.2.7', https()]);
    expect(await kindsOf(fixture)).toEqual(['host_new', 'host_gone']);
  });

  it('filters and pages the changes of an asset and of an organization', async () => {
    const fixture = await createAsset();
    const other = await createAsset(fixture.tenant);
    for (const one of [fixture, other]) {
      await observe(one, ['192.0.2.7', closed(80), https(), closed(8080)]);
      await observe(one, ['192.0.2.7', web, https('1.28.0'), port(8080)]);
    }
    expect(await changesOf(fixture, '?kind=version_changed')).toHaveLength(1);
    expect(await changesOf(fixture, '?since=2999-01-01')).toEqual([]);
    expect(await changesOf(fixture, '?until=2000-01-01')).toEqual([]);
    const path = `/v1/organizations/${fixture.tenant.id}/changes`;
    expect((await fixture.client.get(`${path}?asset_id=${other.assetId}`)).body.changes).toHaveLength(3);
    const first = await fixture.client.get(`${path}?per_page=4`);
    expect(first.body.changes).toHaveLength(4);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const rest = (await fixture.client.get(next)).body.changes;
    expect(rest).toHaveLength(2);
    expect(new Set([...first.body.changes, ...rest].map(({ id }: Answer['body']) => id)).size).toBe(6);
  });

  it('reports that a certificate expires once for each number of days', async () => {
    const fixture = await createAsset();
    const expiring = port(443, { service: 'https', security: 'tls', certificate: certificate(10) });
    await observe(fixture, ['192.0.2.7', expiring]);
    await observe(fixture, ['192.0.2.7', expiring]);
    expect(await changesOf(fixture)).toMatchObject([{ kind: 'certificate_expires', after: { days: 14 } }]);
  });

  it('ends in ERROR with the reason, which the asset shows until the next look', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, 'It has no address. Correct its records.');
    expect(await ended(fixture, await start(fixture))).toMatchObject({
      status: 'ERROR',
      error: 'It has no address. Correct its records.',
    });
    const path = `${fixture.path}/observation`;
    expect((await fixture.client.get(path)).body).toMatchObject({
      reason: 'It has no address. Correct its records.',
      last_observed: null,
    });
    await observe(fixture, ['192.0.2.7', web]);
    expect((await fixture.client.get(path)).body).toMatchObject({ reason: null, last_observed: expect.any(String) });
  });

  it('stores texts of targets without characters that the database refuses', async () => {
    const fixture = await createAsset();
    const technology = { ...nginx('1'), name: `a\u0000b\u202e\ud800${'c'.repeat(5_000)}` };
    const hostile = { ...certificate(60), subject: '\u0000'.repeat(9_000), names: 'x'.repeat(100_000) };
    const seen = port(443, {
      service: 'https',
      certificate: hostile,
      technologies: Array.from({ length: 200 }, () => technology),
    });
    expect(await observe(fixture, ['192.0.2.7', seen])).toMatchObject({ status: 'FINISHED', open_ports: 1 });
    const [one] = (await fixture.client.get(`${fixture.path}/hosts`)).body.hosts[0].ports;
    expect(one.certificate.names).toHaveLength(2_000);
    expect(one.technologies).toHaveLength(50);
  });
});

describe('the limit of stored ports', () => {
  it('is not exceeded, and the observation says what it did not store', async () => {
    const fixture = await createAsset();
    await withLimit('observed_ports', 2, async () => {
      const result = await observe(fixture, ['192.0.2.7', web, https(), port(8080), port(8443)]);
      expect(result).toMatchObject({ status: 'FINISHED', not_stored: 2, note: expect.stringContaining('not stored') });
    });
    const [stored] = (await fixture.client.get(`${fixture.path}/hosts`)).body.hosts;
    expect(stored.ports).toHaveLength(2);
  });
});

describe('the start of an observation', () => {
  it('is refused with the reason of the launch rule', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const refusedReason = async (asset: { value: string; type: string }): Promise<Answer> => {
      const { id } = await make.asset(tenant.id, asset);
      return client.post(`/v1/assets/${id}/observe`);
    };
    const name = await refusedReason({ value: 'unverified.example.com', type: 'domain' });
    expect(name.status).toBe(422);
    expect(name.text).toContain('is not verified: add it to your domains');
    expect((await refusedReason({ value: '192.0.2.9', type: 'ip' })).text).toContain('owner cannot be verified');
    expect((await refusedReason({ value: '192.0.2.0/24', type: 'cidr' })).text).toContain('owner cannot be verified');
  });

  it('is a conflict while one of the asset is unfinished', async () => {
    const fixture = await createAsset();
    const release = observer.hold(fixture.name);
    const location = await start(fixture);
    const second = await fixture.client.post(`${fixture.path}/observe`);
    expect([second.status, second.text]).toEqual([409, expect.stringContaining('unfinished')]);
    release();
    await ended(fixture, location);
  });

  it('is refused beyond 50 unfinished ones of the organization', async () => {
    const fixture = await createAsset();
    await query(
      `WITH added AS (
         INSERT INTO assets (organization_id, value, type) SELECT $1, 'a' || n || '.example.com', 'domain'
         FROM generate_series(1, 50) n RETURNING id)
       INSERT INTO observations (uuid, organization_id, asset_id, cause)
       SELECT gen_random_uuid(), $1, id, 'request' FROM added`,
      [fixture.tenant.id],
    );
    const answer = await fixture.client.post(`${fixture.path}/observe`);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('50 observations')]);
    await query(`DELETE FROM observations WHERE id = (SELECT max(id) FROM observations WHERE organization_id = $1)`, [
      fixture.tenant.id,
    ]);
    expect((await fixture.client.post(`${fixture.path}/observe`)).status).toBe(202);
  });
});

describe('the end of an observation', () => {
  it('is within seconds when it is canceled, and its look is dropped', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, { hosts: [host('192.0.2.7', web)] });
    const release = observer.hold(fixture.name);
    const location = await start(fixture);
    await eventually(async () => expect((await fixture.client.get(location)).body.status).toBe('IN_PROGRESS'));
    expect((await fixture.client.post(`${location}/cancel`)).status).toBe(200);
    expect((await fixture.client.post(`${location}/cancel`)).status).toBe(200);
    release();
    expect((await fixture.client.get(location)).body).toMatchObject({ status: 'CANCELED', hosts: 0 });
    expect((await fixture.client.get(`${fixture.path}/hosts`)).body.hosts).toEqual([]);
    await observe(fixture, ['192.0.2.7', web]);
    expect((await fixture.client.post(`${location}/cancel`)).status).toBe(200);
  });

  it('drops a look whose observation was canceled before it is stored', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, { hosts: [host('192.0.2.7', web)] });
    const release = observer.hold(fixture.name);
    const location = await start(fixture);
    await eventually(async () => expect((await fixture.client.get(location)).body.status).toBe('IN_PROGRESS'));
    // As if it was canceled at the moment in which the worker has finished its claim.
    await query(`UPDATE observations SET status = 'CANCELED' WHERE uuid = $1`, [location.split('/').at(-1)]);
    release();
    await eventually(async () => {
      const work = await query(`SELECT 1 FROM work WHERE reference = $1 AND state = 'running'`, [
        location.split('/').at(-1),
      ]);
      expect(work).toEqual([]);
    });
    expect((await fixture.client.get(`${fixture.path}/hosts`)).body.hosts).toEqual([]);
  });

  it('is soon after its asset is deleted', async () => {
    const fixture = await createAsset();
    observer.hold(fixture.name);
    const location = await start(fixture);
    await eventually(async () => expect((await fixture.client.get(location)).body.status).toBe('IN_PROGRESS'));
    expect((await fixture.admin.delete(fixture.path)).status).toBe(200);
    await eventually(async () => {
      const running = await query(`SELECT 1 FROM work WHERE reference = $1 AND state = 'running'`, [
        location.split('/').at(-1),
      ]);
      expect(running).toEqual([]);
    });
    expect((await fixture.client.get(location)).status).toBe(404);
  });

  it('drops the result of an attempt that lost its claim', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, { hosts: [host('192.0.2.7', web)] });
    const release = observer.hold(fixture.name);
    const location = await start(fixture);
    const uuid = location.split('/').at(-1);
    await eventually(async () => expect((await fixture.client.get(location)).body.status).toBe('IN_PROGRESS'));
    const looks = observer.looks.length;
    await query(`UPDATE work SET attempt = attempt + 1, state = 'waiting', lease_until = NULL WHERE reference = $1`, [
      uuid,
    ]);
    await eventually(async () => expect(observer.looks.length).toBeGreaterThan(looks));
    release();
    expect(await ended(fixture, location)).toMatchObject({ status: 'FINISHED', hosts: 1 });
    const { client: owner } = await fixture.tenant.as('owner');
    const entries = (await owner.get('/v1/audit-logs/?operation=asset.observation_finish')).body.audit_logs;
    expect(entries).toHaveLength(1);
  });
});
