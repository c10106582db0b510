import { createHash, randomBytes } from 'node:crypto';
import { createMembership } from '../../src/apps/cli/identity-actions';
import { runCommand } from '../../src/apps/cli/run-command';
import { Clock } from '../../src/kernel/clock';
import { stepAt, totpCode } from '../../src/kernel/totp';
import { base32Bytes } from '../support/base32';
import type { Client } from '../support/client';
import { Factories, type Person, type Tenant } from '../support/factories';
import { useMailingInstallation } from '../support/mailing-installation';
import { Browser, PASSWORD } from '../support/portal';

const installation = useMailingInstallation('_proofs');
const { portal, rows, nextLink, sentTo, quiet } = installation;
const make = new Factories(installation.api);

const INVITATION = 'Invitation to Assay';
const NEW_PASSWORD = 'New password for Assay';
const ENDED = 'Your sign-in to Assay has changed';
const OTHER_PASSWORD = 'a new battery for the horse';
const KEYS = '/settings/api';
const SECURITY = '/settings/security';
/** In the middle of a time step, and for the whole file, so that no code expires during a test. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);

beforeAll(() => {
  jest.spyOn(installation.api.app.get(Clock), 'now').mockReturnValue(NOW);
});

afterAll(() => jest.restoreAllMocks());

const locationOf = ({ headers }: { headers: Headers }): string | null => headers.get('location');
const newEmail = (): string => `person-${randomBytes(6).toString('hex')}@example.com`;
const invitationsOf = ({ id }: Tenant): string => `/v1/organizations/${id}/invitations/`;
const organizationsOf = async (client: Client): Promise<number[]> => {
  const { body } = await client.get('/v1/organizations/');
  return body.organizations.map(({ id }: { id: number }) => id);
};

async function tenantWithOwner(): Promise<{ tenant: Tenant; owner: Person }> {
  const tenant = await make.organization();
  return { tenant, owner: await tenant.as('owner') };
}

/** The path of an invitation that was handed over, as before the service sent mail. */
async function handedInvitation(owner: Person, tenant: Tenant, email: string, role = 'member'): Promise<string> {
  const { status, body } = await owner.client.post(invitationsOf(tenant), { email, role });
  expect([status, body.link]).toEqual([201, null]);
  await nextLink(email, INVITATION);
  const token = randomBytes(32).toString('base64url');
  await rows('UPDATE invitations SET is_mailed = false, token_hash = $2 WHERE id = $1', [
    body.id,
    createHash('sha256').update(token).digest(),
  ]);
  return `/invitations/${token}`;
}

async function mailedInvitation(owner: Person, tenant: Tenant, email: string, role = 'member'): Promise<string> {
  expect((await owner.client.post(invitationsOf(tenant), { email, role })).status).toBe(201);
  return nextLink(email, INVITATION);
}

async function signIn(email: string, password: string): Promise<Browser> {
  const browser = new Browser(portal);
  expect((await browser.submit('/sign-in', '/sign-in', { email, password })).status).toBe(303);
  return browser;
}

/** A key that the portal creates for all organizations of the user. */
async function unlimitedKey(browser: Browser, label: string): Promise<Client> {
  const { status, text } = await browser.submit(KEYS, KEYS, { label, write: 'true', organization: '' });
  const [, accessKey = '', secret = ''] = /-u '(ak_\w+):([^']+)'/.exec(text) ?? [];
  expect([status, accessKey]).toEqual([200, expect.stringMatching(/^ak_/)]);
  return make.withCredentials({ accessKey, secret });
}

async function setUpApp(browser: Browser, password: string): Promise<Buffer> {
  await browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: password });
  const { text } = await browser.get(`${SECURITY}/totp`);
  const secret = base32Bytes(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? '');
  const code = totpCode(secret, stepAt(NOW));
  expect((await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code })).status).toBe(200);
  return secret;
}

