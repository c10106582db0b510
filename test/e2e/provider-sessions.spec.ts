import type { ScheduledTask } from '../../src/platform/work/work-handler';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { type RunningWorker, startWorker } from '../support/api';
import { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { HostileProvider } from '../support/hostile-provider';
import { startMailServer } from '../support/mail-server';
import { CLIENT } from '../support/openid-provider';
import { expectWaitingForLocks, makeOwner } from '../support/row-locks';
import { Browser, PASSWORD, signedInAs } from '../support/portal';
import {
  addressAtProvider,
  addressToLink,
  linkProvider,
  setUpProvider,
  type SetUpOrganization,
  singleSignOn,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';

let hostile: HostileProvider;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
const installation = useProviderInstallation(
  async () => {
    [hostile, mailServer] = await Promise.all([HostileProvider.start(), startMailServer()]);
    return [hostile.host];
  },
  () => ({ SMTP_URL: mailServer.url, MAIL_FROM: 'Assay <assay@example.com>' }),
);
const { portal, api, make } = installation;

afterEach(() => {
  installation.provider.isAway = false;
});

let worker: RunningWorker;
beforeAll(async () => (worker = await startWorker(installation.settings)));
afterAll(async () => {
  await worker.stop();
  hostile.stop();
  await mailServer.close();
});

function accountOf(domain: string, claims: Record<string, unknown> = {}): string {
  const id = unique('account').replace(' ', '-');
  installation.provider.accounts.set(id, { email: `${id}@${domain}`, email_verified: true, ...claims });
  return id;
}

/** A user whom the provider has made, in a browser that is signed in through it. */
async function newMember(organization: SetUpOrganization, claims?: Record<string, unknown>) {
  const account = accountOf(organization.domain, claims);
  const browser = new Browser(portal);
  const answer = await throughProvider(installation, browser, organization.signIn, account);
  const [row] = await query<{ userId: number; id: number }>(
    'SELECT id, user_id AS "userId" FROM provider_identities WHERE subject = $1',
    [account],
  );
  return { account, browser, answer, userId: row?.userId ?? 0, identityId: row?.id ?? 0 };
}

const subjectsTo = (email: string): string[] =>
  mailServer.mails
    .filter(({ to }) => to.includes(email))
    .map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim() ?? '');

const idOf = ({ signIn }: SetUpOrganization): string => signIn.split('/').at(-1) ?? '';
const pageOf = async (browser: Browser, { tenant }: SetUpOrganization): Promise<number> =>
  (await browser.get(`/o/${tenant.id}/findings`)).status;

async function newKey(browser: Browser, organization?: number) {
  const fields = {
    label: 'pipeline',
    read: 'true',
    ...(organization !== undefined && { organization: String(organization) }),
  };
  const answer = await browser.submit('/settings/api', '/settings/api', fields);
  const [, accessKey = '', secret = ''] = /-u '(ak_\w+):([^']+)'/.exec(answer.text) ?? [];
  return { answer, client: new Client(() => api.url, { accessKey, secret }) };
}

const statusOf = async (client: Client, { tenant }: SetUpOrganization): Promise<number> =>
  (await client.get(`/v1/organizations/${tenant.id}/members/`)).status;

