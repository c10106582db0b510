import { Clock } from '../../src/kernel/clock';
import { COMMON_PORTS, isSilentPort } from '../../src/engine';
import { Cidr } from '../../src/kernel/cidr';
import { ObservationPlansRepository } from '../../src/modules/assets/data/observation-plans.repository';
import { BlockResults } from '../../src/modules/observations/block-results';
import { BeaconTests, EngineRuntime, LaunchRule } from '../../src/modules/retests';
import { Scope } from '../../src/platform/api/scope';
import type { Claim } from '../../src/platform/work/claim';
import { DEFAULT_PORTS } from '../../src/modules/discovery';
import { ADDRESSES_A_DAY, PORTION } from '../../src/modules/observations/domain/block-search';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { FakeBeaconLinks, FakeNetwork } from '../support/fake-beacon-links';
import { FakeHostObserver, host, port } from '../support/fake-host-observer';
import { withLimit } from '../support/stored-limits';

/** An API of its own, because its worker sees no network. */
const api = useApi({ EGRESS_ALLOW: '10.60.0.0/24:443' });
const make = new Factories(api);
const links = new FakeBeaconLinks();
let observer: FakeHostObserver;
let worker: RunningWorker;
let now: Date;

beforeAll(async () => {
  worker = await startWorker({ EGRESS_ALLOW: '10.60.0.0/24:443' });
  links.installIn(api.app);
  links.installIn(worker.context);
});
afterAll(() => worker.stop());

beforeEach(() => {
  observer = new FakeHostObserver();
  observer.installIn(worker.context);
  now = new Date('2030-01-31T12:00:00Z');
  for (const app of [api.app, worker.context])
    jest.spyOn(app.get(Clock, { strict: false }), 'now').mockImplementation(() => now);
});

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly beaconId: number | null;
  readonly assetId: number;
  readonly path: string;
}

/** A block behind a beacon with a connected agent. */
async function createBlock(value: string, cidrs = ['10.20.0.0/16', 'fd00::/64']): Promise<Fixture> {
  const tenant = await make.organization();
  const { id: beaconId } = await make.beacon(tenant.id, { allowed_cidrs: cidrs });
  links.connect(beaconId, new FakeNetwork());
  const { id: assetId } = await make.asset(tenant.id, { value, type: 'cidr', beaconId });
  const { client } = await tenant.as('admin');
  return { tenant, client, beaconId, assetId, path: `/v1/assets/${assetId}` };
}

async function start({ client, path }: Fixture): Promise<string> {
  const answer = await client.post(`${path}/observe`);
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.headers.get('location') ?? '';
}

async function ended({ client }: Fixture, location: string): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await client.get(location));
    expect(['FINISHED', 'ERROR', 'CANCELED']).toContain(body.status);
  });
  return body;
}

const observe = async (fixture: Fixture): Promise<Answer['body']> => ended(fixture, await start(fixture));

const searchOf = async ({ client, path }: Fixture): Promise<Answer['body']> =>
  (await client.get(`${path}/observation`)).body.block;

/** Sorted, because the clock stands still. */
const kindsOf = async ({ client, path }: Fixture): Promise<string[]> =>
  (await client.get(`${path}/changes`)).body.changes
    .map(({ kind, address }: Answer['body']) => `${kind} ${address}`)
    .sort();

/** The addresses of all portions, in their order. */
const searched = (): string[] => observer.portions.flatMap(({ addresses }) => addresses.map(({ address }) => address));

const show = (address: string, ...ports: number[]): void =>
  observer.show(address, { hosts: [host(address, ...ports.map((number) => port(number, { service: 'http' })))] });

const hide = (address: string): void =>
  observer.show(address, { hosts: [host(address, port(80, { state: 'filtered' }))] });

const nextDay = (): void => {
  now = new Date(now.getTime() + 86_400_000);
};