async function newPasswordByMail(email: string, password = OTHER_PASSWORD): Promise<string> {
  await new Browser(portal).submit('/forgotten-password', '/forgotten-password', { email });
  const path = await nextLink(email, NEW_PASSWORD);
  const { status, text } = await new Browser(portal).submit(path, path, { password });
  expect([status, text]).toEqual([200, expect.stringContaining('The password was set')]);
  return text;
}

async function command(...words: string[]): Promise<{ code: number; output: string }> {
  const environment = process.env;
  process.env = { ...environment, ...installation.settings };
  let output = '';
  const writes = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await runCommand(words), output };
  } finally {
    for (const write of writes) write.mockRestore();
    process.env = environment;
  }
}

/** A user whom the owner of another organization has made with the address of somebody else. */
async function hijacked() {
  const { tenant, owner } = await tenantWithOwner();
  const email = newEmail();
  const attacker = new Browser(portal);
  const path = await handedInvitation(owner, tenant, email);
  expect((await attacker.post(`${path}/new-user`, { password: PASSWORD })).status).toBe(303);
  return { tenant, owner, email, attacker };
}

describe('a user whom somebody else has created with the address of a person', () => {
  it('gives no key, session or app to another organization that the person joins after the first link by mail', async () => {
    const { tenant, owner, email, attacker } = await hijacked();
    const key = await unlimitedKey(attacker, 'hidden key');
    await setUpApp(attacker, PASSWORD);
    const [user] = await rows<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
    await owner.client.delete(`/v1/organizations/${tenant.id}/members/${user?.id}`);

    const northwind = await tenantWithOwner();
    const invitation = await mailedInvitation(northwind.owner, northwind.tenant, email, 'admin');
    const shown = await newPasswordByMail(email);
    expect(shown).toContain('hidden key');
    expect(shown).toContain('The second factor was removed');
    expect((await key.get('/v1/me')).status).toBe(401);
    expect((await attacker.get(KEYS)).status).toBe(303);
    const person = await signIn(email, OTHER_PASSWORD);
    expect(locationOf(await person.submit(invitation, `${invitation}/accept`))).toBe(`/o/${northwind.tenant.id}`);
    expect((await key.get('/v1/me')).status).toBe(401);

    await quiet();
    const mail = sentTo(email).find(({ source }) => source.includes(ENDED))?.source;
    expect(mail).toContain('the API key "hidden key"');
    expect(mail).toContain('the second factor');
  });

  it('proves the address with an invitation by mail and a new password, which ends the rest', async () => {
    const { email, attacker } = await hijacked();
    const key = await unlimitedKey(attacker, 'key of another person');
    const northwind = await tenantWithOwner();
    const path = await mailedInvitation(northwind.owner, northwind.tenant, email);
    expect((await attacker.get(path)).text).toContain('Set the password and join');
    const csrf = /name="csrf" value="([^"]*)"/.exec((await attacker.get(path)).text)?.[1] ?? '';
    const refused = await attacker.post(`${path}/accept`, { csrf }, { referer: portal.url + path });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is not proved')]);
    const person = new Browser(portal);
    const joined = await person.submit(path, `${path}/new-password`, { password: OTHER_PASSWORD });
    expect([joined.status, locationOf(joined)]).toEqual([303, `/sign-in?next=/o/${northwind.tenant.id}`]);
    expect((await key.get('/v1/me')).status).toBe(401);
    expect((await attacker.get(KEYS)).status).toBe(303);
    expect((await new Browser(portal).post('/sign-in', { email, password: PASSWORD })).status).toBe(401);
    const { text } = await (await signIn(email, OTHER_PASSWORD)).get(`/o/${northwind.tenant.id}/settings/members`);
    expect(text).not.toContain('address not proved');
  });

  it('loses the invitations and password links that were sent in its name', async () => {
    const { tenant, owner, email } = await hijacked();
    const [user] = await rows<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
    await owner.client.patch(`/v1/organizations/${tenant.id}/members/${user?.id}`, { role: 'owner' });
    const other = await tenant.as('viewer');
    const boss = await make.person(user?.id ?? 0);
    const invitation = await mailedInvitation(boss, tenant, newEmail());
    await rows(
      `INSERT INTO password_resets (organization_id, user_id, token_hash, requested_by, expires)
       VALUES ($1, $2, '\\x00', $3, now() + interval '1 hour')`,
      [tenant.id, other.userId, user?.id],
    );
    await newPasswordByMail(email);
    expect((await new Browser(portal).get(invitation)).text).toContain('was revoked');
    expect(await rows('SELECT 1 FROM password_resets WHERE requested_by = $1', [user?.id])).toEqual([]);
  });

  it('joins no other organization before the operator proves the address, which ends all access or, with --keep, none', async () => {
    for (const keep of [false, true]) {
      const { email, attacker } = await hijacked();
      const key = await unlimitedKey(attacker, 'first');
      const northwind = await tenantWithOwner();
      const path = await handedInvitation(northwind.owner, northwind.tenant, email);
      const refused = await attacker.submit(path, `${path}/accept`);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is not proved')]);
      const { code, output } = await command('prove-address', email, ...(keep ? ['--keep'] : []));
      expect([code, output]).toEqual([
        0,
        expect.stringContaining(keep ? 'Nothing was ended' : '1 API keys, 1 sessions'),
      ]);
      expect((await command('prove-address', email)).output).toContain('proved already');
      expect((await key.get('/v1/me')).status).toBe(keep ? 200 : 401);
      expect((await attacker.get(path)).status).toBe(200);
      expect((await attacker.get(KEYS)).status).toBe(keep ? 200 : 303);
      const again = await new Browser(portal).post('/sign-in', { email, password: PASSWORD });
      expect(again.status).toBe(keep ? 303 : 401);
      if (keep) expect((await attacker.submit(path, `${path}/accept`)).status).toBe(303);
    }
  });
});

