import { Logger } from '@nestjs/common';
import { MembersSite, PASSWORD, USER } from '../../src/engine/testing/members-site';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { launchJob, runJob, waitForJob } from '../support/jobs';

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
  WORKER_SLOTS: 'job.active=1,retest.run=1',
};

const api = useApi(settings);
useWorker(settings);
const portal = usePortal(api);
const make = new Factories(api);

const ACTIVE = { depth: 'active', checks: ['reflected-input'], accounts: ['customer A'] };

const logged: string[] = [];
for (const level of ['debug', 'log', 'warn', 'error'] as const)
  jest
    .spyOn(Logger.prototype, level)
    .mockImplementation((...all: unknown[]) => void logged.push(all.map(String).join(' ')));

let isFixed = false;
/** What the application does with its sessions before it answers. */
let before: (path: string) => void = () => {};
const files = new Map<string, string>();

const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (text: string): string => `<!doctype html><title>A shop</title><h1>A shop</h1>${text}`;

/** The search of orders, which only customers reach, writes what it is given into its page. */
beforeEach(() => {
  isFixed = false;
  site.isBlind = false;
  before = () => {};
  site.living.clear();
  site.received.length = 0;
  site.answer = ({ path, session }) => {
    const { pathname, searchParams } = new URL(path, site.origin);
    before(path);
    const file = files.get(pathname);
    if (file !== undefined) return file;
    if (pathname === '/' && !site.isBlind)
      return page(
        session === null
          ? '<a href="/login">Sign in</a>'
          : `<input type="hidden" name="csrf" value="${site.issue()}"><a href="/orders?q=tea">Orders</a> <a href="/logout">Sign out</a>`,
      );
    if (pathname !== '/orders' || session === null || !site.living.has(session)) return null;
    const q = searchParams.get('q') ?? '';
    const csrf = site.issue();
    return page(
      `<a href="/logout">Sign out</a><p>No orders of ${isFixed ? escaped(q) : q} in ${csrf} of ${session}</p><input type="hidden" name="csrf" value="${csrf}">`,
    );
  };
});

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly url: string;
  readonly account: string;
}

