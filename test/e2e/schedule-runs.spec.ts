import { DomainError } from '../../src/kernel/domain-error';
import { WINDOW_CLOSED } from '../../src/modules/jobs';
import { RunPartsRepository } from '../../src/modules/schedules/data/run-parts.repository';
import { ScheduleRunsRepository } from '../../src/modules/schedules/data/schedule-runs.repository';
import { PartLauncher } from '../../src/modules/schedules/part-launcher';
import { DueSchedules } from '../../src/modules/schedules/work/due-schedules';
import { everything } from '../../src/platform/api/scope';
import { Work } from '../../src/platform/work/work';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { runsOf, ScheduleTime } from '../support/schedules';

/** No worker runs what begins. */
const api = useApi({ OBSERVE_EVERY_HOURS: 'off' });
const make = new Factories(api);
const time = new ScheduleTime(api);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeEach(() => time.start());

afterEach(async () => {
  jest.restoreAllMocks();
  await query('DELETE FROM schedules');
  // So that workers of other tests do not run what the schedules started.
  await query(
    `UPDATE work SET state = 'canceled', finished = now(), lease_until = NULL WHERE state IN ('waiting', 'running')
       AND kind IN ('schedule.run', 'job', 'asset.observe', 'retest.run', 'report.generate')`,
  );
});

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Awaited<ReturnType<Tenant['as']>>;
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  return { tenant, admin: await tenant.as('admin'), path: `/v1/organizations/${tenant.id}/schedules` };
}

async function verifiedAsset({ id: organizationId }: Tenant): Promise<{ id: number; value: string }> {
  const { value } = await make.domain(organizationId, { verified: true });
  const [row] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
    organizationId,
    value,
  ]);
  return { id: row?.id ?? 0, value };
}

async function schedule({ admin, path }: Fixture, stated: object): Promise<number> {
  const answer = await admin.client.post(path, { name: 'A schedule', on: 'all', every_hours: 24, ...stated });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

const jobsOf = ({ tenant }: Fixture) =>
  query<{ uuid: string; url: string; checks: string[] | null; status: string }>(
    'SELECT uuid, url, checks, status FROM jobs WHERE organization_id = $1 ORDER BY id',
    [tenant.id],
  );

const endJobs = ({ tenant }: Fixture, status = 'FINISHED') =>
  query(`UPDATE jobs SET status = $2, finished = now() WHERE organization_id = $1 AND status = 'PENDING'`, [
    tenant.id,
    status,
  ]);

/** A resolved or open finding with a check, on a verified asset. */
async function finding(tenant: Tenant, status = 1) {
  const { id: assetId, value } = await verifiedAsset(tenant);
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: `https://${value}/` } };
  const { id } = await make.finding(tenant.id, { asset: { id: assetId, value, tier: null }, ...check });
  await query('UPDATE findings SET status = $2 WHERE id = $1', [id, status]);
  return { id, assetId, value };
}

const retestsOf = (findingId: number) =>
  query<{ uuid: string; status: string }>('SELECT uuid, status FROM retests WHERE finding_id = $1 ORDER BY id', [
    findingId,
  ]);

/** As the retests of the findings end. */
const endRetests = (findingIds: readonly number[], result: string) =>
  query(
    `UPDATE retests SET status = 'finished', result = $2, finished = now() WHERE finding_id = ANY($1) AND status = 'pending'`,
    [findingIds, result],
  );

