import { Clock } from '../../src/kernel/clock';
import { isOpen, parseWindows } from '../../src/kernel/opening-windows';
import { EventTargetsRepository } from '../../src/modules/machine-events/data/event-targets.repository';
import { NO_TIME } from '../../src/engine/interruption';
import { WINDOW_CLOSED } from '../../src/modules/jobs';
import { PlannedScope } from '../../src/modules/machine-events/planned-scope';
import { EventPlans } from '../../src/modules/machine-events/work/event-plans';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = HOUR_MS;

/** Summer time ends in Lisbon on 25 October 2026. */
const START = new Date('2026-10-19T12:00:00Z');
const END = new Date(START.getTime() + 14 * DAY_MS);

/** No worker runs: the tests take the turns of the plans, and end what these start. */
const api = useApi({ OBSERVE_EVERY_HOURS: 'off' });
const make = new Factories(api);

let now = START;
beforeEach(() => {
  now = START;
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
  api.app.get(PlannedScope, { strict: false }).maxAssets = 20_000;
});

/** Canceled, so that workers of other tests do not run it. */
afterAll(() => query(`UPDATE work SET state = 'canceled', finished = now() WHERE state = 'waiting'`));

interface Start {
  readonly at: Date;
  readonly assetId: number;
  readonly origin: string | null;
}

/** Takes the place of the scheduler's clock and of the workers for one event. */
class SimulatedEvent {
  readonly starts: Start[] = [];
  private readonly works = new Set<string>();
  /** Assets on which the next observation shows a change. */
  readonly changed = new Set<number>();
  /** The checks that jobs which end at this time have no time for. */
  checksLeft: readonly string[] = [];
  leftBecause = WINDOW_CLOSED;
  /** Where they have left something, as the location of the page. */
  leftAt: string | undefined;
  mostRunning = 0;

  constructor(
    readonly tenant: Tenant,
    readonly admin: Client,
    readonly event: { readonly id: number; readonly slug: string },
  ) {}

  static async begin(draft: object, assets: number): Promise<SimulatedEvent> {
    const tenant = await make.organization();
    const { client: admin } = await tenant.as('admin');
    const body = {
      name: unique('Event'),
      event_type: 1,
      start_date: START,
      end_date: END,
      parallel_targets: 3,
      ...draft,
    };
    const created = await admin.post(`/v1/organizations/${tenant.id}/events/`, body);
    if (created.status !== 201) throw new Error(created.text);
    await query(`UPDATE events SET status = 'running' WHERE id = $1`, [created.body.id]);
    const simulated = new SimulatedEvent(tenant, admin, created.body);
    for (let count = 0; count < assets; count += 1) await simulated.addAsset();
    return simulated;
  }

