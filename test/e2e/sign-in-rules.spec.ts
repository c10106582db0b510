import { Clock } from '../../src/kernel/clock';
import { SessionsService } from '../../src/modules/identity';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { Browser, PASSWORD, type PortalAnswer, signedInAs, usePortal, withPassword } from '../support/portal';
import { SoftwareAuthenticator } from '../support/software-authenticator';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

/** Browsers have passkeys for a name. */
const local = {
  get url() {
    return portal.url.replace('127.0.0.1', 'localhost');
  },
};

let now = Date.now();
beforeAll(() => {
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => new Date(now++));
});
afterAll(() => jest.restoreAllMocks());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const SECURITY = '/settings/security';
const PASSKEYS = `${SECURITY}/passkeys`;
const accessOf = ({ id }: Pick<Tenant, 'id'>): string => `/o/${id}/settings/access`;
const textOf = ({ text }: PortalAnswer): string => text.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');

const ALL_SCOPES = { read: 'true', write: 'true', ci: 'true' };
type Rules = Record<string, string>;

async function setRules(tenant: Tenant, browser: Browser, rules: Rules): Promise<PortalAnswer> {
  const page = accessOf(tenant);
  return browser.submit(page, page, { second_factor: 'off', ...ALL_SCOPES, ...rules });
}

async function ownedBy(rules?: Rules) {
  const tenant = await make.organization();
  const owner = await tenant.as('owner');
  const browser = await signedInAs(api, local, owner);
  if (rules !== undefined) expect((await setRules(tenant, browser, rules)).status).toBe(303);
  return { tenant, owner, browser };
}

async function addPasskey(browser: Browser): Promise<SoftwareAuthenticator> {
  const device = new SoftwareAuthenticator(local.url);
  await browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
  const response = device.create(JSON.parse((await browser.get(`${PASSKEYS}/new/options`)).text));
  expect((await browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name: 'Phone', response })).status).toBe(200);
  return device;
}

async function requirePasskey(tenant: Tenant, from: string | null = null): Promise<void> {
  await query(
    `INSERT INTO sign_in_rules (organization_id, second_factor, second_factor_from) VALUES ($1, 'passkey', $2)
     ON CONFLICT (organization_id) DO UPDATE SET second_factor = 'passkey', second_factor_from = $2`,
    [tenant.id, from],
  );
}