describe('a run', () => {
  it('launches a job on each asset, in the name of its maker, and ends with them', async () => {
    const own = await fixture();
    const [one, other] = [await verifiedAsset(own.tenant), await verifiedAsset(own.tenant)];
    const id = await schedule(own, { what: 'job', checks: ['missing-nosniff'] });
    await time.tickAndWork();
    expect(await runsOf(id)).toEqual([]);
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toMatchObject(
      [one, other].map(({ value }) => ({ url: `https://${value}/`, checks: ['missing-nosniff'], status: 'PENDING' })),
    );
    expect(await runsOf(id)).toMatchObject([{ status: 'running', parts: 2 }]);
    const entries = await query<{ actor: string; metadata: object }>(
      `SELECT actor_type || ' ' || actor_id AS actor, metadata FROM audit_logs
       WHERE organization_id = $1 AND operation = 'job.launch'`,
      [own.tenant.id],
    );
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ actor: `user ${own.admin.userId}`, metadata: { schedule: id } });
    await endJobs(own);
    time.advance(60_000);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([{ status: 'finished', parts: 2, results: { finished: 2 }, obstacles: [] }]);
    expect(await query('SELECT 1 FROM schedule_run_parts WHERE organization_id = $1', [own.tenant.id])).toEqual([]);
    const { runs } = (await own.admin.client.get(`${own.path}/${id}`)).body;
    expect(runs).toMatchObject([{ status: 'finished', results: { finished: 2 } }]);
  });

  it('observes the assets with a label', async () => {
    const own = await fixture();
    const [labeled] = [await verifiedAsset(own.tenant), await verifiedAsset(own.tenant)];
    await query(`UPDATE assets SET labels = '{production}' WHERE id = $1`, [labeled.id]);
    await schedule(own, { what: 'observation', on: 'label', label: 'Production' });
    time.advance(DAY);
    await time.tickAndWork();
    const rows = await query('SELECT asset_id AS "assetId" FROM observations WHERE organization_id = $1', [
      own.tenant.id,
    ]);
    expect(rows).toEqual([{ assetId: labeled.id }]);
  });

  it('retests the open findings of an asset, and no others', async () => {
    const own = await fixture();
    const open = await finding(own.tenant);
    const others = [await finding(own.tenant), await finding(own.tenant, 5)];
    const id = await schedule(own, { what: 'retest', on: 'asset', asset_id: open.assetId });
    time.advance(DAY);
    await time.tickAndWork();
    expect(await retestsOf(open.id)).toHaveLength(1);
    for (const other of others) expect(await retestsOf(other.id)).toEqual([]);
    await endRetests([open.id], 'still_vulnerable');
    time.advance(60_000);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([{ status: 'finished', results: { still_vulnerable: 1 } }]);
  });

  it('says what became of retests without a result: of a check that cannot run, and of one that was replaced', async () => {
    const own = await fixture();
    const [replaced, broken] = [await finding(own.tenant), await finding(own.tenant)];
    await query(`UPDATE findings SET check_definition = '{}' WHERE id = $1`, [broken.id]);
    const id = await schedule(own, { what: 'retest' });
    time.advance(DAY);
    await time.tickAndWork();
    expect(await retestsOf(broken.id)).toEqual([]);
    await endRetests([replaced.id], 'fixed');
    expect((await own.admin.client.post(`/v1/findings/${replaced.id}/retest`)).status).toBe(202);
    time.advance(60_000);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([{ results: { refused: 1, canceled: 1 } }]);
  });

  it('looks once at each finding that was resolved so many days ago, and counts those that stayed fixed', async () => {
    const own = await fixture();
    const resolvedAt = async (days: number) => {
      const { id } = await finding(own.tenant, 5);
      await query(
        `INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, created)
         VALUES ($1, $2, 5, 1, 'system', 'system', $3)`,
        [own.tenant.id, id, new Date(time.date.getTime() - days * DAY)],
      );
      return id;
    };
    const [old, recent] = [await resolvedAt(40), await resolvedAt(5.5)];
    const id = await schedule(own, { what: 'resolved_retest', resolved_days: 7 });
    const looked: number[][] = [];
    for (let day = 1; day <= 4; day++) {
      time.advance(DAY);
      await time.tickAndWork();
      looked.push([(await retestsOf(old)).length, (await retestsOf(recent)).length]);
      await endRetests([old], 'fixed');
      await endRetests([recent], 'still_vulnerable');
      time.advance(60_000);
      await time.tickAndWork();
    }
    expect(looked).toEqual([
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    const results = (await runsOf(id)).map((run) => run.results);
    expect(results).toEqual([{ fixed: 1 }, { still_vulnerable: 1 }, {}, {}]);
  });

  it('makes a report with its options', async () => {
    const own = await fixture();
    const id = await schedule(own, { what: 'report', report_options: { format: 'json' } });
    time.advance(DAY);
    await time.tickAndWork();
    const reports = await query<{ options: { format: string } }>(
      'SELECT options FROM reports WHERE organization_id = $1',
      [own.tenant.id],
    );
    expect(reports).toMatchObject([{ options: { format: 'json' } }]);
    await query('UPDATE reports SET generation_date = now() WHERE organization_id = $1', [own.tenant.id]);
    time.advance(60_000);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([{ status: 'finished', results: { finished: 1 } }]);
  });

  it('covers what the scope of its event covers, also by a wildcard', async () => {
    const own = await fixture();
    const asset = await verifiedAsset(own.tenant);
    const event = await make.event(own.tenant.id, { status: 'running' });
    await query(`INSERT INTO assets (organization_id, value, type) SELECT $1, 'below.' || $2, 'domain'`, [
      own.tenant.id,
      asset.value,
    ]);
    await query(
      `INSERT INTO event_scope (event_id, asset_id, organization_id, in_scope, wildcard) VALUES ($1, $2, $3, true, true)`,
      [event.id, asset.id, own.tenant.id],
    );
    await schedule(own, { what: 'job', on: 'event', event_slug: event.slug });
    time.advance(DAY);
    await time.tickAndWork();
    const urls = (await jobsOf(own)).map(({ url }) => url);
    expect(urls).toEqual([`https://${asset.value}/`, `https://below.${asset.value}/`]);
  });

  it('is in an event where the schedule is on one', async () => {
    const own = await fixture();
    const asset = await verifiedAsset(own.tenant);
    await verifiedAsset(own.tenant);
    const event = await make.event(own.tenant.id, { status: 'running' });
    await own.admin.client.post(`/v1/events/${event.slug}/scope/assets`, { asset_id: asset.id, in_scope: true });
    await query(
      `INSERT INTO event_scope (event_id, asset_id, organization_id, in_scope) VALUES ($1, $2, $3, true) ON CONFLICT DO NOTHING`,
      [event.id, asset.id, own.tenant.id],
    );
    await schedule(own, { what: 'job', on: 'event', event_slug: event.slug });
    time.advance(DAY);
    await time.tickAndWork();
    const rows = await query(
      'SELECT event_id AS "eventId", asset_id AS "assetId" FROM jobs WHERE organization_id = $1',
      [own.tenant.id],
    );
    expect(rows).toEqual([{ eventId: event.id, assetId: asset.id }]);
  });

  it('names what may not be tested and what to do, and tests the rest', async () => {
    const own = await fixture();
    const lost = await verifiedAsset(own.tenant);
    const kept = await verifiedAsset(own.tenant);
    await make.asset(own.tenant.id, { value: '203.0.113.0/24', type: 'cidr' });
    const id = await schedule(own, { what: 'job' });
    await query('UPDATE domains SET verified = false WHERE value = $1', [lost.value]);
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toMatchObject([{ url: `https://${kept.value}/` }]);
    await endJobs(own);
    time.advance(60_000);
    await time.tickAndWork();
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ status: 'partial', parts: 3, results: { finished: 1, refused: 2 } });
    expect(run?.obstacles).toEqual([
      { parts: 1, reason: expect.stringContaining('add its hosts as assets') },
      { parts: 1, reason: expect.stringContaining('add it to your domains and publish its TXT record') },
    ]);
  });

  it('fails and says what to do when its asset was deleted', async () => {
    const own = await fixture();
    const asset = await make.asset(own.tenant.id);
    const id = await schedule(own, { what: 'job', on: 'asset', asset_id: asset.id });
    expect((await own.admin.client.delete(`/v1/assets/${asset.id}`)).status).toBe(200);
    time.advance(DAY);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('change the schedule') },
    ]);
  });

  it('leaves half of the places to people, and goes on when there is room', async () => {
    const own = await fixture();
    for (let count = 0; count < 27; count++) await verifiedAsset(own.tenant);
    const [first, second] = [await schedule(own, { what: 'job' }), await schedule(own, { what: 'job' })];
    time.advance(DAY);
    const unfinished: number[] = [];
    // Each step notes what has ended, and the run that comes first has the places.
    for (let step = 0; step < 8; step++) {
      await time.tickAndWork();
      unfinished.push((await jobsOf(own)).filter(({ status }) => status === 'PENDING').length);
      await endJobs(own);
      time.advance(300_000);
    }
    expect(Math.max(...unfinished)).toBe(25);
    expect(await jobsOf(own)).toHaveLength(54);
    for (const id of [first, second])
      expect(await runsOf(id)).toMatchObject([{ status: 'finished', results: { finished: 27 } }]);
  });
});