  async addAsset(): Promise<number> {
    const { value } = await make.domain(this.tenant.id, { verified: true });
    const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
      this.tenant.id,
      value,
    ]);
    const asset_id = asset?.id ?? 0;
    const added = await this.admin.post(`/v1/events/${this.event.slug}/scope/assets/`, { asset_id, in_scope: true });
    if (added.status !== 201) throw new Error(added.text);
    return asset_id;
  }

  async removeAsset(assetId: number): Promise<void> {
    const removed = await this.admin.delete(`/v1/events/${this.event.slug}/scope/assets/${assetId}`);
    if (removed.status !== 200) throw new Error(removed.text);
  }

  async change(status: string): Promise<void> {
    const answer = await this.admin.post(`/v1/events/${this.event.slug}/status`, { status });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** Turns until nothing more starts: what starts in one turn has ended before the next. */
  async step(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) {
      await takeTurns();
      if ((await this.recordStarts()) === 0) return;
      await this.endWork();
      now = new Date(now.getTime() + 3_000);
    }
  }

  async runUntil(end: Date, before: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (let time = Math.ceil(now.getTime() / STEP_MS) * STEP_MS; time < end.getTime(); time += STEP_MS) {
      now = new Date(time);
      await before();
      await this.step();
    }
  }

  async recordStarts(): Promise<number> {
    const running = await query<{ assetId: number; origin: string | null; work: string }>(
      `SELECT asset_id AS "assetId", origin, work FROM event_targets WHERE event_id = $1 AND state = 'running'`,
      [this.event.id],
    );
    this.mostRunning = Math.max(this.mostRunning, running.length);
    const fresh = running.filter(({ work }) => !this.works.has(work));
    for (const { assetId, origin, work } of fresh) {
      this.works.add(work);
      this.starts.push({ at: now, assetId, origin });
    }
    return fresh.length;
  }

  /** What was started, in the tables of the work itself: nothing is there that the plan does not know. */
  async startedWork(): Promise<number> {
    const [row] = await query<{ count: number }>(
      `SELECT (SELECT count(*) FROM jobs WHERE event_id = $1)::int + (SELECT count(*) FROM observations o
         WHERE o.organization_id = $2)::int AS count`,
      [this.event.id, this.tenant.id],
    );
    return row?.count ?? 0;
  }

  get knownWork(): number {
    return this.works.size;
  }

  async endWork(): Promise<void> {
    const { id } = this.event;
    await query(
      `INSERT INTO observed_hosts (organization_id, asset_id, address, first_seen, last_seen)
       SELECT organization_id, asset_id, '198.51.100.7', $2, $2 FROM event_targets
       WHERE event_id = $1 AND origin IS NULL AND state = 'running' ON CONFLICT DO NOTHING`,
      [id, now],
    );
    await query(
      `INSERT INTO observed_ports (host_id, organization_id, port, state, service, security, first_seen, last_seen)
       SELECT h.id, h.organization_id, 443, 'open', 'https', 'tls', $2, $2 FROM observed_hosts h
       WHERE h.organization_id = $1 ON CONFLICT DO NOTHING`,
      [this.tenant.id, now],
    );
    const ended = await query<{ assetId: number }>(
      `UPDATE observations SET status = 'FINISHED', finished = $2, changes = (asset_id = ANY($3::int[]))::int
       WHERE organization_id = $1 AND status = 'PENDING' RETURNING asset_id AS "assetId"`,
      [this.tenant.id, now, [...this.changed]],
    );
    for (const { assetId } of ended) this.changed.delete(assetId);
    const row = { outcome: 'inconclusive', reason: this.leftBecause, location: this.leftAt };
    const coverage = [
      ...['exposed-git', 'exposed-env'].map((check) => ({ check, outcome: 'not_vulnerable', reason: 'Not there.' })),
      ...this.checksLeft.map((check) => ({ ...row, check })),
    ];
    await query(
      `UPDATE jobs SET status = 'FINISHED', started = $2, finished = $2, coverage = $3
       WHERE event_id = $1 AND status = 'PENDING'`,
      [id, now, JSON.stringify(coverage)],
    );
    await query(
      `UPDATE work SET state = 'done', finished = now() WHERE event_id = $1 AND state = 'waiting' AND kind <> 'report.generate'`,
      [id],
    );
  }

  startsOf(assetId: number, kind: 'observation' | 'job'): Date[] {
    const ofKind = this.starts.filter(({ origin }) => (origin === null) === (kind === 'observation'));
    return ofKind.filter((start) => start.assetId === assetId).map(({ at }) => at);
  }

  async assets(): Promise<number[]> {
    const rows = await query<{ id: number }>('SELECT asset_id AS id FROM event_scope WHERE event_id = $1 ORDER BY 1', [
      this.event.id,
    ]);
    return rows.map(({ id }) => id);
  }
}

const takeTurns = (): Promise<void> => api.app.get(EventPlans, { strict: false }).run();

const after = (days: number): Date => new Date(START.getTime() + days * DAY_MS);

/** A night belongs to the day on which it begins. */
const nightOf = (at: Date): string => new Date(at.getTime() - 12 * HOUR_MS).toISOString().slice(0, 10);

const NIGHTS = ['Mo-Su 20:00-06:00 Europe/Lisbon'];

describe('14 days of a continuous event', () => {
  it('tests each asset once in each night, and nothing outside of the windows, the scope, or during the pause', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3, windows: NIGHTS }, 4);
    const [removed = 0] = await simulated.assets();
    let added = 0;
    await simulated.runUntil(after(3));
    added = await simulated.addAsset();
    await simulated.runUntil(after(5));
    await simulated.change('paused');
    await simulated.runUntil(after(6));
    await simulated.change('running');
    await simulated.runUntil(after(9));
    await simulated.removeAsset(removed);
    await simulated.runUntil(END);
    const windows = parseWindows(NIGHTS);
    expect(simulated.starts.filter(({ at }) => !isOpen(windows, at))).toEqual([]);
    expect(simulated.starts.filter(({ at }) => at >= after(5) && at < after(6))).toEqual([]);
    expect(simulated.starts.filter(({ at, assetId }) => assetId === removed && at >= after(9))).toEqual([]);
    expect(simulated.mostRunning).toBeLessThanOrEqual(3);
    expect(await simulated.startedWork()).toBe(simulated.knownWork);
    const nights = Array.from({ length: 14 }, (_none, day) => nightOf(new Date(after(day).getTime() + 12 * HOUR_MS)));
    const withoutPause = nights.filter((_night, day) => day !== 5);
    for (const assetId of await simulated.assets()) {
      const expected = withoutPause.filter((night) => assetId !== added || night >= nightOf(after(3.5)));
      for (const kind of ['observation', 'job'] as const)
        expect(simulated.startsOf(assetId, kind).map(nightOf)).toEqual(expected);
    }
  }, 240_000);
});