it('shares the pace of a block with jobs and retests on its addresses, and with equal blocks of others', async () => {
  const blockOf = async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: '10.60.0.0/24', type: 'cidr' });
    await make.asset(tenant.id, { value: '10.60.0.0/28', type: 'cidr' });
    const { id } = await make.asset(tenant.id, { value: '10.60.0.7', type: 'ip' });
    const target = { scheme: 'https', host: '10.60.0.7', port: 443, path: '/' } as const;
    const scope = Scope.organizations([tenant.id]);
    const launch = await api.app.get(LaunchRule).evaluate({ scope, target });
    expect(launch).toMatchObject({ launchable: true, assetId: id, block: '10.60.0.0/24' });
    return launch;
  };
  await blockOf();
  const launch = await blockOf();
  if (!launch.launchable) return;
  const { signal } = new AbortController();
  await api.app.get(BeaconTests).run(launch, { reference: 'pace', attempt: 1 }, signal, async (run) => {
    const via = { ...run, connectMs: 20 };
    await api.app
      .get(EngineRuntime)
      .transport.tcp({ host: '10.60.0.7', port: 443 }, [], via)
      .catch(() => undefined);
  });
  expect(await query(`SELECT host FROM target_paces WHERE host LIKE 'block %'`)).toEqual([
    { host: 'block 10.60.0.0/24' },
  ]);
});

