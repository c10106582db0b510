import { randomBytes } from 'node:crypto';
import { type RunningWorker, startWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { unique, uniqueDomain } from '../support/factories';
import { linkIn, startMailServer } from '../support/mail-server';
import { Browser, signedInAs } from '../support/portal';
import {
  addressToLink,
  linkProvider,
  setUpProvider,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';
import { expectWaitingForLocks, lockRows } from '../support/row-locks';

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
const installation = useProviderInstallation(
  async () => {
    mailServer = await startMailServer();
    return [];
  },
  () => ({ SMTP_URL: mailServer.url, MAIL_FROM: 'Assay <assay@example.com>' }),
);
const { portal, api, make } = installation;

let worker: RunningWorker;
beforeAll(async () => (worker = await startWorker(installation.settings)));
afterAll(async () => {
  await worker.stop();
  await mailServer.close();
});

const OTHER_PASSWORD = 'a new battery for the horse';
const LINKED = '/settings/providers';
const INSTALLATION = '/sign-in/provider/installation';

function accountOf(email: string): string {
  const id = unique('account').replace(' ', '-');
  installation.provider.accounts.set(id, { email, email_verified: true });
  return id;
}

/** The text of the newest mail to the address with this subject. */
const mailTo = (email: string, subject: string): Promise<string> =>
  eventually(async () => {
    const found = mailServer.mails.findLast(
      ({ to, source }) => to.includes(email) && source.includes(`Subject: ${subject}`),
    );
    if (found === undefined) throw new Error(`no mail "${subject}" to ${email}`);
    return found.source.replaceAll(/=\r\n/g, '');
  });

/** Sets a new password with a link by mail, and returns the page that says what has ended. */
async function newPassword(email: string): Promise<string> {
  const earlier = mailServer.mails.length;
  await new Browser(portal).submit('/forgotten-password', '/forgotten-password', { email });
  const link = await eventually(async () => {
    const mail = mailServer.mails
      .slice(earlier)
      .find(({ to, source }) => to.includes(email) && source.includes('New password'));
    if (mail === undefined) throw new Error('no link');
    return new URL(linkIn(mail)).pathname;
  });
  const { status, text } = await new Browser(portal).submit(link, link, { password: OTHER_PASSWORD });
  expect([status, text]).toEqual([200, expect.stringContaining('The password was set')]);
  return text;
}

/** A user whom another person has made with a foreign address and this password, as without mail. */
async function hijacked(domain = 'example.com') {
  const tenant = await make.organization();
  const email = `boss-${randomBytes(6).toString('hex')}@${domain}`;
  const { userId } = await tenant.as('admin');
  await query('UPDATE users SET email = $2, folded_email = $2 WHERE id = $1', [userId, email]);
  await query('DELETE FROM address_proofs WHERE user_id = $1', [userId]);
  return { tenant, email, userId, browser: await signedInAs(api, portal, { userId }) };
}

const statusThrough = async (page: string, account: string): Promise<number> =>
  (await throughProvider(installation, new Browser(portal), page, account)).status;

describe('the first proof of an address', () => {
  it('ends the identities that another person has linked before, also that of the installation', async () => {
    const { email, browser } = await hijacked();
    const account = accountOf('attacker@example.net');
    expect((await linkProvider(installation, browser, 'installation', account)).status).toBe(303);
    expect(await statusThrough(INSTALLATION, account)).toBe(303);
    expect(await newPassword(email)).toContain(
      `the link to the identity provider <bdi>${installation.provider.issuer}`,
    );
    expect(await statusThrough(INSTALLATION, account)).toBe(403);
    expect(await mailTo(email, 'Your sign-in to Assay has changed')).toContain('the link to the identity provider');
    await newPassword(email);
    expect(await statusThrough(INSTALLATION, account)).toBe(403);
  });

  it('ends the identity of a provider whose organization has verified the domain, if a person has linked it', async () => {
    const organization = await setUpProvider(installation);
    const { email, userId, browser } = await hijacked(organization.domain);
    await make.membership(userId, organization.tenant.id, 'member');
    const account = accountOf(email);
    const [, id = ''] = /\/([\w-]+)$/.exec(organization.signIn) ?? [];
    await linkProvider(installation, browser, id, account);
    await newPassword(email);
    expect(await statusThrough(organization.signIn, account)).toBe(409);
  });

  it('leaves the sign-in of a member whom the organization has admitted, as long as its domain is verified', async () => {
    const organization = await setUpProvider(installation);
    const page = `/o/${organization.tenant.id}/findings`;
    for (const isVerified of [true, false]) {
      const email = `${unique('member').replace(' ', '-')}@${organization.domain}`;
      const account = accountOf(email);
      const before = new Browser(portal);
      await throughProvider(installation, before, organization.signIn, account);
      expect((await before.get(page)).status).toBe(200);
      if (!isVerified)
        await query('UPDATE domains SET value = $2 WHERE organization_id = $1', [
          organization.tenant.id,
          uniqueDomain(),
        ]);
      await newPassword(email);
      expect((await before.get(page)).status).toBe(303);
      const after = new Browser(portal);
      const again = await throughProvider(installation, after, organization.signIn, account);
      expect([again.status, (await after.get(page)).status]).toEqual(isVerified ? [303, 200] : [403, 303]);
    }
  });

  it('ends a link that the other person has begun, also while its answer is being stored', async () => {
    const { userId, browser } = await hijacked();
    const begun = await installation.provider.authorize(
      await addressToLink(browser, 'installation'),
      accountOf('x@example.net'),
    );
    const release = await lockRows('users', [userId]);
    const linked = browser.get(begun.pathname + begun.search);
    await expectWaitingForLocks(1);
    await query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    await release();
    expect((await linked).status).toBeGreaterThanOrEqual(400);
    expect(await query('SELECT 1 FROM provider_identities WHERE user_id = $1', [userId])).toEqual([]);
  });
});

describe('a later password by mail', () => {
  it('asks about each identity, with the day and the browser of its link, and does not end any', async () => {
    const organization = await setUpProvider(installation);
    const { email, userId } = await hijacked();
    await make.membership(userId, organization.tenant.id, 'member');
    await newPassword(email);
    const person = new Browser(portal);
    await person.submit('/sign-in', '/sign-in', { email, password: OTHER_PASSWORD });
    const [kept, ended] = [accountOf('one@example.net'), accountOf('two@example.net')];
    const [, id = ''] = /\/([\w-]+)$/.exec(organization.signIn) ?? [];
    await linkProvider(installation, person, 'installation', kept, OTHER_PASSWORD);
    await linkProvider(installation, person, id, ended, OTHER_PASSWORD);
    expect(await newPassword(email)).toContain('These still work.');
    expect([await statusThrough(INSTALLATION, kept), await statusThrough(organization.signIn, ended)]).toEqual([
      303, 303,
    ]);
    const again = new Browser(portal);
    await again.submit('/sign-in', '/sign-in', { email, password: OTHER_PASSWORD });
    expect((await again.get('/')).headers.get('location')).toBe(LINKED);
    const { text } = await again.get(LINKED);
    expect(text).toContain('You have set a new password.');
    expect(text).toMatch(/<time[^>]*>[^<]*<\/time> in <bdi>node<\/bdi>/);
    const idOf = async (account: string): Promise<number> =>
      (await query<{ id: number }>('SELECT id FROM provider_identities WHERE subject = $1', [account]))[0]?.id ?? 0;
    expect((await again.submit(LINKED, `${LINKED}/${await idOf(kept)}/keep`)).status).toBe(303);
    expect((await again.submit(LINKED, `${LINKED}/${await idOf(ended)}/unlink`)).status).toBe(303);
    expect((await again.get('/')).headers.get('location')).not.toBe(LINKED);
    expect([await statusThrough(INSTALLATION, kept), await statusThrough(organization.signIn, ended)]).toEqual([
      303, 403,
    ]);
  });
});

describe('a link to a provider', () => {
  it('needs the password, and the user gets a mail that names the browser', async () => {
    const { email, browser, userId } = await hijacked();
    const refused = await browser.submit(LINKED, `${LINKED}/installation/link`, { current: 'a wrong password' });
    expect([refused.status, refused.text]).toEqual([422, expect.not.stringContaining('class="button primary"')]);
    expect((await browser.get(`${LINKED}/installation/link`)).status).toBe(404);
    expect(
      await query(`SELECT status FROM audit_logs WHERE actor_id = $1 AND operation = 'provider_identity.begin'`, [
        String(userId),
      ]),
    ).toEqual([{ status: 'failure' }]);
    await linkProvider(installation, browser, 'installation', accountOf('x@example.net'));
    const mail = await mailTo(email, 'An identity provider was linked');
    expect(mail).toContain(installation.provider.issuer);
    expect(mail).toContain('with node');
  });
});