describe('14 days of a pentest', () => {
  it('tests all once, then what changed, and all once more on the last day', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 3);
    const [changing = 0, ...others] = await simulated.assets();
    await simulated.runUntil(after(4));
    simulated.changed.add(changing);
    await simulated.runUntil(END);
    const daysOf = (assetId: number): number[] =>
      simulated.startsOf(assetId, 'job').map((at) => Math.floor((at.getTime() - START.getTime()) / DAY_MS));
    for (const assetId of others) expect(daysOf(assetId)).toEqual([0, 13]);
    expect(daysOf(changing)).toEqual([0, 4, 13]);
    for (const assetId of [changing, ...others])
      expect(simulated.startsOf(assetId, 'observation').length).toBeGreaterThanOrEqual(14);
    expect(await simulated.startedWork()).toBe(simulated.knownWork);
  }, 240_000);
});

describe('a plan', () => {
  it('continues in the next window with the checks that the end of one has stopped', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, windows: NIGHTS }, 1);
    now = new Date('2026-10-20T04:50:00Z');
    simulated.checksLeft = ['missing-hsts', 'missing-nosniff'];
    await takeTurns();
    await simulated.recordStarts();
    await simulated.endWork();
    now = new Date(now.getTime() + 3_000);
    await takeTurns();
    await simulated.recordStarts();
    await simulated.endWork();
    // The window has closed.
    now = new Date('2026-10-20T05:01:00Z');
    await takeTurns();
    now = new Date('2026-10-20T19:01:00Z');
    simulated.checksLeft = [];
    await simulated.step();
    const jobs = await query<{ checks: string[] | null }>('SELECT checks FROM jobs WHERE event_id = $1 ORDER BY id', [
      simulated.event.id,
    ]);
    expect(jobs).toEqual([{ checks: null }, { checks: ['missing-hsts', 'missing-nosniff'] }]);
    const targets = await query(
      'SELECT state, checks_left FROM event_targets WHERE event_id = $1 AND origin IS NOT NULL',
      [simulated.event.id],
    );
    expect(targets).toEqual([{ state: 'done', checks_left: null }]);
  });

  it('takes no target for tested whose jobs never have time for all checks, and tries all of them again', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 1);
    const slow = ['missing-hsts', 'missing-nosniff'];
    simulated.leftBecause = NO_TIME;
    simulated.checksLeft = slow;
    await simulated.step();
    const targets = () =>
      query(
        'SELECT state, reason, last_run, checks_left FROM event_targets WHERE event_id = $1 AND origin IS NOT NULL',
        [simulated.event.id],
      );
    const reason = expect.stringContaining('jobs have no time for missing-hsts, missing-nosniff: raise');
    expect(await targets()).toEqual([{ state: 'not_testable', reason, last_run: null, checks_left: null }]);
    simulated.checksLeft = [];
    now = new Date(now.getTime() + 61 * 60_000);
    await simulated.step();
    const jobs = await query('SELECT checks FROM jobs WHERE event_id = $1 ORDER BY id', [simulated.event.id]);
    expect(jobs).toEqual([{ checks: null }, { checks: slow }, { checks: null }]);
    expect(await targets()).toMatchObject([{ state: 'done', reason: null }]);
  });

  it('takes no target for tested whose job has left points, unless an admin accepts that', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 1);
    const [assetId = 0] = await simulated.assets();
    const [{ value } = { value: '' }] = await query<{ value: string }>('SELECT value FROM assets WHERE id = $1', [
      assetId,
    ]);
    simulated.checksLeft = ['sql-injection'];
    simulated.leftBecause = '9 of 10 points were not reached';
    simulated.leftAt = `https://${value}/?*`;
    await simulated.step();
    const targets = () =>
      query('SELECT state, reason, last_run FROM event_targets WHERE event_id = $1 AND origin IS NOT NULL', [
        simulated.event.id,
      ]);
    const reason = expect.stringMatching(/^Not all points were tested: sql-injection at .* 9 of 10 points .* PUT/);
    expect(await targets()).toEqual([{ state: 'not_testable', reason, last_run: null }]);
    const accept = (covers: string) =>
      simulated.admin.put(`/v1/assets/${assetId}/accepted-checks/sql-injection`, {
        reason: 'It is slow.',
        until: END,
        covers,
      });
    for (const [covers, hours, state] of [
      ['findings', 1, 'not_testable'],
      ['incompleteness', 4, 'done'],
    ] as const) {
      expect((await accept(covers)).status).toBeLessThan(300);
      now = new Date(START.getTime() + hours * HOUR_MS + 60_000);
      await simulated.step();
      expect(await targets()).toMatchObject([{ state }]);
    }
  });

  it('names the origins of an asset that it leaves out, until they are assets of its scope', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3 }, 1);
    const [assetId = 0] = await simulated.assets();
    await simulated.step();
    await query(
      `INSERT INTO observed_ports (host_id, organization_id, port, state, service, security, first_seen, last_seen)
       SELECT h.id, h.organization_id, 8000 + n, 'open', 'http', NULL, now(), now()
       FROM observed_hosts h, generate_series(1, 20) n WHERE h.organization_id = $1`,
      [simulated.tenant.id],
    );
    const observeAgain = async () => {
      await query('UPDATE event_targets SET due_at = $2 WHERE asset_id = $1', [assetId, now]);
      now = new Date(now.getTime() + 61_000);
      await simulated.step();
      const targets = 'SELECT state, reason FROM event_targets WHERE asset_id = $1 AND origin IS NULL';
      return query<{ state: string; reason: string }>(targets, [assetId]);
    };
    const [left] = await observeAgain();
    expect(left).toMatchObject({
      state: 'not_testable',
      reason: expect.stringContaining('An event tests 20 web origins'),
    });
    const [url = ''] = /http\S+\/(?=:)/.exec(left?.reason ?? '') ?? [];
    const { id: asset_id } = await make.asset(simulated.tenant.id, { value: url, type: 'url' });
    const path = `/v1/events/${simulated.event.slug}/scope/assets/`;
    expect((await simulated.admin.post(path, { asset_id, in_scope: true })).status).toBe(201);
    now = new Date(now.getTime() + 61_000);
    await simulated.step();
    expect(await observeAgain()).toEqual([{ state: 'done', reason: null }]);
  });

  it('names how many hosts of an asset are too many, and counts those that are gone no more', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3 }, 1);
    const [assetId = 0] = await simulated.assets();
    const add = (net: string, count: number, gone: boolean) =>
      query(
        `INSERT INTO observed_hosts (organization_id, asset_id, address, gone, first_seen, last_seen)
         SELECT $1, $2, $3 || n, $5, now(), now() FROM generate_series(1, $4::int) n`,
        [simulated.tenant.id, assetId, net, count, gone],
      );
    await add('198.51.100.1', 1, false);
    await add('192.0.2.', 102, true);
    const observe = async () => {
      await query('UPDATE event_targets SET due_at = $2 WHERE asset_id = $1', [assetId, now]);
      now = new Date(now.getTime() + 61_000);
      await simulated.step();
      return query('SELECT state, reason FROM event_targets WHERE asset_id = $1 ORDER BY origin NULLS FIRST', [
        assetId,
      ]);
    };
    const done = { state: 'done', reason: null };
    expect(await observe()).toEqual([done, done]);
    await add('203.0.113.', 101, false);
    const reason = expect.stringMatching(/^3 further hosts were not tested, because an asset has at most 100: /);
    expect(await observe()).toContainEqual({ state: 'not_testable', reason });
  });

  it('counts the assets beyond its limit as not testable, before its plan and with it', async () => {
    api.app.get(PlannedScope, { strict: false }).maxAssets = 4;
    const simulated = await SimulatedEvent.begin({ event_category: 3 }, 6);
    const { client } = await simulated.tenant.as('viewer');
    const progress = async () => (await client.get(`/v1/events/${simulated.event.slug}/progress`)).body;
    const left_out =
      '2 further assets of its scope are not tested, because an event has at most 4: let several events share the scope.';
    const totals = { done: 0, not_testable: 2, never_tested: 6 };
    expect(await progress()).toMatchObject({ assets: { ...totals, waiting: 4 }, left_out });
    await simulated.step();
    expect(await progress()).toMatchObject({ assets: { done: 4, not_testable: 2, never_tested: 2 }, left_out });
    for (const assetId of (await simulated.assets()).slice(0, 2)) await simulated.removeAsset(assetId);
    now = new Date(now.getTime() + 61_000);
    await simulated.step();
    expect(await progress()).toMatchObject({ assets: { done: 4, not_testable: 0, never_tested: 0 }, left_out: null });
  });

  it('starts everything once when twenty workers take its turns at the same time', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, parallel_targets: 20 }, 5);
    await Promise.all(Array.from({ length: 20 }, () => takeTurns()));
    expect(await simulated.recordStarts()).toBe(5);
    expect(await simulated.startedWork()).toBe(5);
  });

  it('leaves nothing half done when a worker is lost at any step of a turn', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, parallel_targets: 20 }, 4);
    const targets = api.app.get(EventTargetsRepository, { strict: false });
    const move = targets.move.bind(targets);
    for (let lostAt = 1; lostAt <= 4; lostAt += 1) {
      let moves = 0;
      const spy = jest.spyOn(targets, 'move').mockImplementation(async (...change) => {
        moves += 1;
        await move(...change);
        if (moves === lostAt) throw new Error('the worker was lost');
      });
      await takeTurns();
      expect(moves).toBeGreaterThanOrEqual(lostAt);
      spy.mockRestore();
      expect(await simulated.startedWork()).toBe(0);
      expect(await simulated.recordStarts()).toBe(0);
    }
    await simulated.step();
    expect(await simulated.startedWork()).toBe(simulated.knownWork);
    expect(simulated.startsOf((await simulated.assets())[0] ?? 0, 'job')).toHaveLength(1);
  });

  it('starts nothing of a red team, of a manual event, and of one that was turned off', async () => {
    const drafts = [{ event_category: 2 }, { event_category: 1, automatic: false, report_at_end: true }];
    const quiet = await Promise.all(drafts.map((draft) => SimulatedEvent.begin(draft, 1)));
    const turnedOff = await SimulatedEvent.begin({ event_category: 3 }, 1);
    const off = await turnedOff.admin.patch(`/v1/events/${turnedOff.event.slug}`, { automatic: false });
    expect(off.body).toMatchObject({ automatic: false, sends: null });
    await turnedOff.runUntil(after(2));
    for (const simulated of [...quiet, turnedOff]) expect(await simulated.startedWork()).toBe(0);
  });

  it('moves what is due when the event is tested more often, or ends earlier', async () => {
    const daily = await SimulatedEvent.begin({ event_category: 3 }, 1);
    const pentest = await SimulatedEvent.begin({ event_category: 1 }, 1);
    for (const simulated of [daily, pentest]) await simulated.step();
    now = new Date(START.getTime() + 2 * HOUR_MS);
    for (const simulated of [daily, pentest]) await simulated.step();
    const jobsOf = async (simulated: SimulatedEvent) => simulated.startsOf((await simulated.assets())[0] ?? 0, 'job');
    expect(await jobsOf(daily)).toHaveLength(1);
    expect((await daily.admin.patch(`/v1/events/${daily.event.slug}`, { every_hours: 1 })).status).toBe(200);
    const end_date = new Date(now.getTime() + 2 * DAY_MS);
    expect((await pentest.admin.patch(`/v1/events/${pentest.event.slug}`, { end_date })).status).toBe(200);
    now = new Date(now.getTime() + 61_000);
    await daily.step();
    now = new Date(now.getTime() + HOUR_MS);
    await daily.step();
    expect(await jobsOf(daily)).toHaveLength(2);
    await pentest.runUntil(end_date);
    expect((await jobsOf(pentest)).map((at) => Math.floor((at.getTime() - START.getTime()) / DAY_MS))).toEqual([0, 1]);
  });

  it('moves all that is due when the event changes, however many targets it has, in portions', async () => {
    const { tenant, admin, event } = await SimulatedEvent.begin({ event_category: 3 }, 0);
    await takeTurns();
    await query(
      `WITH added AS (
         INSERT INTO assets (organization_id, value, type)
         SELECT $1, format('198.18.%s.%s', n / 200, n % 200), 'ip' FROM generate_series(1, 220) AS n RETURNING id), listed AS (
         INSERT INTO event_scope (organization_id, event_id, asset_id) SELECT $1, $2, id FROM added)
       INSERT INTO event_targets (organization_id, event_id, asset_id, origin, state, last_run, runs, due_at)
       SELECT $1, $2, id, format('https://%s.example.com/', n), 'done', $3, 1, '2030-01-01' FROM added, generate_series(1, 19) AS n`,
      [tenant.id, event.id, START],
    );
    const portions = jest.spyOn(api.app.get(EventTargetsRepository, { strict: false }), 'listDone');
    expect((await admin.patch(`/v1/events/${event.slug}`, { every_hours: 1 })).status).toBe(200);
    now = new Date(now.getTime() + 61_000);
    await takeTurns();
    // All of an asset are in one.
    const read = await Promise.all(portions.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(read.map(({ length }) => length)).toEqual([2_014, 2_014, 152]);
    const [moved] = await query(
      `SELECT count(*)::int AS count FROM event_targets WHERE event_id = $1 AND origin IS NOT NULL AND due_at < '2030-01-01'`,
      [event.id],
    );
    expect(moved).toEqual({ count: 4_180 });
  });

  it('stops what a change of the scope leaves out in the next turn, also what a wildcard covered', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3 }, 0);
    const { tenant, admin, event } = simulated;
    const { value } = await make.domain(tenant.id, { verified: true });
    const ids = await query<{ id: number }>(
      `INSERT INTO assets (organization_id, value, type)
       SELECT $1, n || '.' || $2, 'domain' FROM unnest(ARRAY['one', 'two']) AS n RETURNING id`,
      [tenant.id, value],
    );
    const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
      tenant.id,
      value,
    ]);
    const path = `/v1/events/${event.slug}/scope/assets/`;
    await admin.post(path, { asset_id: asset?.id, in_scope: true, wildcard: true });
    await takeTurns();
    expect((await simulated.recordStarts()) && simulated.starts).toHaveLength(3);
    const running = () =>
      query<{ id: number }>(
        `SELECT asset_id AS id FROM observations WHERE organization_id = $1 AND status = 'PENDING' ORDER BY 1`,
        [tenant.id],
      );
    expect(await running()).toHaveLength(3);
    const [one, two] = ids.map(({ id }) => id);
    expect((await admin.post(path, { asset_id: one, in_scope: false })).status).toBe(201);
    now = new Date(now.getTime() + 3_000);
    await takeTurns();
    expect((await running()).map(({ id }) => id)).toEqual([asset?.id, two].sort());
    await simulated.removeAsset(asset?.id ?? 0);
    now = new Date(now.getTime() + 3_000);
    await takeTurns();
    expect(await running()).toEqual([]);
    expect(await query('SELECT 1 FROM event_targets WHERE event_id = $1', [event.id])).toEqual([]);
  });

  it('starts the work again that was stopped with a pause', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 1);
    await takeTurns();
    await simulated.change('paused');
    // It runs again before the plan has seen the pause.
    await simulated.change('running');
    expect(await query(`SELECT state FROM work WHERE event_id = $1`, [simulated.event.id])).toEqual([
      { state: 'canceled' },
    ]);
    now = new Date(now.getTime() + 3_000);
    await takeTurns();
    const [assetId = 0] = await simulated.assets();
    expect(await query('SELECT status FROM observations WHERE asset_id = $1 ORDER BY id', [assetId])).toEqual([
      { status: 'CANCELED' },
      { status: 'PENDING' },
    ]);
    await simulated.step();
    expect(simulated.startsOf(assetId, 'job')).toHaveLength(1);
  });

  it('has at most as many jobs and observations of 1,000 assets as targets may be tested at a time', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3 }, 1);
    const [first = 0] = await simulated.assets();
    const ids = await query<{ id: number }>(
      `INSERT INTO assets (organization_id, value, type)
       SELECT a.organization_id, 'host' || n || '.' || a.value, a.type
       FROM assets a, generate_series(1, 999) n WHERE a.id = $1 RETURNING id`,
      [first],
    );
    expect(ids).toHaveLength(999);
    await takeTurns();
    const rows = await query('SELECT 1 FROM event_targets WHERE event_id = $1', [simulated.event.id]);
    expect(rows).toHaveLength(1_000);
    expect(await simulated.startedWork()).toBe(3);
    now = new Date(now.getTime() + 3_000);
    await takeTurns();
    expect(await simulated.startedWork()).toBe(3);
  });
});

