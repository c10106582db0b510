import { randomBytes } from 'node:crypto';
import { hashToken, newToken } from '../../src/modules/identity';
import { useApi } from '../support/api';
import { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { type Person, unique } from '../support/factories';
import { HostileProvider } from '../support/hostile-provider';
import { CLIENT } from '../support/openid-provider';
import { Browser, PASSWORD, signedInAs } from '../support/portal';
import {
  setUpProvider,
  type SetUpOrganization,
  singleSignOn,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';
import { withLimit } from '../support/stored-limits';

let hostile: HostileProvider;
const installation = useProviderInstallation(async () => {
  hostile = await HostileProvider.start();
  return [hostile.host];
});
afterAll(() => hostile.stop());
const { api, make, portal } = installation;
const otherApi = useApi({ AUTH_CACHE_SECONDS: '4' });

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LONGEST_DELAY_MS = 5_000;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Untyped: each test asserts what it needs.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** What a provider sends. */
class ScimClient {
  constructor(private readonly token: string) {}

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(`${api.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/scim+json', ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  patch(id: number | string, ...operations: object[]): Promise<Answer> {
    return this.send('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: operations });
  }

  find(filter: string): Promise<Answer> {
    return this.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  }
}

async function newScimToken({ tenant, browser }: SetUpOrganization): Promise<string> {
  const page = singleSignOn(tenant.id);
  const { text } = await browser.submit(page, `${page}/scim`);
  const [token] = /scim_[\da-f-]{36}_[\w-]{43}/.exec(text) ?? [];
  if (token === undefined) throw new Error(text);
  return token;
}

async function provisioned(fields?: Record<string, string>) {
  const organization = await setUpProvider(installation, fields);
  const token = await newScimToken(organization);
  return { ...organization, token, scim: new ScimClient(token) };
}

const addressIn = (domain: string): string => `${unique('person').replace(' ', '-')}@${domain}`;

const fromEntra = (userName: string, more: object = {}) => ({
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName,
  active: true,
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'bob' },
  ...more,
});

const deactivatedByEntra = { op: 'Replace', path: 'active', value: 'False' };
const activatedByEntra = { op: 'Replace', path: 'active', value: 'True' };
const deactivatedByOkta = { op: 'replace', value: { active: false } };

const roleOf = async (userId: number, organizationId: number): Promise<unknown> =>
  (
    await query('SELECT role FROM memberships WHERE user_id = $1 AND organization_id = $2', [userId, organizationId])
  )[0];

const userRow = async (userId: number) =>
  (await query('SELECT email, folded_email, name, password_hash FROM users WHERE id = $1', [userId]))[0];

const membersStatus = async ({ client }: Pick<Person, 'client'>, organizationId: number): Promise<number> =>
  (await client.get(`/v1/organizations/${organizationId}/members/`)).status;

describe('the provider of an organization, over SCIM', () => {
  it('creates a user of a verified domain, as Entra ID sends it, finds it, and lists pages', async () => {
    const { scim, domain, tenant, owner } = await provisioned();
    const address = addressIn(domain);
    expect((await scim.find(`userName eq "${address}"`)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await scim.send('POST', '/Users', fromEntra(address));
    expect([created.status, created.headers.get('content-type')]).toEqual([
      201,
      'application/scim+json; charset=utf-8',
    ]);
    const { id, meta } = created.body;
    expect(created.body).toMatchObject({ userName: address, active: true, displayName: 'Given Family' });
    expect(created.headers.get('location')).toBe(meta.location);
    expect((await scim.send('GET', `/Users/${id}`)).body).toEqual(created.body);
    for (const filter of [
      `userName eq "${address.toUpperCase()}"`,
      `id eq "${id}"`,
      `externalId Eq "${created.body.externalId}"`,
    ])
      expect([filter, (await scim.find(filter)).body.Resources]).toEqual([filter, [created.body]]);
    expect(await roleOf(Number(id), tenant.id)).toEqual({ role: 'member' });
    const users = await query<{ id: string }>(
      'SELECT user_id::text AS id FROM memberships WHERE organization_id = $1 ORDER BY user_id',
      [tenant.id],
    );
    const totalResults = users.length;
    expect(users.map((user) => user.id)).toEqual(expect.arrayContaining([String(owner.userId), id]));
    for (const [index, user] of users.entries())
      expect((await scim.send('GET', `/Users?startIndex=${index + 1}&count=1`)).body).toMatchObject({
        totalResults,
        startIndex: index + 1,
        itemsPerPage: 1,
        Resources: [{ id: user.id }],
      });
    expect((await scim.send('GET', '/Users?count=0')).body).toMatchObject({ totalResults, itemsPerPage: 0 });
    expect((await scim.send('GET', '/Users?startIndex=100')).body).toMatchObject({ totalResults, Resources: [] });
    const entries = await query(
      `SELECT actor_type, actor_id FROM audit_logs WHERE organization_id = $1 AND operation = 'membership.provision'`,
      [tenant.id],
    );
    expect(entries).toEqual([
      { actor_type: 'system', actor_id: expect.stringMatching(/^identity_provider:[\da-f-]{36}$/) },
    ]);
  });

  it('describes what it supports: no ETags, no groups and no bulk', async () => {
    const { scim } = await provisioned();
    expect((await scim.send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: false },
    });
    expect((await scim.send('GET', '/ResourceTypes')).body.Resources).toMatchObject([{ endpoint: '/Users' }]);
    expect((await scim.send('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER });
    expect((await scim.send('GET', '/Schemas')).body.totalResults).toBe(1);
    for (const [method, path] of [
      ['GET', '/Groups'],
      ['POST', '/Bulk'],
    ] as const)
      expect(await scim.send(method, path, method === 'GET' ? undefined : {})).toMatchObject({
        status: 501,
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '501' },
      });
    expect((await scim.send('GET', '/Elsewhere')).status).toBe(404);
  });

  it('creates no user of another domain, and takes over no user of others', async () => {
    const { scim, domain, tenant } = await provisioned();
    const elsewhere = await scim.send('POST', '/Users', fromEntra(addressIn('elsewhere.example')));
    expect([elsewhere.status, elsewhere.body.scimType]).toEqual([400, 'invalidValue']);
    const other = await (await make.organization()).as('owner');
    const address = addressIn(domain);
    await query('UPDATE users SET email = $2, folded_email = $2 WHERE id = $1', [other.userId, address]);
    const taken = await scim.send('POST', '/Users', fromEntra(address));
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    expect(await roleOf(other.userId, tenant.id)).toBeUndefined();
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', fromEntra(address)],
      ['DELETE', undefined],
    ] as const)
      expect((await scim.send(method, `/Users/${other.userId}`, body)).status).toBe(404);
    expect((await scim.patch(other.userId, deactivatedByOkta)).status).toBe(404);
  });

  it('links a member as it is, and changes nothing of the user', async () => {
    const { scim, tenant } = await provisioned();
    const member = await tenant.as('admin');
    const before = await userRow(member.userId);
    const linked = await scim.send(
      'POST',
      '/Users',
      fromEntra((before as { email: string }).email, { externalId: 'e-1' }),
    );
    expect([linked.status, linked.body.id, linked.body.externalId]).toEqual([201, String(member.userId), 'e-1']);
    const renamed = await scim.send(
      'PUT',
      `/Users/${member.userId}`,
      fromEntra('mallory@example.com', { externalId: 'e-2' }),
    );
    expect([renamed.status, renamed.body.externalId]).toEqual([200, 'e-2']);
    await scim.patch(member.userId, { op: 'Replace', path: 'userName', value: 'mallory@example.com' });
    await scim.patch(member.userId, {
      op: 'replace',
      value: { displayName: 'Mallory', password: 'x', name: { formatted: 'M' } },
    });
    expect(await userRow(member.userId)).toEqual(before);
    expect(await roleOf(member.userId, tenant.id)).toEqual({ role: 'admin' });
  });

  it('ends keys and sessions of its organization within five seconds, and nothing of others', async () => {
    const [one, two] = [await provisioned(), await make.organization()];
    const member = await one.tenant.as('admin');
    await make.membership(member.userId, two.id, 'owner');
    const limited = await make.person(member.userId, { limitedTo: one.tenant.id });
    const ofOther = await make.person(member.userId, { limitedTo: two.id });
    const both = await make.person(member.userId);
    const browser = await signedInAs(api, portal, member);
    const before = await userRow(member.userId);
    const page = async (id: number) => (await browser.get(`/o/${id}/findings`)).status;
    expect([await page(one.tenant.id), await page(two.id)]).toEqual([200, 200]);
    expect([await membersStatus(limited, one.tenant.id), await membersStatus(ofOther, two.id)]).toEqual([200, 200]);
    await one.scim.send('PUT', `/Users/${member.userId}`, fromEntra('mallory@example.com', { displayName: 'Mallory' }));
    const start = Date.now();
    const answer = await one.scim.patch(member.userId, deactivatedByEntra);
    expect([answer.status, answer.body.active]).toEqual([200, false]);
    await eventually(async () => {
      expect(await membersStatus(limited, one.tenant.id)).toBe(401);
      expect(await membersStatus(both, one.tenant.id)).toBe(404);
      expect(await page(one.tenant.id)).toBe(404);
    });
    expect(Date.now() - start).toBeLessThan(LONGEST_DELAY_MS);
    expect([await page(two.id), await membersStatus(ofOther, two.id), await membersStatus(both, two.id)]).toEqual([
      200, 200, 200,
    ]);
    expect(await userRow(member.userId)).toEqual(before);
    expect(await roleOf(member.userId, two.id)).toEqual({ role: 'owner' });
    const again = new Browser(portal);
    const { email } = before as { email: string };
    expect((await again.submit('/sign-in', '/sign-in', { email, password: PASSWORD })).status).toBe(303);
    const back = await one.scim.patch(member.userId, activatedByEntra);
    expect([back.body.active, await roleOf(member.userId, one.tenant.id)]).toEqual([true, { role: 'admin' }]);
    expect(await membersStatus(limited, one.tenant.id)).toBe(401);
  });

  it('deactivates by PUT and DELETE too, and DELETE forgets the role', async () => {
    const { scim, tenant, domain } = await provisioned();
    const address = addressIn(domain);
    const { id } = (await scim.send('POST', '/Users', fromEntra(address))).body;
    expect((await scim.send('PUT', `/Users/${id}`, fromEntra(address, { active: false }))).body.active).toBe(false);
    expect(await roleOf(Number(id), tenant.id)).toBeUndefined();
    expect((await scim.find(`userName eq "${address}"`)).body.Resources[0].active).toBe(false);
    expect((await scim.send('POST', '/Users', fromEntra(address))).status).toBe(409);
    expect((await scim.send('PUT', `/Users/${id}`, fromEntra(address))).body.active).toBe(true);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await scim.send('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(404);
    const recreated = await scim.send('POST', '/Users', fromEntra(address));
    expect([recreated.status, recreated.body.id]).toEqual([201, id]);
  });

  it('is refused with the reason when it has added and removed too many', async () => {
    const { scim, domain } = await provisioned();
    await scim.send('POST', '/Users', fromEntra(addressIn(domain)));
    const refused = await withLimit('provisioned_members', 1, () =>
      scim.send('POST', '/Users', fromEntra(addressIn(domain))),
    );
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('provisioned members')]);
  });

  it('does not bring back a member who left after a return', async () => {
    const { scim, tenant } = await provisioned();
    const member = await tenant.as('member');
    await scim.patch(member.userId, deactivatedByOkta);
    await make.membership(member.userId, tenant.id, 'viewer');
    await query('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [member.userId, tenant.id]);
    expect((await scim.patch(member.userId, activatedByEntra)).status).toBe(404);
  });

  it('never removes the last owner', async () => {
    const { scim, owner, tenant } = await provisioned();
    await query(`UPDATE memberships SET role = 'admin' WHERE organization_id = $1 AND user_id <> $2`, [
      tenant.id,
      owner.userId,
    ]);
    for (const answer of [
      await scim.patch(owner.userId, deactivatedByOkta),
      await scim.send('PUT', `/Users/${owner.userId}`, { active: 'false' }),
      await scim.send('DELETE', `/Users/${owner.userId}`),
    ])
      expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('only owner')]);
    expect(await roleOf(owner.userId, tenant.id)).toEqual({ role: 'owner' });
  });

  it('ends keys in the caches of other processes within five seconds', async () => {
    const { scim, tenant } = await provisioned();
    const member = await tenant.as('member');
    const limited = await make.person(member.userId, { limitedTo: tenant.id });
    const members = async ({ credentials }: Person): Promise<number> =>
      (await new Client(() => otherApi.url, credentials).get(`/v1/organizations/${tenant.id}/members/`)).status;
    expect([await members(member), await members(limited)]).toEqual([200, 200]);
    const start = Date.now();
    expect((await scim.patch(member.userId, deactivatedByOkta)).status).toBe(200);
    await eventually(async () => expect([await members(member), await members(limited)]).toEqual([403, 401]));
    expect(Date.now() - start).toBeLessThan(LONGEST_DELAY_MS);
  });

  it('brings an owner back as admin: a provider makes no owners', async () => {
    const { scim, tenant } = await provisioned();
    const { userId } = await tenant.as('owner');
    await scim.patch(userId, deactivatedByOkta);
    expect((await scim.patch(userId, activatedByEntra)).body.active).toBe(true);
    expect(await roleOf(userId, tenant.id)).toEqual({ role: 'admin' });
  });
});

describe('the first sign-in of a member whom SCIM has added', () => {
  /** A member with this external id, and an account of the provider with this subject. */
  async function added({ scim, domain }: Awaited<ReturnType<typeof provisioned>>, claims: object = {}) {
    const account = unique('account').replace(' ', '-');
    const email = `${account}@${domain}`;
    const { id } = (await scim.send('POST', '/Users', fromEntra(email, { externalId: account }))).body;
    installation.provider.accounts.set(account, { email, email_verified: true, ...claims });
    return { userId: Number(id), account, email };
  }

  const signIn = ({ signIn: page }: SetUpOrganization, browser: Browser, account: string) =>
    throughProvider(installation, browser, page, account);

  const linkedTo = (account: string) =>
    query('SELECT user_id AS "userId" FROM provider_identities WHERE subject = $1', [account]);

  it('links by the address, without a password, and once', async () => {
    const organization = await provisioned({ creates_users: '' });
    const { userId, email } = await added(organization);
    const [first, second] = [unique('first').replace(' ', '-'), unique('second').replace(' ', '-')];
    for (const account of [first, second]) installation.provider.accounts.set(account, { email, email_verified: true });
    const browser = new Browser(portal);
    expect((await signIn(organization, browser, first)).status).toBe(303);
    expect(await linkedTo(first)).toEqual([{ userId }]);
    expect((await browser.get(`/o/${organization.tenant.id}/findings`)).status).toBe(200);
    // Another subject with the same address is another person.
    expect((await signIn(organization, new Browser(portal), second)).status).toBe(403);
    await organization.scim.patch(userId, deactivatedByOkta);
    expect((await browser.get(`/o/${organization.tenant.id}/findings`)).status).not.toBe(200);
  });

  it.each([
    ['no address', () => undefined],
    ['an address of another domain', () => addressIn('elsewhere.example')],
    ['the address of another member', (email: string) => email],
  ])('links by the external id before the address: with %s', async (_name, emailOf) => {
    const organization = await provisioned();
    const another = await added(organization);
    const { userId, account } = await added(organization, { email: emailOf(another.email) });
    expect((await signIn(organization, new Browser(portal), account)).status).toBe(303);
    expect([await linkedTo(account), await linkedTo(another.account)]).toEqual([[{ userId }], []]);
  });

  it.each([
    ['of another domain', { email: 'olga@elsewhere.example' }],
    ['that is not verified', { email_verified: false }],
  ])('links nobody by an address %s', async (_name, claims) => {
    const organization = await provisioned({ creates_users: '' });
    const { userId, email } = await added(organization);
    const other = unique('other').replace(' ', '-');
    const address = 'email' in claims ? claims.email : email;
    await query('UPDATE users SET email = $2, folded_email = $2 WHERE id = $1', [userId, address]);
    installation.provider.accounts.set(other, { email: address, email_verified: true, ...claims });
    expect((await signIn(organization, new Browser(portal), other)).status).toBe(403);
    expect(await linkedTo(other)).toEqual([]);
  });

  it.each<[string, (userId: number, elsewhere: number) => Promise<unknown>]>([
    [
      'a password, by a mailed link',
      async (userId) => {
        const [token, password] = [newToken(), PASSWORD];
        await query(
          "INSERT INTO mailed_password_resets (user_id, token_hash, expires) VALUES ($1, $2, now() + interval '1 hour')",
          [userId, hashToken(token)],
        );
        const page = `/password-resets/${token}`;
        expect((await new Browser(portal).submit(page, page, { password })).status).toBe(200);
        // Its proof is not what is tested here.
        await query('DELETE FROM address_proofs WHERE user_id = $1', [userId]);
      },
    ],
    [
      'a passkey',
      (userId) =>
        query(
          `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, last_challenge)
           VALUES ($1, 'Phone', $2, '', 0, '{}', now())`,
          [userId, randomBytes(16)],
        ),
    ],
    [
      'a session of its own',
      (userId) => query('INSERT INTO sessions (user_id, token_hash) VALUES ($1, $2)', [userId, randomBytes(32)]),
    ],
    ['a proved address', (userId) => query('INSERT INTO address_proofs (user_id) VALUES ($1)', [userId])],
    ['a membership elsewhere', (userId, elsewhere) => make.membership(userId, elsewhere, 'viewer')],
    ['an API key without a limit', (userId) => make.key(userId)],
    [
      'an API key of another organization',
      async (userId, elsewhere) => {
        await make.key(userId);
        await query('UPDATE api_keys SET organization_id = $2 WHERE user_id = $1', [userId, elsewhere]);
      },
    ],
    [
      'the provider of the installation',
      (userId) =>
        query(
          `INSERT INTO provider_identities (issuer, subject, user_id, checked) VALUES ('https://id.example', $2, $1, now())`,
          [userId, unique('subject')],
        ),
    ],
    [
      'a membership that another provider may restore',
      (userId, elsewhere) =>
        query(`INSERT INTO provisioned_members (organization_id, user_id, removed_role) VALUES ($2, $1, 'member')`, [
          userId,
          elsewhere,
        ]),
    ],
  ])('is refused after the user got %s', async (_name, claim) => {
    const organization = await provisioned();
    const { userId, account, email } = await added(organization);
    const elsewhere = await make.organization();
    await claim(userId, elsewhere.id);
    const byAddress = unique('account').replace(' ', '-');
    installation.provider.accounts.set(byAddress, { email, email_verified: true });
    for (const subject of [account, byAddress]) {
      const browser = new Browser(portal);
      const refused = await signIn(organization, browser, subject);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('link the provider')]);
      expect(browser.cookie('assay')).toBeUndefined();
      expect(await linkedTo(subject)).toEqual([]);
    }
  });
});

describe('a request over SCIM', () => {
  it('needs the token of its organization, which a replacement ends', async () => {
    const [one, two] = [await provisioned(), await provisioned()];
    const member = await one.tenant.as('member');
    expect((await two.scim.send('GET', `/Users/${member.userId}`)).status).toBe(404);
    expect((await two.scim.patch(member.userId, deactivatedByOkta)).status).toBe(404);
    expect(await roleOf(member.userId, one.tenant.id)).toEqual({ role: 'member' });
    const mixed = one.token.slice(0, 42) + two.token.slice(42);
    for (const token of [
      '',
      'x',
      mixed,
      `${one.token}x`,
      `scim_${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}_${'x'.repeat(43)}`,
    ]) {
      const answer = await new ScimClient(token).send('GET', '/Users');
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="assay"']);
      expect(answer.body).toMatchObject({ status: '401' });
    }
    await newScimToken(one);
    expect((await one.scim.send('GET', '/Users')).status).toBe(401);
    const page = singleSignOn(two.tenant.id);
    await two.browser.submit(page, `${page}/scim/delete`);
    expect((await two.scim.send('GET', '/Users')).status).toBe(401);
  });

  it('is refused when another provider was set up, also while the earlier one was being saved', async () => {
    const { scim, browser, tenant, ...organization } = await provisioned();
    const page = singleSignOn(tenant.id);
    const save = (fields: Record<string, string>) =>
      browser.submit(page, page, { ...CLIENT, groups_claim: 'groups', default_role: 'member', ...fields });
    const { issuer } = installation.provider;
    await save({ issuer, client_secret: '' });
    expect((await scim.send('GET', '/Users')).status).toBe(200);
    expect((await save({ issuer: hostile.issuer })).status).toBe(303);
    const { text } = await browser.get(page);
    expect([text, text]).toEqual([
      expect.stringContaining('The SCIM token of the earlier provider has ended'),
      expect.stringContaining('Create a token'),
    ]);
    expect((await scim.send('GET', '/Users')).status).toBe(401);
    const entries = await query(
      `SELECT metadata ->> 'ended_scim_token' AS ended FROM audit_logs
       WHERE organization_id = $1 AND operation = 'identity_provider.change' ORDER BY id`,
      [tenant.id],
    );
    expect(entries).toEqual([{ ended: null }, { ended: null }, { ended: 'true' }]);
    const asked = new Promise<() => void>((resolve) =>
      hostile.answers.set('/.well-known/openid-configuration', (_request, response) =>
        resolve(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(hostile.metadata))),
      ),
    );
    const slow = save({ issuer: hostile.issuer });
    const answer = await asked;
    hostile.answers.delete('/.well-known/openid-configuration');
    await save({ issuer });
    const later = new ScimClient(await newScimToken({ ...organization, tenant, browser }));
    answer();
    expect((await slow).status).toBe(303);
    expect((await later.send('GET', '/Users')).status).toBe(401);
  });

  it('with a hostile body, filter or page is refused, and a change that is refused leaves an audit entry', async () => {
    const { scim, owner, tenant } = await provisioned();
    const refusals = async (): Promise<{ method: string; user: string | null }[]> =>
      query(
        `SELECT metadata ->> 'method' AS method, resource_id AS user FROM audit_logs
         WHERE organization_id = $1 AND operation = 'membership.provision' AND status = 'failure' AND metadata ->> 'reason' = 'invalid'`,
        [tenant.id],
      );
    const user = `/Users/${owner.userId}`;
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"userName":5}',
      '{"userName":"a\\u0000@b.example"}',
      '{"__proto__":{"active":false}}',
    ])
      expect([body, (await scim.send('POST', '/Users', body)).status]).toEqual([body, 400]);
    for (const operations of [
      [],
      {},
      'x',
      [null],
      [{ op: 'move', path: 'active' }],
      [{ op: 'remove' }],
      [{ op: 'replace', value: 'x' }],
      [{ op: 'replace', path: 'active', value: 'no' }],
      Array.from({ length: 101 }, () => deactivatedByOkta),
    ])
      expect((await scim.send('PATCH', user, { Operations: operations })).status).toBe(400);
    expect(await refusals()).toHaveLength(17);
    expect((await scim.send('PUT', user, '{"active":"yes"}')).status).toBe(400);
    expect((await refusals()).filter(({ method }) => method === 'PUT')).toEqual([
      { method: 'PUT', user: String(owner.userId) },
    ]);
    expect((await scim.send('POST', '/Users', `{"userName":"${'x'.repeat(70_000)}"}`)).status).toBe(413);
    expect((await scim.send('POST', '/Users', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    for (const filter of ['userName co "a"', 'userName eq a', 'id eq "1" or id eq "2"', 'userName eq "\\u0000"', '"'])
      expect([filter, (await scim.find(filter)).body]).toMatchObject([
        filter,
        { status: '400', scimType: 'invalidFilter' },
      ]);
    for (const search of ['startIndex=x', 'count=1e9', 'count=1&count=2'])
      expect([search, (await scim.send('GET', `/Users?${search}`)).status]).toEqual([search, 400]);
    for (const id of ['0', 'x', '99999999999'])
      expect([id, (await scim.send('GET', `/Users/${id}`)).status]).toEqual([id, 404]);
  });
});
