import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { EVENT_JOB_KIND } from '../../src/modules/jobs';
import { defaultReportOptions } from '../../src/modules/reports';
import { EngineRuntime } from '../../src/modules/retests/engine-runtime';
import { DueSchedules } from '../../src/modules/schedules/work/due-schedules';
import { Config } from '../../src/platform/config/load-config';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { PlannedEvent, stopEventsAndSchedules } from '../support/planned-event';
import { signedInAs, usePortal } from '../support/portal';
import { type RunningProcess, startProcess } from '../support/processes';
import { requestRetestOf, untilFinished } from '../support/retests';
import { lockInserts, lockRows, untilBlocked } from '../support/row-locks';
import { VulnerableSite } from '../support/vulnerable-site';

/** Generous for a busy machine: these tests do not measure speed. */
const LONG_MS = 300_000;

const site = new VulnerableSite();
const slow = new VulnerableSite('127.0.0.2', 150);
let paced: TargetServer;
const settings = {
  get EGRESS_ALLOW() {
    return `${site.endpoint},${slow.endpoint},127.0.0.3:${paced.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '20',
  WORK_LEASE_SECONDS: '2',
  WORK_SWEEP_SECONDS: '0.2',
  WORK_GRACE_SECONDS: '1',
};
beforeAll(async () => {
  paced = await TargetServer.start(certificate(), '127.0.0.3');
  await Promise.all([site.start(), slow.start()]);
});
const api = useApi(settings);
const portal = usePortal(api);
const make = new Factories(api);

afterEach(() => {
  site.release();
  return stopEventsAndSchedules();
});
afterAll(() => Promise.all([site.stop(), slow.stop(), paced.stop()]));

const startWorker = (more: Record<string, string> = {}): Promise<RunningProcess> =>
  startProcess('worker', { ...settings, ...more });

async function kill(worker: RunningProcess): Promise<void> {
  worker.kill('SIGKILL');
  await worker.exited;
}

/** The next worker gets as far as a change of this table, and is killed in the middle of the transaction. */
async function killAt(table: Parameters<typeof lockInserts>[0], begin?: () => Promise<void>): Promise<void> {
  const unlock = await lockInserts(table);
  await begin?.();
  const worker = await startWorker();
  await untilBlocked(table);
  await kill(worker);
  await unlock();
}

const untilTesting = (event: PlannedEvent, kind: string): Promise<void> =>
  eventually(async () => {
    expect(await event.workOf(kind)).toContain('running');
    expect(site.heldRequests).toBeGreaterThan(0);
  }, LONG_MS);

/** The next worker is killed while its requests have no answer. */
async function killWhileTesting(event: PlannedEvent, kind: string): Promise<void> {
  site.hold();
  const worker = await startWorker();
  await untilTesting(event, kind);
  await kill(worker);
  site.release();
}

const untilAllRanOnce = (event: PlannedEvent, targets: number): Promise<void> =>
  eventually(async () => {
    const states = (await event.targets()).map(({ state, runs }) => `${state} ${runs}`);
    expect(states).toEqual(Array.from({ length: targets }, () => 'done 1'));
  }, LONG_MS);

it('a plan loses and doubles nothing when a worker is killed at each of its steps', async () => {
  const event = await PlannedEvent.begin(make, { report_at_end: true });
  await event.addUrl(site.url);
  await killAt('observations');
  await killWhileTesting(event, 'asset.observe');
  // What has ended is noted in the transaction of the job that follows.
  await killAt('jobs');
  await killWhileTesting(event, EVENT_JOB_KIND);
  site.hold();
  const noting = await startWorker();
  await untilTesting(event, EVENT_JOB_KIND);
  const ids = (await event.targets()).map(({ id }) => id);
  const unlock = await lockRows('event_targets', ids);
  site.release();
  await untilBlocked('event_targets');
  await kill(noting);
  await unlock();
  const testing = await startWorker();
  await untilAllRanOnce(event, 2);
  await kill(testing);
  expect(await event.startedExcept('FINISHED')).toEqual({ started: 2, others: 0 });

  await killAt('retests', () => event.change('retesting'));
  await killWhileTesting(event, 'retest.run');
  const findings = (await query('SELECT 1 FROM event_findings WHERE event_id = $1', [event.id])).length;
  expect(findings).toBeGreaterThan(1);
  const retesting = await startWorker();
  await eventually(
    async () => expect(await event.startedExcept('FINISHED')).toEqual({ started: 2 + findings, others: 0 }),
    LONG_MS,
  );
  await kill(retesting);

  await killAt('reports', () => event.change('finished'));
  await startWorker();
  const reports = `SELECT options->>'format' AS format, file_id IS NOT NULL AS generated
    FROM reports WHERE event_id = $1 ORDER BY 1`;
  const both = ['json', 'pdf'].map((format) => ({ format, generated: true }));
  await eventually(async () => expect(await query(reports, [event.id])).toEqual(both), LONG_MS);
  const [counts] = await query(
    `SELECT (SELECT count(DISTINCT finding_id)::int FROM retests WHERE organization_id = $1) AS retested,
       (SELECT count(*)::int FROM audit_logs WHERE organization_id = $1 AND operation = 'job.begin') AS begun,
       (SELECT count(*)::int FROM audit_logs WHERE organization_id = $1 AND operation = 'job.finish') AS ended`,
    [event.tenant.id],
  );
  expect(counts).toEqual({ retested: findings, begun: 1, ended: 1 });
});

it('a worker that a deployment replaces in the middle of a plan leaves its work to the others', async () => {
  const event = await PlannedEvent.begin(make, { parallel_targets: 4 });
  for (const path of ['one', 'two', 'three', 'four', 'five']) await event.addUrl(`${site.url}${path}`);
  const [replaced] = await Promise.all([startWorker(), startWorker()]);
  await eventually(async () => expect(await event.workOf(EVENT_JOB_KIND)).toContain('done'), LONG_MS);
  site.hold();
  await untilTesting(event, EVENT_JOB_KIND);
  replaced.kill('SIGTERM');
  const [code] = await Promise.all([replaced.exited, startWorker()]);
  expect(code).toBe(0);
  site.release();
  await untilAllRanOnce(event, 10);
  expect(await event.startedExcept('FINISHED')).toEqual({ started: 10, others: 0 });
});

it('an event with 1,000 assets does not delay the retest of another organization', async () => {
  const event = await PlannedEvent.begin(make, { event_category: 3, parallel_targets: 20 });
  await event.addUrl(slow.url);
  await query(
    `WITH added AS (INSERT INTO assets (organization_id, value, type)
       SELECT $1, $3 || n, 'url' FROM generate_series(2, 1000) n RETURNING id)
     INSERT INTO event_scope (event_id, asset_id, organization_id, in_scope) SELECT $2, id, $1, true FROM added`,
    [event.tenant.id, event.id, slow.url],
  );
  await startWorker();
  await eventually(async () => expect(await event.workOf('asset.observe')).toContain('running'), LONG_MS);
  const retest = await requestRetestOf(make, site);
  const status = async () => (await retest.client.get(retest.path)).body.status;
  await eventually(async () => expect(await status()).not.toBe('pending'), 5_000);
  await untilFinished(retest);
  const targets = await event.targets();
  expect(targets.length).toBeGreaterThanOrEqual(1_000);
  expect(targets.filter(({ runs }) => runs === 0).length).toBeGreaterThan(900);
});

it('1,000 schedules that are due at the same second all run once, on two workers', async () => {
  const { userId } = await (await make.organization()).as('admin');
  const ids: number[] = [];
  while (ids.length < 100) {
    const { id } = await make.organization();
    await make.membership(userId, id, 'admin');
    ids.push(id);
  }
  await Promise.all([startWorker({ WORKER_SLOTS: 'report.generate=5' }), startWorker()]);
  await query(
    `INSERT INTO schedules
       (organization_id, name, what, target, report_options, every_hours, anchor, maker_id, maker_role, next_due)
     SELECT id, 'S' || n, CASE n WHEN 1 THEN 'report' ELSE 'retest' END, 'all', $3::jsonb, 24, date_trunc('second', now()), $2, 'admin',
       date_trunc('second', now()) FROM unnest($1::int[]) id, generate_series(1, 10) n`,
    [ids, userId, { ...defaultReportOptions, format: 'json' }],
  );
  // Beside the turns of the two workers.
  const evaluate = (): Promise<void> => api.app.get(DueSchedules, { strict: false }).run();
  await Promise.all([evaluate(), evaluate()]);
  const runs = `SELECT count(*)::int AS runs, count(DISTINCT schedule_id)::int AS schedules,
    count(*) FILTER (WHERE status = 'finished')::int AS finished, sum(parts)::int AS parts FROM schedule_runs WHERE organization_id = ANY($1)`;
  const all = { runs: 1_000, schedules: 1_000, finished: 1_000, parts: 100 };
  await eventually(async () => expect(await query(runs, [ids])).toEqual([all]), 2 * LONG_MS);
  const reports = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM reports WHERE organization_id = ANY($1) GROUP BY organization_id',
    [ids],
  );
  expect(reports).toEqual(ids.map(() => ({ count: 1 })));
});

it('ten schedules on one asset keep its pace, on two workers', async () => {
  const perSecond = 5;
  const times: number[] = [];
  paced.disturb = () => {
    times.push(performance.now());
    return false;
  };
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id } = await make.asset(tenant.id, { value: `http://127.0.0.3:${paced.port}/`, type: 'url' });
  const job = { what: 'job', on: 'asset', asset_id: id, checks: ['missing-nosniff'], every_hours: 24 };
  for (let count = 0; count < 10; count += 1)
    await client.post(`/v1/organizations/${tenant.id}/schedules`, { ...job, name: `S${count}` });
  await query('UPDATE schedules SET next_due = now() WHERE organization_id = $1', [tenant.id]);
  const own = { ENGINE_REQUESTS_PER_SECOND: String(perSecond) };
  await Promise.all([startWorker(own), startWorker(own)]);
  const jobs = `SELECT count(*)::int AS count FROM jobs WHERE organization_id = $1 AND status = 'FINISHED'`;
  await eventually(async () => expect(await query(jobs, [tenant.id])).toEqual([{ count: 10 }]), LONG_MS);
  expect(times.length).toBeGreaterThan(6 * perSecond);
  // In any two seconds, with those of the last moment that arrive late.
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 2_000).length));
  expect(most).toBeLessThanOrEqual(2 * perSecond + 4);
});

