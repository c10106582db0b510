import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

let tenant: Tenant;
let client: Client;
let url: string;
let assetId: number;

beforeEach(async () => {
  tenant = await make.organization();
  ({ client } = await tenant.as('member'));
  const { value } = await make.domain(tenant.id, { verified: true });
  url = `https://${value}/`;
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1', [tenant.id]);
  assetId = asset?.id ?? 0;
});

// Canceled, so that workers of other tests do not run it.
afterEach(() =>
  query(
    `UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
     WHERE state IN ('waiting', 'running') AND kind IN ('job', 'retest.run')`,
  ),
);

const markClaimed = (uuid: string) =>
  query(`UPDATE work SET state = 'running', lease_until = now() + interval '1 minute' WHERE reference = $1`, [uuid]);

describe('the position of a job', () => {
  const launchJob = async (): Promise<string> => (await client.post('/v1/jobs/launch', { url })).body.uuid;
  const positionOf = async (uuid: string): Promise<number | null> =>
    (await client.get(`/v1/jobs/${uuid}`)).body.job.position;

  it('counts the waiting jobs of its organization before it', async () => {
    const uuids = [await launchJob(), await launchJob(), await launchJob()];
    const { id, as } = await make.organization();
    const { value } = await make.domain(id, { verified: true });
    const other = (await as('member')).client;
    const { uuid } = (await other.post('/v1/jobs/launch', { url: `https://${value}/` })).body;
    expect((await other.get(`/v1/jobs/${uuid}`)).body.job.position).toBe(1);
    expect(await Promise.all(uuids.map(positionOf))).toEqual([1, 2, 3]);
    await markClaimed(uuids[0] ?? '');
    expect(await Promise.all(uuids.map(positionOf))).toEqual([null, 1, 2]);
    await client.post(`/v1/jobs/${uuids[1]}/cancel`);
    expect(await Promise.all(uuids.map(positionOf))).toEqual([null, null, 1]);
  });
});

it('a job that waits says since when, and that no worker runs', async () => {
  const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
  const waiting = async () => (await client.get(`/v1/jobs/${uuid}`)).body.job.waiting;
  const seen = `INSERT INTO clock_tasks (name, next_run) VALUES ('work.workers_seen', now() - make_interval(secs => $1))
    ON CONFLICT (name) DO UPDATE SET next_run = excluded.next_run`;
  await query(seen, [-20]);
  const { reason, since, until } = await waiting();
  expect({ reason, until }).toEqual({ reason: 'a worker begins it within seconds', until: null });
  expect(since).toBe((await client.get(`/v1/jobs/${uuid}`)).body.job.created);
  await query(seen, [60]);
  expect((await waiting()).reason).toMatch(/^no worker has been running since 20\S+Z$/);
  await query(`DELETE FROM clock_tasks WHERE name = 'work.workers_seen'`);
  expect((await waiting()).reason).toBe('no worker has run yet');
  await query(`UPDATE work SET run_at = now() + interval '20 seconds', failures = 1 WHERE reference = $1`, [uuid]);
  await query(seen, [-20]);
  const later = await waiting();
  expect(later.reason).toBe('an attempt has failed, and the next one is planned');
  expect(new Date(later.until).getTime()).toBeGreaterThan(new Date(later.since).getTime());
  await markClaimed(uuid);
  expect(await waiting()).toBeNull();
});

describe('with a sweep every 5 minutes', () => {
  const rare = useApi({ WORK_SWEEP_SECONDS: '300' });

  it('a worker counts as gone after three of them, and not before', async () => {
    const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
    const reasonSeenBefore = async (seconds: number): Promise<string> => {
      await query(
        `INSERT INTO clock_tasks (name, next_run) VALUES ('work.workers_seen', now() + make_interval(secs => 20 - $1))
         ON CONFLICT (name) DO UPDATE SET next_run = excluded.next_run`,
        [seconds],
      );
      const { client: reader } = await new Factories(rare).member(tenant.id, 'viewer');
      return (await reader.get(`/v1/jobs/${uuid}`)).body.job.waiting.reason;
    };
    expect(await reasonSeenBefore(800)).toBe('a worker begins it within seconds');
    expect(await reasonSeenBefore(1_000)).toMatch(/^no worker has been running since 20/);
  });
});

describe('the position of a retest', () => {
  const finding = async (check: object = {}): Promise<string> => {
    const { id } = await make.finding(tenant.id, {
      asset: { id: assetId, value: new URL(url).host, tier: null },
      ...check,
    });
    return `/v1/findings/${id}/retest/`;
  };

  it('counts the waiting retests of its organization before it, also in the response to its start', async () => {
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: url } };
    const paths = [await finding(check), await finding({ ...check, title: 'Another' })];
    const uuids: string[] = [];
    for (const [index, path] of paths.entries()) {
      const { body } = await client.post(path);
      expect(body.position).toBe(index + 1);
      uuids.push(body.uuid);
    }
    const positions = () => Promise.all(paths.map(async (path) => (await client.get(path)).body.position));
    expect(await positions()).toEqual([1, 2]);
    await markClaimed(uuids[0] ?? '');
    expect(await positions()).toEqual([null, 1]);
    expect((await client.post(`${paths[1]}cancel`)).body).toMatchObject({ status: 'canceled', position: null });
  });

  it('is null for a retest that waits for a manual verdict', async () => {
    const path = await finding();
    expect((await client.post(path)).body).toMatchObject({ status: 'pending', position: null });
    expect((await client.get(path)).body.position).toBeNull();
  });
});
