import { SessionSite, SITE_PASSWORD } from '../../src/engine/testing/session-site';
import { SOUND, type SessionTraits } from '../../src/engine/testing/session-traits';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { runJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';

let site: SessionSite;
beforeAll(async () => void (site = await SessionSite.start()));
afterAll(() => site.stop());
beforeEach(() => void (site.received.length = 0));

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

const OF_SESSIONS = ['unverified-jwt', 'session-id-in-url', 'session-fixation', 'session-after-sign-out'];
const WEAK: SessionTraits = { ...SOUND, takesIdFromUrl: 'query', renews: 'no', signOut: 'clears the cookie' };

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly url: string;
  readonly asset: string;
  readonly account: string;
}

async function createFixture(traits: SessionTraits, activeTests: 'full' | 'read_only'): Promise<Fixture> {
  site.traits = traits;
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const url = `${site.origin}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const asset = `/v1/assets/${id}`;
  const confirmed = activeTests === 'full' ? { confirm_full: url } : {};
  const { body: changed } = await admin.patch(asset, { active_tests: activeTests, ...confirmed });
  site.files.set(changed.proof_file.path, `${changed.proof_file.body}\n`);
  const isApi = traits.session === 'jwt in a header';
  const request = {
    method: 'POST',
    url: `${site.origin}/api/login`,
    format: 'json',
    fields: [['password', { from: 'password' }]],
  };
  const { body } = await admin.post(`${asset}/accounts/`, {
    name: 'customer A',
    role: 'customer',
    origins: [site.origin],
    secrets: { password: SITE_PASSWORD },
    sign_in: isApi
      ? { kind: 'request', user_name: 'ada', request }
      : { kind: 'form', page: `${site.origin}/login`, user_name: 'ada' },
  });
  const account = `${asset}/accounts/${body.id}`;
  const proof = { url: `${site.origin}/account`, text: 'Orders of ada', only: 'in' };
  const proved = await admin.patch(account, { proof, signed_in_tests: true });
  expect([proved.status, proved.text]).toEqual([200, expect.any(String)]);
  return { tenant, admin, url, asset, account };
}

const JOB = { depth: 'active', checks: OF_SESSIONS, accounts: ['customer A'] };

async function retest({ admin }: Fixture, id: number) {
  expect((await admin.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  let result = { result: null as string | null, reason: '' };
  await eventually(async () => {
    result = (await admin.get(`/v1/findings/${id}/retest`)).body;
    expect(result.result).not.toBeNull();
  }, 60_000);
  return result;
}

const findingsOf = async ({ admin, tenant }: Fixture): Promise<{ id: number; title: string; md: string }[]> =>
  (await admin.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

/** Where the database or an answer has an id or a token that the site has issued, as text or as bytes. */
async function leaks(shown: readonly string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const texts = [...shown];
  for (const { name } of tables)
    texts.push(...(await query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)).map(({ text }) => text));
  const secrets = site.issued.flatMap((one) => [one, Buffer.from(one).toString('hex')]);
  return secrets.filter((one) => texts.some((text) => text.includes(one)));
}

it('a job finds how sessions are not checked, and retests see each repair', async () => {
  const fixture = await createFixture(WEAK, 'full');
  const { admin, tenant } = fixture;
  const uuid = await runJob(admin, fixture.url, JOB);
  const findings = await findingsOf(fixture);
  expect(findings.map(({ title }) => title).toSorted()).toEqual([
    'Session ID accepted in the URL',
    'Session fixation: the session ID is not renewed at sign-in',
    'Session still valid after sign-out',
  ]);
  const shown: string[] = [];
  const browser = await signedInAs(api, portal, await tenant.as('viewer'));
  for (const { id } of findings) {
    shown.push((await browser.get(`/o/${tenant.id}/findings/${id}`)).text);
    shown.push((await admin.get(`/v1/findings/${id}/baseline`)).text);
    expect(shown.at(-1)).toContain('$SESSION');
    expect(await retest(fixture, id)).toMatchObject({ result: 'still_vulnerable' });
  }
  expect(shown[0]).toMatch(/Seen as.*customer A/s);
  site.traits = SOUND;
  for (const { id } of findings) {
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
    shown.push((await admin.get(`/v1/findings/${id}/retest/evidence`)).text);
  }
  for (const path of ['', '/requests', '/report', '/points?per_page=100'])
    shown.push((await admin.get(`/v1/jobs/${uuid}${path}`)).text);
  expect(await leaks(shown)).toEqual([]);
  const again = await runJob(admin, fixture.url, JOB);
  expect((await admin.get(`/v1/jobs/${again}/success`)).body).toMatchObject({ success: true });
});

it('a job finds a JWT whose signature is not checked, and no forged one is stored', async () => {
  const fixture = await createFixture({ ...SOUND, session: 'jwt in a header', accepts: 'alg none' }, 'read_only');
  const uuid = await runJob(fixture.admin, fixture.url, JOB);
  const [found, ...others] = await findingsOf(fixture);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ title: 'JWT accepted without a valid signature', cwe: 347 });
  expect(found?.md).toMatch(/a JWT with alg none, .* in the header Authorization, opened what only customer A sees/);
  const { text: requests } = await fixture.admin.get(`/v1/jobs/${uuid}/requests`);
  site.traits = { ...SOUND, session: 'jwt in a header' };
  expect(await retest(fixture, found?.id ?? 0)).toMatchObject({ result: 'fixed' });
  const { text: evidence } = await fixture.admin.get(`/v1/findings/${found?.id}/retest/evidence`);
  expect(await leaks([requests, evidence])).toEqual([]);
  expect(`${requests}${evidence}`).not.toMatch(/eyJ/);
});

it('without the consent to full tests nothing signs out, in a job and in a retest', async () => {
  const fixture = await createFixture(WEAK, 'read_only');
  const { admin, asset } = fixture;
  const uuid = await runJob(admin, fixture.url, JOB);
  expect((await findingsOf(fixture)).map(({ title }) => title)).toEqual(['Session ID accepted in the URL']);
  expect((await admin.get(`/v1/jobs/${uuid}`)).text).toMatch(
    /it signs in and out\. Active tests with full are not allowed/,
  );
  expect(site.received.filter((one) => one.includes('/logout'))).toEqual([]);
  await admin.patch(asset, { active_tests: 'full', confirm_full: fixture.url });
  await runJob(admin, fixture.url, JOB);
  const found = (await findingsOf(fixture)).find(({ title }) => title.includes('after sign-out'));
  await admin.patch(asset, { active_tests: 'read_only' });
  site.received.length = 0;
  const { status, text } = await admin.post(`/v1/findings/${found?.id}/retest`);
  expect([status, text]).toEqual([409, expect.stringMatching(/Active tests with full are not allowed/)]);
  expect(site.received).toEqual([]);
});
