import { TargetHealth } from '../../src/engine/active/target-health';
import { PastActiveTests } from '../../src/modules/jobs/work/past-active-tests';
import { DueSchedules } from '../../src/modules/schedules/work/due-schedules';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { PlannedEvent, stopEventsAndSchedules } from '../support/planned-event';
import { runsOf } from '../support/schedules';
import { Shop } from '../support/shop';
import { withLimit } from '../support/stored-limits';

const shop = new Shop();
beforeAll(() => shop.start());
afterAll(() => shop.stop());
beforeEach(() => shop.reset());

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${shop.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
  // An organization leaves one to others, so that its second job waits for the first.
  WORKER_SLOTS: 'job.active=2',
};

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const ACTIVE = { depth: 'active', checks: ['reflected-input'] };
const NO_CONSENT = /Active tests are off for http:\S+: an admin can allow them/;

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly url: string;
  readonly assetId: number;
}

async function allow(admin: Client, assetId: number, activeTests = 'read_only'): Promise<void> {
  const { status, body } = await admin.patch(`/v1/assets/${assetId}`, { active_tests: activeTests });
  expect(status).toBe(200);
  shop.publish(body);
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const url = `http://127.0.0.1:${shop.port}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  await allow(admin, assetId);
  return { tenant, admin, url, assetId };
}

const jobOf = async ({ admin }: Pick<Fixture, 'admin'>, uuid: string) => (await admin.get(`/v1/jobs/${uuid}`)).body.job;

const jobsOf = ({ tenant }: Pick<Fixture, 'tenant'>) =>
  query<{ uuid: string; kind: string; depth: string }>(
    'SELECT uuid, kind, depth FROM jobs WHERE organization_id = $1 ORDER BY id',
    [tenant.id],
  );

/** The points that a job has tested, with the time of their last test. */
const testedBy = (uuid: string) =>
  query<{ id: string; at: Date }>(
    `SELECT p.id, p.tested_at AS at FROM job_points t JOIN jobs j ON j.id = t.job_id JOIN active_points p ON p.id = t.point_id
     WHERE j.uuid = $1 ORDER BY p.tested_at`,
    [uuid],
  );

const idsOf = (points: readonly { readonly id: string }[]): string[] => points.map(({ id }) => id);

/** Until it has tested a point. */
async function launchUntilItTests({ admin, url }: Fixture): Promise<string> {
  shop.delayMs = 30;
  const uuid = await launchJob(admin, url, ACTIVE);
  await eventually(async () => expect((await testedBy(uuid)).length).toBeGreaterThan(0), 60_000);
  return uuid;
}

it('a schedule launches active jobs, and none after the consent was withdrawn', async () => {
  const fixture = await createFixture();
  const { admin, tenant, assetId } = fixture;
  const path = `/v1/organizations/${tenant.id}/schedules`;
  const body = { name: 'Deep', what: 'job', on: 'asset', asset_id: assetId, every_hours: 24, ...ACTIVE };
  const created = await admin.post(path, body);
  expect([created.status, created.body.depth]).toEqual([201, 'active']);
  const runs = async (status: string): Promise<Awaited<ReturnType<typeof runsOf>>> => {
    await query('UPDATE schedules SET next_due = now() WHERE id = $1', [created.body.id]);
    return eventually(async () => {
      await query('UPDATE schedule_runs SET next_step = now() WHERE schedule_id = $1 AND next_step > now()', [
        created.body.id,
      ]);
      await api.app.get(DueSchedules, { strict: false }).run();
      const found = await runsOf(created.body.id);
      expect(found.at(-1)?.status).toBe(status);
      return found;
    }, 60_000);
  };
  expect(await runs('finished')).toMatchObject([{ results: { finished: 1 } }]);
  const jobs = await jobsOf(fixture);
  expect(jobs).toEqual([{ uuid: expect.any(String), kind: 'job.active', depth: 'active' }]);
  expect(new Set(shop.received.map(({ job }) => job))).toEqual(new Set([jobs[0]?.uuid]));
  await allow(admin, assetId, 'off');
  shop.received.length = 0;
  const [, refused] = await runs('failed');
  expect(refused?.obstacles).toEqual([{ reason: expect.stringMatching(NO_CONSENT), parts: 1 }]);
  expect(shop.received).toEqual([]);
  await stopEventsAndSchedules();
});

it('a machine event launches active jobs, and tells after the consent was withdrawn that it may not', async () => {
  const event = await PlannedEvent.begin(make, { depth: 'active' });
  const value = `http://127.0.0.1:${shop.port}/`;
  const { id: assetId } = await make.asset(event.tenant.id, { value, type: 'url' });
  await allow(event.admin, assetId);
  const scope = `/v1/events/${event.slug}/scope/assets/`;
  expect((await event.admin.post(scope, { asset_id: assetId, in_scope: true })).status).toBe(201);
  const job = await eventually(async () => {
    const [found] = await jobsOf(event);
    expect(found).toMatchObject({ kind: 'job.event.active', depth: 'active' });
    expect(shop.received.map((one) => one.job)).toContain(found?.uuid);
    return found;
  }, 120_000);
  await allow(event.admin, assetId, 'off');
  expect(await waitForJob(event.admin, job?.uuid ?? '')).toBe('FINISHED');
  expect((await jobOf(event, job?.uuid ?? '')).active.reason).toMatch(NO_CONSENT);
  await eventually(async () => {
    await query(`UPDATE event_targets SET due_at = now() WHERE event_id = $1 AND state = 'done'`, [event.id]);
    await query('UPDATE event_plans SET next_turn = now() WHERE event_id = $1', [event.id]);
    const targets = await query<{ state: string; reason: string }>(
      'SELECT state, reason FROM event_targets WHERE event_id = $1 AND origin IS NOT NULL',
      [event.id],
    );
    expect(targets).toEqual([{ state: 'not_testable', reason: expect.stringMatching(NO_CONSENT) }]);
  }, 60_000);
  await stopEventsAndSchedules();
});