async function createAccount(password = PASSWORD): Promise<Fixture> {
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const url = `${site.origin}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const { body: asset } = await admin.patch(`/v1/assets/${id}`, { active_tests: 'read_only' });
  files.set(asset.proof_file.path, `${asset.proof_file.body}\n`);
  const created = await admin.post(`/v1/assets/${id}/accounts/`, {
    name: 'customer A',
    role: 'customer',
    origins: [site.origin],
    secrets: { password },
    sign_in: { kind: 'form', page: `${site.origin}/login`, user_name: USER },
  });
  expect(created.status).toBe(201);
  return { tenant, admin, url, account: `/v1/assets/${id}/accounts/${created.body.id}` };
}

/** With the proof that the sign-in proposes first, and the consent. */
async function createProvedAccount(): Promise<Fixture> {
  const fixture = await createAccount();
  const { report } = await signIn(fixture);
  const proof = report.proposals[0]?.proof;
  expect((await fixture.admin.patch(fixture.account, { proof, signed_in_tests: true })).status).toBe(200);
  return fixture;
}

async function signIn({ admin, account }: Fixture) {
  expect((await admin.post(`${account}/sign-in`)).status).toBe(202);
  let last = null;
  await eventually(async () => {
    last = (await admin.get(account)).body.last_sign_in;
    expect(last).toMatchObject({ status: expect.stringMatching(/^(?:FINISHED|ERROR)$/) });
  }, 30_000);
  return last as unknown as {
    status: string;
    error: string | null;
    report: { result: string; reason: string; steps: object[]; proposals: { proof: object }[] };
  };
}

/** As texts and bytes of the database may have it. */
const spellingsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  escaped(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('hex'),
  // Whole groups, which do not depend on what follows.
  Buffer.from(secret)
    .toString('base64')
    .slice(0, Math.floor(Buffer.byteLength(secret) / 3) * 4),
];

const idOf = (account: string): number => Number(account.split('/').at(-1));

const checkDefinitionOf = async (id: number): Promise<object | undefined> => {
  const [row] = await query<{ definition: object }>(
    'SELECT check_definition AS definition FROM findings WHERE id = $1',
    [id],
  );
  return row?.definition;
};

const findingsOf = async ({ admin, tenant }: Fixture) =>
  (await admin.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings.filter(
    ({ title }: { title: string }) => /Reflected XSS/.test(title),
  );

async function retest({ admin }: Fixture, id: number) {
  expect((await admin.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  let result = { result: null as string | null, reason: '' };
  await eventually(async () => {
    result = (await admin.get(`/v1/findings/${id}/retest`)).body;
    expect(result.result).not.toBeNull();
  }, 60_000);
  return result;
}

describe('a sign-in that an admin asks for', () => {
  it('shows its steps and proposes a proof, without a secret', async () => {
    const fixture = await createAccount();
    const last = await signIn(fixture);
    expect(last).toMatchObject({ status: 'FINISHED', error: null, report: { result: 'signed_in' } });
    expect(last.report.proposals[0]?.proof).toMatchObject({ text: 'Sign out', only: 'in' });
    expect(last.report.steps).toHaveLength(3);
    const shown = JSON.stringify(last);
    expect([PASSWORD, ...site.issued].filter((secret) => shown.includes(secret))).toEqual([]);
    expect(last.report).toHaveProperty('pages_in');
    const { client: viewer } = await fixture.tenant.as('viewer');
    const { report } = (await viewer.get(fixture.account)).body.last_sign_in;
    expect(report).toMatchObject({ result: 'signed_in' });
    expect(report).not.toHaveProperty('pages_in');
    expect(report).not.toHaveProperty('pages_out');
  });
});

describe('a job with an account', () => {
  it('finds a weakness behind the sign-in, and its retest with that account sees the repair', async () => {
    const fixture = await createProvedAccount();
    const { admin, url, account } = fixture;
    const uuid = await runJob(admin, url, ACTIVE);
    const { job } = (await admin.get(`/v1/jobs/${uuid}`)).body;
    expect(job.lanes).toMatchObject([
      { account: null, proved: true },
      { account: 'customer A', proved: true, reason: null },
    ]);
    const [found, ...others] = await findingsOf(fixture);
    expect([found?.status, others]).toEqual([1, []]);
    expect(await checkDefinitionOf(found.id)).toEqual({ location: `${url}orders?q`, account: idOf(account) });
    const browser = await signedInAs(api, portal, await fixture.tenant.as('viewer'));
    const { text: shown } = await browser.get(`/o/${fixture.tenant.id}/findings/${found.id}`);
    expect(shown).toMatch(/Seen as(?:<[^>]*>)+customer A/);
    expect(found.md).toMatch(/curl .* --header "\$SESSION" /);
    const requests: string = (await admin.get(`/v1/jobs/${uuid}/requests`)).text;
    expect(requests).toMatch(new RegExp(`/orders\\?q=\\S+\\t200\\t\\d+\\tas account ${idOf(account)}\n`));
    const { points } = (await admin.get(`/v1/jobs/${uuid}/points?per_page=100&tested=true`)).body;
    expect(points).toContainEqual(expect.objectContaining({ name: 'q', account_id: idOf(account) }));
    expect((await admin.get(account)).body).toMatchObject({ last_proved: expect.any(String), refusal: null });
    expect(site.received.filter(({ path }) => path.startsWith('/logout'))).toEqual([]);
    expect(await retest(fixture, found.id)).toMatchObject({ result: 'still_vulnerable' });
    isFixed = true;
    // As nobody there is nothing to see: no other job says that it is fixed.
    const asNobody = await runJob(admin, url, { ...ACTIVE, accounts: [] });
    expect((await findingsOf(fixture))[0].status).toBe(1);
    expect((await admin.get(`/v1/jobs/${asNobody}/success`)).body.success).toBe(false);
    expect(await retest(fixture, found.id)).toMatchObject({ result: 'fixed' });
    expect((await findingsOf(fixture))[0].status).not.toBe(1);
  });

  it('sees by itself that a weakness is repaired', async () => {
    const fixture = await createProvedAccount();
    const { admin, url } = fixture;
    await runJob(admin, url, ACTIVE);
    isFixed = true;
    const uuid = await runJob(admin, url, ACTIVE);
    expect((await findingsOf(fixture))[0].status).not.toBe(1);
    expect((await admin.get(`/v1/jobs/${uuid}/success`)).body.success).toBe(true);
  });

  it('ends in ERROR if its session dies, keeps its other findings, and never succeeds', async () => {
    const fixture = await createProvedAccount();
    const { admin, url } = fixture;
    before = (path) => void (/^\/orders\?q=(?!tea$)/.test(path) && site.living.clear());
    const uuid = await launchJob(admin, url, { ...ACTIVE, checks: ['reflected-input', 'missing-nosniff'] });
    expect(await waitForJob(admin, uuid)).toBe('ERROR');
    const { job } = (await admin.get(`/v1/jobs/${uuid}`)).body;
    expect(job.error).toMatch(
      /^Not proved to be signed in as customer A: .* has ended twice .*\. What it found otherwise is recorded\.$/,
    );
    expect(job.lanes).toMatchObject([
      { proved: true },
      { proved: false, reason: expect.stringMatching(/ended twice/) },
    ]);
    for (const query of ['', '?incomplete=allow'])
      expect((await admin.get(`/v1/jobs/${uuid}/success${query}`)).body.success).toBe(false);
    expect(await findingsOf(fixture)).toEqual([]);
    expect(job.findings).toHaveLength(1);
  });

  it('ends in ERROR if the answer is the same with and without a session', async () => {
    const { admin, url, account } = await createProvedAccount();
    site.isBlind = true;
    const uuid = await launchJob(admin, url, ACTIVE);
    expect(await waitForJob(admin, uuid)).toBe('ERROR');
    expect((await admin.get(`/v1/jobs/${uuid}`)).body.job.error).toMatch(/cannot be verified/);
    expect((await admin.get(account)).body.refusal).toMatch(/cannot be verified/);
  });

  it('remembers the requests after which its session has ended', async () => {
    const { admin, url } = await createProvedAccount();
    const active = { ...ACTIVE, urls: [`${url}kill?y=1`] };
    before = (path) => void (path.startsWith('/kill') && site.living.clear());
    const signIns = () => site.received.filter(({ method, path }) => method === 'POST' && path === '/login').length;
    const killed = () =>
      site.received.filter(({ path, session }) => session !== null && path.startsWith('/kill')).length;
    await runJob(admin, url, active);
    expect(killed()).toBeGreaterThan(0);
    site.received.length = 0;
    await runJob(admin, url, active);
    expect([killed(), signIns()]).toEqual([0, 1]);
  });

  it('takes turns with retests', async () => {
    const fixture = await createProvedAccount();
    const { admin, url } = fixture;
    await runJob(admin, url, ACTIVE);
    const [{ id }] = await findingsOf(fixture);
    const uuid = await launchJob(admin, url, ACTIVE);
    const [status, { result }] = await Promise.all([waitForJob(admin, uuid), retest(fixture, id)]);
    expect([status, result]).toEqual(['FINISHED', 'still_vulnerable']);
  });
});

/** Another test has the account until the returned function is called. */
async function occupy({ account }: Fixture): Promise<() => Promise<unknown>> {
  const now = Date.now();
  const other = { holder: 'job 0', what: 'a scan of somebody else', priority: 1, since: now, seen: now + 600_000 };
  const saveTurns = (turns: readonly object[]) =>
    query('UPDATE asset_accounts SET turns = $2 WHERE id = $1', [idOf(account), JSON.stringify(turns)]);
  await saveTurns([other]);
  return () => saveTurns([]);
}

describe('an admin who changes the account of a job', () => {
  const lanesOf = async (admin: Client, uuid: string) => {
    expect(await waitForJob(admin, uuid)).toBe('ERROR');
    return (await admin.get(`/v1/jobs/${uuid}`)).body.job.lanes;
  };

  it('while it waits for its turn: the launch rule decides about the new origins', async () => {
    const fixture = await createProvedAccount();
    const { admin, url, account } = fixture;
    const leave = await occupy(fixture);
    site.received.length = 0;
    const uuid = await launchJob(admin, url, ACTIVE);
    const { proof } = (await admin.get(account)).body;
    const change = { origins: [site.origin, 'http://127.0.0.1:9'], secrets: { password: PASSWORD }, proof };
    expect((await admin.patch(account, { ...change, signed_in_tests: true })).status).toBe(200);
    await leave();
    expect((await lanesOf(admin, uuid))[1]).toMatchObject({
      proved: false,
      reason: expect.stringMatching(/^customer A may not sign in: /),
    });
    expect(site.received.filter(({ body }) => body.includes(encodeURIComponent(PASSWORD)))).toEqual([]);
  });

  it('while it runs: nothing is sent a few seconds after the consent was withdrawn', async () => {
    const fixture = await createProvedAccount();
    const { admin, url, account } = fixture;
    const asset = account.replace(/\/accounts.*/, '');
    expect((await admin.patch(asset, { requests_per_second: 8 })).status).toBe(200);
    let withdrawn: Promise<unknown> | null = null;
    before = (path) => {
      if (/^\/orders\?q=(?!tea$)/.test(path)) withdrawn ??= admin.patch(account, { signed_in_tests: false });
    };
    const uuid = await launchJob(admin, url, ACTIVE);
    expect((await lanesOf(admin, uuid))[1]).toMatchObject({
      proved: false,
      reason: expect.stringMatching(/Signed-in tests are off for the account customer A/),
    });
    expect(withdrawn).not.toBeNull();
  });
});

it('a job or a retest that waits for its account says so on its page', async () => {
  const fixture = await createProvedAccount();
  const { admin, url, tenant } = fixture;
  await runJob(admin, url, ACTIVE);
  const [{ id }] = await findingsOf(fixture);
  const leave = await occupy(fixture);
  const uuid = await launchJob(admin, url, ACTIVE);
  expect((await admin.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  const browser = await signedInAs(api, portal, await tenant.as('viewer'));
  await eventually(async () => {
    for (const page of [`findings/${id}`, `scans/${uuid}`])
      expect((await browser.get(`/o/${tenant.id}/${page}`)).text).toContain(
        'It is waiting for the account customer A, which a scan of somebody else uses.',
      );
  }, 30_000);
  await leave();
  expect(await waitForJob(admin, uuid)).toBe('FINISHED');
});

it('jobs and retests that wait for an account leave their slots to other organizations, and their time stands still', async () => {
  const [fixture, other] = [await createProvedAccount(), await createProvedAccount()];
  const { admin, url } = fixture;
  await runJob(admin, url, ACTIVE);
  const [{ id }] = await findingsOf(fixture);
  const leave = await occupy(fixture);
  const launched = [await launchJob(admin, url, ACTIVE), await launchJob(admin, url, ACTIVE)];
  const waiting = retest(fixture, id);
  // A worker has one slot for such jobs, and one for retests.
  await runJob(other.admin, other.url, ACTIVE);
  const [{ id: othersId }] = await findingsOf(other);
  expect(await retest(other, othersId)).toMatchObject({ result: 'still_vulnerable' });
  expect((await admin.get(`/v1/findings/${id}/retest`)).body.result).toBeNull();
  await leave();
  expect(await waiting).toMatchObject({ result: 'still_vulnerable' });
  for (const uuid of launched) expect(await waitForJob(admin, uuid)).toBe('FINISHED');
  const [{ waited } = { waited: 0 }] = await query<{ waited: number }>(
    'SELECT max(waited_ms) AS waited FROM jobs WHERE uuid = ANY($1)',
    [launched],
  );
  expect(waited).toBeGreaterThan(1_000);
});

describe('a retest as an account', () => {
  it('is inconclusive if its session dies or its password is wrong, and refused when the account is stopped or gone', async () => {
    const fixture = await createProvedAccount();
    const { admin, url, account } = fixture;
    await runJob(admin, url, ACTIVE);
    const [{ id }] = await findingsOf(fixture);
    isFixed = true;
    before = (path) => void (/^\/orders\?q=(?!tea$)/.test(path) && site.living.clear());
    const died = await retest(fixture, id);
    expect(died).toMatchObject({ result: 'inconclusive', reason: expect.stringMatching(/has ended twice/) });
    before = () => {};
    await admin.patch(account, { secrets: { password: 'not the password' } });
    const wrong = await retest(fixture, id);
    expect(wrong).toMatchObject({ result: 'inconclusive', reason: expect.stringMatching(/2 times in a row/) });
    expect((await findingsOf(fixture))[0].status).toBe(1);
    const refused = await admin.post(`/v1/findings/${id}/retest`);
    expect([refused.status, refused.body.description]).toEqual([
      409,
      expect.stringMatching(/seen signed in.* is stopped/),
    ]);
    await admin.patch(account, { secrets: { password: PASSWORD } });
    await admin.post(`${account}/resume`);
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
    await admin.delete(account);
    expect((await admin.post(`/v1/findings/${id}/retest`)).body.description).toMatch(/The account was deleted/);
  });
});

it('a scheduled retest whose account is not proved notifies the admins', async () => {
  const fixture = await createProvedAccount();
  const { admin, url, tenant, account } = fixture;
  await runJob(admin, url, ACTIVE);
  const [{ id }] = await findingsOf(fixture);
  const accountNotices = async () =>
    (await admin.get(`/v1/organizations/${tenant.id}/inbox`)).body.inbox.filter(
      ({ kind }: { kind: string }) => kind === 'account',
    );
  await admin.patch(account, { secrets: { password: 'not the password' } });
  // Whoever starts a retest reads its result.
  expect(await retest(fixture, id)).toMatchObject({ result: 'inconclusive' });
  await admin.patch(account, { secrets: { password: PASSWORD } });
  await admin.post(`${account}/resume`);
  await admin.patch(account, { secrets: { password: 'not the password' } });
  const schedule = { name: 'Every night', what: 'retest', on: 'all', every_hours: 24 };
  const created = await admin.post(`/v1/organizations/${tenant.id}/schedules`, schedule);
  expect(created.status).toBe(201);
  expect(await accountNotices()).toEqual([]);
  await query('UPDATE schedules SET next_due = now() WHERE id = $1', [created.body.id]);
  await eventually(async () => {
    expect(await accountNotices()).toMatchObject([
      { news: expect.stringMatching(/not proved/), record_type: 'asset', title: 'Account customer A' },
    ]);
  }, 90_000);
  await query("UPDATE schedules SET status = 'paused', next_due = NULL");
});

describe('a recorded sign-in', () => {
  const SESSION = 'session-of-the-browser-4711';
  const recording = (password = PASSWORD, origin = site.origin): string => {
    const request = (method: string, path: string, more: object = {}) => ({
      request: { method, url: `${origin}${path}`, headers: [{ name: 'Cookie', value: `sid=${SESSION}` }], ...more },
      response: { status: 200, content: { mimeType: 'text/html', text: `Hello, ${SESSION}` } },
    });
    const form = { login: USER, pw: password, go: '1', csrf_token: SESSION };
    const params = Object.entries(form).map(([name, value]) => ({ name, value }));
    const postData = { mimeType: 'application/x-www-form-urlencoded', params };
    const entries = [request('GET', '/'), request('GET', '/login'), request('POST', '/login', { postData })];
    return JSON.stringify({ log: { entries: [...entries, request('GET', '/account')] } });
  };
  const upload = ({ admin, account }: Fixture, content: string) =>
    admin.put(`${account}/har`, content, { 'content-type': 'application/octet-stream' });
  const ended = async ({ admin, account }: Fixture) => {
    let last = {
      status: '',
      report: null as null | { result: string; reason: string; recorded?: { steps: object[] } },
    };
    await eventually(async () => {
      last = (await admin.get(account)).body.last_sign_in;
      expect(last.status).toMatch(/^(?:FINISHED|ERROR)$/);
    }, 30_000);
    return last.report;
  };

  it('is tried, shown with the fewest requests that sign in, and saved with its password by an admin', async () => {
    const fixture = await createAccount('an earlier password');
    const { admin, tenant, account } = fixture;
    expect((await upload(fixture, recording())).status).toBe(202);
    const report = await ended(fixture);
    expect(report).toMatchObject({
      result: 'signed_in',
      reason: expect.stringMatching(/ of 3 recorded requests sign in, as \d sign-ins have shown/),
      recorded: { kind: 'steps', user_name: USER },
    });
    expect(report?.recorded?.steps).toHaveLength(2);
    const before = (await admin.get(account)).body;
    expect(before.sign_in).toMatchObject({ kind: 'form' });
    const { client: member } = await tenant.as('member');
    expect((await upload({ ...fixture, admin: member }, recording())).status).toBe(403);
    expect((await member.get(account)).body.last_sign_in.report).not.toHaveProperty('recorded');
    const browser = await signedInAs(api, portal, await tenant.as('admin'));
    const page = `/o/${tenant.id}/assets/${before.asset_id}/accounts/${before.id}`;
    expect((await browser.get(page)).text).toMatch(/These requests sign in/);
    expect((await browser.submit(page, `${page}/recorded`, {})).status).toBe(303);
    expect((await admin.get(account)).body).toMatchObject({
      sign_in: { kind: 'steps', steps: report?.recorded?.steps },
      has_secrets: true,
      signed_in_tests: false,
    });
    const [again] = [await admin.patch(account, { recorded: true })];
    expect([again.status, again.body.description]).toEqual([409, expect.stringMatching(/upload a HAR/)]);
    expect((await signIn(fixture)).report.result).toBe('signed_in');
    const dump = await query<{ row: string }>(
      'SELECT row_to_json(a)::text AS row FROM asset_accounts a UNION ALL SELECT row_to_json(w)::text FROM work w UNION ALL SELECT row_to_json(l)::text FROM audit_logs l',
    );
    const kept = [...dump.map(({ row }) => row), ...logged, (await admin.get(account)).text].join('\n');
    for (const secret of [PASSWORD, SESSION])
      expect(spellingsOf(secret).filter((one) => kept.includes(one))).toEqual([]);
  });

  it('is tried by the form of the portal', async () => {
    const fixture = await createAccount();
    const { tenant, account } = fixture;
    const browser = await signedInAs(api, portal, await tenant.as('admin'));
    const { id, asset_id } = (await fixture.admin.get(account)).body;
    const page = `/o/${tenant.id}/assets/${asset_id}/accounts/${id}`;
    const file = new File([recording()], 'shop.har');
    expect((await browser.upload(page, `${page}/har`, {}, file)).status).toBe(303);
    expect(await ended(fixture)).toMatchObject({ result: 'signed_in', recorded: { kind: 'steps' } });
  });

  it('is not proposed if it does not sign in, and is refused if it is too large or of another site', async () => {
    const fixture = await createAccount();
    expect((await upload(fixture, recording('not the password'))).status).toBe(202);
    const report = await ended(fixture);
    expect(report).toMatchObject({ result: 'failed' });
    expect(report).not.toHaveProperty('recorded');
    expect((await fixture.admin.patch(fixture.account, { recorded: true })).status).toBe(409);
    for (const [content, status, reason] of [
      [recording(PASSWORD, 'http://169.254.169.254'), 400, /none of its requests is at an origin/],
      ['{"log":', 400, /not JSON/],
      ['x'.repeat(4 * 1_048_576 + 1), 413, /at most/],
    ] as const) {
      const answer = await upload(fixture, content);
      expect([answer.status, answer.body.description]).toEqual([status, expect.stringMatching(reason)]);
    }
  });
});

it('two sign-ins that fail stop the account for all, until an admin resumes it', async () => {
  const { admin, url, account } = await createAccount('not the password');
  const proof = { url: `${site.origin}/account`, text: 'Sign out', only: 'in' };
  expect((await admin.patch(account, { proof, signed_in_tests: true })).status).toBe(200);
  const uuid = await launchJob(admin, url, ACTIVE);
  expect(await waitForJob(admin, uuid)).toBe('ERROR');
  const { job } = (await admin.get(`/v1/jobs/${uuid}`)).body;
  expect(job.error).toMatch(/^Not proved to be signed in as customer A: .*2 times in a row/);
  expect(job.lanes[1]).toMatchObject({ account: 'customer A', proved: false });
  expect((await admin.get(`/v1/jobs/${uuid}/success?incomplete=allow`)).body.success).toBe(false);
  const sent = () => site.received.filter(({ method, path }) => method === 'POST' && path === '/login').length;
  expect(sent()).toBe(2);
  expect((await admin.get(account)).body.stopped_at).not.toBeNull();
  const again = await admin.post('/v1/jobs/launch', { url, ...ACTIVE });
  expect([again.status, again.body.description]).toEqual([409, expect.stringMatching(/is stopped/)]);
  expect((await admin.post(`${account}/sign-in`)).status).toBe(409);
  expect(sent()).toBe(2);
  expect((await admin.patch(account, { secrets: { password: PASSWORD } })).status).toBe(200);
  expect((await admin.post(`${account}/resume`)).body.stopped_at).toBeNull();
  await runJob(admin, url, ACTIVE);
});

it('no secret of an account or a session is stored outside of the encrypted column', async () => {
  const fixture = await createProvedAccount();
  const { admin, tenant, url } = fixture;
  const uuid = await runJob(admin, url, ACTIVE);
  const [{ id }] = await findingsOf(fixture);
  await retest(fixture, id);
  const shown: string[] = [];
  for (const path of [
    ...[
      '',
      '/requests',
      '/success',
      '/report',
      '/report?format=sarif',
      '/points?per_page=100',
      '/left-out?per_page=100',
    ].map((one) => `/v1/jobs/${uuid}${one}`),
    ...['', '/baseline', '/retest', '/retest/evidence'].map((one) => `/v1/findings/${id}${one}`),
    `/v1/organizations/${tenant.id}/findings/?per_page=100`,
    `/v1/audit-logs/?organization_id=${tenant.id}&per_page=100`,
    fixture.account,
  ]) {
    const { status, text } = await admin.get(path);
    expect([path, status]).toEqual([path, 200]);
    shown.push(text);
  }
  // Of all tests above as well.
  const secrets = [PASSWORD, ...site.issued].flatMap(spellingsOf);
  expect([site.issued.length > 20, logged.length > 0]).toEqual([true, true]);
  const inTexts = (texts: readonly string[]): string[] =>
    secrets.filter((one) => texts.some((text) => text.includes(one)));
  expect(inTexts([...shown, ...logged])).toEqual([]);
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    const secretsThere = inTexts(rows.map(({ text }) => text));
    if (secretsThere.length > 0) found.push(`${name}: ${secretsThere.join(' ')}`);
  }
  expect(found).toEqual([]);
});
