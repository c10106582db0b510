import { pngOf } from '../../src/kernel/testing/pictures';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';
import { Browser, PASSWORD, type PortalAnswer, signedInAs, usePortal, withPassword } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const membersOf = ({ id }: Tenant): string => `/o/${id}/settings/members`;
const organizationOf = ({ id }: Tenant): string => `/o/${id}/settings/organization`;
const newEmail = (): string => `${unique('person').replace(' ', '-')}@example.com`;
const locationOf = ({ headers }: PortalAnswer): string | null => headers.get('location');
const csrfIn = ({ text }: PortalAnswer): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';

async function tenantWithOwner() {
  const tenant = await make.organization();
  const owner = await tenant.as('owner');
  return { tenant, owner, browser: await signedInAs(api, portal, owner) };
}

/** The path of the link that the page shows once. */
async function invited(browser: Browser, tenant: Tenant, email: string, role = 'member'): Promise<string> {
  const answer = await browser.submit(membersOf(tenant), `${membersOf(tenant)}/invitations`, { email, role });
  const path = /\/invitations\/[\w-]{43}/.exec(answer.text)?.[0] ?? '';
  expect([answer.status, path]).toEqual([200, expect.stringMatching(/^\/invitations\//)]);
  expect((await browser.get(membersOf(tenant))).text).not.toContain(path);
  return path;
}

const rolesOf = ({ id }: Tenant) =>
  query<{ email: string; role: string }>(
    'SELECT u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1',
    [id],
  );

describe('an invitation', () => {
  it('is accepted by a new user, who is signed in at once, and works once', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const email = newEmail();
    const path = await invited(browser, tenant, email, 'admin');
    const person = new Browser(portal);
    const page = await person.get(path);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`Join ${tenant.name}`)]);
    const short = await person.submit(path, `${path}/new-user`, { name: 'Ana "A"', password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('value="Ana &quot;A&quot;"')]);
    const joined = await person.submit(path, `${path}/new-user`, { name: '<i>Ana</i>', password: PASSWORD });
    expect([joined.status, locationOf(joined)]).toEqual([303, `/o/${tenant.id}`]);
    const list = await person.get(membersOf(tenant));
    expect(list.text).toContain('&lt;i>Ana&lt;/i>');
    const again = await new Browser(portal).get(path);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('was already accepted')]);
    expect((await new Browser(portal).post(`${path}/new-user`, { password: PASSWORD })).status).toBe(409);
    const [entry] = await query<{ status: string }>(
      `SELECT status FROM audit_logs WHERE organization_id = $1 AND operation = 'invitation.accept' AND status = 'success'`,
      [tenant.id],
    );
    expect(entry).toBeDefined();
  });

  it('is accepted once by concurrent requests', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const email = newEmail();
    const path = await invited(browser, tenant, email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => new Browser(portal).post(`${path}/new-user`, { password: PASSWORD })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await rolesOf(tenant)).filter((member) => member.email === email)).toHaveLength(1);
  });

  it('of an existing user needs the sign-in of this user', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const person = await (await make.organization()).as('viewer');
    const email = await withPassword(api, person);
    const path = await invited(browser, tenant, email);
    const guest = new Browser(portal);
    const page = await guest.get(path);
    expect(page.text).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`);
    expect((await guest.post(`${path}/new-user`, { password: PASSWORD })).status).toBe(409);
    const other = await signedInAs(api, portal, await (await make.organization()).as('viewer'));
    const csrf = csrfIn(await other.get(path));
    const refusal = await other.post(`${path}/accept`, { csrf }, { referer: portal.url + path });
    expect([refusal.status, refusal.text]).toEqual([403, expect.stringContaining('another e-mail address')]);
    expect(refusal.text).toContain('action="/sign-out"');
    const signedIn = await guest.submit(`/sign-in?next=${encodeURIComponent(path)}`, '/sign-in', {
      email,
      password: PASSWORD,
    });
    expect(locationOf(signedIn)).toBe(path);
    expect(locationOf(await guest.submit(path, `${path}/accept`))).toBe(`/o/${tenant.id}`);
    expect(await rolesOf(tenant)).toContainEqual({ email, role: 'member' });
  });

  it('that has expired, was revoked or does not exist says what to do', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const [expired, revoked] = [await invited(browser, tenant, newEmail()), await invited(browser, tenant, newEmail())];
    const rows = await query<{ id: number }>('SELECT id FROM invitations WHERE organization_id = $1 ORDER BY id', [
      tenant.id,
    ]);
    await query('UPDATE invitations SET expires = now() WHERE id = $1', [rows[0]?.id]);
    const members = membersOf(tenant);
    expect((await browser.submit(members, `${members}/invitations/${rows[1]?.id}/revoke`)).status).toBe(303);
    for (const [path, sentence] of [
      [expired, 'has expired'],
      [revoked, 'was revoked'],
    ] as const) {
      const answer = await new Browser(portal).get(path);
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(sentence)]);
    }
    expect((await new Browser(portal).get(`/invitations/${'x'.repeat(43)}`)).status).toBe(404);
    expect((await browser.get(members)).text).toContain('None.');
  });
});

describe('the members of an organization', () => {
  it('are invited, changed and removed by owners alone', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const [admin, viewer] = [await tenant.as('admin'), await tenant.as('viewer')];
    const members = membersOf(tenant);
    const asAdmin = await signedInAs(api, portal, admin);
    const page = await asAdmin.get(members);
    expect(page.text).not.toContain('Invite a person');
    expect(page.text).not.toContain(`${members}/${viewer.userId}/`);
    const csrf = csrfIn(page);
    for (const [path, fields] of [
      [`${members}/invitations`, { email: newEmail(), role: 'viewer' }],
      [`${members}/${viewer.userId}/role`, { role: 'admin' }],
      [`${members}/${viewer.userId}/remove`, {}],
      [`${members}/${viewer.userId}/password-link`, {}],
    ] as const)
      expect([(await asAdmin.post(path, { csrf, ...fields })).status, path]).toEqual([403, path]);
    expect((await browser.submit(members, `${members}/${viewer.userId}/role`, { role: 'member' })).status).toBe(303);
    expect((await rolesOf(tenant)).map(({ role }) => role).sort()).toEqual(['admin', 'member', 'owner']);
    expect((await browser.submit(members, `${members}/${viewer.userId}/remove`)).status).toBe(303);
    const left = await asAdmin.submit(members, `${members}/${admin.userId}/remove`);
    expect([left.status, locationOf(left)]).toEqual([303, '/']);
    expect(await rolesOf(tenant)).toHaveLength(1);
  });

  it('keep an owner, and the page says why', async () => {
    const { tenant, owner, browser } = await tenantWithOwner();
    const members = membersOf(tenant);
    for (const [action, fields] of [
      ['role', { role: 'viewer' }],
      ['remove', {}],
    ] as const) {
      const answer = await browser.submit(members, `${members}/${owner.userId}/${action}`, fields);
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('the only owner')]);
      expect(answer.text).toContain('Open invitations');
    }
    const invalid = await browser.submit(members, `${members}/invitations`, { email: 'no address', role: 'member' });
    expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('value="no address"')]);
  });

  it('of another organization are not changed', async () => {
    const [{ browser, tenant }, other] = [await tenantWithOwner(), await tenantWithOwner()];
    const csrf = csrfIn(await browser.get(membersOf(tenant)));
    const { userId } = await other.tenant.as('viewer');
    for (const base of [membersOf(other.tenant), membersOf(tenant)])
      for (const action of ['role', 'remove', 'password-link', 'totp-reset']) {
        const answer = await browser.post(`${base}/${userId}/${action}`, { csrf, role: 'admin' });
        expect([answer.status, action]).toEqual([404, action]);
      }
    expect(await rolesOf(other.tenant)).toHaveLength(2);
  });

  it('set a new password with a link, once', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const member = await tenant.as('member');
    const email = await withPassword(api, member);
    const signedIn = await signedInAs(api, portal, member);
    const members = membersOf(tenant);
    const { text } = await browser.submit(members, `${members}/${member.userId}/password-link`);
    const path = /\/password-resets\/[\w-]{43}/.exec(text)?.[0] ?? '';
    const person = new Browser(portal);
    const short = await person.submit(path, path, { password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('at least 12 characters')]);
    const password = 'another horse and a battery';
    expect((await person.submit(path, path, { password })).text).toContain('The password was set');
    expect((await signedIn.get('/settings/security')).status).toBe(303);
    expect((await new Browser(portal).post('/sign-in', { email, password })).status).toBe(303);
    const again = await new Browser(portal).get(path);
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('Ask an owner of your organization')]);
  });
});

describe('a forgotten password without mail', () => {
  it('is reset by an owner, and nothing is stored for a request', async () => {
    const page = await new Browser(portal).get('/forgotten-password');
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('An owner of your organization can create'),
    ]);
    expect(page.text).not.toContain('<form');
    const answer = await new Browser(portal).post('/forgotten-password', { email: newEmail() });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('sends no mail')]);
    expect(await query('SELECT 1 FROM mails')).toEqual([]);
  });
});

describe('the page of an organization', () => {
  const upload = async (browser: Browser, tenant: Tenant, file: Blob, csrf: string): Promise<Response> => {
    const form = new FormData();
    form.set('csrf', csrf);
    form.set('logo', file, 'logo.png');
    return fetch(`${portal.url}${organizationOf(tenant)}/logo`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { origin: portal.url, cookie: `assay=${browser.cookie('assay')}` },
    });
  };

  it('changes the logo for admins', async () => {
    const { tenant, browser } = await tenantWithOwner();
    const page = organizationOf(tenant);
    const picture = new Blob([new Uint8Array(pngOf(40, 20))], { type: 'image/png' });
    const csrf = csrfIn(await browser.get(page));
    expect((await upload(browser, tenant, picture, csrf)).status).toBe(303);
    const logo = await browser.get(`${page}/logo`);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(logo.headers.get('content-security-policy')).toContain('sandbox');
    for (const [file, status] of [
      [new Blob(['<svg/>'], { type: 'image/svg+xml' }), 415],
      [new Blob(['<script>'], { type: 'image/png' }), 400],
      [new Blob([], { type: 'image/png' }), 400],
      [new Blob([new Uint8Array(300_000)], { type: 'image/png' }), 413],
    ] as const)
      expect((await upload(browser, tenant, file, csrf)).status).toBe(status);
    expect((await upload(browser, tenant, picture, 'x'.repeat(43))).status).toBe(403);
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    const shown = await viewer.get(page);
    expect(shown.text).not.toContain('type="file"');
    expect((await upload(viewer, tenant, picture, csrfIn(shown))).status).toBe(403);
    expect((await browser.submit(page, `${page}/logo/delete`)).status).toBe(303);
    expect((await browser.get(`${page}/logo`)).status).toBe(404);
  });

  it('is deleted by its integrator alone, who types its name', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const page = organizationOf(tenant);
    const owner = await signedInAs(api, portal, await tenant.as('owner'));
    const shown = await owner.get(page);
    expect(shown.text).not.toContain(`${page}/delete`);
    expect((await owner.post(`${page}/delete`, { csrf: csrfIn(shown), name: tenant.name })).status).toBe(403);
    const browser = await signedInAs(api, portal, integrator);
    const wrong = await browser.submit(page, `${page}/delete`, { name: 'other' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Type the name')]);
    expect(locationOf(await browser.submit(page, `${page}/delete`, { name: tenant.name }))).toBe('/');
    expect((await browser.get(page)).status).toBe(404);
  });
});
