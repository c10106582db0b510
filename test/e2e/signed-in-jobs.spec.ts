import { MembersSite, PASSWORD, USER } from '../../src/engine/testing/members-site';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
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
};

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const ACTIVE = { depth: 'active', checks: ['reflected-input'], accounts: ['customer A'] };

let isFixed = false;
/** What the application does with its sessions before it answers. */
let before: (path: string) => void = () => {};
const files = new Map<string, string>();

const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (text: string): string => `<!doctype html><title>A shop</title><h1>A shop</h1>${text}`;

/** The search of orders, which only customers reach, writes what it is given into its page. */
beforeEach(() => {
  isFixed = false;
  before = () => {};
  site.living.clear();
  site.received.length = 0;
  site.answer = ({ path, session }) => {
    const { pathname, searchParams } = new URL(path, site.origin);
    before(path);
    const file = files.get(pathname);
    if (file !== undefined) return file;
    if (pathname === '/')
      return page(
        session === null
          ? '<a href="/login">Sign in</a>'
          : `<input type="hidden" name="csrf" value="${site.issue()}"><a href="/orders?q=tea">Orders</a> <a href="/logout">Sign out</a>`,
      );
    if (pathname !== '/orders' || session === null || !site.living.has(session)) return null;
    const q = searchParams.get('q') ?? '';
    return page(`<a href="/logout">Sign out</a><p>No orders of ${isFixed ? escaped(q) : q}</p>`);
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
    ...{ name: 'customer A', role: 'customer', origins: [site.origin], secrets: { password } },
    sign_in: { kind: 'form', page: `${site.origin}/login`, user_name: USER },
  });
  expect(created.status).toBe(201);
  return { tenant, admin, url, account: `/v1/assets/${id}/accounts/${created.body.id}` };
}

/** With the proof that the sign-in proposes first, and the consent. */
async function createProvedAccount(): Promise<Fixture> {
  const fixture = await createAccount();
  const { report } = await signIn(fixture);
  const { proof } = report.proposals[0];
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
  });
});

describe('a job with an account', () => {
  it('finds a weakness behind the sign-in, whose retest as that account sees the repair', async () => {
    const fixture = await createProvedAccount();
    const { admin, url } = fixture;
    const uuid = await runJob(admin, url, ACTIVE);
    const { job } = (await admin.get(`/v1/jobs/${uuid}`)).body;
    expect(job.lanes).toMatchObject([
      { account: null, proved: true },
      { account: 'customer A', proved: true },
    ]);
    const [found, ...others] = await findingsOf(fixture);
    expect([found?.status, others]).toEqual([1, []]);
    console.log(JSON.stringify(found), JSON.stringify(job.lanes));
    const { text: list } = await admin.get(`/v1/jobs/${uuid}/requests`);
    expect(list).toContain(`as account ${fixture.account.split('/').at(-1)}`);
    expect(await retest(fixture, found.id)).toMatchObject({ result: 'still_vulnerable' });
    isFixed = true;
    expect(await retest(fixture, found.id)).toMatchObject({ result: 'fixed' });
  });
});
