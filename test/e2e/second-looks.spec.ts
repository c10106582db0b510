import type { Finding } from '../../src/modules/findings';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
});

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly finding: Finding;
  readonly path: string;
}

async function createFinding(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const asset = { id, value: site.url, tier: null };
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
  const finding = await make.finding(tenant.id, { asset, ...check });
  return { tenant, client, finding, path: `/v1/findings/${finding.id}/retest` };
}

/** A running event that has the finding and its asset. */
async function addToEvent({ tenant, finding }: Fixture, eventType: number): Promise<string> {
  const { id, slug } = await make.event(tenant.id, {
    status: 'running',
    event_type: eventType,
    end_date: '3000-01-01',
  });
  await query(
    `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
     SELECT $1, id, organization_id, severity, priority FROM findings WHERE id = $2 AND organization_id = $3`,
    [id, finding.id, tenant.id],
  );
  await query(
    `INSERT INTO event_scope (event_id, asset_id, organization_id)
     SELECT $1, id, organization_id FROM assets WHERE organization_id = $2`,
    [id, tenant.id],
  );
  return slug;
}

async function retest({ client, path }: Fixture, state: VulnerableSite['state'], inEvent = path) {
  site.state = state;
  expect((await client.post(inEvent)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  return (await client.get(path)).body;
}

/** A finding that a retest has seen, and the next one has found fixed. */
async function createFixed(): Promise<Fixture> {
  const fixture = await createFinding();
  await retest(fixture, 'vulnerable');
  expect(await retest(fixture, 'fixed')).toMatchObject({ result: 'fixed' });
  return fixture;
}

const looksOf = ({ tenant }: Fixture) =>
  query<{ state: string; hours: number }>(
    `SELECT state, round(extract(epoch FROM run_at - now()) / 3600)::int AS hours FROM work
     WHERE kind = 'retest.second_look' AND organization_id = $1 ORDER BY id`,
    [tenant.id],
  );

/** As if the hours were over. */
const letLooksBegin = ({ tenant }: Fixture) =>
  query(`UPDATE work SET run_at = now() WHERE kind = 'retest.second_look' AND organization_id = $1`, [tenant.id]);

const lookOf = async ({ client, path }: Fixture) => (await client.get(path)).body.second_look;

const statusOf = async ({ client, finding }: Fixture): Promise<number> =>
  (await client.get(`/v1/findings/${finding.id}/`)).body.findings[0].status;

async function lookAgain(fixture: Fixture): Promise<void> {
  await letLooksBegin(fixture);
  await eventually(async () => expect((await looksOf(fixture)).some(({ state }) => state === 'done')).toBe(true));
}

describe('the second look at a fixed finding', () => {
  it('confirms the fix, and the retest says when', async () => {
    const fixture = await createFixed();
    const { client, path } = fixture;
    const first = (await client.get(path)).body;
    expect(first.second_look).toEqual({ due: expect.any(String), finished: null, result: null, reason: null });
    expect(await looksOf(fixture)).toEqual([{ state: 'waiting', hours: 6 }]);
    await lookAgain(fixture);
    const after = (await client.get(path)).body;
    expect(after).toMatchObject({ uuid: first.uuid, result: 'fixed', finished: first.finished });
    expect(after.second_look).toMatchObject({ due: null, finished: expect.any(String), result: 'fixed' });
    expect(await statusOf(fixture)).toBe(5);
    expect(await looksOf(fixture)).toHaveLength(1);
  });

  it('reopens the finding when it sees the weakness, as a retest of its own', async () => {
    const fixture = await createFixed();
    const { client, path, finding } = fixture;
    const first = (await client.get(path)).body;
    site.state = 'vulnerable';
    await lookAgain(fixture);
    expect(await statusOf(fixture)).toBe(1);
    const last = (await client.get(path)).body;
    expect(last).toMatchObject({ status: 'finished', result: 'still_vulnerable', second_look: null });
    expect(last.uuid).not.toBe(first.uuid);
    expect(last.reason).toContain(`The retest ${first.uuid} was fixed, and a second look found`);
    const { evidence } = (await client.get(`${path}/evidence`)).body;
    expect(evidence).toMatchObject({ subject: { retest: last.uuid } });
    const { history } = (await client.get(`/v1/findings/${finding.id}/history`)).body;
    expect(history[0]).toMatchObject({ status: 1, previous_status: 5, actor: { type: 'system' } });
  });

  it('is tried once more when it cannot decide, and changes nothing', async () => {
    const fixture = await createFixed();
    site.state = 'unavailable';
    await lookAgain(fixture);
    expect(await lookOf(fixture)).toMatchObject({ due: expect.any(String), result: 'inconclusive' });
    expect(await looksOf(fixture)).toMatchObject([{ state: 'done' }, { state: 'waiting', hours: 6 }]);
    await letLooksBegin(fixture);
    await eventually(async () => expect(await lookOf(fixture)).toMatchObject({ due: null, result: 'inconclusive' }));
    expect(await looksOf(fixture)).toHaveLength(2);
    expect(await statusOf(fixture)).toBe(5);
  });

  it('is dropped by a retest that decides', async () => {
    const fixture = await createFixed();
    await retest(fixture, 'vulnerable');
    await query('UPDATE findings SET status = 5 WHERE id = $1', [fixture.finding.id]);
    await lookAgain(fixture);
    expect(await looksOf(fixture)).toMatchObject([{ state: 'done' }]);
    expect((await fixture.client.get(fixture.path)).body.result).toBe('still_vulnerable');
  });

  it('is dropped neither by a retest that is canceled nor by one that cannot decide', async () => {
    const fixture = await createFixed();
    const { client, path } = fixture;
    const first = (await client.get(path)).body;
    expect(await retest(fixture, 'unavailable')).not.toMatchObject({ result: 'fixed' });
    expect((await client.post(path)).status).toBe(202);
    await client.post(`${path}/cancel`);
    site.state = 'vulnerable';
    await lookAgain(fixture);
    expect(await statusOf(fixture)).toBe(1);
    expect((await client.get(path)).body.reason).toContain(
      `The retest ${first.uuid} was fixed, and a second look found`,
    );
  });

  it('is dropped by a new status', async () => {
    const fixture = await createFixed();
    const { client, finding } = fixture;
    for (const status of [1, 5]) {
      expect((await client.post(`/v1/findings/${finding.id}/status/`, { status })).status).toBe(200);
    }
    site.state = 'vulnerable';
    await lookAgain(fixture);
    expect(await lookOf(fixture)).toMatchObject({
      due: null,
      result: null,
      reason: expect.stringContaining('changed'),
    });
    expect(await statusOf(fixture)).toBe(5);
  });

  it('asks the launch rule again', async () => {
    const fixture = await createFixed();
    await query('DELETE FROM assets WHERE organization_id = $1', [fixture.tenant.id]);
    await lookAgain(fixture);
    expect(await lookOf(fixture)).toMatchObject({ due: null, result: null });
    expect(await statusOf(fixture)).toBe(5);
  });

  it.each(['paused', 'finished'])('sends nothing while its event is %s, and says so', async (status) => {
    const fixture = await createFinding();
    const { client, path, finding } = fixture;
    const slug = await addToEvent(fixture, 1);
    const inEvent = `/v1/events/${slug}/findings/${finding.id}/retest`;
    await retest(fixture, 'vulnerable', inEvent);
    const first = await retest(fixture, 'fixed', inEvent);
    site.state = 'vulnerable';
    expect((await client.post(`/v1/events/${slug}/status`, { status })).status).toBe(200);
    await lookAgain(fixture);
    const after = (await client.get(path)).body;
    expect(after).toMatchObject({ uuid: first.uuid, result: 'fixed' });
    expect(after.second_look).toMatchObject({ due: null, result: null, reason: expect.stringContaining('event') });
    expect(await statusOf(fixture)).toBe(5);
  });

  it('is dropped with its finding', async () => {
    const fixture = await createFixed();
    const { finding } = fixture;
    await query('DELETE FROM findings WHERE id = $1', [finding.id]);
    site.state = 'vulnerable';
    const requests = site.requestCount;
    await lookAgain(fixture);
    expect(site.requestCount).toBe(requests);
    expect(await query('SELECT 1 FROM retests WHERE finding_id = $1', [finding.id])).toEqual([]);
  });

  it('follows no verdict by hand', async () => {
    const fixture = await createFixed();
    const { client, path, finding } = fixture;
    await query('UPDATE findings SET check_id = NULL, check_definition = NULL WHERE id = $1', [finding.id]);
    await client.post(path);
    await client.post(`${path}/verdict`, { result: 'fixed' });
    expect(await lookOf(fixture)).toBeNull();
    expect(await looksOf(fixture)).toHaveLength(1);
  });

  it('of another tenant is not seen', async () => {
    const fixture = await createFixed();
    const { client } = await (await make.organization()).as('admin');
    expect((await client.get(fixture.path)).status).toBe(404);
    const setting = `/v1/organizations/${fixture.tenant.id}/settings/second-look`;
    expect((await client.put(setting, { hours: null })).status).toBe(404);
  });
});

describe('the setting of second looks', () => {
  const settingOf = ({ tenant }: Fixture) => `/v1/organizations/${tenant.id}/settings/second-look`;

  it('has hours of its own, and can be turned off', async () => {
    const fixture = await createFinding();
    const { client } = fixture;
    expect((await client.get(settingOf(fixture))).body).toEqual({ hours: 6 });
    expect((await client.put(settingOf(fixture), { hours: 12 })).body).toEqual({ hours: 12 });
    await retest(fixture, 'vulnerable');
    await retest(fixture, 'fixed');
    expect(await looksOf(fixture)).toEqual([{ state: 'waiting', hours: 12 }]);
    expect((await client.put(settingOf(fixture), { hours: null })).body).toEqual({ hours: null });
    await retest(fixture, 'fixed');
    expect(await looksOf(fixture)).toHaveLength(1);
    expect(await lookOf(fixture)).toBeNull();
  });

  it.each([0, 169, 1.5, 'six'])('is not %s hours', async (hours) => {
    const fixture = await createFinding();
    expect((await fixture.client.put(settingOf(fixture), { hours })).status).toBe(400);
  });

  it('is off for organizations that existed before the upgrade', async () => {
    const fixture = await createFinding();
    const [column] = await query<{ is_nullable: string; column_default: string }>(
      `SELECT is_nullable, column_default FROM information_schema.columns
       WHERE table_name = 'organizations' AND column_name = 'second_look_hours'`,
    );
    // Added without a default, which was set afterwards.
    expect(column).toEqual({ is_nullable: 'YES', column_default: '6' });
    await query('UPDATE organizations SET second_look_hours = NULL WHERE id = $1', [fixture.tenant.id]);
    await retest(fixture, 'vulnerable');
    await retest(fixture, 'fixed');
    expect(await looksOf(fixture)).toEqual([]);
  });

  it.each([
    ['machine', 1, 1],
    ['human', 2, 0],
  ] as const)(
    'applies to a %s event as its type says, until an admin changes it there',
    async (_name, eventType, looks) => {
      const fixture = await createFinding();
      const { client, finding } = fixture;
      const slug = await addToEvent(fixture, eventType);
      const inEvent = `/v1/events/${slug}/findings/${finding.id}/retest`;
      await retest(fixture, 'vulnerable', inEvent);
      await retest(fixture, 'fixed', inEvent);
      expect(await looksOf(fixture)).toHaveLength(looks);
      const changed = await client.put(`/v1/events/${slug}/second-look`, { enabled: looks === 0 });
      expect([changed.status, changed.body.second_look]).toEqual([200, looks === 0]);
      await retest(fixture, 'fixed', inEvent);
      expect(await looksOf(fixture)).toHaveLength(1);
      expect((await client.get(inEvent)).body.second_look === null).toBe(looks === 1);
    },
  );
});