describe('the time of runs', () => {
  it('runs once after the service was down for days', async () => {
    const own = await fixture();
    const id = await schedule(own, { what: 'report' });
    time.advance(5 * DAY + HOUR);
    await time.tickAndWork();
    await time.tickAndWork();
    expect(await runsOf(id)).toHaveLength(1);
    const { next_run: next } = (await own.admin.client.get(`${own.path}/${id}`)).body;
    expect(new Date(next).getTime() - time.date.getTime()).toBeGreaterThan(22 * HOUR);
    expect(new Date(next).getTime() - time.date.getTime()).toBeLessThan(24 * HOUR);
  });

  it('skips a run that is due before the last one has ended, and says so', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    for (let day = 0; day < 3; day++) {
      time.advance(DAY);
      await time.tickAndWork();
    }
    expect(await jobsOf(own)).toHaveLength(1);
    const [first, ...skipped] = await runsOf(id);
    expect(first).toMatchObject({ status: 'running' });
    expect(skipped).toMatchObject(
      [0, 1].map(() => ({
        status: 'skipped',
        reason: expect.stringContaining(`The run of ${first?.due.toISOString()} had not ended`),
      })),
    );
    await endJobs(own);
    time.advance(300_000);
    await time.tickAndWork();
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(2);
  });

  it.each([
    ['the start of summer', '2026-03-22T00:00:00Z'],
    ['the end of summer', '2026-10-18T00:00:00Z'],
  ])('runs once a day over 14 days with %s', async (_name, start) => {
    const own = await fixture();
    const id = await schedule(own, {
      what: 'report',
      every_hours: null,
      cron: '30 1 * * *',
      time_zone: 'Europe/Lisbon',
    });
    time.set(start);
    await query('UPDATE schedules SET next_due = $2 WHERE id = $1', [id, start]);
    for (let hour = 0; hour < 14 * 24; hour++) {
      await time.tickAndWork();
      await query('UPDATE reports SET generation_date = now() WHERE organization_id = $1', [own.tenant.id]);
      time.advance(HOUR);
    }
    const days = (await runsOf(id))
      .slice(1)
      .map(({ due }) =>
        new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon', dateStyle: 'short' }).format(due),
      );
    expect(days).toHaveLength(14);
    expect(new Set(days).size).toBe(14);
    expect((await runsOf(id)).map(({ status }) => status)).not.toContain('skipped');
  });

  it('starts nothing while its windows are closed, stops what runs then, and starts it again', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    // Outside of the windows: a schedule keeps the time of day at which it was made.
    time.set(new Date(time.date.getTime() + DAY).setUTCHours(12, 0, 0, 0));
    const id = await schedule(own, { what: 'job', windows: ['Mo-Su 22:00-23:00 UTC'] });
    const evening = new Date(new Date(time.date.getTime() + 2 * DAY).setUTCHours(22, 0, 0, 0)).getTime();
    await query('UPDATE schedules SET next_due = $2 WHERE id = $1', [id, new Date(evening - 8 * HOUR)]);
    time.set(evening - 5 * HOUR);
    await time.tickAndWork();
    expect(await runsOf(id)).toEqual([]);
    time.set(evening);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ status }) => status)).toEqual(['PENDING']);
    time.set(evening + HOUR - 30_000);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ status }) => status)).toEqual(['PENDING']);
    time.set(evening + HOUR);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ status }) => status)).toEqual(['CANCELED']);
    time.set(evening + 3 * HOUR);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(1);
    expect(await runsOf(id)).toMatchObject([{ status: 'running' }]);
    for (const day of [1, 2]) {
      time.set(evening + day * DAY);
      await time.tickAndWork();
      expect((await jobsOf(own)).map(({ status }) => status).at(-1)).toBe('PENDING');
      time.set(evening + day * DAY + HOUR);
      await time.tickAndWork();
    }
    time.set(evening + 3 * DAY);
    await time.tickAndWork();
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ status: 'failed', results: { refused: 1 } });
    expect(run?.obstacles[0]?.reason).toContain('did not end within 3 windows');
    expect(await jobsOf(own)).toHaveLength(3);
  });

  it('keeps what a job tested before its window closed, and goes on with the rest in the next one', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job', windows: ['Mo-Su 22:00-23:00 UTC'] });
    const evening = new Date(new Date(time.date.getTime() + 2 * DAY).setUTCHours(22, 0, 0, 0)).getTime();
    await query('UPDATE schedules SET next_due = $2 WHERE id = $1', [id, new Date(evening)]);
    time.set(evening);
    await time.tickAndWork();
    expect(await query('SELECT until FROM jobs WHERE organization_id = $1', [own.tenant.id])).toEqual([
      { until: new Date(evening + HOUR) },
    ]);
    await query(`UPDATE jobs SET status = 'IN_PROGRESS' WHERE organization_id = $1`, [own.tenant.id]);
    time.set(evening + HOUR);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ status }) => status)).toEqual(['IN_PROGRESS']);
    const coverage = ['missing-hsts', 'missing-nosniff'].map((check) => ({ check, reason: WINDOW_CLOSED }));
    await query(`UPDATE jobs SET status = 'FINISHED', finished = now(), coverage = $2 WHERE organization_id = $1`, [
      own.tenant.id,
      JSON.stringify([...coverage, { check: 'exposed-git', reason: 'There is none.' }]),
    ]);
    time.set(evening + HOUR + 20_000);
    await time.tickAndWork();
    expect(await runsOf(id)).toMatchObject([{ status: 'running' }]);
    time.set(evening + DAY);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ checks }) => checks)).toEqual([null, ['missing-hsts', 'missing-nosniff']]);
    await endJobs(own);
    time.advance(6 * 60_000);
    await time.tickAndWork();
    const done = (await runsOf(id)).find(({ status }) => status === 'finished');
    expect(done).toMatchObject({ results: { finished: 1 } });
  });

  it('counts a window in which a job got no further as one that was too short', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tickAndWork();
    const parts = api.app.get(RunPartsRepository, { strict: false });
    const [run] = await query<{ id: number }>('SELECT id FROM schedule_runs WHERE schedule_id = $1', [id]);
    const counts: number[] = [];
    for (const left of [['one', 'other'], ['one'], ['one']]) {
      for (const part of await parts.listStartedOf(run?.id ?? 0)) await parts.saveUnfinished(part, left);
      for (const { id: waiting, interruptions } of await parts.listWaitingOf(run?.id ?? 0, 9)) {
        counts.push(interruptions);
        await parts.saveStarted(waiting, 'a job');
      }
    }
    expect(counts).toEqual([0, 0, 1]);
  });

  it('cancels a job that has not ended a moment after its window', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job', windows: ['Mo-Su 22:00-23:00 UTC'] });
    const evening = new Date(new Date(time.date.getTime() + 2 * DAY).setUTCHours(22, 0, 0, 0)).getTime();
    await query('UPDATE schedules SET next_due = $2 WHERE id = $1', [id, new Date(evening)]);
    time.set(evening);
    await time.tickAndWork();
    await query(`UPDATE jobs SET status = 'IN_PROGRESS' WHERE organization_id = $1`, [own.tenant.id]);
    time.set(evening + HOUR + 31_000);
    await time.tickAndWork();
    expect((await jobsOf(own)).map(({ status }) => status)).toEqual(['CANCELED']);
  });

  it('starts nothing more once it is paused', async () => {
    const own = await fixture();
    for (let count = 0; count < 26; count++) await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tickAndWork();
    await own.admin.client.patch(`${own.path}/${id}`, { status: 'paused' });
    await endJobs(own);
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(25);
    expect(await runsOf(id)).toMatchObject([{ status: 'partial', results: { finished: 25, refused: 1 } }]);
  });
});

