import type { NestExpressApplication } from '@nestjs/platform-express';
import { createLog } from '../../src/platform/logging/log';
import { NotifiedFindingsRepository } from '../../src/modules/findings';
import { createPortal } from '../../src/portal/create-portal';
import { type RunningApi, startApi, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { startMailServer } from '../support/mail-server';
import { multiplyRows } from '../support/multiplied-rows';
import { NotificationTime, type ReadMail, readMail } from '../support/notifications';
import { signedInAs } from '../support/portal';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let running: RunningApi;
let portalApp: NestExpressApplication;
const portal = { url: '' };

/** No worker runs: the tests run the tasks. */
const api: RunningApi = {
  get app() {
    return running.app;
  },
  get url() {
    return running.url;
  },
  get port() {
    return running.port;
  },
};
const make = new Factories(api);
const time = new NotificationTime(api);

beforeAll(async () => {
  mailServer = await startMailServer();
  const settings = { SMTP_URL: mailServer.url, MAIL_FROM: 'Assay <assay@example.com>' };
  running = await startApi(settings);
  useContract(running.app);
  const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
  portalApp = await createPortal(await testConfig(settings), log, running.app);
  await portalApp.listen(0, '127.0.0.1');
  portal.url = await portalApp.getUrl();
});

afterAll(async () => {
  await portalApp.close();
  await running.app.close();
  await mailServer.close();
});

beforeEach(async () => {
  await query(
    "UPDATE work SET state = 'canceled', finished = now() WHERE kind LIKE 'notification.%' AND state = 'waiting'",
  );
  time.start();
});

afterEach(() => jest.restoreAllMocks());

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Person;
  readonly member: Person & { readonly email: string };
}

const emailOf = async ({ userId }: Person): Promise<string> =>
  (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email ?? '';

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const member = await tenant.as('member');
  return { tenant, admin: await tenant.as('admin'), member: { ...member, email: await emailOf(member) } };
}

const mailsTo = (email: string): ReadMail[] => mailServer.mails.filter(({ to }) => to.includes(email)).map(readMail);

const settingsPath = ({ tenant }: Fixture): string => `/v1/organizations/${tenant.id}/settings`;

const assign = async ({ admin, member }: Fixture, findingId: number, by: Person = admin) => {
  const answer = await by.client.patch(`/v1/findings/${findingId}`, { assignee_id: member.userId });
  expect(answer.status).toBe(200);
};

const pathOf = (url: string | undefined): string => new URL(url ?? '').pathname;

const unsubscribeIn = (mail: ReadMail | undefined): string =>
  pathOf(/<(.*)>/.exec(mail?.header('List-Unsubscribe') ?? '')?.[1]);