it('the pace of an event is never higher than that of the operator', () => {
  const runtime = api.app.get(EngineRuntime, { strict: false });
  const { ENGINE_REQUESTS_PER_SECOND: perSecond } = api.app.get(Config);
  const paceOf = (ofEvent: number | null) =>
    runtime.paceOf(runtime.statedPace({ requestsPerSecond: null }, { requestsPerSecond: ofEvent }, null));
  expect(paceOf(0.5)).toMatchObject({ pace: { host: { perSecond: 0.5 } } });
  expect(paceOf(9_000)).toMatchObject({ pace: { host: { perSecond } } });
  expect(paceOf(null)).toEqual({});
});

it('the runs that failed are shown on the home page of their organization only', async () => {
  const [one, other] = [await make.organization(), await make.organization()];
  const person = await one.as('admin');
  await make.membership(person.userId, other.id, 'admin');
  const path = `/v1/organizations/${one.id}/schedules`;
  const { body } = await person.client.post(path, { name: 'Of one', what: 'report', on: 'all', every_hours: 700 });
  await query(
    `INSERT INTO schedule_runs (uuid, organization_id, schedule_id, due, status, ended)
     VALUES (gen_random_uuid(), $1, $2, now(), 'failed', now())`,
    [one.id, body.id],
  );
  const browser = await signedInAs(api, portal, person);
  expect((await browser.get(`/o/${one.id}`)).text).toContain('Runs that failed');
  expect((await browser.get(`/o/${other.id}`)).text).not.toContain('Runs that failed');
});