describe('an organization that requires a passkey', () => {
  it('shows a member without one only the page that says so, and the member’s other organizations as before', async () => {
    const [first, second] = [await make.organization(), await make.organization()];
    const member = await first.as('member');
    await make.membership(member.userId, second.id, 'member');
    const browser = await signedInAs(api, local, member);
    await requirePasskey(first);
    for (const path of ['', '/findings', '/settings/members', '/palette', '/findings/1']) {
      const refused = await browser.get(`/o/${first.id}${path}`);
      expect([path, refused.status, textOf(refused)]).toEqual([
        path,
        403,
        expect.stringContaining(`${first.name} requires a passkey of its members.`),
      ]);
      expect(refused.text).toContain(`href="${SECURITY}"`);
      expect((await browser.get(`/o/${second.id}${path === '/findings/1' ? '' : path}`)).status).toBe(200);
    }
    expect((await browser.post(`/o/${first.id}/assets`, {})).status).toBe(403);
    // Of pages without an organization in the path, the services decide.
    const { text } = await browser.get('/settings/api');
    expect([text.includes(`value="${first.id}"`), text.includes(`value="${second.id}"`)]).toEqual([false, true]);
    expect(textOf(await browser.get(SECURITY))).toContain(`${first.name} requires a passkey.`);
    await addPasskey(browser);
    expect((await browser.get(`/o/${first.id}`)).status).toBe(200);
  });

  it('leads a member of no other organization to the page that says so', async () => {
    const tenant = await make.organization();
    const browser = await signedInAs(api, local, await tenant.as('member'));
    await requirePasskey(tenant);
    const start = await browser.get('/');
    expect(start.headers.get('location')).toBe(`/o/${tenant.id}`);
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(403);
  });

  it('is open until its day, and says from when', async () => {
    const tenant = await make.organization();
    const browser = await signedInAs(api, local, await tenant.as('member'));
    await requirePasskey(tenant, new Date(now + DAY).toISOString());
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(200);
    expect(textOf(await browser.get(SECURITY))).toContain(`${tenant.name} requires a passkey from`);
    await requirePasskey(tenant, new Date(now).toISOString());
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(403);
  });

  it('asks a member who has signed in without the passkey to sign in with it', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const email = await withPassword(api, member);
    const first = await signedInAs(api, local, member);
    const device = await addPasskey(first);
    await requirePasskey(tenant);
    await query('UPDATE sessions SET has_used_passkey = false WHERE user_id = $1', [member.userId]);
    const refused = await first.get(`/o/${tenant.id}/findings`);
    expect([refused.status, textOf(refused)]).toEqual([403, expect.stringContaining('began without one')]);
    expect(refused.text).toContain(`href="/sign-in?next=${encodeURIComponent(`/o/${tenant.id}/findings`)}"`);
    const browser = new Browser(local);
    await browser.post('/sign-in', { email, password: PASSWORD });
    const options = JSON.parse((await browser.get('/sign-in/code/options')).text);
    await browser.submit('/sign-in/code', '/sign-in/code/passkey', { response: device.get(options) });
    expect((await browser.get(`/o/${tenant.id}/findings`)).status).toBe(200);
  });

  it('leaves existing keys of its members alone, and refuses new ones, also from a key, until the passkey is set up', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const browser = await signedInAs(api, local, member);
    await requirePasskey(tenant);
    expect((await member.client.get(`/v1/organizations/${tenant.id}/members/`)).status).toBe(200);
    const refused = await browser.submit('/settings/api', '/settings/api', { label: 'x', read: 'true' });
    expect([refused.status, textOf(refused)]).toEqual([
      403,
      expect.stringContaining(`${tenant.name} requires a passkey of its members`),
    ]);
    const child = await member.client.post('/v1/api-keys/', { label: 'x', scopes: ['read'] });
    expect([child.status, child.body.description]).toEqual([403, expect.stringContaining('requires a passkey')]);
    await addPasskey(browser);
    expect((await member.client.post('/v1/api-keys/', { label: 'x', scopes: ['read'] })).status).toBe(201);
  });

  it('accepts an authenticator app if only a second factor is required', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const browser = await signedInAs(api, local, member);
    await query(`INSERT INTO sign_in_rules (organization_id, second_factor) VALUES ($1, 'second_factor')`, [tenant.id]);
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(403);
    await query(`INSERT INTO second_factors (user_id, secret, confirmed) VALUES ($1, '\\x00', now())`, [member.userId]);
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(200);
    await requirePasskey(tenant);
    expect((await browser.get(`/o/${tenant.id}`)).status).toBe(403);
  });

  it('is set by an owner who has a passkey, and by nobody else, with an audit entry', async () => {
    const { tenant, browser } = await ownedBy();
    const refused = await setRules(tenant, browser, { second_factor: 'passkey' });
    expect([refused.status, textOf(refused)]).toEqual([
      409,
      expect.stringContaining('Set up a passkey for yourself first'),
    ]);
    expect(await query('SELECT 1 FROM sign_in_rules WHERE organization_id = $1', [tenant.id])).toEqual([]);
    await addPasskey(browser);
    expect((await setRules(tenant, browser, { second_factor: 'passkey' })).status).toBe(303);
    const [entry] = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE organization_id = $1 AND operation = 'settings.sign_in_rules_change'
       AND status = 'success'`,
      [tenant.id],
    );
    expect(entry?.metadata).toMatchObject({ from: { secondFactor: 'off' }, to: { secondFactor: 'passkey' } });
    const admin = await signedInAs(api, local, await tenant.as('admin'));
    const csrf = /name="csrf" value="([^"]*)"/.exec((await admin.get(SECURITY)).text)?.[1] ?? '';
    const foreign = await ownedBy();
    const foreignCsrf = /name="csrf" value="([^"]*)"/.exec((await foreign.browser.get(SECURITY)).text)?.[1] ?? '';
    for (const action of ['', '/end-unused-keys']) {
      const fields = { second_factor: 'off', ...ALL_SCOPES };
      expect((await admin.post(accessOf(tenant) + action, { ...fields, csrf })).status).toBe(403);
      expect((await foreign.browser.post(accessOf(tenant) + action, { ...fields, csrf: foreignCsrf })).status).toBe(
        404,
      );
    }
    expect((await admin.get(`/o/${tenant.id}/settings/members`)).status).toBe(403);
  });
});

describe('the limits of sessions', () => {
  const idleFor = (person: Person, minutes: number, created = minutes) =>
    query('UPDATE sessions SET last_used = $2, created = $3 WHERE user_id = $1', [
      person.userId,
      new Date(now - minutes * MINUTE),
      new Date(now - created * MINUTE),
    ]);

  it('are the smallest of the organizations of the user, and the defaults without a rule', async () => {
    const { tenant, owner, browser } = await ownedBy({ idle_minutes: '15', session_minutes: '60' });
    const other = await ownedBy({ idle_minutes: '43200', session_minutes: '43200' });
    await make.membership(other.owner.userId, tenant.id, 'viewer');
    for (const [one, window] of [
      [owner, browser],
      [other.owner, other.browser],
    ] as const) {
      await idleFor(one, 14);
      expect((await window.get(SECURITY)).status).toBe(200);
      await idleFor(one, 15);
      expect((await window.get(SECURITY)).status).toBe(303);
      await idleFor(one, 1, 60);
      expect((await window.get(SECURITY)).status).toBe(303);
    }
    await idleFor(owner, 15);
    await api.app.get(SessionsService).deleteExpired();
    expect(await query('SELECT 1 FROM sessions WHERE user_id = $1', [owner.userId])).toEqual([]);
  });

  it('may be longer than the defaults, at most 30 days, and at least 15 minutes', async () => {
    const { tenant, owner, browser } = await ownedBy({ idle_minutes: '43200', session_minutes: '43200' });
    await idleFor(owner, 43_199);
    await api.app.get(SessionsService).deleteExpired();
    expect((await browser.get(SECURITY)).status).toBe(200);
    for (const minutes of ['14', '43201', '0', 'x'])
      expect((await setRules(tenant, browser, { idle_minutes: minutes })).status).toBe(400);
  });
});

describe('the rules for keys', () => {
  it('refuse a new key that breaks them, and name the rule', async () => {
    const { tenant, owner, browser } = await ownedBy({ key_days: '30', write: '' });
    const create = (fields: Rules) => browser.submit('/settings/api', '/settings/api', { label: 'x', ...fields });
    for (const expires of ['', dayIn(40)])
      expect(textOf(await create({ read: 'true', expires }))).toContain(
        `a rule of ${tenant.name} limits API keys to 30 days.`,
      );
    expect(textOf(await create({ write: 'true', expires: dayIn(20) }))).toContain(
      `a rule of ${tenant.name} allows API keys only read, ci.`,
    );
    expect((await create({ read: 'true', expires: dayIn(20) })).status).toBe(200);
    const byKey = await owner.client.post('/v1/api-keys/', { label: 'x', scopes: ['read'] });
    expect([byKey.status, byKey.body.description]).toEqual([
      422,
      expect.stringContaining('limits API keys to 30 days'),
    ]);
    expect((await owner.client.get('/v1/me')).status).toBe(200);
  });

  it('show keys that break them, which end on a day only if the owner says so', async () => {
    const { tenant, owner, browser } = await ownedBy({ key_days: '30' });
    expect(textOf(await browser.get(accessOf(tenant)))).toContain('broken: lives longer than 30 days');
    await setRules(tenant, browser, { key_days: '30', keys_end: dayIn(7) });
    const [ends] = await query<{ ends: Date }>(
      'SELECT ends FROM api_key_organizations WHERE organization_id = $1 AND user_id = $2',
      [tenant.id, owner.userId],
    );
    expect(ends?.ends.toISOString().slice(0, 10)).toBe(dayIn(7));
    expect((await owner.client.get(`/v1/organizations/${tenant.id}/members/`)).status).toBe(200);
    const past = await setRules(tenant, browser, { keys_end: '2020-01-01' });
    expect([past.status, textOf(past)]).toEqual([400, expect.stringContaining('is in the past')]);
  });

  it('end no access of a key to another organization of its user', async () => {
    const { tenant, browser } = await ownedBy();
    const other = await make.organization();
    const member = await tenant.as('member');
    await make.membership(member.userId, other.id, 'member');
    const both = make.withCredentials(await make.key(member.userId));
    const limited = make.withCredentials(await make.key(member.userId, { limitedTo: tenant.id }));
    await query("UPDATE api_keys SET created = now() - interval '91 days' WHERE user_id = $1", [member.userId]);
    const page = await browser.get(accessOf(tenant));
    expect(textOf(page)).toContain('Keys that nobody used for 90 days');
    const done = await browser.submit(accessOf(tenant), `${accessOf(tenant)}/end-unused-keys`);
    expect(done.status).toBe(303);
    expect((await limited.get('/v1/me')).status).toBe(401);
    expect((await both.get(`/v1/organizations/${tenant.id}/members/`)).status).toBe(404);
    expect((await both.get(`/v1/organizations/${other.id}/members/`)).status).toBe(200);
    expect(textOf(await browser.get(accessOf(tenant)))).not.toContain('nobody used for 90 days');
  });

  it('find a key unused after 90 days, but not one that was used or is new', async () => {
    const { tenant, owner, browser } = await ownedBy();
    const label = async (days: number, used: number | null) => {
      const { accessKey } = await make.key(owner.userId);
      await query(
        `UPDATE api_keys SET label = $2, created = now() - $3 * interval '1 day',
           last_used = now() - $4 * interval '1 day' WHERE access_key = $1`,
        [accessKey, `after ${days} and ${used}`, days, used],
      );
    };
    for (const [days, used] of [
      [91, null],
      [200, 91],
      [89, null],
      [200, 89],
    ] as const)
      await label(days, used);
    const card = /id="unused-title"([^]*?)<\/section>/.exec((await browser.get(accessOf(tenant))).text)?.[1] ?? '';
    expect([...card.matchAll(/after (\d+ and \w+)/g)].map(([, one]) => one)).toEqual(['91 and null', '200 and 91']);
  });
});

describe('the API of the rules', () => {
  it('reads and sets them for owners, and sets what is left out to the defaults', async () => {
    const { tenant, owner } = await ownedBy();
    const path = `/v1/organizations/${tenant.id}/settings/sign-in`;
    const none = {
      second_factor_from: null,
      idle_minutes: null,
      session_minutes: null,
      key_days: null,
      key_scopes: null,
    };
    expect((await owner.client.get(path)).body).toEqual({ second_factor: 'off', ...none });
    const rules = { idle_minutes: 30, key_days: 90, key_scopes: ['read', 'ci'] };
    const changed = await owner.client.put(path, { second_factor: 'off', ...rules });
    expect([changed.status, changed.body]).toEqual([200, { second_factor: 'off', ...none, ...rules }]);
    expect((await owner.client.get(path)).body).toEqual(changed.body);
    const refused = await owner.client.put(path, { second_factor: 'second_factor' });
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining('for yourself first')]);
    for (const wrong of [{ idle_minutes: 14 }, { key_scopes: [] }, { key_scopes: ['all'] }, { key_days: 0 }])
      expect((await owner.client.put(path, { second_factor: 'off', ...wrong })).status).toBe(400);
    expect((await owner.client.get(path)).body).toEqual(changed.body);
  });
});
