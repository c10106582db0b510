import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { DatabaseClock } from '../../src/platform/database/database-clock';
import { EVENT_JOB_KIND, WINDOW_CLOSED } from '../../src/modules/jobs';
import { PlanTurn } from '../../src/modules/machine-events/plan-turn';
import { EventPlans } from '../../src/modules/machine-events/work/event-plans';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import type { Claim } from '../../src/platform/work/claim';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { PlannedEvent, stopEventsAndSchedules } from '../support/planned-event';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NIGHTS = ['Mo-Su 20:00-06:00 Europe/Lisbon'];

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());

/** So slow that a job on the target takes longer than the rest of a window. */
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '10',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
const make = new Factories(api);

/** Of all processes of this file, from `setTime` to the end of the test. */
let now = new Date();
function setTime(at: Date | number | string): void {
  now = new Date(at);
  jest.spyOn(DatabaseClock.prototype, 'now').mockImplementation(() => now);
}
const advance = (ms: number): void => setTime(now.getTime() + ms);

afterEach(async () => {
  jest.restoreAllMocks();
  await stopEventsAndSchedules();
});

const takeTurns = (): Promise<void> => api.app.get(EventPlans, { strict: false }).run();

const takeTurnsAt = (at: Date | number | string): Promise<void> => {
  setTime(at);
  return takeTurns();
};

const fortnight = (start: string): { start_date: Date; end_date: Date } => {
  setTime(start);
  return { start_date: now, end_date: new Date(now.getTime() + 14 * DAY_MS) };
};

const localTime = (at: Date): { day: string; minutes: number } => {
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Lisbon',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(at)
    .split(' ');
  const [hours, minutes] = time.split(':').map(Number);
  return { day, minutes: (hours ?? 0) * 60 + (minutes ?? 0) };
};

/** An event of a day in October whose job on its only origin waits for a worker, ten minutes before the end of the night. */
async function withWaitingJob(url?: string): Promise<{ event: PlannedEvent; assetId: number }> {
  const rare = { windows: NIGHTS, every_hours: 720 };
  const event = await PlannedEvent.begin(make, { ...rare, ...fortnight('2026-10-19T12:00:00Z') });
  const assetId = await event.addUrl(url);
  await takeTurnsAt('2026-10-20T04:50:00Z');
  await event.endWork(now);
  advance(3_000);
  await takeTurns();
  expect(await event.workOf(EVENT_JOB_KIND)).toEqual(['waiting']);
  return { event, assetId };
}

/** As a worker does with the job. */
async function runJobOf({ id }: PlannedEvent): Promise<void> {
  const [claim] = await query<Claim>(
    `UPDATE work SET state = 'running', attempt = 1, lease_until = now() + interval '1 hour'
     WHERE event_id = $1 AND kind = $2 AND state = 'waiting'
     RETURNING id, kind, reference, organization_id AS "organizationId", event_id AS "eventId", attempt, failures`,
    [id, EVENT_JOB_KIND],
  );
  if (claim === undefined) throw new Error('no job waits');
  const handler = api.app.get(WorkRegistry).handlerOf(claim.kind);
  const { audit, apply } = await handler.perform(claim, new AbortController().signal);
  await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
}

const jobsOf = ({ id }: PlannedEvent) =>
  query<{ status: string; checks: string[] | null; coverage: { check: string; reason: string }[] | null }>(
    'SELECT status, checks, coverage FROM jobs WHERE event_id = $1 ORDER BY id',
    [id],
  );

describe('14 days with a window in the hours in which the clocks change', () => {
  it.each([
    ['forward', '2026-03-22T12:00:00Z'],
    ['back', '2026-10-19T12:00:00Z'],
  ])('%s test each asset once in each night, and start nothing outside of them', async (_direction, start) => {
    const draft = { event_category: 3, windows: ['Mo-Su 01:30-05:00 Europe/Lisbon'], parallel_targets: 2 };
    const event = await PlannedEvent.begin(make, { ...draft, ...fortnight(start) });
    const assets = [await event.addUrl(), await event.addUrl(), await event.addUrl()];
    const end = now.getTime() + 14 * DAY_MS;
    const seen = new Set<string>();
    const starts: { readonly at: Date; readonly assetId: number; readonly isJob: boolean }[] = [];
    const noteStarts = async (): Promise<boolean> => {
      const fresh = (await event.targets()).filter(({ work }) => work !== null && !seen.has(work));
      for (const { assetId, origin, work } of fresh) {
        seen.add(work ?? '');
        starts.push({ at: now, assetId, isJob: origin !== null });
      }
      return fresh.length > 0;
    };
    for (let time = now.getTime(); time < end; time += HOUR_MS / 2) {
      await takeTurnsAt(time);
      while (await noteStarts()) {
        await event.endWork(now);
        advance(3_000);
        await takeTurns();
      }
    }
    const isInWindow = ({ at }: { at: Date }): boolean => localTime(at).minutes >= 90 && localTime(at).minutes < 5 * 60;
    expect(starts.filter((one) => !isInWindow(one))).toEqual([]);
    const nights = Array.from({ length: 14 }, (_none, day) => localTime(new Date(end - (13 - day) * DAY_MS)).day);
    for (const assetId of assets)
      for (const isJob of [false, true]) {
        const ofKind = starts.filter((one) => one.assetId === assetId && one.isJob === isJob);
        expect(ofKind.map(({ at }) => localTime(at).day)).toEqual(nights);
      }
    expect(await event.startedExcept('FINISHED')).toEqual({ started: seen.size, others: 0 });
  });
});