describe('an observation of a block', () => {
  it('shows the hosts that answer, with their ports, and none of the other addresses', async () => {
    const fixture = await createBlock('10.20.1.0/24');
    show('10.20.1.7', 80, 8080);
    show('10.20.1.9', 443);
    observer.show('10.20.1.11', { hosts: [host('10.20.1.11', port(80, { state: 'closed' }))] });
    expect(await observe(fixture)).toMatchObject({
      status: 'FINISHED',
      hosts: 2,
      open_ports: 3,
      changes: 0,
      note: null,
    });
    expect((await fixture.client.get(fixture.path)).body).toMatchObject({
      ip: null,
      ports: [80, 443, 8080],
      services: ['http'],
    });
    const { body, headers } = await fixture.client.get(`${fixture.path}/hosts?per_page=1`);
    expect(body.hosts).toHaveLength(1);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    const [second] = (await fixture.client.get(next)).body.hosts;
    expect([body.hosts[0].address, second.address].sort()).toEqual(['10.20.1.7', '10.20.1.9']);
    expect(await searchOf(fixture)).toEqual({
      addresses: 254,
      addresses_searched: 0,
      addresses_searched_today: 254,
      last_complete_at: now.toISOString(),
    });
    expect(new Set(searched()).size).toBe(254);
    expect(searched()).not.toContain('10.20.1.0');
  });

  it('searches on the ports of discoveries, and looks at all others without those of printers and controllers', async () => {
    const fixture = await createBlock('10.20.1.0/29');
    await observe(fixture);
    const [{ searched: ports, ports: all } = { searched: [], ports: [] }] = observer.portions;
    expect(ports).toEqual(DEFAULT_PORTS);
    expect(new Set(all)).toEqual(new Set(COMMON_PORTS));
    expect(all.filter(isSilentPort)).toEqual([]);
  });

  it('tries at most 4,096 addresses a day, continues the next day, and says when the block was complete', async () => {
    const fixture = await createBlock('10.20.32.0/19');
    const rest = 8_190 - ADDRESSES_A_DAY;
    show('10.20.32.5', 80);
    const first = await observe(fixture);
    expect(first.note).toContain('4096 of 8190 addresses of the block are searched');
    expect(searched()).toHaveLength(ADDRESSES_A_DAY);
    expect(await searchOf(fixture)).toEqual({
      addresses: 8_190,
      addresses_searched: ADDRESSES_A_DAY,
      addresses_searched_today: ADDRESSES_A_DAY,
      last_complete_at: null,
    });
    const again = await observe(fixture);
    expect([again.status, again.note]).toEqual(['FINISHED', first.note]);
    expect(searched()).toHaveLength(ADDRESSES_A_DAY);
    nextDay();
    expect(await searchOf(fixture)).toMatchObject({ addresses_searched_today: 0 });
    expect(await observe(fixture)).toMatchObject({ hosts: 1, note: null });
    expect(await searchOf(fixture)).toEqual({
      addresses: 8_190,
      addresses_searched: 0,
      addresses_searched_today: rest,
      last_complete_at: now.toISOString(),
    });
    expect(searched()).toHaveLength(8_190);
    expect(new Set(searched()).size).toBe(8_190);
  });

  it('reports a host that is new, and one that is gone after two looks at its address', async () => {
    const fixture = await createBlock('10.20.1.0/28');
    show('10.20.1.7', 80);
    await observe(fixture);
    show('10.20.1.9', 443);
    hide('10.20.1.7');
    await observe(fixture);
    expect(await kindsOf(fixture)).toEqual(['host_new 10.20.1.9']);
    expect((await fixture.client.get(fixture.path)).body.ports).toEqual([80, 443]);
    await observe(fixture);
    expect(await kindsOf(fixture)).toEqual(['host_gone 10.20.1.7', 'host_new 10.20.1.9']);
    expect((await fixture.client.get(fixture.path)).body.ports).toEqual([443]);
  });

  it('does not count a day on which the address of a host was not searched', async () => {
    const fixture = await createBlock('10.20.1.0/24');
    const observeHalf = async (): Promise<void> => {
      nextDay();
      await query(
        `INSERT INTO observed_assets (asset_id, organization_id, block_searched, block_searched_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (asset_id, organization_id) DO UPDATE SET block_searched = $3, block_searched_at = $4`,
        [fixture.assetId, fixture.tenant.id, ADDRESSES_A_DAY - 127, now],
      );
      await observe(fixture);
    };
    await observeHalf();
    expect(searched()).toHaveLength(127);
    const [early = ''] = searched();
    await observeHalf();
    show(early, 80);
    await observeHalf();
    hide(early);
    await observeHalf();
    expect(new Set(searched()).size).toBe(254);
    const [row] = await query<{ misses: number; gone: boolean }>(
      'SELECT misses, gone FROM observed_hosts WHERE asset_id = $1',
      [fixture.assetId],
    );
    expect(row).toEqual({ misses: 0, gone: false });
  });

  it('leaves out the addresses whose observation an admin has turned off, and those outside of the beacon', async () => {
    const fixture = await createBlock('10.20.1.0/28', ['10.20.1.0/29']);
    const { id } = await make.asset(fixture.tenant.id, { value: '10.20.1.3', type: 'ip', beaconId: fixture.beaconId });
    expect((await fixture.client.patch(`/v1/assets/${id}/observation`, { observe: false })).status).toBe(200);
    await query(
      `INSERT INTO assets (organization_id, beacon_id, value, type, observe)
       SELECT $1, $2, value, 'cidr', false FROM unnest(ARRAY['10.20.1.6/31', '10.20.2.0/24']) AS value`,
      [fixture.tenant.id, fixture.beaconId],
    );
    const read = jest.spyOn(
      worker.context.get(ObservationPlansRepository, { strict: false }),
      'listTurnedOffForVisible',
    );
    await observe(fixture);
    expect(searched().sort()).toEqual([1, 2, 4, 5].map((last) => `10.20.1.${last}`));
    // There may be thousands of others.
    const [values] = await Promise.all(read.mock.results.map(({ value }) => value as Promise<string[]>));
    expect(values?.toSorted()).toEqual(['10.20.1.3', '10.20.1.6/31']);
    read.mockRestore();
  });

  it('continues where a lost worker was, and stores nothing twice', async () => {
    const fixture = await createBlock('10.20.1.0/24');
    for (let last = 1; last < 255; last++) show(`10.20.1.${last}`, 80);
    const release = observer.hold('portion 3');
    const location = await start(fixture);
    await eventually(async () => expect(observer.portions).toHaveLength(3));
    expect((await searchOf(fixture)).addresses_searched).toBe(2 * PORTION);
    // Another attempt begins, as after a lost lease.
    const uuid = location.split('/').at(-1);
    await query(`UPDATE work SET attempt = attempt + 1, state = 'waiting', lease_until = NULL WHERE reference = $1`, [
      uuid,
    ]);
    await eventually(async () => expect(observer.portions.length).toBeGreaterThan(3));
    release();
    expect(await ended(fixture, location)).toMatchObject({ status: 'FINISHED', hosts: 254, open_ports: 254 });
    expect(observer.portions).toHaveLength(5);
    expect(observer.portions[3]).toEqual(observer.portions[2]);
    expect((await searchOf(fixture)).addresses_searched_today).toBe(254);
  });

  it('drops a portion of an attempt that lost its claim', async () => {
    const fixture = await createBlock('10.20.1.0/24');
    const release = observer.hold('portion 1');
    const location = await start(fixture);
    await eventually(async () => expect(observer.portions).toHaveLength(1));
    const [row] = await query<{ id: number; uuid: string }>('SELECT id, uuid FROM observations WHERE asset_id = $1', [
      fixture.assetId,
    ]);
    const claim = { kind: 'asset.observe', reference: row?.uuid ?? '', organizationId: fixture.tenant.id, attempt: 0 };
    const seen = { block: Cidr.parse('10.20.1.0/24', 'block'), addresses: ['10.20.1.7'], watched: [80] };
    const results = worker.context.get(BlockResults, { strict: false });
    expect(await results.add(claim as Claim, row?.id ?? 0, { ...seen, hosts: [host('10.20.1.7', port(80))] })).toBe(
      false,
    );
    expect(await searchOf(fixture)).toMatchObject({ addresses_searched: 0, addresses_searched_today: 0 });
    release();
    expect(await ended(fixture, location)).toMatchObject({ status: 'FINISHED', hosts: 0 });
  });

  it('keeps what it has searched when it is canceled', async () => {
    const fixture = await createBlock('10.20.1.0/24');
    const release = observer.hold('portion 2');
    const location = await start(fixture);
    await eventually(async () => expect(observer.portions).toHaveLength(2));
    expect((await fixture.client.post(`${location}/cancel`)).status).toBe(200);
    release();
    await eventually(async () => {
      const rows = await query('SELECT 1 FROM work WHERE reference = $1 AND lease_until IS NOT NULL', [
        location.split('/').at(-1),
      ]);
      expect(rows).toEqual([]);
    });
    expect(await searchOf(fixture)).toMatchObject({ addresses_searched: PORTION, last_complete_at: null });
    await observe(fixture);
    expect(new Set(searched()).size).toBe(254);
    expect(await searchOf(fixture)).toMatchObject({ addresses_searched_today: 254 });
  });

  it('searches the ports that the operator allows for the whole block', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id: assetId } = await make.asset(tenant.id, { value: '10.60.0.0/28', type: 'cidr' });
    await observe({ tenant, client, beaconId: null, assetId, path: `/v1/assets/${assetId}` });
    expect(observer.portions).toMatchObject([{ searched: [443], ports: [443] }]);
  });

  it('stores at most as many hosts as the organization may', async () => {
    const fixture = await createBlock('10.20.1.0/28');
    for (let last = 1; last < 15; last++) show(`10.20.1.${last}`, 80);
    await withLimit('observed_hosts', 10, async () => {
      expect(await observe(fixture)).toMatchObject({ hosts: 10, not_stored: 8 });
    });
  });

  it('shows a host that stopped answering during the look', async () => {
    const fixture = await createBlock('10.20.1.0/29');
    observer.show('10.20.1.3', {
      hosts: [{ ...host('10.20.1.3', port(80)), stopped: 'the host stopped answering' }],
    });
    expect((await observe(fixture)).note).toBe('10.20.1.3: the host stopped answering');
  });
});