const post = (path: string, body = 'List-Unsubscribe=One-Click', headers: Record<string, string> = {}) =>
  fetch(`${portal.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    redirect: 'manual',
  });

describe('mail about an assignment', () => {
  it('has the severity, the title, the asset, what was proved and links that work, as text and as HTML', async () => {
    const one = await fixture();
    await query('UPDATE users SET name = $2 WHERE id = $1', [one.admin.userId, 'Ana & Co']);
    const title = unique('SQL injection <b>');
    const finding = await make.finding(one.tenant.id, { title, md: 'secret evidence', score: 8 });
    await assign(one, finding.id);
    expect(await time.run()).toEqual([]);
    const [mail, ...others] = mailsTo(one.member.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`A finding was assigned to you: ${title}`);
    const link = `/o/${one.tenant.id}/findings/${finding.id}`;
    for (const part of [`High: ${title}`, 'By Ana & Co', 'example.com', 'Not tested', link])
      expect(mail?.text).toContain(part);
    for (const part of ['SQL injection &lt;b&gt;', 'By Ana &amp; Co', '>High<', link])
      expect(mail?.html).toContain(part);
    expect(`${mail?.text}${mail?.html}`).not.toContain('secret evidence');
    expect(mail?.html).not.toContain('<b>');
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
    const browser = await signedInAs(api, portal, one.member);
    const links = [...(mail?.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([url]) => pathOf(url));
    expect(links).toHaveLength(3);
    for (const path of links) expect(await browser.statusOf(path)).toBe(200);
  });

  it('is not sent to users who assign the finding to themselves, nor if it has been reassigned since', async () => {
    const one = await fixture();
    const { id } = await make.finding(one.tenant.id);
    await assign(one, id, one.member);
    await time.run();
    const other = await make.finding(one.tenant.id);
    await assign(one, other.id);
    await one.admin.client.patch(`/v1/findings/${other.id}`, { assignee_id: one.admin.userId });
    await time.run();
    const late = await make.finding(one.tenant.id);
    await assign(one, late.id);
    // The mail waits already.
    await time.plan();
    await one.admin.client.patch(`/v1/findings/${late.id}`, { assignee_id: one.admin.userId });
    await time.work();
    expect(mailsTo(one.member.email)).toEqual([]);
  });

  it('is sent once, also if the entries are planned again and the work is done twice', async () => {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.plan();
    await query('UPDATE notification_settings SET position = 0 WHERE organization_id = $1', [one.tenant.id]);
    await Promise.all(Array.from({ length: 20 }, () => time.plan()));
    const claims = (await time.claim()).filter(({ organizationId }) => organizationId === one.tenant.id);
    await Promise.all([...claims, ...claims].map((claim) => time.perform(claim)));
    expect(mailsTo(one.member.email)).toHaveLength(1);
  });

  it('is sent by the next attempt if the mail server refuses it', async () => {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    mailServer.refuse(1);
    expect(await time.run()).toEqual([expect.stringContaining('450')]);
    expect(mailsTo(one.member.email)).toEqual([]);
    expect(await time.run()).toEqual([]);
    expect(mailsTo(one.member.email)).toHaveLength(1);
  });

  it('is not sent again by the attempt after one that was lost while sending', async () => {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.plan();
    await query('UPDATE personal_notices SET taken = now() WHERE organization_id = $1', [one.tenant.id]);
    expect(await time.work()).toEqual([]);
    expect(mailsTo(one.member.email)).toEqual([]);
  });

  it('comes at most every ten minutes, with everything since the last one and a link to what it does not list', async () => {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.run();
    for (let count = 0; count < 23; count++) await assign(one, (await make.finding(one.tenant.id)).id);
    await time.run();
    expect(mailsTo(one.member.email)).toHaveLength(1);
    time.advance(600_000);
    await time.run();
    const [, mail, ...others] = mailsTo(one.member.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('23 findings were assigned to you');
    expect(mail?.text).toMatch(new RegExp(`\n3 more: .*/o/${one.tenant.id}/findings\n`));
  });
});

describe('mail about very many changes', () => {
  it('comes in portions, with ten minutes between them, and loses nothing', async () => {
    const one = await fixture();
    const { id } = await make.finding(one.tenant.id);
    await assign(one, id);
    await query('UPDATE findings SET assignee_id = $2 WHERE id = $1', [id, one.member.userId]);
    await time.plan();
    await multiplyRows('findings', one.tenant.id, 2_007);
    await query(
      `INSERT INTO personal_notices (organization_id, user_id, kind, reference, finding_id, created)
       SELECT organization_id, assignee_id, 'assigned', 'test ' || id, id, now() FROM findings WHERE organization_id = $1 AND id <> $2`,
      [one.tenant.id, id],
    );
    expect(await time.work()).toEqual([]);
    expect(await time.work()).toEqual([]);
    const subjects = () => mailsTo(one.member.email).map(({ subject }) => subject);
    expect(subjects()).toEqual(['2000 findings were assigned to you']);
    time.advance(600_000);
    expect(await time.work()).toEqual([]);
    expect(subjects().slice(1)).toEqual(['7 findings were assigned to you']);
  });
});

describe('mail about a comment', () => {
  it('goes to mentioned members of this organization alone, without the comment, and not to its author', async () => {
    const [one, other] = [await fixture(), await fixture()];
    const { id, title } = await make.finding(one.tenant.id);
    const comment = `@${one.member.email} @${other.member.email} @${await emailOf(one.admin)}: the password is hunter2`;
    const answer = await one.admin.client.post(`/v1/findings/${id}/comments/`, { comment });
    expect(answer.status).toBe(201);
    await time.run();
    expect(mailsTo(one.member.email).map(({ subject }) => subject)).toEqual([`You were mentioned: ${title}`]);
    expect(mailServer.mails.filter(({ source }) => source.includes('hunter2'))).toEqual([]);
    expect(mailsTo(other.member.email)).toEqual([]);
    expect(mailsTo(await emailOf(one.admin))).toEqual([]);
  });
});

describe('mail about due dates', () => {
  it('comes once for each due date within three days, for open findings', async () => {
    const one = await fixture();
    await one.member.client.patch(`${settingsPath(one)}/my-mail`, { due_soon: true });
    const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
    const titles: string[] = [];
    for (const [days, status] of [
      [2, 1],
      [4, 1],
      [1, 5],
      [-1, 1],
    ] as const) {
      const { id, title } = await make.finding(one.tenant.id);
      await one.admin.client.patch(`/v1/findings/${id}`, { assignee_id: one.member.userId, due_date: dayIn(days) });
      if (status !== 1) await one.admin.client.post(`/v1/findings/${id}/status`, { status });
      titles.push(title);
    }
    await query("UPDATE mail_preferences SET kinds = '{due_soon}' WHERE user_id = $1", [one.member.userId]);
    for (let count = 0; count < 2; count++) {
      await time.planDue();
      await time.run();
    }
    expect(mailsTo(one.member.email).map(({ subject }) => subject)).toEqual([`A finding is due soon: ${titles[0]}`]);
    expect(mailsTo(one.member.email)[0]?.text).toContain(`Due on ${dayIn(2)}`);
    time.advance(1.5 * DAY);
    await time.planDue();
    await time.run();
    expect(mailsTo(one.member.email).map(({ subject }) => subject)).toContain(`A finding is due soon: ${titles[1]}`);
  });
});

describe('mail about many due dates', () => {
  it('lists all of them, which are read in portions', async () => {
    const one = await fixture();
    await query("UPDATE mail_preferences SET kinds = '{due_soon}' WHERE user_id = $1", [one.member.userId]);
    const { id } = await make.finding(one.tenant.id);
    await query('UPDATE findings SET assignee_id = $2, due_date = now() WHERE id = $1', [id, one.member.userId]);
    await multiplyRows('findings', one.tenant.id, 1_001);
    const portions = jest.spyOn(api.app.get(NotifiedFindingsRepository, { strict: false }), 'listDueOfVisible');
    await time.planDue();
    const own = portions.mock.calls.flatMap(([{ organizationId }], at) =>
      organizationId === one.tenant.id ? (portions.mock.results[at]?.value as Promise<unknown[]>) : [],
    );
    const read = await Promise.all(own);
    expect(read.map(({ length }) => length)).toEqual([500, 500, 1]);
    const [row] = await query('SELECT count(*)::int AS count FROM personal_notices WHERE user_id = $1', [
      one.member.userId,
    ]);
    expect(row).toEqual({ count: 1_001 });
  });
});

describe('mail about what a member started', () => {
  it('is sent to the user who started a retest or a report when it is done', async () => {
    const one = await fixture();
    await one.member.client.patch(`${settingsPath(one)}/my-mail`, { done: true });
    await one.admin.client.patch(`${settingsPath(one)}/my-mail`, { done: true });
    const { id, title } = await make.finding(one.tenant.id);
    await one.member.client.post(`/v1/findings/${id}/retest/`);
    await time.run();
    expect(mailsTo(one.member.email)).toEqual([]);
    const verdict = { result: 'fixed', comment: 'ok' };
    expect((await one.admin.client.post(`/v1/findings/${id}/retest/verdict`, verdict)).status).toBe(200);
    await time.run();
    expect(mailsTo(one.member.email).map(({ subject }) => subject)).toEqual([`Done: ${title}`]);
    expect(mailsTo(one.member.email)[0]?.text).toContain('The retest says: fixed');
    const browser = await signedInAs(api, portal, one.member);
    time.advance(HOUR);
    const ordered = await one.member.client.post(`/v1/organizations/${one.tenant.id}/reports/`, {});
    expect(ordered.status).toBe(202);
    await query('UPDATE reports SET generation_date = now() WHERE id = $1', [ordered.body.id]);
    await time.run();
    const mail = mailsTo(one.member.email)[1];
    expect(mail?.subject).toBe(`Done: Report ${ordered.body.id}`);
    expect(await browser.statusOf(`/o/${one.tenant.id}/reports/${ordered.body.id}`)).toBe(200);
    expect(mail?.text).toContain(`/o/${one.tenant.id}/reports/${ordered.body.id}\n`);
    expect(mailsTo(await emailOf(one.admin))).toEqual([]);
  });
});

describe('what a member gets', () => {
  it('is mail about assignments and mentions for new members, and nothing for members from before the upgrade', async () => {
    const one = await fixture();
    const path = `${settingsPath(one)}/my-mail`;
    const off = { verdict: false, gate: false, due_soon: false, done: false, account: false };
    const fresh = { assigned: true, mentioned: true, ...off };
    expect((await one.member.client.get(path)).body).toEqual(fresh);
    await query('DELETE FROM mail_preferences WHERE user_id = $1', [one.member.userId]);
    const nothing = { ...fresh, assigned: false, mentioned: false };
    expect((await one.member.client.get(path)).body).toEqual(nothing);
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.run();
    expect(mailsTo(one.member.email)).toEqual([]);
    expect((await one.member.client.patch(path, { done: true })).body).toEqual({ ...nothing, done: true });
  });

  it('is what they set in this organization, not in another', async () => {
    const [one, other] = [await fixture(), await fixture()];
    await make.membership(one.member.userId, other.tenant.id, 'viewer');
    await one.member.client.patch(`${settingsPath(one)}/my-mail`, { assigned: false });
    const inOther = await one.member.client.get(`${settingsPath(other)}/my-mail`);
    expect(inOther.body.assigned).toBe(true);
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.run();
    expect(mailsTo(one.member.email)).toEqual([]);
  });

  it('is not sent if the member turns it off while it waits', async () => {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.plan();
    await one.member.client.patch(`${settingsPath(one)}/my-mail`, { assigned: false });
    expect(await time.work()).toEqual([]);
    expect(mailsTo(one.member.email)).toEqual([]);
  });

  it('ends with the membership, also for mail that waits, and a new membership does not bring it back', async () => {
    const one = await fixture();
    const owner = await one.tenant.as('owner');
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.plan();
    const removed = await owner.client.delete(`/v1/organizations/${one.tenant.id}/members/${one.member.userId}`);
    expect(removed.status).toBe(200);
    await make.membership(one.member.userId, one.tenant.id, 'member');
    await time.work();
    expect(mailsTo(one.member.email)).toEqual([]);
  });

  it('is nothing for users of an integrator, who are not members', async () => {
    const integrator = await make.integrator();
    const { id } = await make.organization({ integratorId: integrator.integratorId });
    const answer = await integrator.client.patch(`/v1/organizations/${id}/settings/my-mail`, { done: true });
    expect(answer.status).toBe(403);
    expect(answer.body.description).toContain('Only members');
  });

  it('leaves out titles if an admin says so', async () => {
    const one = await fixture();
    const path = `${settingsPath(one)}/mail`;
    expect((await one.member.client.get(path)).body).toEqual({ titles: true });
    await make.membership(one.member.userId, (await make.organization()).id, 'owner');
    expect((await one.member.client.patch(path, { titles: false })).status).toBe(403);
    expect((await one.admin.client.patch(path, { titles: false })).body).toEqual({ titles: false });
    const { id, title } = await make.finding(one.tenant.id);
    await assign(one, id);
    await time.run();
    const [mail] = mailsTo(one.member.email);
    expect(mail?.subject).toBe(`A finding was assigned to you: Finding ${id}`);
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain(title);
  });
});

describe('one-click unsubscribe', () => {
  async function mailed(): Promise<Fixture & { readonly mail: ReadMail | undefined; readonly path: string }> {
    const one = await fixture();
    await assign(one, (await make.finding(one.tenant.id)).id);
    await time.run();
    const [mail] = mailsTo(one.member.email);
    return { ...one, mail, path: unsubscribeIn(mail) };
  }

  const kindsOf = async (one: Fixture): Promise<unknown> =>
    (await one.member.client.get(`${settingsPath(one)}/my-mail`)).body;

  it('turns that kind off, without a sign-in and from a mail program, and again without an error', async () => {
    const one = await mailed();
    expect(one.mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect((await fetch(`${portal.url}${one.path}`)).status).toBe(200);
    expect(await kindsOf(one)).toMatchObject({ assigned: true });
    expect([(await post(one.path)).status, (await post(one.path)).status]).toEqual([200, 200]);
    expect(await kindsOf(one)).toMatchObject({ assigned: false, mentioned: true, done: false });
    const entries = await query<{ metadata: unknown }>(
      `SELECT metadata FROM audit_logs WHERE organization_id = $1 AND operation = 'settings.my_mail_change'`,
      [one.tenant.id],
    );
    expect(entries[0]?.metadata).toMatchObject({ user_id: one.member.userId, kind: 'assigned' });
  });

  it('works with the body of a form with parts, and from the page with another session', async () => {
    const one = await mailed();
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const answer = await fetch(`${portal.url}${one.path}`, { method: 'POST', body: form });
    expect(answer.status).toBe(200);
    expect(await kindsOf(one)).toMatchObject({ assigned: false });
    expect((await post(one.path, '', { origin: 'https://evil.example' })).status).toBe(200);
  });

  it('refuses a link that was changed: of another kind, member, organization or signature', async () => {
    const [one, other] = [await mailed(), await fixture()];
    const [organization, user, kind, signature = ''] = one.path.slice('/unsubscribe/'.length).split('.');
    const changed = [
      [organization, user, 'mentioned', signature],
      [organization, other.member.userId, kind, signature],
      [other.tenant.id, user, kind, signature],
      [organization, user, kind, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`],
      [organization, user, kind],
    ].map((parts) => `/unsubscribe/${parts.join('.')}`);
    for (const path of changed) {
      expect((await post(path)).status).toBe(404);
      expect((await fetch(`${portal.url}${path}`)).status).toBe(404);
    }
    expect(await kindsOf(one)).toMatchObject({ assigned: true, mentioned: true });
  });

  it('other forms of the portal are refused without their origin', async () => {
    const one = await fixture();
    expect((await post(`/o/${one.tenant.id}/settings/notifications`, 'done=true')).status).toBe(403);
  });
});

describe('the page of notifications', () => {
  it('changes what the member gets, and for admins whether mails show titles', async () => {
    const one = await fixture();
    const page = `/o/${one.tenant.id}/settings/notifications`;
    const browser = await signedInAs(api, portal, one.member);
    const { text } = await browser.get(page);
    expect(text).toContain(one.member.email);
    expect(text).not.toContain('name="titles"');
    await browser.submit(page, page, { done: 'true' });
    const mine = await one.member.client.get(`${settingsPath(one)}/my-mail`);
    const nothing = { assigned: false, mentioned: false, verdict: false, gate: false, due_soon: false, account: false };
    expect(mine.body).toEqual({ ...nothing, done: true });
    const admin = await signedInAs(api, portal, one.admin);
    await admin.submit(page, `${page}/mail`, {});
    expect((await one.admin.client.get(`${settingsPath(one)}/mail`)).body).toEqual({ titles: false });
  });
});
