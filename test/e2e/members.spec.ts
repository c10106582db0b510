import { Clock } from '../../src/kernel/clock';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import {
  IdentityService,
  InvitationsService,
  PasswordResetsService,
  SessionsService,
  SignInsService,
} from '../../src/modules/identity';
import type { ResourceType } from '../../src/platform/api/resource-type';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { Browser, usePortal } from '../support/portal';

const api = useApi({ PORTAL_URL: 'https://assay.example.com' });
const portal = usePortal(api);
const make = new Factories(api);

const PASSWORD = 'correct horse battery staple';
const newEmail = (): string => `${unique('person').replace(' ', '-')}@example.com`;
const membersOf = ({ id }: Tenant): string => `/v1/organizations/${id}/members/`;
const invitationsOf = ({ id }: Tenant): string => `/v1/organizations/${id}/invitations/`;

/** Runs what a page of the portal does, in a unit of work. */
const run = <T>(operation: string, resourceType: ResourceType, work: () => Promise<T>): Promise<T> =>
  asOperator(api.app, { operation, resourceType }, work);

const emailOf = async (userId: number): Promise<string> => {
  const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  return user?.email ?? '';
};

async function tenantWithOwner(): Promise<{ tenant: Tenant; owner: Person }> {
  const tenant = await make.organization();
  return { tenant, owner: await tenant.as('owner') };
}

const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';

async function invited({ client }: Person, tenant: Tenant, email = newEmail(), role = 'member') {
  const { status, body, text } = await client.post(invitationsOf(tenant), { email, role });
  expect([status, text]).toEqual([201, text]);
  return { email, id: body.id as number, token: tokenOf(body.link), link: body.link as string };
}

const acceptAsNewUser = (token: string, password = PASSWORD) =>
  run('invitation.accept', 'invitation', () =>
    api.app.get(InvitationsService).acceptAsNewUser(token, { password, name: 'New Person' }),
  );

/** With a session of the portal, as its page accepts. */
async function acceptAs(userId: number, token: string) {
  const callers = await sessionCallerOf(userId);
  return run('invitation.accept', 'invitation', () => api.app.get(InvitationsService).accept(callers, token));
}

async function sessionCallerOf(userId: number) {
  const email = await emailOf(userId);
  await setPassword(userId);
  const { session } = await api.app
    .get(SignInsService)
    .signIn({ email, password: PASSWORD, ip: null, userAgent: null, metadata: {} });
  const signedIn = await api.app.get(SessionsService).authenticate(session?.token ?? '');
  if (signedIn === undefined) throw new Error('the session has ended');
  return signedIn.caller;
}

async function setPassword(userId: number): Promise<void> {
  await run('user.password_change', 'user', () => api.app.get(IdentityService).changePassword(userId, PASSWORD));
}

const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await new Browser(portal).submit('/sign-in', '/sign-in', { email, password })).status === 303;

