import { asOperator } from '../../src/apps/cli/run-in-domain';
import { runCommand } from '../../src/apps/cli/run-command';
import { IdentityService } from '../../src/modules/identity';
import { eventually } from '../support/eventually';
import { linkIn, type ReceivedMail } from '../support/mail-server';
import { useMailingInstallation } from '../support/mailing-installation';
import { Browser, PASSWORD } from '../support/portal';

const installation = useMailingInstallation('_setup');
const { portal, rows, sentTo, quiet } = installation;

async function setupLink(): Promise<{ code: number; path: string; output: string }> {
  const environment = { ...process.env };
  Object.assign(process.env, installation.settings);
  let output = '';
  const writes = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk);
      return true;
    }),
  );
  try {
    const code = await runCommand(['create-setup-link']);
    return { code, path: /\/setup\/[\w-]{43}/.exec(output)?.[0] ?? '', output };
  } finally {
    for (const write of writes) write.mockRestore();
    process.env = environment;
  }
}

const OWNER = { organization: 'Northwind <b>Traders</b>', name: 'Mara', email: 'Mara@example.com', password: PASSWORD };

async function createUser(email: string): Promise<void> {
  const [user] = await rows('INSERT INTO users (email, folded_email) VALUES ($1, $1) RETURNING id', [email]);
  const description = { operation: 'user.password_change', resourceType: 'user' } as const;
  await asOperator(installation.api.app, description, () =>
    installation.api.app.get(IdentityService).changePassword(Number(user?.['id']), PASSWORD),
  );
}

/** In a new browser, after the mail about that is sent. */
async function signedInOwner(): Promise<Browser> {
  const browser = new Browser(portal);
  expect((await browser.post('/sign-in', { email: OWNER.email, password: PASSWORD })).status).toBe(303);
  await quiet();
  return browser;
}