describe('the maker of a schedule', () => {
  const setRole = ({ admin, tenant }: Fixture, role: string) =>
    query('UPDATE memberships SET role = $3 WHERE user_id = $1 AND organization_id = $2', [
      admin.userId,
      tenant.id,
      role,
    ]);
  const leave = ({ admin, tenant }: Fixture) =>
    query('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [admin.userId, tenant.id]);

  it('starts nothing with a role that may start nothing, until an admin confirms the schedule', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    await setRole(own, 'viewer');
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toEqual([]);
    expect(await runsOf(id)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('Its maker has the role viewer now') },
    ]);
    const { client, userId } = await own.tenant.as('admin');
    expect((await client.post(`${own.path}/${id}/confirm`)).body).toMatchObject({ maker_id: userId });
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(1);
  });

  it('starts nothing when the role is lowered while a run is under way', async () => {
    const own = await fixture();
    for (let count = 0; count < 26; count++) await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tickAndWork();
    await setRole(own, 'viewer');
    await endJobs(own);
    time.advance(60_000);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(25);
    const [run] = await runsOf(id);
    expect(run?.obstacles).toEqual([{ parts: 1, reason: expect.stringContaining('needs the role member') }]);
  });

  it('has no more rights than when the schedule was saved', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    await query(`UPDATE schedules SET maker_role = 'viewer' WHERE id = $1`, [id]);
    await setRole(own, 'owner');
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toEqual([]);
    expect(await runsOf(id)).toMatchObject([{ status: 'failed' }]);
  });

  it('has 30 days after leaving: without a confirmation the schedule pauses', async () => {
    const own = await fixture();
    const id = await schedule(own, { what: 'report' });
    await leave(own);
    const { client } = await own.tenant.as('admin');
    time.advance(DAY);
    await time.tickAndWork();
    const confirmBy = new Date(time.date.getTime() + 30 * DAY).toISOString();
    expect((await client.get(`${own.path}/${id}`)).body).toMatchObject({ status: 'active', confirm_by: confirmBy });
    expect(await runsOf(id)).toHaveLength(1);
    time.advance(29 * DAY);
    await query('UPDATE reports SET generation_date = now() WHERE organization_id = $1', [own.tenant.id]);
    await time.tickAndWork();
    expect((await client.get(`${own.path}/${id}`)).body).toMatchObject({ status: 'active', confirm_by: confirmBy });
    time.advance(2 * DAY);
    const before = (await runsOf(id)).length;
    await time.tickAndWork();
    expect((await client.get(`${own.path}/${id}`)).body).toMatchObject({ status: 'paused', next_run: null });
    expect(await runsOf(id)).toHaveLength(before);
    const { client: owner } = await own.tenant.as('owner');
    const entries = (await owner.get('/v1/audit-logs/?operation=schedule.pause')).body.audit_logs;
    expect(entries).toMatchObject([{ metadata: { reason: expect.stringContaining('Its maker has left') } }]);
    const confirmed = await client.post(`${own.path}/${id}/confirm`);
    expect(confirmed.body).toMatchObject({ status: 'active', confirm_by: null });
    expect(confirmed.body.next_runs).toHaveLength(5);
  });

  it('is noticed to have left also when the schedule is not due for long, and in the 30 days the schedule runs', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job', every_hours: 720 });
    const checkMakers = () => api.app.get(DueSchedules, { strict: false }).checkMakers();
    const state = async () =>
      (
        await query<{ status: string; confirmBy: Date | null }>(
          'SELECT status, confirm_by AS "confirmBy" FROM schedules WHERE id = $1',
          [id],
        )
      )[0];
    await checkMakers();
    expect(await state()).toEqual({ status: 'active', confirmBy: null });
    await leave(own);
    time.advance(2 * DAY);
    await checkMakers();
    const confirmBy = new Date(time.date.getTime() + 30 * DAY);
    expect(await state()).toEqual({ status: 'active', confirmBy });
    time.advance(29 * DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(1);
    await checkMakers();
    expect(await state()).toEqual({ status: 'active', confirmBy });
    time.advance(2 * DAY);
    await checkMakers();
    expect(await state()).toEqual({ status: 'paused', confirmBy });
  });

  it('needs no confirmation after coming back', async () => {
    const own = await fixture();
    const id = await schedule(own, { what: 'report' });
    await leave(own);
    time.advance(DAY);
    await time.tickAndWork();
    await make.membership(own.admin.userId, own.tenant.id, 'admin');
    time.advance(31 * DAY);
    await time.tickAndWork();
    const [row] = await query('SELECT status, confirm_by AS "confirmBy" FROM schedules WHERE id = $1', [id]);
    expect(row).toEqual({ status: 'active', confirmBy: null });
  });

  it('who is an integrator runs schedules while the organization is the integrator’s', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const path = `/v1/organizations/${tenant.id}/schedules`;
    const own: Fixture = { tenant, admin: integrator, path };
    await verifiedAsset(tenant);
    const id = await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tickAndWork();
    expect(await jobsOf(own)).toHaveLength(1);
    await query('UPDATE organizations SET integrator_id = NULL WHERE id = $1', [tenant.id]);
    time.advance(DAY);
    await time.tickAndWork();
    const [row] = await query<{ confirmBy: Date | null }>(
      'SELECT confirm_by AS "confirmBy" FROM schedules WHERE id = $1',
      [id],
    );
    expect(row?.confirmBy).not.toBeNull();
  });
});