describe('the unfinished jobs of an organization', () => {
  it('are 50 at most beside those of its events', async () => {
    const { tenant, admin, event } = await SimulatedEvent.begin({ event_category: 2 }, 1);
    await query(
      `INSERT INTO jobs (uuid, organization_id, event_id, url, kind)
       SELECT gen_random_uuid(), $1, $2, 'https://www.example.com/', 'job.event' FROM generate_series(1, 60)`,
      [tenant.id, event.id],
    );
    const [asset] = await query<{ value: string }>('SELECT value FROM assets WHERE organization_id = $1', [tenant.id]);
    const launched = await admin.post('/v1/jobs/launch', { url: `https://${asset?.value}/` });
    expect([launched.status, launched.text]).toEqual([201, expect.any(String)]);
  });
});

describe('the end of an event', () => {
  it('orders its report once in each format when it finishes', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, report_at_end: true }, 1);
    await simulated.step();
    await simulated.change('finished');
    now = new Date(now.getTime() + 61_000);
    await Promise.all(Array.from({ length: 5 }, () => takeTurns()));
    for (let turn = 0; turn < 3; turn += 1) {
      now = new Date(now.getTime() + 61_000);
      await takeTurns();
    }
    const { reports } = (await simulated.admin.get('/v1/reports/')).body;
    const formats = reports.map(({ options }: { options: { format: string } }) => options.format);
    expect(formats.sort()).toEqual(['json', 'pdf']);
  });

  it('stops its retests before the report', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, report_at_end: true }, 1);
    const ids = await recordFindings(simulated);
    await simulated.change('retesting');
    await takeTurns();
    await simulated.change('finished');
    for (let turn = 0; turn < 3; turn += 1) {
      now = new Date(now.getTime() + 11_000);
      await takeTurns();
    }
    expect(await retestsOf(ids)).toMatchObject([{ status: 'canceled' }]);
    expect((await simulated.admin.get('/v1/reports/')).body.reports).toHaveLength(2);
  });

  it('has its report after what still stored its results', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3, report_at_end: true }, 1);
    now = new Date(END.getTime() - 600_000);
    await takeTurns();
    await query(
      `UPDATE work SET state = 'running', attempt = 1, lease_until = now() + interval '1 hour' WHERE event_id = $1`,
      [simulated.event.id],
    );
    // By its date, which cancels nothing.
    await query(`UPDATE events SET status = 'finished' WHERE id = $1`, [simulated.event.id]);
    const counts: number[] = [];
    for (const seconds of [2, 20, 31, 42]) {
      now = new Date(END.getTime() + seconds * 1_000);
      await takeTurns();
      counts.push((await simulated.admin.get('/v1/reports/')).body.reports.length as number);
    }
    expect(counts).toEqual([0, 0, 2, 2]);
  });

  it('retests its findings from open to resolved once, when it is retesting', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 1);
    await simulated.step();
    const asset_id = (await simulated.assets())[0];
    const ids: number[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const body = { title, asset_id, severity: 'high', md: 'Text' };
      const recorded = await simulated.admin.post(`/v1/events/${simulated.event.slug}/findings/`, body);
      if (recorded.status >= 300) throw new Error(recorded.text);
      ids.push(recorded.body.id);
    }
    await query('UPDATE findings SET status = 7 WHERE id = $1', [ids[1]]);
    await simulated.change('retesting');
    for (let turn = 0; turn < 4; turn += 1) {
      now = new Date(now.getTime() + 61_000);
      await takeTurns();
    }
    const retests = await query('SELECT finding_id AS id FROM retests WHERE finding_id = ANY($1) ORDER BY id', [ids]);
    expect(retests).toEqual([{ id: ids[0] }, { id: ids[2] }]);
    const { audit_logs: refused } = (await simulated.admin.get('/v1/audit-logs/?operation=retest.start&status=failure'))
      .body;
    expect(refused).toEqual([]);
  });
});

