import { addDays, dayOf } from '../../src/kernel/day';
import { MembersSite, PASSWORD, USER } from '../../src/engine/testing/members-site';
import { AccountNotices } from '../../src/modules/notifications/work/account-notices';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { runsOf } from '../support/schedules';

let site: MembersSite;
beforeAll(async () => {
  site = await MembersSite.start();
});
afterAll(() => site.stop());

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${site.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
useWorker(settings);
const portal = usePortal(api);
const make = new Factories(api);

beforeEach(() => site.living.clear());
afterEach(() => query("UPDATE schedules SET status = 'paused', next_due = NULL"));

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly assetId: number;
  /** Of the account. */
  readonly id: number;
  readonly account: string;
}

async function fixture(stated: object = {}): Promise<Fixture> {
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: `${site.origin}/`, type: 'url' });
  const { body: asset } = await admin.patch(`/v1/assets/${assetId}`, { active_tests: 'read_only' });
  const answer = site.answer;
  site.answer = (request) => (request.path === asset.proof_file.path ? `${asset.proof_file.body}\n` : answer(request));
  const created = await admin.post(`/v1/assets/${assetId}/accounts/`, {
    name: 'customer A',
    role: 'customer',
    origins: [site.origin],
    secrets: { password: PASSWORD },
    sign_in: { kind: 'form', page: `${site.origin}/login`, user_name: USER },
    ...stated,
  });
  if (created.status !== 201) throw new Error(created.text);
  const account = `/v1/assets/${assetId}/accounts/${created.body.id}`;
  const proof = { url: `${site.origin}/account`, text: 'Sign out', only: 'in' };
  expect((await admin.patch(account, { proof, signed_in_tests: true })).status).toBe(200);
  return { tenant, admin, assetId, id: created.body.id, account };
}

const scan = (accounts: readonly number[]) => ({
  name: 'Every night',
  what: 'job',
  on: 'all',
  every_hours: 24,
  checks: ['missing-nosniff'],
  accounts,
});

const saveSchedule = ({ admin, tenant }: Fixture, body: object) =>
  admin.post(`/v1/organizations/${tenant.id}/schedules`, body);

/** Of its newest run, when that has ended. */
async function run(scheduleId: number) {
  await query('UPDATE schedules SET next_due = now() WHERE id = $1', [scheduleId]);
  const before = (await runsOf(scheduleId)).length;
  let last: Awaited<ReturnType<typeof runsOf>>[number] | undefined;
  await eventually(async () => {
    last = (await runsOf(scheduleId))[before];
    expect(last?.status).toMatch(/^(?:finished|partial|failed)$/);
  }, 90_000);
  return last;
}

const lanesOf = ({ tenant }: Fixture) =>
  query<{ status: string; lanes: { account: { id: number } | null; isProved: boolean }[] }>(
    'SELECT status, lanes FROM jobs WHERE organization_id = $1 ORDER BY id',
    [tenant.id],
  );

async function noticesOf({ tenant }: Fixture, client: Client) {
  const { inbox } = (await client.get(`/v1/organizations/${tenant.id}/inbox`)).body;
  return (inbox as { kind: string }[]).filter(({ kind }) => kind === 'account');
}