/** The tests run in this order: the installation of the first one is used by the others. */
describe('a new installation', () => {
  it('is set up once, with a link of the operator', async () => {
    expect((await new Browser(portal).get('/sign-in')).text).toContain('create-setup-link');
    expect((await new Browser(portal).get(`/setup/${'x'.repeat(43)}`)).status).toBe(404);
    const [replaced, current] = [await setupLink(), await setupLink()];
    expect([current.code, current.output]).toEqual([
      0,
      expect.stringContaining('Anyone who has it becomes the owner.'),
    ]);
    expect((await new Browser(portal).get(replaced.path)).status).toBe(404);
    await rows("UPDATE setup_links SET expires = now() - interval '1 second'");
    expect((await new Browser(portal).get(current.path)).status).toBe(404);
    const { path } = await setupLink();
    const browser = new Browser(portal);
    const refused = await browser.submit(path, path, { ...OWNER, password: 'short' });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('value="Northwind &lt;b>Traders&lt;/b>"'),
    ]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => new Browser(portal).post(path, OWNER)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await rows('SELECT role FROM memberships')).toEqual([{ role: 'owner' }]);
    expect(await rows('SELECT name FROM organizations')).toEqual([{ name: OWNER.organization }]);
    const late = await new Browser(portal).get(path);
    expect([late.status, late.text]).toEqual([404, expect.stringContaining('was already used')]);
    const again = await setupLink();
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('has users already')]);
    expect((await new Browser(portal).get('/sign-in')).text).not.toContain('create-setup-link');
  });

  it('sends an invitation by mail, and again after the mail server has refused it', async () => {
    const browser = await signedInOwner();
    const members = '/o/1/settings/members';
    installation.mailServer.refuse(1);
    const created = await browser.submit(members, `${members}/invitations`, {
      email: 'olga@example.com',
      role: 'admin',
    });
    expect([created.status, created.text]).toEqual([
      200,
      expect.stringContaining('The invitation is sent to <strong>olga@example.com</strong>'),
    ]);
    expect(created.text).not.toMatch(/\/invitations\/[\w-]{43}/);
    const [waiting] = await rows("SELECT encode(sealed, 'escape') AS sealed FROM mails");
    await eventually(async () => expect(sentTo('olga@example.com')).toHaveLength(1));
    const [mail] = sentTo('olga@example.com');
    expect(mail?.source).toContain('From: Assay <assay@example.com>');
    expect(mail?.source).toContain('Auto-Submitted: auto-generated');
    expect(mail?.source).toContain('Mara@example.com invites you');
    const link = new URL((mail && linkIn(mail)) ?? '').pathname;
    expect(JSON.stringify(waiting ?? '')).not.toContain(link);
    await quiet();
    const joined = await new Browser(portal).post(`${link}/new-user`, { password: PASSWORD });
    expect(joined.status).toBe(303);
  });

  it('sends a link for a new password, with the same answer and the same work for an unknown address', async () => {
    const answers = [];
    for (const email of ['Olga@Example.com', 'nobody@example.com']) {
      const answer = await new Browser(portal).submit('/forgotten-password', '/forgotten-password', { email });
      answers.push([answer.status, answer.text.replaceAll(email, 'ADDRESS')]);
    }
    expect(answers[0]?.[0]).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    await eventually(async () => expect(sentTo('olga@example.com')).toHaveLength(2));
    await quiet();
    expect(sentTo('nobody@example.com')).toEqual([]);
    const mail = sentTo('olga@example.com').at(-1);
    const path = new URL((mail && linkIn(mail)) ?? '').pathname;
    const stolen = new Browser(portal);
    await stolen.post('/sign-in', { email: 'olga@example.com', password: PASSWORD });
    const password = 'a new battery for the horse';
    expect((await new Browser(portal).submit(path, path, { password })).text).toContain('The password was set');
    expect((await new Browser(portal).get(path)).status).toBe(404);
    expect((await stolen.get('/settings/security')).status).toBe(303);
    expect((await new Browser(portal).post('/sign-in', { email: 'olga@example.com', password })).status).toBe(303);
    const entries = await rows(
      "SELECT metadata::text FROM audit_logs WHERE operation LIKE 'mail.%' OR operation LIKE 'password_reset.%'",
    );
    expect(JSON.stringify(entries).toLowerCase()).not.toContain('example.com');
  });

  it('has several links by mail for a user, each for an hour, until one of them is used', async () => {
    const email = 'several@example.com';
    await createUser(email);
    const request = () => new Browser(portal).post('/forgotten-password', { email });
    const paths: string[] = [];
    for (const count of [1, 2]) {
      await request();
      await eventually(async () => expect(sentTo(email)).toHaveLength(count));
      paths.push(new URL(linkIn(sentTo(email).at(-1) as ReceivedMail)).pathname);
    }
    const statuses = async (): Promise<number[]> =>
      Promise.all(paths.map(async (path) => (await new Browser(portal).get(path)).status));
    expect(await statuses()).toEqual([200, 200]);
    await rows('UPDATE mailed_password_resets SET expires = now()');
    expect(await statuses()).toEqual([200, 404]);
    await rows("UPDATE mailed_password_resets SET expires = now() + interval '1 hour'");
    const answers = await Promise.all(
      paths.map((path, index) => new Browser(portal).post(path, { password: `the new password ${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await statuses()).toEqual([404, 404]);
    await quiet();
  });

  it('sends links to a browser that has signed in, also after strangers have used up the limit of the address', async () => {
    const email = 'known@example.com';
    await createUser(email);
    const known = new Browser(portal);
    expect((await known.post('/sign-in', { email, password: PASSWORD })).status).toBe(303);
    const statuses: number[] = [];
    for (let address = 1; address <= 6; address++)
      statuses.push(
        (
          await new Browser(portal).post(
            '/forgotten-password',
            { email },
            { 'x-forwarded-for': `198.51.100.${address}` },
          )
        ).status,
      );
    expect(statuses.at(-1)).toBe(429);
    expect((await known.submit('/forgotten-password', '/forgotten-password', { email })).status).toBe(200);
    await quiet();
  });

  it('limits the mail that one address can ask for', async () => {
    const statuses = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await new Browser(portal).post('/forgotten-password', { email: 'flood@example.com' })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await quiet();
  });

  it('abandons a mail that the server refuses in every attempt, and keeps nothing of it', async () => {
    const browser = await signedInOwner();
    installation.mailServer.refuse(100);
    const members = '/o/1/settings/members';
    await browser.submit(members, `${members}/invitations`, { email: 'late@example.com', role: 'viewer' });
    await eventually(async () =>
      expect(
        await rows("SELECT 1 FROM work WHERE kind = 'mail.send' AND failures > 0 AND state = 'waiting'"),
      ).toHaveLength(1),
    );
    await rows("UPDATE work SET failures = 4, run_at = now() WHERE kind = 'mail.send' AND state = 'waiting'");
    await quiet();
    const [entry] = await rows("SELECT status FROM audit_logs WHERE operation = 'mail.send' ORDER BY id DESC LIMIT 1");
    expect(entry).toEqual({ status: 'failure' });
    const [work] = await rows("SELECT error FROM work WHERE kind = 'mail.send' ORDER BY id DESC LIMIT 1");
    expect(work?.['error']).toContain('the mail server did not accept a mail: EMESSAGE 450');
    expect(sentTo('late@example.com')).toEqual([]);
  });
});