/** A finding with a check on each asset of the event. */
async function recordFindings(simulated: SimulatedEvent): Promise<number[]> {
  const ids: number[] = [];
  for (const asset_id of await simulated.assets()) {
    const body = { title: unique('Finding'), asset_id, severity: 'high', md: 'Text' };
    const recorded = await simulated.admin.post(`/v1/events/${simulated.event.slug}/findings/`, body);
    if (recorded.status >= 300) throw new Error(recorded.text);
    ids.push(recorded.body.id);
  }
  await query(
    `UPDATE findings SET check_id = 'missing-nosniff',
       check_definition = jsonb_build_object('location', 'https://' || asset_value || '/') WHERE id = ANY($1)`,
    [ids],
  );
  return ids;
}

/** In the order of their start. */
const retestsOf = (ids: readonly number[]): Promise<{ finding: number; status: string }[]> =>
  query('SELECT finding_id AS finding, status FROM retests WHERE finding_id = ANY($1) ORDER BY id', [ids]);

async function endRetests(findingIds: readonly number[]): Promise<void> {
  await query(
    `WITH ended AS (UPDATE retests SET status = 'finished', result = 'fixed', finished = now()
       WHERE finding_id = ANY($1) AND status = 'pending' RETURNING uuid)
     UPDATE work SET state = 'done', finished = now() WHERE reference IN (SELECT uuid::text FROM ended)`,
    [findingIds],
  );
}