describe('several workers', () => {
  it('start a due schedule once', async () => {
    const own = await fixture();
    const id = await schedule(own, { what: 'report' });
    time.advance(DAY);
    await Promise.all(Array.from({ length: 8 }, () => time.tick()));
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('launch each part once, also when a lost worker goes on beside the one that took over', async () => {
    const own = await fixture();
    for (let count = 0; count < 4; count++) await verifiedAsset(own.tenant);
    const id = await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tick();
    const [lost] = await time.claim();
    const [current] = await time.claim();
    if (lost === undefined || current === undefined) throw new Error('the run was not enqueued');
    const [completeLost, completeCurrent] = await Promise.all([time.perform(lost), time.perform(current)]);
    expect(await completeLost()).toBe(false);
    expect(await completeCurrent()).toBe(true);
    expect(await jobsOf(own)).toHaveLength(4);
    expect(await runsOf(id)).toMatchObject([{ status: 'running', parts: 4 }]);
    await endJobs(own);
    time.advance(60_000);
    await time.tickAndWork();
    const over = await runsOf(id);
    expect(over).toMatchObject([{ status: 'finished', results: { finished: 4 } }]);
    // A step that was planned before the end.
    const again = { kind: 'schedule.run', reference: over[0]?.uuid ?? '', organizationId: own.tenant.id };
    await api.app.get(Work, { strict: false }).enqueue(again);
    await time.work();
    expect(await runsOf(id)).toEqual(over);
  });

  it('start a part later that could not be started for a moment', async () => {
    const own = await fixture();
    await verifiedAsset(own.tenant);
    await schedule(own, { what: 'job' });
    time.advance(DAY);
    await time.tick();
    const [claim] = await time.claim();
    if (claim === undefined) throw new Error('the run was not enqueued');
    const busy = new DomainError('unavailable', 'Too much is waiting. Try again in a second.', 1);
    const start = jest.spyOn(api.app.get(PartLauncher, { strict: false }), 'start').mockRejectedValue(busy);
    await expect(time.perform(claim)).rejects.toThrow(busy);
    start.mockRestore();
    await time.work();
    expect(await jobsOf(own)).toHaveLength(1);
  });

  it.each(['planned', 'started one', 'started all', 'not completed'])(
    'lose and double nothing when the worker is killed after it has %s',
    async (moment) => {
      const own = await fixture();
      for (let count = 0; count < 3; count++) await verifiedAsset(own.tenant);
      const id = await schedule(own, { what: 'job' });
      time.advance(DAY);
      await time.tick();
      const [claim] = await time.claim();
      if (claim === undefined) throw new Error('the run was not enqueued');
      const limit = { planned: 0, 'started one': 1, 'started all': 3, 'not completed': 9 }[moment] ?? 0;
      const launcher = api.app.get(PartLauncher, { strict: false });
      const start = launcher.start.bind(launcher);
      let started = 0;
      const killed = jest.spyOn(launcher, 'start').mockImplementation(async (...args) => {
        const reference = await start(...args);
        // After the launch, before the commit.
        if (++started > limit) throw new Error('the worker was killed');
        return reference;
      });
      await time.perform(claim).catch((error: unknown) => expect(String(error)).toContain('killed'));
      killed.mockRestore();
      expect(await jobsOf(own)).toHaveLength(Math.min(limit, 3));
      await time.work();
      expect(await jobsOf(own)).toHaveLength(3);
      await endJobs(own);
      time.advance(60_000);
      await time.tickAndWork();
      expect(await runsOf(id)).toMatchObject([{ status: 'finished', parts: 3, results: { finished: 3 } }]);
      expect(await jobsOf(own)).toHaveLength(3);
    },
  );

  it('share the turns of organizations when 1,000 schedules are due at the same second', async () => {
    const flooding = await fixture();
    const others = [await fixture(), await fixture(), await fixture()];
    const ids = await Promise.all(others.map((other) => schedule(other, { what: 'report' })));
    await query(
      `INSERT INTO schedules (organization_id, name, what, target, every_hours, anchor, maker_id, maker_role, next_due)
       SELECT $1, 'S' || n, 'report', 'all', 24, $3, $2, 'admin', $3 FROM generate_series(1, 997) n`,
      [flooding.tenant.id, flooding.admin.userId, new Date(time.date.getTime() + HOUR)],
    );
    time.advance(DAY);
    await time.tick();
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
    const count = async (): Promise<number> =>
      (await query('SELECT 1 FROM schedule_runs WHERE organization_id = $1', [flooding.tenant.id])).length;
    expect(await count()).toBe(20);
    for (let tick = 1; tick < 5; tick++) await time.tick();
    expect(await count()).toBe(100);
  });
});

it('runs are removed after 90 days, and those that have not ended stay', async () => {
  const own = await fixture();
  const id = await schedule(own, { what: 'report' });
  const insert = (status: string, ended: number | null) =>
    query(
      `INSERT INTO schedule_runs (uuid, organization_id, schedule_id, due, status, ended)
       VALUES (gen_random_uuid(), $1, $2, now() - random() * interval '1 day', $3, $4)`,
      [own.tenant.id, id, status, ended === null ? null : new Date(time.date.getTime() - ended * DAY)],
    );
  await insert('finished', 91);
  await insert('skipped', 89);
  await insert('running', null);
  const foreign = everything('a test').within((await make.organization()).id);
  expect(await api.app.get(ScheduleRunsRepository, { strict: false }).removeEnded(foreign, time.date, 9)).toBe(0);
  await api.app.get(DueSchedules, { strict: false }).removeOld();
  expect((await runsOf(id)).map(({ status }) => status).sort()).toEqual(['running', 'skipped']);
});