describe('the members of an organization', () => {
  it('are listed with their roles, page by page', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const viewer = await tenant.as('viewer');
    const page = await viewer.client.get(`${membersOf(tenant)}?per_page=1&count=true`);
    expect(page.body.members).toMatchObject([{ user_id: viewer.userId, role: 'viewer' }]);
    expect(page.headers.get('x-total-count')).toBe('2');
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect((await viewer.client.get(next)).body.members).toMatchObject([{ user_id: owner.userId, role: 'owner' }]);
  });

  it('get a new role from an owner, which applies to their keys at once', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const member = await tenant.as('viewer');
    expect((await member.client.get('/v1/audit-logs/')).status).toBe(403);
    const changed = await owner.client.patch(`${membersOf(tenant)}${member.userId}`, { role: 'admin' });
    expect([changed.status, changed.body.role]).toEqual([200, 'admin']);
    expect((await member.client.get('/v1/audit-logs/')).status).toBe(200);
    const log = await owner.client.get('/v1/audit-logs/?operation=membership.change');
    expect(log.body.audit_logs[0]).toMatchObject({
      resource_id: String(member.userId),
      metadata: { from: 'viewer', to: 'admin' },
    });
  });

  it('get no role from an admin, who cannot promote themselves either', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const admin = await tenant.as('admin');
    for (const userId of [admin.userId, owner.userId])
      expect((await admin.client.patch(`${membersOf(tenant)}${userId}`, { role: 'owner' })).status).toBe(403);
    expect((await admin.client.delete(`${membersOf(tenant)}${owner.userId}`)).status).toBe(403);
  });

  it('lose access at once when they are removed, and keys that are limited to the organization are revoked', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const member = await tenant.as('admin');
    const other = await make.organization();
    await make.membership(member.userId, other.id, 'viewer');
    const limited = await make.person(member.userId, { limitedTo: tenant.id });
    for (const { client } of [member, limited]) expect((await client.get(membersOf(tenant))).status).toBe(200);
    expect((await owner.client.delete(`${membersOf(tenant)}${member.userId}`)).status).toBe(200);
    expect((await member.client.get(membersOf(tenant))).status).toBe(404);
    expect((await member.client.get(membersOf(other))).status).toBe(200);
    expect((await limited.client.get('/v1/me')).status).toBe(401);
    await make.membership(member.userId, tenant.id, 'admin');
    expect((await limited.client.get('/v1/me')).status).toBe(401);
  });

  it('may leave, except the last owner', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const viewer = await tenant.as('viewer');
    expect((await viewer.client.delete(`${membersOf(tenant)}${viewer.userId}`)).status).toBe(200);
    const own = `${membersOf(tenant)}${owner.userId}`;
    expect((await owner.client.delete(own)).body.description).toContain('only owner');
    expect((await owner.client.patch(own, { role: 'admin' })).status).toBe(409);
    expect((await owner.client.patch(own, { role: 'owner' })).status).toBe(200);
    await tenant.as('owner');
    expect((await owner.client.patch(own, { role: 'admin' })).status).toBe(200);
  });

  it('keep one owner when owners remove each other at the same time, also if there is a third one', async () => {
    for (const hasThird of [false, true]) {
      const { tenant, owner } = await tenantWithOwner();
      const second = await tenant.as('owner');
      if (hasThird) await tenant.as('owner');
      for (const { client } of [owner, second]) await client.get('/v1/me');
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => [
          owner.client.delete(`${membersOf(tenant)}${second.userId}`),
          second.client.delete(`${membersOf(tenant)}${owner.userId}`),
        ]).flat(),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [left] = await query<{ owners: string }>(
        `SELECT count(*) AS owners FROM memberships WHERE organization_id = $1 AND role = 'owner'`,
        [tenant.id],
      );
      expect(Number(left?.owners)).toBe(hasThird ? 2 : 1);
    }
  });

  it('are managed by the integrator of the organization', async () => {
    const { client, integratorId } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const member = await tenant.as('viewer');
    expect((await client.patch(`${membersOf(tenant)}${member.userId}`, { role: 'owner' })).status).toBe(200);
    expect((await client.post(invitationsOf(tenant), { email: newEmail(), role: 'owner' })).status).toBe(201);
  });
});