async function takeTurnsAt(time: string): Promise<void> {
  now = new Date(time);
  await takeTurns();
}

describe('an event that is retesting', () => {
  it('retests as many findings at a time as targets, in its windows only, and goes on in the next', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, windows: NIGHTS, parallel_targets: 2 }, 3);
    const ids = await recordFindings(simulated);
    const [one = 0, two = 0, three = 0] = ids;
    await simulated.change('retesting');
    await takeTurnsAt('2026-10-19T18:59:00Z');
    expect(await retestsOf(ids)).toEqual([]);
    await takeTurnsAt('2026-10-20T04:30:00Z');
    const started = [
      { finding: one, status: 'pending' },
      { finding: two, status: 'pending' },
    ];
    expect(await retestsOf(ids)).toEqual(started);
    await endRetests([one]);
    // Too little time is left for another one.
    await takeTurnsAt('2026-10-20T04:59:00Z');
    const finished = { finding: one, status: 'finished' };
    expect(await retestsOf(ids)).toEqual([finished, { finding: two, status: 'pending' }]);
    await takeTurnsAt('2026-10-20T04:59:45Z');
    const stopped = [finished, { finding: two, status: 'canceled' }];
    expect(await retestsOf(ids)).toEqual(stopped);
    await takeTurnsAt('2026-10-20T12:00:00Z');
    expect(await retestsOf(ids)).toEqual(stopped);
    await takeTurnsAt('2026-10-20T19:00:05Z');
    const again = [...stopped, { finding: two, status: 'pending' }, { finding: three, status: 'pending' }];
    expect(await retestsOf(ids)).toEqual(again);
    await endRetests(ids);
    await takeTurnsAt('2026-10-20T19:00:30Z');
    await takeTurnsAt('2026-10-20T19:01:30Z');
    expect(await retestsOf(ids)).toHaveLength(4);
  });

  it('neither counts nor stops a retest that a person has started since its own', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, windows: NIGHTS, parallel_targets: 1 }, 2);
    const ids = await recordFindings(simulated);
    const [one = 0, two = 0] = ids;
    await simulated.change('retesting');
    await takeTurnsAt('2026-10-20T03:00:00Z');
    await endRetests([one]);
    expect((await simulated.admin.post(`/v1/findings/${one}/retest`)).status).toBe(202);
    await takeTurnsAt('2026-10-20T03:00:10Z');
    const before = [
      { finding: one, status: 'finished' },
      { finding: one, status: 'pending' },
    ];
    expect(await retestsOf(ids)).toEqual([...before, { finding: two, status: 'pending' }]);
    await takeTurnsAt('2026-10-20T04:59:45Z');
    expect(await retestsOf(ids)).toEqual([...before, { finding: two, status: 'canceled' }]);
  });

  it('starts each retest once when twenty workers take its turns at the same time', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1, parallel_targets: 20 }, 5);
    const ids = await recordFindings(simulated);
    await simulated.change('retesting');
    await Promise.all(Array.from({ length: 20 }, () => takeTurns()));
    const retests = await retestsOf(ids);
    expect(retests.map(({ finding }) => finding)).toEqual(ids);
  });

  it('retests a finding later when the organization has no place for it', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 1);
    const [id = 0] = await recordFindings(simulated);
    const { tenant } = simulated;
    await query(
      `WITH added AS (
         INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, 'www.example.com', 'Finding', 3, 3, sha256(convert_to('fp ' || n, 'UTF8')) FROM generate_series(1, 200) n RETURNING id)
       INSERT INTO retests (uuid, organization_id, finding_id, status) SELECT gen_random_uuid(), $1, id, 'pending' FROM added`,
      [tenant.id],
    );
    await simulated.change('retesting');
    await takeTurns();
    expect(await retestsOf([id])).toEqual([]);
    await query(`UPDATE retests SET status = 'canceled', finished = now() WHERE organization_id = $1`, [tenant.id]);
    now = new Date(now.getTime() + 11_000);
    await takeTurns();
    expect(await retestsOf([id])).toEqual([{ finding: id, status: 'pending' }]);
  });

  it('retests a finding later that it may not test now, and goes on with the others meanwhile', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 1 }, 2);
    const ids = await recordFindings(simulated);
    const [one = 0, two = 0] = ids;
    const place = (location: string) =>
      query(`UPDATE findings SET check_definition = jsonb_build_object('location', $2::text) WHERE id = $1`, [
        one,
        location,
      ]);
    await place('https://nobody.example.com/');
    await simulated.change('retesting');
    await takeTurns();
    expect(await retestsOf(ids)).toEqual([{ finding: two, status: 'pending' }]);
    const [{ value } = { value: '' }] = await query<{ value: string }>(
      'SELECT asset_value AS value FROM findings WHERE id = $1',
      [one],
    );
    await place(`https://${value}/`);
    now = new Date(now.getTime() + 59 * 60_000);
    await takeTurns();
    expect(await retestsOf(ids)).toHaveLength(1);
    now = new Date(now.getTime() + 2 * 60_000);
    await takeTurns();
    expect(await retestsOf(ids)).toContainEqual({ finding: one, status: 'pending' });
  });

  it('sends nothing by itself when it is of a red team', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 2 }, 1);
    const ids = await recordFindings(simulated);
    await simulated.change('retesting');
    await takeTurns();
    expect(await retestsOf(ids)).toEqual([]);
  });
});

