import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../src/modules/identity/password';
import { Factories } from '../support/factories';
import { useMailingInstallation } from '../support/mailing-installation';
import { Browser, PASSWORD } from '../support/portal';
import { SoftwareAuthenticator } from '../support/software-authenticator';

const installation = useMailingInstallation('_sign_in_mail');
const { portal, rows, sentTo, quiet } = installation;
const make = new Factories(installation.api);

const local = {
  get url() {
    return portal.url.replace('127.0.0.1', 'localhost');
  },
};

async function account(): Promise<string> {
  const email = `person-${randomBytes(6).toString('hex')}@example.com`;
  const { id } = await make.organization();
  const member = await make.member(id, 'owner');
  await rows('UPDATE users SET email = $2, folded_email = $2, password_hash = $3 WHERE id = $1', [
    member.userId,
    email,
    await hashPassword(PASSWORD),
  ]);
  return email;
}

async function signIn(email: string, agent = 'Firefox'): Promise<Browser> {
  const browser = new Browser(local);
  const answer = await browser.post('/sign-in', { email, password: PASSWORD }, { 'user-agent': agent });
  expect(answer.status).toBe(303);
  return browser;
}

const subjectsTo = async (email: string): Promise<string[]> => {
  await quiet();
  return sentTo(email).map(({ source }) => /Subject: ([^\r\n]*)/.exec(source)?.[1] ?? '');
};

const NEW_BROWSER = 'A new browser signed in to Assay as you';

describe('a mail about a sign-in', () => {
  it('is sent for a new browser, and neither for the very first sign-in nor for a known browser', async () => {
    const email = await account();
    const known = await signIn(email);
    expect(await subjectsTo(email)).toEqual([]);
    expect((await known.submit('/sign-in', '/sign-in', { email, password: PASSWORD })).status).toBe(303);
    expect(await subjectsTo(email)).toEqual([]);
    await signIn(email, 'Opera\ton a phone');
    expect(await subjectsTo(email)).toEqual([NEW_BROWSER]);
    const { source = '' } = sentTo(email)[0] ?? {};
    expect(source).toContain('with Opera on a phone');
    expect(source).toMatch(/from (127\.0\.0\.1|::1)/);
    await new Browser(local).post('/sign-in', { email, password: 'a wrong password' });
    expect(await subjectsTo(email)).toEqual([NEW_BROWSER]);
  });

  it('comes at most as often as a user may sign in, which is limited also with the right password', async () => {
    const email = await account();
    const statuses: number[] = [];
    const until = Date.now() + 60_000;
    while (!statuses.includes(429) && Date.now() < until)
      statuses.push((await new Browser(local).post('/sign-in', { email, password: PASSWORD })).status);
    expect(statuses.at(-1)).toBe(429);
    // The very first sign-in causes no mail.
    expect(await subjectsTo(email)).toHaveLength(statuses.length - 2);
    expect(statuses.length).toBeGreaterThan(20);
  });

  it('is sent for a passkey that is added and removed', async () => {
    const email = await account();
    const browser = await signIn(email);
    const [security, passkeys] = ['/settings/security', '/settings/security/passkeys'];
    const device = new SoftwareAuthenticator(local.url);
    await browser.submit(security, `${passkeys}/begin`, { current: PASSWORD });
    const response = device.create(JSON.parse((await browser.get(`${passkeys}/new/options`)).text));
    await browser.submit(`${passkeys}/new`, passkeys, { name: 'My phone', response });
    expect(await subjectsTo(email)).toEqual(['A passkey was added to your user in Assay']);
    const [{ id } = { id: 0 }] = await rows<{ id: number }>(
      'SELECT p.id FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.email = $1',
      [email],
    );
    const confirmation = device.get(JSON.parse((await browser.get(`${passkeys}/confirm`)).text));
    const fields = { current: PASSWORD, response: confirmation };
    expect((await browser.submit(security, `${passkeys}/${id}/remove`, fields)).status).toBe(303);
    expect(await subjectsTo(email)).toEqual([
      'A passkey was added to your user in Assay',
      'A passkey was removed from your user in Assay',
    ]);
    expect(sentTo(email)[0]?.source).toContain('The passkey "My phone" can sign in as you from now on.');
  });
});

describe('invitations by mail', () => {
  it('of one address are limited to five an hour', async () => {
    const email = `guest-${randomBytes(6).toString('hex')}@example.com`;
    const { id, as } = await make.organization();
    const { client } = await as('owner');
    const invite = async (to: string) =>
      (await client.post(`/v1/organizations/${id}/invitations/`, { email: to, role: 'viewer' })).status;
    for (let sent = 0; sent < 5; sent += 1) expect(await invite(email)).toBe(201);
    expect(await invite(email.toUpperCase())).toBe(429);
    expect(await invite(`other-${email}`)).toBe(201);
  });
});