describe('an invitation', () => {
  it('creates a user who can sign in, and works once', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const { email, token, link } = await invited(owner, tenant, undefined, 'admin');
    expect(link).toMatch(/^https:\/\/assay\.example\.com\/invitations\/[\w-]{43}$/);
    expect(await api.app.get(InvitationsService).describe(token)).toMatchObject({
      organization: tenant.name,
      email,
      role: 'admin',
      acceptance: 'new_user',
    });
    await expect(acceptAsNewUser(token, 'too short')).rejects.toThrow('at least 12');
    await acceptAsNewUser(token);
    expect(await canSignIn(email, PASSWORD)).toBe(true);
    const { members } = (await owner.client.get(membersOf(tenant))).body;
    expect(members[0]).toMatchObject({ email, name: 'New Person', role: 'admin' });
    await expect(acceptAsNewUser(token)).rejects.toThrow('was already accepted');
    await expect(api.app.get(InvitationsService).describe(token)).rejects.toThrow('was already accepted');
    await expect(acceptAsNewUser('unknown')).rejects.toThrow('Invitation not found');
    const stored = await query('SELECT * FROM invitations WHERE email = $1', [email]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await owner.client.get(invitationsOf(tenant))).body.invitations).toMatchObject([
      { email, state: 'accepted', link: null },
    ]);
  });

  it('is accepted once by concurrent requests', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const member = await (await make.organization()).as('viewer');
    const caller = await sessionCallerOf(member.userId);
    const { token } = await invited(owner, tenant, await emailOf(member.userId));
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        run('invitation.accept', 'invitation', () => api.app.get(InvitationsService).accept(caller, token)),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('adds an existing user with the address, who is signed in, and no other user', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const person = await (await make.organization()).as('owner');
    const stranger = await (await make.organization()).as('owner');
    const { token } = await invited(owner, tenant, (await emailOf(person.userId)).toUpperCase());
    await expect(acceptAsNewUser(token)).rejects.toThrow('Sign in, then open the link again');
    await expect(acceptAs(stranger.userId, token)).rejects.toThrow('another e-mail address');
    await acceptAs(person.userId, token);
    expect((await owner.client.get(membersOf(tenant))).body.members).toContainEqual(
      expect.objectContaining({ user_id: person.userId, role: 'member' }),
    );
  });

  it('does not change the role of a member, and a user of an integrator cannot accept it', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const person = await (await make.organization()).as('owner');
    const email = await emailOf(person.userId);
    const { token } = await invited(owner, tenant, email, 'owner');
    await make.membership(person.userId, tenant.id, 'viewer');
    await expect(acceptAs(person.userId, token)).rejects.toThrow('already has a role');
    expect((await owner.client.post(invitationsOf(tenant), { email, role: 'owner' })).status).toBe(409);
    const partner = await make.integrator();
    const another = await invited(owner, tenant, await emailOf(partner.userId));
    await expect(acceptAs(partner.userId, another.token)).rejects.toThrow('integrator');
  });

  it('is refused after its revocation, its expiry, a newer one, and when the inviter has lost the role', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const revoked = await invited(owner, tenant);
    expect((await owner.client.delete(`${invitationsOf(tenant)}${revoked.id}`)).status).toBe(200);
    await expect(acceptAsNewUser(revoked.token)).rejects.toThrow('was revoked');
    expect((await owner.client.delete(`${invitationsOf(tenant)}${revoked.id}`)).status).toBe(409);

    const expired = await invited(owner, tenant);
    const now = jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 7 * 86_400_000 + 1_000));
    await expect(acceptAsNewUser(expired.token)).rejects.toThrow('has expired');
    now.mockRestore();

    const replaced = await invited(owner, tenant);
    const newer = await invited(owner, tenant, replaced.email);
    await expect(acceptAsNewUser(replaced.token)).rejects.toThrow('was revoked');
    await acceptAsNewUser(newer.token);

    const second = await tenant.as('owner');
    const orphaned = await invited(second, tenant);
    await owner.client.patch(`${membersOf(tenant)}${second.userId}`, { role: 'admin' });
    await expect(acceptAsNewUser(orphaned.token)).rejects.toThrow('may no longer invite');
    const { invitations } = (await owner.client.get(invitationsOf(tenant))).body;
    expect(invitations[0]).toMatchObject({ id: orphaned.id, state: 'invalid' });
  });

  it.each([
    [{ email: 'nobody', role: 'viewer' }, 'e-mail address'],
    [{ email: 'a b@example.com', role: 'viewer' }, 'e-mail address'],
    [{ email: `${'a'.repeat(250)}@example.com`, role: 'viewer' }, 'at most 254'],
    [{ email: 'a@example.com', role: 'king' }, 'role must be one of'],
  ])('is refused with %j', async (body, sentence) => {
    const { tenant, owner } = await tenantWithOwner();
    const { status, text } = await owner.client.post(invitationsOf(tenant), body);
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('is refused beyond 100 open ones of an organization', async () => {
    const { tenant, owner } = await tenantWithOwner();
    await query(
      `INSERT INTO invitations (organization_id, email, folded_email, role, token_hash, invited_by, expires)
       SELECT $1, n || '@x', n || '@x', 'viewer', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), $2, now() + interval '1 day'
       FROM generate_series(1, 99) n`,
      [tenant.id, owner.userId],
    );
    await invited(owner, tenant);
    expect((await owner.client.post(invitationsOf(tenant), { email: newEmail(), role: 'viewer' })).status).toBe(422);
  });
});