describe('the end of a window', () => {
  it('leaves what runs a moment to store its results, and stops what still waits', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3, windows: NIGHTS, parallel_targets: 2 }, 2);
    await takeTurnsAt('2026-10-20T04:50:00Z');
    const [observed = 0] = await simulated.assets();
    await query(
      `UPDATE work SET state = 'running', attempt = 1, lease_until = now() + interval '1 hour' WHERE id = (
         SELECT w.id FROM work w JOIN observations o ON o.uuid::text = w.reference WHERE o.asset_id = $1)`,
      [observed],
    );
    const statuses = () =>
      query('SELECT asset_id AS id, status FROM observations WHERE organization_id = $1 ORDER BY asset_id', [
        simulated.tenant.id,
      ]);
    await takeTurnsAt('2026-10-20T05:00:02Z');
    expect(await statuses()).toEqual([
      { id: observed, status: 'PENDING' },
      { id: expect.any(Number), status: 'CANCELED' },
    ]);
    await takeTurnsAt('2026-10-20T05:00:20Z');
    expect((await statuses())[0]).toEqual({ id: observed, status: 'PENDING' });
    await takeTurnsAt('2026-10-20T05:00:31Z');
    expect((await statuses())[0]).toEqual({ id: observed, status: 'CANCELED' });
  });

  it('is no failure of what it has interrupted', async () => {
    const simulated = await SimulatedEvent.begin({ event_category: 3, windows: NIGHTS, parallel_targets: 2 }, 2);
    await takeTurnsAt('2026-10-20T04:50:00Z');
    const [failed] = await simulated.assets();
    const fail = (condition: string) =>
      query(
        `UPDATE observations SET status = 'ERROR', error = 'It failed.', finished = $2
         WHERE organization_id = $1 AND asset_id ${condition} $3`,
        [simulated.tenant.id, now, failed],
      );
    await fail('=');
    await takeTurnsAt('2026-10-20T04:55:00Z');
    await fail('<>');
    await takeTurnsAt('2026-10-20T05:00:02Z');
    const states = 'SELECT state, reason FROM event_targets WHERE event_id = $1 ORDER BY asset_id';
    expect(await query(states, [simulated.event.id])).toEqual([
      { state: 'not_testable', reason: 'It failed.' },
      { state: 'waiting', reason: null },
    ]);
  });
});