it('a withdrawn consent ends the job that runs, and nothing is sent of the one that waits', async () => {
  const fixture = await createFixture();
  const running = await launchUntilItTests(fixture);
  const waiting = await launchJob(fixture.admin, fixture.url, ACTIVE);
  await allow(fixture.admin, fixture.assetId, 'off');
  shop.delayMs = 500;
  expect(await waitForJob(fixture.admin, running)).toBe('FINISHED');
  const { active, incomplete_checks: incomplete } = await jobOf(fixture, running);
  expect(active.reason).toMatch(/^It may no longer run\. Active tests are off/);
  expect(active.tested).toBeLessThan(active.points);
  expect(incomplete).toMatchObject([{ id: 'reflected-input', reason: active.reason }]);
  expect(await waitForJob(fixture.admin, waiting)).toBe('ERROR');
  expect((await jobOf(fixture, waiting)).error).toMatch(/^It may no longer run\. Active tests are off/);
  expect(shop.received.filter(({ job }) => job === waiting)).toEqual([]);
});

it('a consent that is withdrawn for a page ends the tests of that page, and the job goes on', async () => {
  const fixture = await createFixture();
  // So many points take longer than the five seconds between two questions about the consent.
  const parameters = Array.from({ length: 24 }, (_none, at) => `p${String.fromCodePoint(97 + at)}=1`);
  shop.writing = `<a href="/item?id=7&${parameters.join('&')}">all</a>`;
  const uuid = await launchUntilItTests(fixture);
  const off = ['search', 'item'].map((value) => ({ value: `${fixture.url}${value}`, type: 'url' }));
  for (const asset of off) await make.asset(fixture.tenant.id, asset);
  shop.delayMs = 300;
  expect(await waitForJob(fixture.admin, uuid)).toBe('FINISHED');
  const { active, incomplete_checks: incomplete } = await jobOf(fixture, uuid);
  expect(active).toMatchObject({ reason: null, tested: active.points });
  expect(incomplete).toMatchObject([
    { id: 'reflected-input', reason: expect.stringContaining('the consent no longer') },
  ]);
}, 60_000);