describe('a schedule with accounts', () => {
  it('runs its jobs signed in, and notifies the admins when an account is not proved', async () => {
    const own = await fixture();
    const { admin, tenant, account, id } = own;
    const { client: member } = await tenant.as('member');
    const created = await saveSchedule(own, scan([id]));
    expect([created.status, created.body.accounts]).toEqual([201, [id]]);
    expect(await run(created.body.id)).toMatchObject({ status: 'finished', results: { finished: 1 } });
    expect(await lanesOf(own)).toMatchObject([
      { status: 'FINISHED', lanes: [{ account: null }, { account: { id }, isProved: true }] },
    ]);
    expect(await noticesOf(own, admin)).toEqual([]);
    await admin.patch(account, { secrets: { password: 'not the password' } });
    expect(await run(created.body.id)).toMatchObject({
      results: { error: 1 },
      obstacles: [{ reason: expect.stringMatching(/^Not proved to be signed in as customer A: /), parts: 1 }],
    });
    await eventually(async () => {
      expect(await noticesOf(own, admin)).toMatchObject([
        { news: expect.stringMatching(/not proved/), record_type: 'asset', title: 'Account customer A' },
      ]);
    }, 30_000);
    expect(await noticesOf(own, member)).toEqual([]);
    // The account is stopped now.
    expect(await run(created.body.id)).toMatchObject({
      obstacles: [{ reason: expect.stringMatching(/customer A is stopped/) }],
    });
    expect(await lanesOf(own)).toHaveLength(2);
    const paused = await admin.patch(`/v1/organizations/${tenant.id}/schedules/${created.body.id}`, {
      status: 'paused',
    });
    expect([paused.status, paused.body.accounts]).toEqual([200, [id]]);
  });

  it('is refused where its maker could not launch with them', async () => {
    const own = await fixture();
    const other = await fixture();
    const { admin, account, id } = own;
    const answerTo = async (body: object) => {
      const { status, body: answer } = await saveSchedule(own, body);
      return [status, answer.description];
    };
    expect(await answerTo(scan([other.id]))).toEqual([422, expect.stringMatching(/no such account/)]);
    expect(await answerTo({ ...scan([id]), what: 'retest', checks: null })).toEqual([
      400,
      expect.stringMatching(/accounts must be null/),
    ]);
    await admin.patch(account, { signed_in_tests: false });
    expect(await answerTo(scan([id]))).toEqual([422, expect.stringMatching(/Signed-in tests are off/)]);
    await admin.patch(account, { signed_in_tests: true, launch_role: 'owner' });
    expect(await answerTo(scan([id]))).toEqual([403, expect.stringMatching(/needs the role owner/)]);
    const { body } = await saveSchedule(own, scan([]));
    expect(
      (await admin.patch(`/v1/organizations/${own.tenant.id}/schedules/${body.id}`, { accounts: [id] })).status,
    ).toBe(403);
  });

  it('checks the role of its maker and the account again at each run', async () => {
    const own = await fixture();
    const { admin, account, id } = own;
    const { body } = await saveSchedule(own, scan([id]));
    await admin.patch(account, { launch_role: 'owner' });
    expect(await run(body.id)).toMatchObject({
      obstacles: [{ reason: expect.stringMatching(/needs the role owner/) }],
    });
    await admin.delete(account);
    expect(await run(body.id)).toMatchObject({ obstacles: [{ reason: expect.stringMatching(/no such account/) }] });
    expect(await lanesOf(own)).toEqual([]);
  });

  it('uses the accounts of each asset, and tests the others without', async () => {
    const own = await fixture();
    await make.asset(own.tenant.id, { value: `${site.origin.replace('127.0.0.1', 'localhost')}/`, type: 'url' });
    const { body } = await saveSchedule(own, scan([own.id]));
    await run(body.id);
    const jobs = await query<{ url: string; accounts: object[] | null }>(
      'SELECT url, accounts FROM jobs WHERE organization_id = $1 ORDER BY url',
      [own.tenant.id],
    );
    expect(jobs).toContainEqual({ url: `${site.origin}/`, accounts: [{ id: own.id, name: 'customer A' }] });
    expect(
      jobs.filter(({ url }) => url.includes('localhost')).map(({ accounts }) => accounts ?? []),
    ).not.toContainEqual([expect.anything()]);
  });

  it('is saved with them by the form of the portal, which keeps one that may not be used now', async () => {
    const own = await fixture();
    const { body } = await saveSchedule(own, scan([own.id]));
    const browser = await signedInAs(api, portal, await own.tenant.as('admin'));
    const page = `/o/${own.tenant.id}/schedules/${body.id}`;
    expect((await browser.get(page)).text).toMatch(/checked[^>]*\/?>\s*<span>customer A/);
    await own.admin.patch(own.account, { signed_in_tests: false });
    const form = { name: 'Other', what: 'job', on: 'all', when: 'hours', every_hours: '24' };
    expect((await browser.submit(page, page, { ...form, accounts: String(own.id) })).status).toBe(303);
    const one = `/v1/organizations/${own.tenant.id}/schedules/${body.id}`;
    expect((await own.admin.get(one)).body).toMatchObject({ name: 'Other', accounts: [own.id] });
    expect((await browser.submit(page, page, { ...form, accounts: '' })).status).toBe(303);
    expect((await own.admin.get(one)).body.accounts).toEqual([]);
  });
});