describe('the link for a new password', () => {
  const linkFor = async (by: Person, tenant: Tenant, userId: number) =>
    by.client.post(`${membersOf(tenant)}${userId}/password-reset`);
  const complete = (token: string, password: string) =>
    run('password_reset.complete', 'password_reset', () =>
      api.app.get(PasswordResetsService).complete(token, password),
    );

  it('sets the password of a member once, and ends all sessions', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const { userId } = await tenant.as('member');
    const email = await emailOf(userId);
    await sessionCallerOf(userId);
    const earlier = await linkFor(owner, tenant, userId);
    const { status, body } = await linkFor(owner, tenant, userId);
    expect([status, body.link]).toEqual([201, expect.stringContaining('https://assay.example.com/password-resets/')]);
    await expect(complete(tokenOf(earlier.body.link), 'another long password')).rejects.toThrow('not valid');
    await expect(complete(tokenOf(body.link), 'short')).rejects.toThrow('at least 12');
    expect(await api.app.get(PasswordResetsService).describe(tokenOf(body.link))).toMatchObject({ email });
    await complete(tokenOf(body.link), 'another long password');
    expect(await query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
    expect(await canSignIn(email, PASSWORD)).toBe(false);
    expect(await canSignIn(email, 'another long password')).toBe(true);
    await expect(complete(tokenOf(body.link), 'another long password')).rejects.toThrow('not valid');
  });

  it('is refused for oneself, for users with other organizations, and for users of an integrator', async () => {
    const { tenant, owner } = await tenantWithOwner();
    expect((await linkFor(owner, tenant, owner.userId)).status).toBe(409);
    const { userId } = await tenant.as('member');
    await make.membership(userId, (await make.organization()).id, 'viewer');
    expect((await linkFor(owner, tenant, userId)).status).toBe(409);
    const partner = await make.integrator();
    await make.membership(partner.userId, tenant.id, 'viewer');
    expect((await linkFor(owner, tenant, partner.userId)).status).toBe(409);
  });

  it('ends after an hour, when its owner loses the role, and when the member joins another organization', async () => {
    const { tenant, owner } = await tenantWithOwner();
    const second = await tenant.as('owner');
    const token = async (by: Person) => {
      const { userId } = await tenant.as('member');
      return { userId, token: tokenOf((await linkFor(by, tenant, userId)).body.link) };
    };
    const [expired, joined, orphaned] = [await token(owner), await token(owner), await token(second)];
    const now = jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 3_601_000));
    await expect(complete(expired.token, PASSWORD)).rejects.toThrow('not valid');
    now.mockRestore();
    await make.membership(joined.userId, (await make.organization()).id, 'viewer');
    await expect(complete(joined.token, PASSWORD)).rejects.toThrow('not valid');
    await owner.client.patch(`${membersOf(tenant)}${second.userId}`, { role: 'admin' });
    await expect(complete(orphaned.token, PASSWORD)).rejects.toThrow('not valid');
    await complete(expired.token, PASSWORD);
  });
});