it('a target that becomes slow ends the job with the reason, and the next job tests first what was left', async () => {
  const fixture = await createFixture();
  const { contexts } = jest.spyOn(TargetHealth.prototype, 'learn').mock;
  const uuid = await launchUntilItTests(fixture);
  // A busy machine makes the usual time long.
  const usual = contexts.flatMap((health) => health['references']).map((one) => one.usual.ms);
  shop.delayMs = Math.max(600, 6 * Math.max(...usual));
  const next = await launchJob(fixture.admin, fixture.url, ACTIVE);
  const [row] = await query<{ id: number }>('SELECT id FROM jobs WHERE uuid = $1', [next]);
  const line = `${'x'.repeat(999)}\n`;
  await query(
    `INSERT INTO job_requests (job_id, part, organization_id, lines, requests) VALUES ($1, 1, $2, repeat($3, 1990), 1990)`,
    [row?.id, fixture.tenant.id, line],
  );
  expect(await waitForJob(fixture.admin, uuid)).toBe('FINISHED');
  shop.delayMs = 0;
  const { active, incomplete_checks: incomplete } = await jobOf(fixture, uuid);
  expect(active.reason).toMatch(/^the target became slow: \/\S* took \d+ ms instead of \d+ ms$/);
  expect(incomplete).toMatchObject([{ id: 'reflected-input', reason: active.reason }]);
  const tested = idsOf(await testedBy(uuid));
  expect(tested).toHaveLength(active.tested);
  expect(active.tested).toBeLessThan(active.points);
  expect(await waitForJob(fixture.admin, next)).toBe('FINISHED');
  const order = idsOf(await testedBy(next));
  const left = order.slice(0, order.length - tested.length);
  expect(order.slice(left.length).toSorted()).toEqual(tested.toSorted());
  expect((await jobOf(fixture, next)).active).toMatchObject({ tested: order.length, points: order.length });
  const { text } = await fixture.admin.get(`/v1/jobs/${next}/requests`);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000_000);
  expect(text).toMatch(/x\n20\S+Z\tGET\t[^]*\nThe rest is left out: the list has 2 MB\.\n$/);
});

it('a target that begins to fail ends the job with the reason', async () => {
  const fixture = await createFixture();
  const uuid = await launchUntilItTests(fixture);
  shop.isFailing = true;
  expect(await waitForJob(fixture.admin, uuid)).toBe('FINISHED');
  const { active } = await jobOf(fixture, uuid);
  expect(active.reason).toMatch(/^the target began to fail: \/\S* responds with 503$/);
  expect(active.tested).toBeLessThan(active.points);
});

it('lists of requests are removed after 30 days, and pages and points after 400 days without a job', async () => {
  const fixture = await createFixture();
  const { admin, tenant, url } = fixture;
  const uuid = await runJob(admin, url, ACTIVE);
  const age = (table: string, column: string, days: number): Promise<unknown> =>
    query(`UPDATE ${table} SET ${column} = now() - make_interval(days => $2) WHERE organization_id = $1`, [
      tenant.id,
      days,
    ]);
  const removePast = (): Promise<void> => api.app.get(PastActiveTests, { strict: false }).run();
  const statusOfList = async (): Promise<number> => (await admin.get(`/v1/jobs/${uuid}/requests`)).status;
  const countPages = async (): Promise<number> =>
    (await query('SELECT 1 FROM active_pages WHERE organization_id = $1', [tenant.id])).length;
  const { points } = (await admin.get(`/v1/jobs/${uuid}/points?per_page=100`)).body;
  await age('job_requests', 'created', 29);
  await age('active_pages', 'seen', 399);
  await age('active_points', 'seen', 399);
  await removePast();
  expect(await statusOfList()).toBe(200);
  expect(await countPages()).toBeGreaterThan(0);
  expect((await admin.get(`/v1/jobs/${uuid}/points?per_page=100`)).body.points).toEqual(points);
  await age('job_requests', 'created', 31);
  await age('active_pages', 'seen', 401);
  await age('active_points', 'seen', 401);
  await removePast();
  expect(await statusOfList()).toBe(404);
  expect(await countPages()).toBe(0);
  expect((await admin.get(`/v1/jobs/${uuid}/points`)).body.points).toEqual([]);
  expect((await jobOf(fixture, uuid)).active).toMatchObject({ points: points.length });
});

it('more points than an organization may store are left out, as the job says, and known ones stay', async () => {
  const fixture = await createFixture();
  const { admin, url } = fixture;
  const templates = { depth: 'active', checks: ['template-injection'] };
  const first = (await jobOf(fixture, await runJob(admin, url, templates))).active;
  expect(first.reason).toBeNull();
  // Two new parameters.
  const more = { ...templates, urls: [`${url}hidden?a=1&b=2`] };
  const uuid = await withLimit('active_points', first.points + 1, () => runJob(admin, url, more));
  const { active } = await jobOf(fixture, uuid);
  expect(active).toMatchObject({ points: first.points + 1, tested: first.points + 1 });
  expect(active.reason).toMatch(/^some points were left out/);
  const [row] = await query<{ coverage: { check: string; reason: string }[] }>(
    'SELECT coverage FROM jobs WHERE uuid = $1',
    [uuid],
  );
  expect(row?.coverage).toContainEqual(expect.objectContaining({ reason: expect.stringContaining(active.reason) }));
});
