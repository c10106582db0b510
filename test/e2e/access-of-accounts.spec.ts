import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import { verifyAttestation } from '../../clients/sdk/src';
import { MembersSite } from '../../src/engine/testing/members-site';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';

const schema = JSON.parse(readFileSync('docs/access-retest.v1.schema.json', 'utf8')) as object;

let site: MembersSite;
beforeAll(async () => {
  site = await MembersSite.start();
  for (const user of ['ada', 'bob', 'root']) site.users.set(user, `password of ${user}`);
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

const ORDERS: Readonly<Record<string, string>> = { ada: '1017', bob: '2044' };
const mailOf = (user: string): string => `${user}@people.test`;
const checks = ['object-access', 'function-access', 'cached-private-page'];

let isFixed = false;
/** Instead of the application's own answer. */
let before: (user: string | null, path: string) => { status: number; body?: string } | null = () => null;
const files = new Map<string, string>();

const page = (text: string): string =>
  `<!doctype html><title>A shop</title><h1>A shop</h1>${text}<a href="/logout">Sign out</a>`;

/** A shop whose orders are given to all who are signed in, until it is repaired. */
beforeEach(() => {
  isFixed = false;
  before = () => null;
  site.received.length = 0;
  site.answer = ({ path, session }) => {
    const { pathname } = new URL(path, site.origin);
    const user = session !== null && site.living.has(session) ? (site.userOf.get(session) ?? null) : null;
    const file = files.get(pathname) ?? before(user, pathname);
    if (file !== null) return file;
    if (pathname === '/login') return null;
    if (user === null) return pathname === '/' ? '<title>Welcome</title><a href="/login">Sign in</a>' : null;
    const order = ORDERS[user];
    if (pathname === '/')
      return page(
        `<a href="/account">Account</a> <a href="/orders">Orders</a> ${user === 'root' ? '<a href="/admin/users">Users</a>' : ''}`,
      );
    if (pathname === '/account') return page(`<p>${mailOf(user)}</p>`);
    if (pathname === '/orders')
      return page(order === undefined ? '' : `<a href="/orders/${order}">Number ${order}</a>`);
    if (pathname === '/admin/users' && (user === 'root' || !isFixed))
      return page('<p>carl@people.test</p><p>dora@people.test</p>');
    const [owner] = Object.entries(ORDERS).find(([, id]) => pathname === `/orders/${id}`) ?? [];
    if (owner === undefined) return { status: 404, body: 'Not found' };
    return owner === user || !isFixed
      ? page(`<p>One teapot for ${mailOf(owner)}, Mulberry Street 4</p>`)
      : { status: 403, body: 'Forbidden' };
  };
});

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly url: string;
  readonly assetId: number;
  /** The paths of accounts, by the names of their users. */
  readonly accounts: Readonly<Record<string, string>>;
}

const idOf = (account = ''): number => Number(account.split('/').at(-1));

async function assetWith(users: readonly string[]): Promise<Fixture> {
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const url = `${site.origin}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  const { body: asset } = await admin.patch(`/v1/assets/${assetId}`, { active_tests: 'read_only' });
  files.set(asset.proof_file.path, `${asset.proof_file.body}\n`);
  const accounts: Record<string, string> = {};
  for (const user of users) {
    const { body } = await admin.post(`/v1/assets/${assetId}/accounts/`, {
      name: `customer ${user}`,
      role: 'customer',
      origins: [site.origin],
      secrets: { password: `password of ${user}` },
      sign_in: { kind: 'form', page: `${site.origin}/login`, user_name: user },
    });
    accounts[user] = `/v1/assets/${assetId}/accounts/${body.id}`;
    const proof = { url: `${site.origin}/account`, text: 'Sign out', only: 'in' };
    const changed = await admin.patch(accounts[user], { proof, signed_in_tests: true });
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
  }
  return { tenant, admin, url, assetId, accounts };
}

async function declare(
  { admin, accounts }: Fixture,
  [one, other]: readonly [string, string],
  is: string,
  more: object = {},
) {
  const account = idOf(accounts[other]);
  return admin.patch(accounts[one] ?? '', { relations: [{ account, is, shared: [] }], ...more });
}

const activeWith = (users: readonly string[]) => ({
  depth: 'active',
  checks,
  accounts: users.map((user) => `customer ${user}`),
});

const findingsOf = async ({ admin, tenant }: Fixture) =>
  (await admin.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

async function retest({ admin }: Fixture, id: number) {
  expect((await admin.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  let result = { result: null as string | null, reason: '' };
  await eventually(async () => {
    result = (await admin.get(`/v1/findings/${id}/retest`)).body;
    expect(result.result).not.toBeNull();
  }, 60_000);
  return result;
}

describe('a job with two accounts that share nothing', () => {
  it('finds an order of one account that the other is served, and its retest sees the repair', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    const { admin, tenant, url, accounts } = fixture;
    expect((await declare(fixture, ['ada', 'bob'], 'equal', { own_values: [mailOf('ada')] })).status).toBe(200);
    const uuid = await runJob(admin, url, activeWith(['ada', 'bob']));
    const [found, ...others] = await findingsOf(fixture);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      status: 1,
      cwe: 639,
      title: 'Broken object level authorization (IDOR) in segment 2 of the path',
    });
    expect(found.md).toMatch(
      /seen as customer \w+, got what belongs to customer \w+ \(GET \/orders\/\d+ showed "\w+@people\.test"/,
    );
    expect(found.md).toMatch(/curl .* --header "\$SESSION" .*\/orders\/\d{4}'/);
    const browser = await signedInAs(api, portal, await tenant.as('viewer'));
    const { text: shown } = await browser.get(`/o/${tenant.id}/findings/${found.id}`);
    expect(shown).toMatch(/Seen as customer \w+, got what belongs to customer \w+/);
    expect(shown.match(/<mark[^>]*>\w+@people\.test<\/mark>/g)).toHaveLength(2);
    const { text: list } = await admin.get(`/v1/jobs/${uuid}/requests`);
    expect(list).toMatch(new RegExp(`/orders/1017\\t200\\t\\d+\\tas account ${idOf(accounts['bob'])}\n`));
    // Signing in, and the question of the crawl for the schema of an API.
    const writes = site.received.filter(({ method, path }) => method !== 'GET' && !/^\/login$|\/graphql$/.test(path));
    expect(writes).toEqual([]);
    const { body: baseline } = await admin.get(`/v1/findings/${found.id}/baseline`);
    expect(baseline.experiment).toMatchObject({ kind: 'object', curl: expect.stringMatching(/\$SESSION/) });
    expect(JSON.stringify(baseline)).not.toMatch(/Mulberry|teapot/);
    expect((await admin.get(`/v1/jobs/${uuid}/success`)).body.success).toBe(false);
    expect(await retest(fixture, found.id)).toMatchObject({ result: 'still_vulnerable' });
    // The tester alone is refused.
    const owner = /belongs to customer (\w+)/.exec(found.md)?.[1] ?? '';
    const tester = owner === 'ada' ? 'bob' : 'ada';
    isFixed = true;
    before = (user, path) =>
      user === tester && path.startsWith('/orders/') ? { status: 403, body: 'Forbidden' } : null;
    expect(await retest(fixture, found.id)).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringMatching(/its own object/),
    });
    before = () => null;
    const fixed = await retest(fixture, found.id);
    expect(fixed).toMatchObject({
      result: 'fixed',
      reason: expect.stringMatching(/served its own object on the same route/),
    });
    const { text: evidence } = await admin.get(`/v1/findings/${found.id}/retest/evidence`);
    const kept = await query<{ text: string }>('SELECT e::text AS text FROM scan_evidence e');
    const { status, text: envelope } = await admin.get(`/v1/findings/${found.id}/retest/evidence?format=dsse`);
    const { text: keys } = await admin.get('/v1/evidence-keys');
    expect([status, verifyAttestation(envelope, keys)]).toMatchObject([
      200,
      { authentic: true, subject: { name: new URL(url).origin }, evidence: { verdict: { result: 'fixed' } } },
    ]);
    const statement = Buffer.from((JSON.parse(envelope) as { payload: string }).payload, 'base64').toString();
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect([validate(JSON.parse(statement)), validate.errors]).toEqual([true, null]);
    expect(evidence).toMatch(/@people\.test|customer|\/orders\//);
    expect(statement).not.toMatch(/people\.test|customer|orders/);
    for (const text of [evidence, ...kept.map((row) => row.text)]) expect(text).not.toMatch(/Mulberry|teapot/);
    expect((await findingsOf(fixture))[0].status).not.toBe(1);
    // And a job that runs then finds nothing.
    const again = await runJob(admin, url, activeWith(['ada', 'bob']));
    expect((await admin.get(`/v1/jobs/${again}/success`)).body.success).toBe(true);
  });

  it('requests nothing of one account with the other unless an admin declared both, and says so for a selected check', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    const { admin, url } = fixture;
    const uuid = await runJob(admin, url, activeWith(['ada', 'bob']));
    expect(await findingsOf(fixture)).toEqual([]);
    const asked = site.received.map(({ path, session }) => `${site.userOf.get(session ?? '')} ${path}`);
    expect(asked).toContain('ada /orders/1017');
    expect(asked).not.toContain('bob /orders/1017');
    const { text } = await admin.get(`/v1/jobs/${uuid}`);
    expect(text).toMatch(/it needs two accounts of the job/);
  });

  it('leaves out what they share on purpose', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    const relations = [{ account: idOf(fixture.accounts['bob']), is: 'equal', shared: ['/orders/'] }];
    await fixture.admin.patch(fixture.accounts['ada'] ?? '', { relations, own_values: [mailOf('ada')] });
    await runJob(fixture.admin, fixture.url, activeWith(['ada', 'bob']));
    expect(await findingsOf(fixture)).toEqual([]);
  });

  it('ends in ERROR if a session dies during the comparison', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    await declare(fixture, ['ada', 'bob'], 'equal', { own_values: [mailOf('ada')] });
    before = (user, path) => {
      if (user === 'bob' && path === '/orders/1017') site.living.clear();
      return null;
    };
    const uuid = await launchJob(fixture.admin, fixture.url, activeWith(['ada', 'bob']));
    expect(await waitForJob(fixture.admin, uuid)).toBe('ERROR');
    const { job } = (await fixture.admin.get(`/v1/jobs/${uuid}`)).body;
    expect(job.error).toMatch(/^Not proved to be signed in as .*ended twice/);
    expect(await findingsOf(fixture)).toEqual([]);
  });
});

it('a job finds a page of a higher account that the lower one is served, and its retest is blocked without a twin', async () => {
  const fixture = await assetWith(['root', 'bob']);
  await declare(fixture, ['root', 'bob'], 'above');
  await runJob(fixture.admin, fixture.url, activeWith(['root', 'bob']));
  const [found, ...others] = await findingsOf(fixture);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ cwe: 285, title: 'Broken function level authorization' });
  expect(found.md).toMatch(/seen as customer bob, got what belongs to customer root \(GET \/admin\/users/);
  isFixed = true;
  expect(await retest(fixture, found.id)).toMatchObject({ result: 'blocked' });
  await fixture.admin.delete(fixture.accounts['root'] ?? '');
  expect(await retest(fixture, found.id)).toMatchObject({
    result: 'inconclusive',
    reason: expect.stringMatching(/was deleted/),
  });
});

describe('what admins declare', () => {
  it('is refused if it names no other account of the asset, or values that others have by chance', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    const { admin, accounts } = fixture;
    const ada = accounts['ada'] ?? '';
    const change = async (body: object) => {
      const answer = await admin.patch(ada, body);
      return [answer.status, answer.body.description];
    };
    expect(await change({ relations: [{ account: idOf(ada), is: 'equal' }] })).toEqual([
      400,
      expect.stringMatching(/not another account/),
    ]);
    expect(await change({ relations: [{ account: 2_000_000_000, is: 'equal' }] })).toEqual([
      400,
      expect.stringMatching(/not another account/),
    ]);
    expect(await change({ relations: [{ account: idOf(accounts['bob']), is: 'below' }] })).toEqual([
      400,
      expect.stringMatching(/is must be one of: equal, above/),
    ]);
    expect(await change({ relations: [{ account: idOf(accounts['bob']), is: 'equal', shared: ['help'] }] })).toEqual([
      400,
      expect.stringMatching(/begins with a slash/),
    ]);
    expect(await change({ own_values: ['1017'] })).toEqual([400, expect.stringMatching(/at least 6 characters/)]);
    expect(await change({ own_values: Array.from({ length: 21 }, (_none, at) => `value ${at} of ada`) })).toEqual([
      400,
      expect.stringMatching(/at most 20/),
    ]);
  });

  it('is shown and audited, and ends when the other account is deleted', async () => {
    const fixture = await assetWith(['ada', 'bob']);
    const { admin, accounts, tenant, assetId } = fixture;
    await declare(fixture, ['ada', 'bob'], 'equal', { own_values: [mailOf('ada')] });
    const ada = accounts['ada'] ?? '';
    const bob = idOf(accounts['bob']);
    expect((await admin.get(ada)).body).toMatchObject({
      own_values: [mailOf('ada')],
      relations: [{ account: bob, is: 'equal', shared: [] }],
    });
    const { text: audit } = await admin.get(`/v1/audit-logs/?organization_id=${tenant.id}&per_page=100`);
    expect(audit).toContain(`equal ${bob}`);
    expect(audit).not.toContain(mailOf('ada'));
    const browser = await signedInAs(api, portal, await tenant.as('admin'));
    const { text: shown } = await browser.get(`/o/${tenant.id}/assets/${assetId}/accounts/${idOf(ada)}`);
    expect(shown).toMatch(/Who may see what.*customer bob.*Equals that share nothing else/s);
    await admin.delete(accounts['bob'] ?? '');
    expect((await admin.get(ada)).body.relations).toEqual([]);
  });
});