describe('a block of IPv6', () => {
  it('is searched up to /116', async () => {
    const fixture = await createBlock('fd00::/116');
    show('fd00::abc', 22);
    expect(await observe(fixture)).toMatchObject({ hosts: 1 });
    expect(await searchOf(fixture)).toMatchObject({ addresses: 4_096, addresses_searched_today: 4_096 });
    expect(new Set(searched()).size).toBe(4_096);
  });

  it('is refused with the remedy if it is larger', async () => {
    const fixture = await createBlock('fd00::/115');
    const answer = await fixture.client.post(`${fixture.path}/observe`);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('up to /116: add smaller blocks')]);
    expect(await searchOf(fixture)).toBeNull();
  });
});

describe('a block without a beacon', () => {
  it.each(['10.60.0.0/16', '10.61.0.0/28'])(
    'is refused if the operator does not allow all of it: %s',
    async (value) => {
      const tenant = await make.organization();
      const { id } = await make.asset(tenant.id, { value, type: 'cidr' });
      // A host of the block is allowed by itself.
      await make.asset(tenant.id, { value: '10.60.0.1', type: 'ip' });
      const answer = await (await tenant.as('member')).client.post(`/v1/assets/${id}/observe`);
      expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/owner.* cannot be verified/)]);
    },
  );
});