describe('a machine event with accounts', () => {
  async function startEvent({ admin, tenant, assetId }: Fixture, accounts: readonly number[]) {
    const draft = { name: unique('Event'), event_type: 1, event_category: 3, accounts };
    const created = await admin.post(`/v1/organizations/${tenant.id}/events/`, draft);
    if (created.status !== 201) throw new Error(created.text);
    await admin.post(`/v1/events/${created.body.slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    return created.body;
  }

  const endEvent = ({ admin }: Fixture, { slug }: { slug: string }) =>
    admin.post(`/v1/events/${slug}/status`, { status: 'canceled' });

  it('runs its jobs signed in, and refuses a target whose account may not be used', async () => {
    const own = await fixture();
    const event = await startEvent(own, [own.id]);
    expect(event).toMatchObject({
      accounts: [own.id],
      sends: expect.stringContaining('also signed in with 1 account;'),
    });
    await eventually(async () => {
      expect(await lanesOf(own)).toMatchObject([
        { status: 'FINISHED', lanes: [{ account: null }, { account: { id: own.id }, isProved: true }] },
      ]);
    }, 120_000);
    const targets = () => query<{ state: string }>('SELECT state FROM event_targets WHERE event_id = $1', [event.id]);
    await eventually(async () => expect(await targets()).toEqual([{ state: 'done' }, { state: 'done' }]), 30_000);
    const progress = async () => (await own.admin.get(`/v1/events/${event.slug}/progress`)).body;
    expect((await progress()).unmatched_accounts).toEqual([]);
    await query("UPDATE asset_accounts SET origins = '{https://elsewhere.example.com:443}' WHERE id = $1", [own.id]);
    expect((await progress()).unmatched_accounts).toEqual(['customer A']);
    const browser = await signedInAs(api, portal, await own.tenant.as('viewer'));
    expect((await browser.get(`/o/${own.tenant.id}/events/${event.slug}`)).text).toMatch(
      /Nothing is tested as <span dir="auto">customer A</,
    );
    await query('UPDATE asset_accounts SET origins = ARRAY[$2] WHERE id = $1', [own.id, site.origin]);
    await own.admin.patch(own.account, { launch_role: 'owner' });
    await query('UPDATE event_targets SET due_at = now() WHERE event_id = $1 AND origin IS NOT NULL', [event.id]);
    await query('UPDATE event_plans SET next_turn = now() WHERE event_id = $1', [event.id]);
    await eventually(async () => {
      const { not_testable: refused } = (await own.admin.get(`/v1/events/${event.slug}/progress`)).body;
      expect(JSON.stringify(refused)).toMatch(/needs the role owner/);
    }, 90_000);
    expect(await lanesOf(own)).toHaveLength(1);
    await endEvent(own, event);
  });

  it('is refused where the admin could not launch with them, and in human events', async () => {
    const own = await fixture({ launch_role: 'owner' });
    const { admin, tenant, id } = own;
    const events = `/v1/organizations/${tenant.id}/events/`;
    const machine = { name: 'An event', event_type: 1, event_category: 1, status: 'draft' };
    expect((await admin.post(events, { ...machine, accounts: [id] })).status).toBe(403);
    const { body: event } = await admin.post(events, machine);
    expect(event.accounts).toEqual([]);
    expect((await admin.patch(`/v1/events/${event.slug}`, { accounts: [id] })).status).toBe(403);
    await admin.patch(own.account, { launch_role: 'admin' });
    expect((await admin.patch(`/v1/events/${event.slug}`, { accounts: [id] })).body.accounts).toEqual([id]);
    const human = { name: 'An event', event_type: 2, event_category: 1, end_date: '2099-01-01T00:00:00Z' };
    const refused = await admin.post(events, { ...human, accounts: [id] });
    expect([refused.status, refused.body.description]).toEqual([
      422,
      expect.stringMatching(/^accounts is for machine/),
    ]);
  });
});

describe('the last day of a cookie', () => {
  const cookie = { sign_in: { kind: 'cookie' }, secrets: { value: 'sid=0123456789' } };
  const day = addDays(dayOf(new Date()), 7);
  const notify = () => api.app.get(AccountNotices, { strict: false }).run();

  it('is announced to the admins once, seven days before', async () => {
    const own = await fixture({ ...cookie, expires: addDays(day, 1) });
    const { client: member } = await own.tenant.as('member');
    await notify();
    expect(await noticesOf(own, own.admin)).toEqual([]);
    expect((await own.admin.patch(own.account, { expires: day })).body.expires).toBe(day);
    await notify();
    await notify();
    expect(await noticesOf(own, own.admin)).toMatchObject([
      { news: `Its header or cookie ends on ${day}: replace it`, title: 'Account customer A' },
    ]);
    expect(await noticesOf(own, member)).toEqual([]);
  });

  it('applies only to cookies and headers', async () => {
    const own = await fixture();
    const refused = await own.admin.patch(own.account, { expires: day });
    expect([refused.status, refused.body.description]).toEqual([400, expect.stringMatching(/expires is for/)]);
  });
});