describe('a link for a new password', () => {
  it('that an owner hands over ends keys and sessions, and makes the address unproved', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const email = newEmail();
    const member = new Browser(portal);
    const joined = await member.post(`${await mailedInvitation(owner, tenant, email)}/new-user`, {
      password: PASSWORD,
    });
    expect(joined.status).toBe(303);
    const key = await unlimitedKey(member, 'pipeline');
    const app = await setUpApp(member, PASSWORD);
    const [user] = await rows<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
    const token = randomBytes(32).toString('base64url');
    await rows(
      `INSERT INTO password_resets (organization_id, user_id, token_hash, requested_by, expires)
       VALUES ($1, $2, $3, $4, now() + interval '1 hour')`,
      [tenant.id, user?.id, createHash('sha256').update(token).digest(), owner.userId],
    );
    const path = `/password-resets/${token}`;
    const { text } = await new Browser(portal).submit(path, path, { password: OTHER_PASSWORD });
    expect(text).toContain('pipeline');
    expect((await key.get('/v1/me')).status).toBe(401);
    expect((await member.get(KEYS)).status).toBe(303);
    const members = await owner.client.get(`/v1/organizations/${tenant.id}/members/`);
    expect(members.body.members).toContainEqual(expect.objectContaining({ email, address_proved: false }));
    const withApp = new Browser(portal);
    const next = await withApp.post('/sign-in', { email, password: OTHER_PASSWORD });
    expect(locationOf(next)).toContain('/sign-in/code');
    expect((await withApp.post('/sign-in/code', { code: totpCode(app, stepAt(NOW) + 1) })).status).toBe(303);
    const made = await unlimitedKey(withApp, 'made with the link');
    // The app was set up by the proved person, so that a stolen mailbox does not replace it.
    expect(await newPasswordByMail(email, PASSWORD)).toContain('Your second factor is still needed');
    expect((await made.get('/v1/me')).status).toBe(401);
    expect(locationOf(await new Browser(portal).post('/sign-in', { email, password: PASSWORD }))).toContain('/code');
  });

  it('that was mailed to a proved address ends sessions, and asks about each key after the sign-in', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const email = newEmail();
    const member = new Browser(portal);
    await member.post(`${await mailedInvitation(owner, tenant, email)}/new-user`, { password: PASSWORD });
    const [kept, ended] = [await unlimitedKey(member, 'kept key'), await unlimitedKey(member, 'unknown key')];
    const text = await newPasswordByMail(email);
    expect(text).toContain('These still work.');
    expect((await member.get(KEYS)).status).toBe(303);
    for (const key of [kept, ended]) expect((await key.get('/v1/me')).status).toBe(200);
    const browser = await signIn(email, OTHER_PASSWORD);
    expect(locationOf(await browser.get('/'))).toBe(KEYS);
    const page = await browser.get(KEYS);
    expect(page.text).toContain('Do you still need these keys?');
    const idOf = (label: string): string =>
      new RegExp(`/settings/api/(\\d+)/keep"(?:(?!</form>)[^])*the key ${label}`).exec(page.text)?.[1] ?? '';
    expect((await browser.submit(KEYS, `${KEYS}/${idOf('kept key')}/keep`)).status).toBe(303);
    expect((await browser.submit(KEYS, `${KEYS}/${idOf('unknown key')}/revoke`)).status).toBe(303);
    expect([(await kept.get('/v1/me')).status, (await ended.get('/v1/me')).status]).toEqual([200, 401]);
    expect(locationOf(await browser.get('/'))).toBe(`/o/${tenant.id}`);
    expect((await browser.get(KEYS)).text).not.toContain('Do you still need these keys?');
    await quiet();
    const mail = sentTo(email).find(({ source }) => source.includes(ENDED))?.source;
    expect(mail).toContain('These still work');
  });

  it('of an owner is sent only to the address of the member, also if the member is in other organizations', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const member = await tenant.as('member');
    await createMembership(installation.api.app, member.userId, (await make.organization()).id, 'viewer');
    const [user] = await rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [member.userId]);
    const email = user?.email ?? '';
    const created = await owner.client.post(
      `/v1/organizations/${tenant.id}/members/${member.userId}/password-reset`,
      {},
    );
    expect([created.status, created.body]).toEqual([201, { link: null, expires: null }]);
    const path = await nextLink(email, NEW_PASSWORD);
    expect((await new Browser(portal).get(path)).text).toContain('Set a new password');
  });
});