function task(name: string): ScheduledTask {
  const found = api.app.get(WorkRegistry).scheduledTasks.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no task ${name}`);
  return found;
}

const confirmedBefore = (identityId: number, minutes: number) =>
  query(`UPDATE provider_identities SET checked = now() - make_interval(mins => $2) WHERE id = $1`, [
    identityId,
    minutes,
  ]);

const checkAll = async (): Promise<void> => {
  await task('identity.checks').run();
  await eventually(async () =>
    expect(await query(`SELECT 1 FROM work WHERE kind = 'identity.check' AND state IN ('waiting', 'running')`)).toEqual(
      [],
    ),
  );
};

describe('a session of the provider of one organization', () => {
  it('reaches no other organization of its user', async () => {
    const [one, two] = [await setUpProvider(installation), await setUpProvider(installation)];
    const member = await newMember(one);
    await make.membership(member.userId, two.tenant.id, 'owner');
    expect([await pageOf(member.browser, one), await pageOf(member.browser, two)]).toEqual([200, 404]);
    expect((await member.browser.get('/')).headers.get('location')).toBe(`/o/${one.tenant.id}`);
    expect((await member.browser.get(singleSignOn(two.tenant.id))).status).toBe(404);
  });

  it('may not change what belongs to its user elsewhere', async () => {
    const { browser, userId } = await newMember(await setUpProvider(installation));
    for (const page of ['/settings/security', '/settings/sessions', '/settings/providers'])
      expect([page, (await browser.get(page)).status]).toEqual([page, 403]);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/settings/api')).text)?.[1] ?? '';
    for (const form of [
      '/settings/security/name',
      '/settings/security/password',
      '/settings/security/totp/begin',
      '/settings/security/passkeys/begin',
      '/settings/security/passkeys',
      '/settings/security/passkeys/1/rename',
      '/settings/security/passkeys/1/remove',
    ])
      expect([form, (await browser.post(form, { csrf, name: 'Mallory' })).status]).toEqual([form, 403]);
    for (const form of ['/settings/sessions/end-others', '/settings/providers/1/unlink', '/invitations/x/accept'])
      expect([form, (await browser.post(form, { csrf })).status]).toEqual([form, 403]);
    const refused = await query(
      `SELECT 1 FROM audit_logs WHERE actor_id = $1 AND status = 'failure' AND metadata ->> 'reason' = 'forbidden'`,
      [String(userId)],
    );
    expect(refused).toHaveLength(10);
  });

  it('creates keys only of its organization, and sees no others', async () => {
    const organization = await setUpProvider(installation);
    const { browser, userId } = await newMember(organization);
    await make.key(userId, { scopes: ['read'] });
    expect((await newKey(browser)).answer.status).toBe(403);
    const { client } = await newKey(browser, organization.tenant.id);
    expect(await statusOf(client, organization)).toBe(200);
    const [list] = await query('SELECT id FROM api_keys WHERE user_id = $1 AND organization_id IS NULL', [userId]);
    expect(list).toBeDefined();
    expect((await browser.get('/settings/api')).text.match(/ak_\w{20}/g)).toHaveLength(1);
  });

  it('lasts an hour without an answer of an unreachable provider, and its keys a day', async () => {
    const organization = await setUpProvider(installation);
    const { browser, identityId } = await newMember(organization);
    const { client } = await newKey(browser, organization.tenant.id);
    installation.provider.isAway = true;
    await confirmedBefore(identityId, 59);
    await checkAll();
    expect(await pageOf(browser, organization)).toBe(200);
    await confirmedBefore(identityId, 61);
    expect(await pageOf(browser, organization)).toBe(303);
    await confirmedBefore(identityId, 23 * 60);
    expect(await statusOf(client, organization)).toBe(200);
    await confirmedBefore(identityId, 24 * 60 + 1);
    const refused = await eventually(async () => {
      const answer = await client.get(`/v1/organizations/${organization.tenant.id}/members/`);
      expect(answer.status).toBe(401);
      return answer;
    });
    expect(refused.text).toContain('has not confirmed the user');
    installation.provider.isAway = false;
    await checkAll();
    expect(await statusOf(client, organization)).toBe(200);
  });

  it('ends with its keys at the next check after the user has left', async () => {
    const organization = await setUpProvider(installation);
    const { account, browser, identityId } = await newMember(organization);
    const { client } = await newKey(browser, organization.tenant.id);
    await confirmedBefore(identityId, 46);
    await checkAll();
    expect(await pageOf(browser, organization)).toBe(200);
    installation.provider.accounts.delete(account);
    await confirmedBefore(identityId, 46);
    await checkAll();
    expect(await pageOf(browser, organization)).toBe(303);
    await eventually(async () => expect(await statusOf(client, organization)).toBe(401));
  });

  it('follows the groups, which never make or unmake an owner', async () => {
    const organization = await setUpProvider(installation, {
      roles: 'testers = admin\r\neveryone = viewer',
      default_role: '',
    });
    const { account, browser, userId, identityId } = await newMember(organization, { groups: ['everyone', 'testers'] });
    const role = async () =>
      (await query<{ role: string }>('SELECT role FROM memberships WHERE user_id = $1', [userId]))[0]?.role;
    expect(await role()).toBe('admin');
    const again = async (groups: string[]) => {
      installation.provider.accounts.set(account, { ...installation.provider.accounts.get(account), groups });
      return (await throughProvider(installation, browser, organization.signIn, account)).status;
    };
    expect([await again(['everyone']), await role()]).toEqual([303, 'viewer']);
    await query(`UPDATE memberships SET role = 'owner' WHERE user_id = $1`, [userId]);
    expect([await again([]), await role()]).toEqual([303, 'owner']);
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [userId]);
    expect([await again([]), await role()]).toEqual([403, 'viewer']);
    expect(await pageOf(browser, organization)).toBe(303);
    expect(await query('SELECT 1 FROM provider_identities WHERE id = $1 AND ended IS NULL', [identityId])).toEqual([]);
  });
});

describe('a check of a user at the provider', () => {
  it('leaves an owner whom a person makes meanwhile', async () => {
    const roles = 'testers = admin\r\neveryone = viewer';
    const organization = await setUpProvider(installation, { roles, default_role: '' });
    const { account, userId, identityId } = await newMember(organization, { groups: ['testers'] });
    installation.provider.accounts.set(account, {
      ...installation.provider.accounts.get(account),
      groups: ['everyone'],
    });
    await confirmedBefore(identityId, 46);
    const commit = await makeOwner(organization.tenant.id, userId);
    const checked = checkAll();
    await expectWaitingForLocks(1);
    await commit();
    await checked;
    expect(await query('SELECT role FROM memberships WHERE user_id = $1', [userId])).toEqual([{ role: 'owner' }]);
  });
});

describe('a link to a provider', () => {
  it('is created by a user who is signed in another way, and opens the organization in that session', async () => {
    const organization = await setUpProvider(installation);
    const account = accountOf('elsewhere.example');
    const linked = await linkProvider(installation, organization.browser, idOf(organization), account);
    expect([linked.status, linked.headers.get('location')]).toEqual([303, '/settings/providers']);
    const browser = new Browser(portal);
    expect((await throughProvider(installation, browser, organization.signIn, account)).status).toBe(303);
    expect(await pageOf(browser, organization)).toBe(200);
    const [, unlink = ''] =
      /action="([^"]*\/unlink)"/.exec((await organization.browser.get('/settings/providers')).text) ?? [];
    expect((await organization.browser.submit('/settings/providers', unlink)).status).toBe(303);
    expect(await pageOf(browser, organization)).toBe(303);
    expect(await pageOf(organization.browser, organization)).toBe(200);
  });

  it('is refused to a user who has left since it was begun', async () => {
    const organization = await setUpProvider(installation);
    const member = await organization.tenant.as('member');
    const browser = await signedInAs(api, portal, member);
    const url = await addressToLink(browser, idOf(organization));
    const back = await installation.provider.authorize(url, accountOf('x.example'));
    await query('DELETE FROM memberships WHERE user_id = $1', [member.userId]);
    expect((await browser.get(back.pathname + back.search)).status).toBe(403);
    expect(await query('SELECT 1 FROM provider_identities WHERE user_id = $1', [member.userId])).toEqual([]);
  });

  it('to an account of another user, to a foreign organization, or begun in another session is refused', async () => {
    const organization = await setUpProvider(installation);
    const { account } = await newMember(organization);
    const taken = await linkProvider(installation, organization.browser, idOf(organization), account);
    expect(taken.status).toBe(409);
    const stranger = await signedInAs(api, portal, await (await make.organization()).as('owner'));
    const csrf = /name="csrf" value="([^"]*)"/.exec((await stranger.get('/settings/api')).text)?.[1] ?? '';
    const foreign = `/settings/providers/${idOf(organization)}/link`;
    expect((await stranger.post(foreign, { csrf, current: PASSWORD })).status).toBe(403);
    const url = await addressToLink(organization.browser, idOf(organization));
    const back = await installation.provider.authorize(url, accountOf('x.example'));
    await organization.browser.submit('/settings/api', '/sign-out');
    expect((await organization.browser.get(back.pathname + back.search)).status).toBe(401);
  });

  it('is refused in the session of another user who has signed in to the browser meanwhile', async () => {
    const organization = await setUpProvider(installation);
    const other = await organization.tenant.as('owner');
    const { browser } = organization;
    const url = await addressToLink(browser, idOf(organization));
    const back = await installation.provider.authorize(url, accountOf('x.example'));
    browser.setCookie('assay', (await signedInAs(api, portal, other)).cookie('assay') ?? '');
    expect((await browser.get(back.pathname + back.search)).status).toBe(401);
    expect(await query('SELECT 1 FROM provider_identities WHERE user_id = $1', [other.userId])).toEqual([]);
  });

  it('adds the organizations of several providers to one session, each by its own sign-in', async () => {
    const [one, two] = [await setUpProvider(installation), await setUpProvider(installation)];
    await make.membership(one.owner.userId, two.tenant.id, 'member');
    const [first, second] = [accountOf('x.example'), accountOf('x.example')];
    await linkProvider(installation, one.browser, idOf(one), first);
    await linkProvider(installation, one.browser, idOf(two), second);
    const browser = new Browser(portal);
    await throughProvider(installation, browser, one.signIn, first);
    expect([await pageOf(browser, one), await pageOf(browser, two)]).toEqual([200, 404]);
    await throughProvider(installation, browser, two.signIn, second);
    expect([await pageOf(browser, one), await pageOf(browser, two)]).toEqual([200, 200]);
  });

  it('to the provider of the installation opens all organizations, and makes no users', async () => {
    const [one, two] = [await setUpProvider(installation), await setUpProvider(installation)];
    await make.membership(one.owner.userId, two.tenant.id, 'member');
    const account = accountOf(one.domain);
    const page = '/sign-in/provider/installation';
    expect((await throughProvider(installation, new Browser(portal), page, account)).status).toBe(403);
    await linkProvider(installation, one.browser, 'installation', account);
    const browser = new Browser(portal);
    await throughProvider(installation, browser, page, account);
    expect([await pageOf(browser, one), await pageOf(browser, two)]).toEqual([200, 200]);
    expect((await browser.get('/settings/security')).status).toBe(403);
  });
});

describe('an organization that requires a passkey', () => {
  it('is open through its own provider, and not through that of the installation', async () => {
    const organization = await setUpProvider(installation);
    const account = accountOf('x.example');
    await linkProvider(installation, organization.browser, 'installation', account);
    await query(`INSERT INTO sign_in_rules (organization_id, second_factor) VALUES ($1, 'passkey')`, [
      organization.tenant.id,
    ]);
    const { browser } = await newMember(organization);
    expect(await pageOf(browser, organization)).toBe(200);
    const { client } = await newKey(browser, organization.tenant.id);
    expect(await statusOf(client, organization)).toBe(200);
    const elsewhere = new Browser(portal);
    await throughProvider(installation, elsewhere, '/sign-in/provider/installation', account);
    expect([await pageOf(organization.browser, organization), await pageOf(elsewhere, organization)]).toEqual([
      403, 403,
    ]);
  });

  it('limits also the sessions of its provider', async () => {
    const organization = await setUpProvider(installation);
    const { browser, userId } = await newMember(organization);
    await query(`INSERT INTO sign_in_rules (organization_id, second_factor, session_minutes) VALUES ($1, 'off', 15)`, [
      organization.tenant.id,
    ]);
    const begun = (minutes: number) =>
      query('UPDATE sessions SET created = now() - make_interval(mins => $2) WHERE user_id = $1', [userId, minutes]);
    await begun(14);
    expect(await pageOf(browser, organization)).toBe(200);
    await begun(16);
    expect(await pageOf(browser, organization)).toBe(303);
  });
});

describe('a new browser', () => {
  it('that comes through a provider is reported to the user once, and again when it comes with the password', async () => {
    const organization = await setUpProvider(installation);
    const account = accountOf('x.example');
    await linkProvider(installation, organization.browser, idOf(organization), account);
    const [owner] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      organization.owner.userId,
    ]);
    const email = owner?.email ?? '';
    const browser = new Browser(portal);
    const newBrowserSubject = 'A new browser signed in to Assay as you';
    const linked = 'An identity provider was linked to your user in Assay';
    await throughProvider(installation, browser, organization.signIn, account);
    await browser.submit('/settings/api', '/sign-out');
    await throughProvider(installation, browser, organization.signIn, account);
    await browser.submit('/settings/api', '/sign-out');
    await eventually(async () => expect(subjectsTo(email)).toEqual([linked, newBrowserSubject]));
    expect((await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })).status).toBe(303);
    await eventually(async () => expect(subjectsTo(email)).toEqual([linked, newBrowserSubject, newBrowserSubject]));
  });
});

describe('an organization that requires its provider', () => {
  const requirement = (organization: SetUpOrganization, breakGlass: number) => {
    const page = singleSignOn(organization.tenant.id);
    return organization.browser.submit(page, `${page}/require`, { break_glass: String(breakGlass) });
  };

  async function required() {
    const organization = await setUpProvider(installation);
    const breakGlass = await organization.tenant.as('owner');
    expect((await requirement(organization, breakGlass.userId)).status).toBe(409);
    const account = accountOf('x.example');
    await linkProvider(installation, organization.browser, idOf(organization), account);
    const member = await organization.tenant.as('member');
    expect((await requirement(organization, member.userId)).status).toBe(400);
    expect((await requirement(organization, breakGlass.userId)).status).toBe(303);
    return { organization, breakGlass, account, member };
  }

  it('is not reached with a password, but through the provider and by the break-glass owner', async () => {
    const { organization, breakGlass, member } = await required();
    await expect(signedInAs(api, portal, member)).rejects.toThrow('requires a sign-in through its identity provider');
    expect(await pageOf(organization.browser, organization)).toBe(200);
    const browser = await signedInAs(api, portal, breakGlass);
    expect(await pageOf(browser, organization)).toBe(200);
    expect(
      await query(`SELECT 1 FROM audit_logs WHERE organization_id = $1 AND operation = 'session.break_glass'`, [
        organization.tenant.id,
      ]),
    ).toHaveLength(1);
    const [owner] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      organization.owner.userId,
    ]);
    await eventually(async () =>
      expect(subjectsTo(owner?.email ?? '')).toEqual([
        'An identity provider was linked to your user in Assay',
        'Sign-in to Assay without your identity provider',
      ]),
    );
    const two = await make.organization();
    await make.membership(member.userId, two.id, 'member');
    const other = await signedInAs(api, portal, member);
    expect([await pageOf(other, organization), (await other.get(`/o/${two.id}`)).status]).toEqual([404, 200]);
  });

  it('is not opened by keys that other sessions make later, also without a limit', async () => {
    const { organization, member, breakGlass } = await required();
    expect(await statusOf(member.client, organization)).toBe(200);
    const two = await make.organization();
    await make.membership(member.userId, two.id, 'member');
    const { client } = await newKey(await signedInAs(api, portal, member));
    expect([
      await statusOf(client, organization),
      (await client.get(`/v1/organizations/${two.id}/members/`)).status,
    ]).toEqual([404, 200]);
    const later = make.withCredentials(await make.key(member.userId, { limitedTo: organization.tenant.id }));
    expect(await statusOf(later, organization)).toBe(403);
    const throughIt = await newKey(organization.browser, organization.tenant.id);
    expect(await statusOf(throughIt.client, organization)).toBe(200);
    const ofBreakGlass = await newKey(await signedInAs(api, portal, breakGlass), organization.tenant.id);
    expect(await statusOf(ofBreakGlass.client, organization)).toBe(200);
  });

  it('allows passwords again when its owner turns the requirement off, or removes the provider', async () => {
    const { organization, member, account } = await required();
    const page = singleSignOn(organization.tenant.id);
    await organization.browser.submit(page, `${page}/require-no-longer`);
    expect(await pageOf(await signedInAs(api, portal, member), organization)).toBe(200);
    const browser = new Browser(portal);
    await throughProvider(installation, browser, organization.signIn, account);
    await organization.browser.submit(page, `${page}/delete`);
    expect(await pageOf(browser, organization)).toBe(303);
    expect((await organization.browser.get(page)).status).toBe(200);
  });

  it('names itself and the way in when a right password is refused, and nothing when it is wrong', async () => {
    const { member } = await required();
    const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [member.userId]);
    await signedInAs(api, portal, member).catch(() => undefined);
    const sent = (password: string) =>
      new Browser(portal).submit('/sign-in', '/sign-in', { email: user?.email ?? '', password });
    const [right, wrong] = [await sent(PASSWORD), await sent('a wrong password')];
    expect([right.status, right.text]).toEqual([403, expect.stringContaining('/sign-in/organization')]);
    expect([wrong.status, wrong.text]).toEqual([401, expect.not.stringContaining('identity provider:')]);
    const asked = new Browser(portal);
    await asked.submit('/forgotten-password', '/forgotten-password', { email: user?.email ?? '' });
    await eventually(async () => expect(subjectsTo(user?.email ?? '')).toEqual(['How to sign in to Assay']));
    expect(await query('SELECT 1 FROM mailed_password_resets WHERE user_id = $1', [member.userId])).toEqual([]);
  });
});

describe('a back-channel logout', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };

  it('of the provider ends the session at once, and leaves the keys of a user who has not left', async () => {
    const organization = await setUpProvider(installation);
    const { account, browser, identityId } = await newMember(organization);
    const { client } = await newKey(browser, organization.tenant.id);
    const [session] = await query<{ sid: string }>('SELECT sid FROM session_identities WHERE identity_id = $1', [
      identityId,
    ]);
    const forwarded = new Promise<string>((resolve) => {
      installation.provider.onLogout = resolve;
    });
    const registered = await installation.provider.provider.Client.find(CLIENT.client_id);
    await registered.backchannelLogout(account, session?.sid);
    const answer = await new Browser(portal).post(
      `${organization.signIn}/logout`,
      { logout_token: await forwarded },
      { origin: '' },
    );
    expect(answer.status).toBe(200);
    expect(await pageOf(browser, organization)).toBe(303);
    await checkAll();
    expect(await statusOf(client, organization)).toBe(200);
  });

  it('that is forged, replayed, expired or not a logout token ends nothing', async () => {
    const organization = await setUpProvider(installation, { issuer: hostile.issuer });
    const browser = new Browser(portal);
    const sub = unique('subject');
    const signIn = async () => {
      const sent = new URL(await addressAtProvider(browser, organization.signIn)).searchParams;
      const email = `${sub.replace(' ', '')}@${organization.domain}`;
      await hostile.willSay({ sub, email, email_verified: true, nonce: sent.get('nonce') ?? '' });
      await browser.get(`${sent.get('redirect_uri')?.slice(portal.url.length)}?code=x&state=${sent.get('state')}`);
    };
    await signIn();
    const post = async (token: string) =>
      (await new Browser(portal).post(`${organization.signIn}/logout`, { logout_token: token })).status;
    const good = { iss: hostile.issuer, aud: CLIENT.client_id, sub, events: event, jti: unique('jti') };
    const old = Math.floor(Date.now() / 1_000) - 3_600;
    const forged = await Promise.all([
      hostile.sign({ ...good, aud: 'another' }),
      hostile.sign({ ...good, iss: installation.provider.issuer }),
      hostile.sign({ ...good, events: {} }),
      hostile.sign({ ...good, nonce: 'n' }),
      hostile.sign({ ...good, sub: undefined }),
      hostile.sign({ ...good, sid: 'one\nother' }),
      hostile.sign({ ...good, jti: undefined }),
      hostile.sign({ ...good, iat: old, exp: old + 9_000 }),
      hostile.sign(good, { alg: 'none' }),
      hostile.sign(good, { alg: 'HS256' }),
    ]);
    for (const token of forged) expect(await post(token)).toBe(400);
    expect(await pageOf(browser, organization)).toBe(200);
    const token = await hostile.sign(good);
    expect(await post(token)).toBe(200);
    expect(await pageOf(browser, organization)).toBe(303);
    await signIn();
    expect(await post(token)).toBe(400);
    expect(await pageOf(browser, organization)).toBe(200);
  });
});