it('a job at the end of a window keeps its results, and the next window goes on with the rest', async () => {
  const { event } = await withWaitingJob(`http://127.0.0.1:${target.port}/`);
  // The checks have half of what is left.
  setTime('2026-10-20T04:59:52Z');
  target.paths.length = 0;
  const worker = await startWorker(settings);
  try {
    const endOf = (count: number) =>
      eventually(async () => {
        const jobs = await jobsOf(event);
        expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'FINISHED'));
        return jobs[count - 1]?.coverage ?? [];
      }, 240_000);
    const first = await endOf(1);
    const left = first.filter(({ reason }) => reason === WINDOW_CLOSED).map(({ check }) => check);
    expect(left.length).toBeGreaterThan(10);
    expect(first.length - left.length).toBeGreaterThan(0);
    const sent = target.paths.length;
    expect(sent).toBeGreaterThan(10);
    for (const closed of ['2026-10-20T05:00:05Z', '2026-10-20T12:00:00Z', '2026-10-20T18:59:00Z']) {
      await takeTurnsAt(closed);
      expect(await jobsOf(event)).toHaveLength(1);
    }
    expect(target.paths).toHaveLength(sent);
    await takeTurnsAt('2026-10-20T19:01:00Z');
    const second = await endOf(2);
    expect([...((await jobsOf(event))[1]?.checks ?? [])].sort()).toEqual([...new Set(left)].sort());
    expect(second.filter(({ reason }) => reason === WINDOW_CLOSED)).toEqual([]);
    expect(new Set(second.map(({ check }) => check))).toEqual(new Set(left));
    advance(5_000);
    await takeTurns();
    expect((await event.targets()).map(({ state, runs }) => `${state} ${runs}`)).toEqual(['done 1', 'done 1']);
  } finally {
    await worker.stop();
  }
});

describe('what a machine event has started', () => {
  it('is canceled by the worker that claims it after the end of the window', async () => {
    const { event } = await withWaitingJob();
    setTime('2026-10-20T05:00:01Z');
    await runJobOf(event);
    expect(await jobsOf(event)).toMatchObject([{ status: 'CANCELED' }]);
  });

  it('is canceled at once when its asset leaves the scope', async () => {
    const { event, assetId } = await withWaitingJob();
    await event.removeFromScope(assetId);
    expect(await event.workOf(EVENT_JOB_KIND)).toEqual(['canceled']);
  });

  it('is canceled at once when the event is no longer automatic', async () => {
    const { event } = await withWaitingJob();
    expect((await event.admin.patch(`/v1/events/${event.slug}`, { automatic: false })).status).toBe(200);
    expect(await event.workOf(EVENT_JOB_KIND)).toEqual(['canceled']);
  });

  it('stops with it, and an observation that a person started does not', async () => {
    const event = await PlannedEvent.begin(make, fortnight('2026-10-19T12:00:00Z'));
    const [own, planned] = [await event.addUrl(), await event.addUrl()];
    expect((await event.admin.post(`/v1/assets/${own}/observe`)).status).toBe(202);
    await takeTurns();
    expect((await event.targets()).map(({ state }) => state)).toEqual(['running', 'running']);
    await event.change('paused');
    advance(3_000);
    await takeTurns();
    const observations = await query(
      `SELECT o.asset_id AS "assetId", status, w.state FROM observations o
       JOIN work w ON w.reference = o.uuid::text WHERE o.organization_id = $1 ORDER BY o.asset_id`,
      [event.tenant.id],
    );
    expect(observations).toEqual([
      { assetId: own, status: 'PENDING', state: 'waiting' },
      { assetId: planned, status: 'CANCELED', state: 'canceled' },
    ]);
  });
});

it('one of twenty workers has the turn of a plan', async () => {
  const event = await PlannedEvent.begin(make, fortnight('2026-10-19T12:00:00Z'));
  await event.addUrl();
  await takeTurns();
  advance(3_000);
  const key = { eventId: event.id, organizationId: event.tenant.id };
  const turns = await Promise.all(Array.from({ length: 20 }, () => api.app.get(PlanTurn, { strict: false }).take(key)));
  expect(turns.filter((turn) => turn !== undefined)).toHaveLength(1);
});

it('a URL in the scope of an event stands for its page, and not for all ports of its host', async () => {
  const event = await PlannedEvent.begin(make, fortnight('2026-10-19T12:00:00Z'));
  const page = await event.addUrl();
  await takeTurns();
  expect((await event.targets()).map(({ assetId }) => assetId)).toEqual([page]);
});