describe('a key without a limit', () => {
  /** A proved member of one organization, with a session. */
  async function member() {
    const { tenant, owner } = await tenantWithOwner();
    const email = newEmail();
    const browser = new Browser(portal);
    await browser.post(`${await mailedInvitation(owner, tenant, email, 'admin')}/new-user`, { password: PASSWORD });
    return { tenant, owner, email, browser };
  }

  it('does not open an organization that its user joins later, nor does a key that it creates', async () => {
    const { tenant, email, browser } = await member();
    const key = await unlimitedKey(browser, 'first');
    const second = await tenantWithOwner();
    const path = await mailedInvitation(second.owner, second.tenant, email, 'owner');
    expect((await browser.submit(path, `${path}/accept`)).status).toBe(303);
    expect(await organizationsOf(key)).toEqual([tenant.id]);
    expect((await key.get(`/v1/organizations/${second.tenant.id}/findings/`)).status).toBe(404);
    const created = await key.post('/v1/api-keys/', { label: 'child', scopes: ['write'] });
    expect(created.body.organization_ids).toEqual([tenant.id]);
    const child = make.withCredentials({ accessKey: created.body.access_key, secret: created.body.secret });
    expect(await organizationsOf(child)).toEqual([tenant.id]);
    const later = await unlimitedKey(browser, 'second');
    expect((await organizationsOf(later)).sort()).toEqual([tenant.id, second.tenant.id].sort());
    const page = (await browser.get(KEYS)).text;
    expect(page).toContain(`All that you are in today: `);
    expect(page).toContain(`${tenant.name}, ${second.tenant.name}`);
  });

  it('does not open an organization again that its user has left and joined again', async () => {
    const { tenant, owner, email, browser } = await member();
    const second = await tenantWithOwner();
    const there = await mailedInvitation(second.owner, second.tenant, email);
    await browser.submit(there, `${there}/accept`);
    const key = await unlimitedKey(browser, 'of both');
    const [user] = await rows<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
    expect((await owner.client.delete(`/v1/organizations/${tenant.id}/members/${user?.id}`)).status).toBe(200);
    const back = await mailedInvitation(owner, tenant, email);
    expect((await browser.submit(back, `${back}/accept`)).status).toBe(303);
    expect(await organizationsOf(key)).toEqual([second.tenant.id]);
  });

  it('is not widened by the operator either, and is refused for a user who is in no organization', async () => {
    const { tenant, owner, email, browser } = await member();
    const key = await unlimitedKey(browser, 'first');
    const second = await make.organization();
    expect((await command('add-member', email, '--organization', String(second.id))).code).toBe(0);
    expect(await organizationsOf(key)).toEqual([tenant.id]);
    const [user] = await rows<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
    for (const id of [tenant.id, second.id])
      await rows('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user?.id, id]);
    const refused = await browser.submit(KEYS, KEYS, { label: 'nothing', write: 'true', organization: '' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Accept an invitation first')]);
    const byCommand = await command('create-key', email);
    expect([byCommand.code, byCommand.output]).toEqual([1, expect.stringContaining('Accept an invitation first')]);
    expect((await owner.client.get('/v1/me')).status).toBe(200);
  });

  it('is preset to one organization and 90 days in the portal', async () => {
    const { tenant, browser } = await member();
    const { text } = await browser.get(KEYS);
    expect(text).toMatch(
      new RegExp(`<option[^>]*value="${tenant.id}"[^>]*selected|<option selected[^>]*value="${tenant.id}"`),
    );
    const lastDay = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    expect(text).toContain(lastDay);
  });

  it('that had no limit before an upgrade is shown to owners until they have decided', async () => {
    const { tenant, owner, email, browser } = await member();
    const key = await unlimitedKey(browser, 'old pipeline');
    await rows(`UPDATE api_key_organizations SET shown_to_owners = false WHERE organization_id = $1`, [tenant.id]);
    const [ownerRow] = await rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [owner.userId]);
    const ownerEmail = ownerRow?.email ?? '';
    await newPasswordByMail(ownerEmail);
    const boss = await signIn(ownerEmail, OTHER_PASSWORD);
    expect((await boss.get(`/o/${tenant.id}`)).text).toContain('API keys of members');
    expect((await browser.get(`/o/${tenant.id}`)).text).not.toContain('API keys of members');
    const members = `/o/${tenant.id}/settings/members`;
    const page = await boss.get(members);
    expect(page.text).toContain(`old pipeline`);
    expect(page.text).toContain(email);
    const close = /\/settings\/members\/keys\/(\d+)\/close"(?:(?!<\/form>)[^])*of the key old pipeline/.exec(
      page.text,
    )?.[0];
    const action = `${members}/keys/${/keys\/(\d+)/.exec(close ?? '')?.[1]}/close`;
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(members)).text)?.[1] ?? '';
    expect((await browser.post(action, { csrf })).status).toBe(403);
    expect((await boss.submit(members, action)).status).toBe(303);
    expect(await organizationsOf(key)).toEqual([]);
    const seen = await boss.submit(members, `${members}/keys/seen`);
    expect([seen.status, (await boss.get(members)).text]).toEqual([303, expect.not.stringContaining('End the access')]);
  });
});
