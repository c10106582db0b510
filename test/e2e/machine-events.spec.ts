import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());
beforeEach(() => {
  target.site = {
    pages: {
      '/.git/HEAD': { headers: { 'content-type': 'text/plain' }, body: 'ref: refs/heads/main\n' },
      '/.git/config': { headers: { 'content-type': 'text/plain' }, body: '[core]\n\trepositoryformatversion = 0\n' },
    },
  };
  target.disturb = () => false;
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly assetId: number;
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { id: assetId } = await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
  return { tenant, admin: (await tenant.as('admin')).client, assetId };
}

/** A machine event that runs, with the asset in its scope. */
async function startEvent({ tenant, admin, assetId }: Fixture, draft: object = {}): Promise<Answer['body']> {
  const body = { name: unique('Event'), event_type: 1, event_category: 1, ...draft };
  const created = await admin.post(`/v1/organizations/${tenant.id}/events/`, body);
  if (created.status !== 201) throw new Error(created.text);
  const added = await admin.post(`/v1/events/${created.body.slug}/scope/assets/`, {
    asset_id: assetId,
    in_scope: true,
  });
  if (added.status !== 201) throw new Error(added.text);
  return created.body;
}

const targetsOf = ({ id }: { id: number }) =>
  query<{ origin: string | null; state: string; reason: string | null; runs: number }>(
    'SELECT origin, state, reason, runs FROM event_targets WHERE event_id = $1 ORDER BY id',
    [id],
  );

const origin = (): string => `https://127.0.0.1:${target.port}/`;

describe('a running machine event', () => {
  it('observes its scope, tests the web origins there, and records what it finds', async () => {
    const fixture = await createFixture();
    const event = await startEvent(fixture);
    expect(event).toMatchObject({ automatic: true, sends: expect.stringContaining('every asset in its scope') });
    await eventually(
      async () =>
        expect(await targetsOf(event)).toEqual([
          { origin: null, state: 'done', reason: null, runs: 1 },
          { origin: origin(), state: 'done', reason: null, runs: 1 },
        ]),
      90_000,
    );
    const { findings } = (await fixture.admin.get(`/v1/events/${event.slug}/findings/`)).body;
    expect(findings.map(({ title }: { title: string }) => title)).toContain('A Git repository is public');
    const jobs = await query<{ kind: string; requests: number }>(
      'SELECT kind, requests FROM jobs WHERE event_id = $1',
      [event.id],
    );
    expect(jobs).toEqual([{ kind: 'job.event', requests: expect.any(Number) }]);
    expect(jobs[0]?.requests).toBeGreaterThan(50);
  });

  it('sends nothing outside of its windows, and says when it goes on', async () => {
    const fixture = await createFixture();
    const hour = new Date().getUTCHours();
    const windows = [
      `Mo-Su ${String((hour + 6) % 24).padStart(2, '0')}:00-${String((hour + 8) % 24).padStart(2, '0')}:00 UTC`,
    ];
    const event = await startEvent(fixture, { windows });
    const turns = () => query<{ next_turn: Date }>('SELECT next_turn FROM event_plans WHERE event_id = $1', [event.id]);
    await eventually(async () => expect(await turns()).toHaveLength(1), 30_000);
    const [first] = await turns();
    await query('UPDATE event_plans SET next_turn = now() WHERE event_id = $1', [event.id]);
    await eventually(
      async () => expect((await turns())[0]?.next_turn.getTime()).toBeGreaterThan(Date.now() + 20_000),
      30_000,
    );
    expect(first).toBeDefined();
    expect(await targetsOf(event)).toEqual([]);
    const { body } = await fixture.admin.get(`/v1/events/${event.slug}/progress`);
    expect(body).toMatchObject({ assets: { waiting: 1, never_tested: 1 }, origins: { done: 0 }, days: [] });
    expect(new Date(body.next_run).getUTCHours()).toBe((hour + 6) % 24);
    expect(body.capacity.text).toContain('2 available a day');
  });

  it('lists what it may not test, with the reason', async () => {
    const fixture = await createFixture();
    await query('UPDATE assets SET observe = false WHERE id = $1', [fixture.assetId]);
    const event = await startEvent(fixture);
    await eventually(async () => {
      const { body } = await fixture.admin.get(`/v1/events/${event.slug}/progress`);
      expect(body).toMatchObject({
        assets: { not_testable: 1 },
        not_testable: [{ asset_id: fixture.assetId, origin: null, reason: expect.stringContaining('turned off') }],
      });
    }, 60_000);
  });

  it('stops when it is paused, and when the asset leaves the scope', async () => {
    const fixture = await createFixture();
    const event = await startEvent(fixture);
    await eventually(async () => expect((await targetsOf(event))[0]?.state).toBe('running'), 60_000);
    await fixture.admin.post(`/v1/events/${event.slug}/status`, { status: 'paused' });
    const unfinished = () =>
      query(`SELECT 1 FROM work WHERE event_id = $1 AND state IN ('waiting', 'running')`, [event.id]);
    await eventually(async () => expect(await unfinished()).toEqual([]), 30_000);
    await eventually(
      async () => expect((await targetsOf(event)).some(({ state }) => state === 'running')).toBe(false),
      60_000,
    );
    await fixture.admin.delete(`/v1/events/${event.slug}/scope/assets/${fixture.assetId}`);
    await fixture.admin.post(`/v1/events/${event.slug}/status`, { status: 'running' });
    await query('UPDATE event_plans SET scope_read = NULL, next_turn = now() WHERE event_id = $1', [event.id]);
    await eventually(async () => expect(await targetsOf(event)).toEqual([]), 60_000);
  });

  it('is for machine events only', async () => {
    const fixture = await createFixture();
    const path = `/v1/organizations/${fixture.tenant.id}/events/`;
    const body = { name: unique('Event'), event_type: 2, event_category: 1, end_date: '2999-01-01' };
    const refused = await fixture.admin.post(path, { ...body, automatic: true });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('automatic is for machine events')]);
    const created = await fixture.admin.post(path, body);
    expect(created.body).toMatchObject({ automatic: false, sends: null });
  });
});
