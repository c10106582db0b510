import { startWorker, useApi, useWorker } from '../support/api';
import { sortedStatuses, repeat } from '../support/answers';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { lockRows, expectWaitingForLocks } from '../support/row-locks';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
/** Enough connections and time for twenty transactions that wait for each other. One slot stays free for other integrators. */
const settings = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  DATABASE_POOL_SIZE: '45',
  WORKER_CONCURRENCY: '21',
  WORK_LEASE_SECONDS: '60',
};
const api = useApi(settings);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

const tables = ['assets', 'domains', 'beacons', 'events', 'event_scope', 'findings', 'finding_history', 'asset_totals'];

const expectPurged = (id: number): Promise<void> =>
  eventually(async () => {
    for (const table of tables) {
      expect([table, await query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [id])]).toEqual([table, []]);
    }
  });

describe('an organization that is deleted', () => {
  useWorker();

  it('while records are added to it leaves no rows behind', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Racing') })).body;
    const name = (kind: string): string => `${unique(kind).replace(' ', '')}.example.com`;
    const event = () => ({ name: unique('E'), event_type: 1, event_category: 1, end_date: '2099-01-01' });
    const { slug } = (await client.post(`/v1/organizations/${id}/events/`, event())).body;
    const adds = [
      () => client.post('/v1/assets/', { organization_id: id, asset_value: name('a'), asset_type: 'domain' }),
      () => client.post('/v1/domains/', { organization_id: id, value: name('d') }),
      () =>
        client.post(`/v1/organizations/${id}/beacons/`, {
          name: unique('b').replace(' ', '-'),
          allowed_cidrs: ['10.0.0.0/8'],
        }),
      () => client.post(`/v1/organizations/${id}/events/`, event()),
      () =>
        client.post(`/v1/events/${slug}/findings/`, { title: unique('F'), asset_value: name('f'), severity: 'low' }),
    ];
    const round = () => adds.map((add) => add());
    const before = [...round(), ...round()];
    const deletion = client.delete(`/v1/organizations/${id}/`);
    const answers = await Promise.all([...before, ...round(), ...round()]);
    expect((await deletion).status).toBe(200);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 404)).toEqual([]);
    for (const add of adds) expect((await add()).status).toBe(404);
    await expectPurged(id);
  });
});

interface Customer {
  readonly id: number;
  readonly findingId: number;
  readonly path: string;
}

/** Twenty organizations of one integrator, each with a pending retest. */
async function twentyRetests(): Promise<{ client: Client; customers: Customer[] }> {
  const { client } = await make.integrator();
  const one = async (): Promise<Customer> => {
    const { id } = (await client.post('/v1/organizations/', { name: unique('Customer') })).body;
    const asset = { organization_id: id, asset_value: site.url, asset_type: 'url' };
    const { id: assetId } = (await client.post('/v1/assets/', asset)).body;
    const { id: findingId } = await make.finding(id, {
      asset: { id: assetId, value: site.url, tier: null },
      checkId: 'missing-nosniff',
      checkDefinition: { location: site.url },
    });
    // Resolved, so that the retest reopens it and writes to several tables.
    await query('UPDATE findings SET status = 5 WHERE id = $1', [findingId]);
    const path = `/v1/findings/${findingId}/retest`;
    expect((await client.post(path)).status).toBe(202);
    return { id, findingId, path };
  };
  return { client, customers: await Promise.all(repeat(20, one).map((make) => make())) };
}

const ascending = (one: number, other: number): number => one - other;

const deleteAll = (client: Client, customers: Customer[]): Promise<Answer[]> =>
  Promise.all(customers.map(({ id }) => client.delete(`/v1/organizations/${id}/`)));

describe('twenty organizations deleted at a critical moment', () => {
  it('are deleted exactly when their work ends, and finished work stays finished', async () => {
    const { client, customers } = await twentyRetests();
    const release = await lockRows(
      'findings',
      customers.map(({ findingId }) => findingId),
    );
    const worker = await startWorker(settings);
    try {
      await expectWaitingForLocks(20);
      const deletions = deleteAll(client, customers);
      await expectWaitingForLocks(40);
      await release();
      expect(sortedStatuses(await deletions)).toEqual(repeat(20, 200));
      const ends = await query<{ organization: number }>(
        `SELECT organization_id AS organization FROM audit_logs
         WHERE operation = 'retest.end' AND status = 'success' AND organization_id = ANY($1) ORDER BY 1`,
        [customers.map(({ id }) => id)],
      );
      expect(ends.map(({ organization }) => organization)).toEqual(customers.map(({ id }) => id).toSorted(ascending));
    } finally {
      await worker.stop();
    }
  });

  it.each([
    [
      'canceled',
      (client: Client, path: string) => client.post(`${path}/cancel`, undefined, { 'idempotency-key': path }),
    ],
    [
      'decided by hand',
      (client: Client, path: string) => client.post(`${path}/verdict`, { result: 'still_vulnerable' }),
    ],
  ])('are deleted exactly when their retests are %s, without an error', async (_how, end) => {
    const { client, customers } = await twentyRetests();
    const release = await lockRows(
      'findings',
      customers.map(({ findingId }) => findingId),
    );
    const ended = Promise.all(customers.map(({ path }) => end(client, path)));
    await expectWaitingForLocks(20);
    const deletions = deleteAll(client, customers);
    await expectWaitingForLocks(40);
    await release();
    expect(sortedStatuses(await ended)).toEqual(repeat(20, 200));
    expect(sortedStatuses(await deletions)).toEqual(repeat(20, 200));
  });

  it('are deleted exactly when a retest is started, and no retest remains', async () => {
    const { client, customers } = await twentyRetests();
    const others = await Promise.all(customers.map(({ id }) => make.finding(id)));
    const ids = customers.map(({ id }) => id);
    const works = await query<{ id: number }>(
      `SELECT id FROM work WHERE kind = 'retest.run' AND organization_id = ANY($1)`,
      [ids],
    );
    const release = await lockRows(
      'work',
      works.map(({ id }) => id),
    );
    const deletions = deleteAll(client, customers);
    await expectWaitingForLocks(20);
    const starts = Promise.all(others.map(({ id }) => client.post(`/v1/findings/${id}/retest`)));
    await expectWaitingForLocks(40);
    await release();
    expect(sortedStatuses(await deletions)).toEqual(repeat(20, 200));
    expect(sortedStatuses(await starts)).toEqual(repeat(20, 404));
    const left = await query(`SELECT 1 FROM retests WHERE finding_id = ANY($1)`, [others.map(({ id }) => id)]);
    expect(left).toEqual([]);
  });
});
