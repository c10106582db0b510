import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createLog } from '../../src/platform/logging/log';
import { createPortal } from '../../src/portal/create-portal';
import { type RunningApi, startApi, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { startMailServer } from '../support/mail-server';
import { NotificationTime, readMail } from '../support/notifications';
import { signedInAs } from '../support/portal';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Wednesday at noon. */
const NOON = '2036-07-16T12:00:00Z';

interface Received {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let receiver: Server;
let received: Received[] = [];
/** What the receiver answers, by path; 200 for others. */
const answers = new Map<string, number>();
/** What is refused at a path with this status. */
const refusals = new Map<string, readonly [status: number, text: string]>();
let origin: string;
let running: RunningApi;
let portalApp: Awaited<ReturnType<typeof createPortal>>;
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
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const path = request.url ?? '';
      const [refusal = 0, text = ''] = refusals.get(path) ?? [];
      const isRefused = refusal > 0 && JSON.stringify(body).includes(text);
      const status = isRefused ? refusal : (answers.get(path) ?? 200);
      if (status === 200) received.push({ path, body: body as Record<string, unknown> });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const settings = {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Assay <assay@example.com>',
    WEBHOOK_ALLOW: `127.0.0.1:${port}`,
  };
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
  await new Promise((resolve) => receiver.close(resolve));
});

beforeEach(async () => {
  await query('DELETE FROM channels');
  await query(
    "UPDATE work SET state = 'canceled', finished = now() WHERE kind LIKE 'notification.%' AND state = 'waiting'",
  );
  received = [];
  answers.clear();
  refusals.clear();
  time.start(NOON);
});

afterEach(() => jest.restoreAllMocks());

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Person;
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  return { tenant, admin: await tenant.as('admin'), path: `/v1/organizations/${tenant.id}/channels` };
}

async function channel({ admin, path }: Fixture, stated: object = {}): Promise<{ id: number; url: string }> {
  const url = `/${unique('hook').replace(' ', '-')}`;
  const body = { name: 'Security', kind: 'slack', url: `${origin}${url}`, types: ['finding'], ...stated };
  const answer = await admin.client.post(path, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return { id: answer.body.id, url };
}

const textsAt = (url: string): string[] =>
  received.filter(({ path }) => path === url).map(({ body }) => JSON.stringify(body));

const emailOf = async ({ userId }: Person): Promise<string> =>
  (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email ?? '';

const stateOf = async ({ admin, path }: Fixture, id: number) => (await admin.client.get(`${path}/${id}`)).body;

describe('a channel', () => {
  it('sends what its filter selects, in order, and nothing of another organization', async () => {
    const [one, other] = [await fixture(), await fixture()];
    const slack = await channel(one, { severity: 'high', labels: ['shop'] });
    const teams = await channel(one, { kind: 'teams', severity: 'high', confirmed: true });
    const foreign = await channel(other);
    const title = unique('SQL <!channel> *injection*');
    const { id } = await make.finding(one.tenant.id, { title, md: 'secret evidence', score: 9.5 });
    await one.admin.client.patch(`/v1/findings/${id}`, { labels: ['shop'] });
    await one.admin.client.post(`/v1/findings/${id}/status`, { status: 3 });
    await make.finding(one.tenant.id, { score: 5 });
    expect(await time.runChannels()).toEqual([]);
    const texts = textsAt(slack.url);
    expect(texts.at(-1)).toContain('Status: open → in progress');
    for (const part of ['🟥 Critical', 'SQL &lt;!channel&gt;', 'example.com', 'Not tested', `/findings/${id}|`])
      expect(texts.at(-1)).toContain(part);
    expect(texts.join()).not.toMatch(/secret evidence|<!channel>/);
    expect(received.filter(({ path }) => path === foreign.url || path === teams.url)).toEqual([]);
    await query("UPDATE findings SET verification = 'confirmed', verified_at = now() WHERE id = $1", [id]);
    await time.runChannels();
    expect(textsAt(teams.url).at(-1)).toContain('Confirmed by a test on ');
    expect(textsAt(teams.url).at(-1)).toContain('AdaptiveCard');
    expect(textsAt(foreign.url)).toEqual([]);
  });

  it('sends only what happens after its creation, and each change once with twenty simultaneous tasks', async () => {
    const one = await fixture();
    await make.finding(one.tenant.id);
    const { url } = await channel(one);
    const { title } = await make.finding(one.tenant.id);
    await Promise.all(Array.from({ length: 20 }, () => time.planChannels()));
    await time.work();
    expect(textsAt(url)).toEqual([expect.stringContaining(title)]);
  });

  it('holds messages until the quiet hours end', async () => {
    const one = await fixture();
    const { url } = await channel(one, { quiet: ['Mo-Su 12:00-14:00 Europe/Lisbon'] });
    await make.finding(one.tenant.id);
    await time.runChannels();
    time.set('2036-07-16T12:59:59Z');
    await time.runChannels();
    expect(textsAt(url)).toEqual([]);
    time.set('2036-07-16T13:00:00Z');
    await time.runChannels();
    expect(textsAt(url)).toHaveLength(1);
  });

  it('sends a digest of the newest change of each record at its hour', async () => {
    const one = await fixture();
    const { url } = await channel(one, { digest: 'daily', digest_hour: 9, time_zone: 'Europe/Lisbon' });
    const { id } = await make.finding(one.tenant.id, { title: 'First' });
    await make.finding(one.tenant.id, { title: 'Second' });
    await one.admin.client.post(`/v1/findings/${id}/status`, { status: 3 });
    await time.runChannels();
    expect(textsAt(url)).toEqual([]);
    time.set('2036-07-17T08:00:00Z');
    await time.runChannels();
    const [text = '', ...others] = textsAt(url);
    expect(others).toEqual([]);
    expect(text).toContain('Daily digest: 2 changes');
    expect(text.indexOf('Second')).toBeLessThan(text.indexOf('First'));
  });

  it('sends at most n messages in an hour, and then one with all others', async () => {
    const one = await fixture();
    const { url } = await channel(one, { hourly_limit: 2 });
    for (let count = 0; count < 39; count++) await make.finding(one.tenant.id);
    await time.runChannels();
    await time.runChannels();
    expect(textsAt(url)).toHaveLength(2);
    time.advance(HOUR);
    await time.runChannels();
    expect(textsAt(url)).toHaveLength(3);
    expect(textsAt(url)[2]).toContain('37 more');
    expect(textsAt(url)[2]).toContain('17 more');
  });

  it('sends again messages that were not accepted, in order, and those that a lost worker took', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    answers.set(url, 500);
    const titles = [(await make.finding(one.tenant.id)).title, (await make.finding(one.tenant.id)).title];
    await time.runChannels();
    expect(await stateOf(one, id)).toMatchObject({ state: 'active', last_error: 'HTTP 500', last_sent: null });
    answers.delete(url);
    await time.runChannels();
    expect(textsAt(url)).toEqual([]);
    time.advance(5_000);
    await query("UPDATE channels SET next_attempt = '2036-07-16T12:00:15Z' WHERE id = $1", [id]);
    time.advance(15_000);
    await time.runChannels();
    expect(textsAt(url)).toEqual(titles.map((title) => expect.stringContaining(title)));
    expect(await stateOf(one, id)).toMatchObject({ last_error: null, last_sent: expect.any(String) });
  });

  it.each([400, 413])(
    'sends a short message once for one that is refused with %i, and then the next',
    async (status) => {
      const one = await fixture();
      const { id, url } = await channel(one, { kind: status === 400 ? 'slack' : 'teams' });
      const [bad, next, last] = [await make.finding(one.tenant.id), await make.finding(one.tenant.id), unique('Last')];
      refusals.set(url, [status, bad.title]);
      await time.runChannels();
      const [short, ...others] = textsAt(url);
      for (const part of ['New finding', 'Open it in Assay', `/findings/${bad.id}`]) expect(short).toContain(part);
      expect(short).not.toContain(bad.title);
      expect(others).toEqual([expect.stringContaining(next.title)]);
      refusals.set(url, [status, last]);
      const { id: lastId } = await make.finding(one.tenant.id, { title: last });
      await time.runChannels();
      expect(textsAt(url)).toHaveLength(3);
      const error = `HTTP ${status}: a short message was sent instead`;
      expect(await stateOf(one, id)).toMatchObject({ state: 'active', last_error: error });
      const entries = await query(
        "SELECT metadata FROM audit_logs WHERE operation = 'channel.shorten' AND organization_id = $1 ORDER BY length(metadata ->> 'records'), metadata ->> 'records'",
        [one.tenant.id],
      );
      expect(entries).toMatchObject(
        [bad.id, lastId].map((of) => ({ metadata: { refusal: `HTTP ${status}`, records: [`finding ${of}`] } })),
      );
    },
  );

  it('keeps its messages while its receiver refuses short ones too', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    answers.set(url, 400);
    const titles = [(await make.finding(one.tenant.id)).title, (await make.finding(one.tenant.id)).title];
    await time.runChannels();
    const [row] = await query<{ attempts: number; waits: boolean }>(
      'SELECT attempts, next_attempt > $2 AS waits FROM channels WHERE id = $1',
      [id, NOON],
    );
    expect(row).toEqual({ attempts: 2, waits: true });
    answers.delete(url);
    time.advance(HOUR);
    await time.runChannels();
    const [short, second, ...others] = textsAt(url);
    expect([short, second, others]).toEqual([
      expect.stringContaining('Open it in Assay'),
      expect.stringContaining(titles[1] ?? ''),
      [],
    ]);
  });

  it('cuts texts that are longer than its receiver accepts, never inside an entity or a character', async () => {
    const one = await fixture();
    const member = await one.tenant.as('member');
    const selected = { types: ['asset', 'finding'], hourly_limit: 1 };
    const [slack, teams] = [await channel(one, selected), await channel(one, { ...selected, kind: 'teams' })];
    const asset = { asset_value: `https://example.com/?${'&'.repeat(1_900)}`, asset_type: 'url' };
    const created = await member.client.post('/v1/assets/', { ...asset, organization_id: one.tenant.id });
    expect(created.status).toBe(201);
    for (let count = 0; count < 20; count++)
      await make.finding(one.tenant.id, { title: `${count} ${'&'.repeat(80)}${'\u{1F600}'.repeat(200)}` });
    await time.runChannels();
    time.advance(HOUR);
    await time.runChannels();
    for (const [{ url }, most] of [
      [slack, 12_000],
      [teams, 26_000],
    ] as const) {
      const [single = 0, bundle = 0, ...others] = textsAt(url).map((text) => Buffer.byteLength(text));
      expect([single < 3_000, bundle > most * 0.8, bundle <= most, others]).toEqual([true, true, true, []]);
      expect(textsAt(url)[1]).toMatch(/[|"]\d+ more[>"]/);
    }
    const titles = textsAt(slack.url).map((text) =>
      [...text.matchAll(/"text":"[^"<]*\*<[^|]*\|([^"]*)>\*"/g)].map(([, title = '']) => title),
    );
    expect(titles).toEqual([
      [expect.stringMatching(/^https:\/\/example\.com\/\?(?:&amp;)+…$/)],
      expect.arrayContaining([expect.stringMatching(/^0 (?:&amp;){80}(?:\u{1F600})+…$/u)]),
    ]);
    expect(titles.flat().filter((title) => title.length > 500)).toEqual([]);
  });

  it('repeats a message whose worker was lost after the receiver had it', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    await make.finding(one.tenant.id);
    await time.planChannels();
    await query('ALTER TABLE channels ADD CONSTRAINT ck_test CHECK (last_sent IS NULL)');
    const [failure] = await time.work();
    await query('ALTER TABLE channels DROP CONSTRAINT ck_test');
    expect(failure).toContain('ck_test');
    expect(textsAt(url)).toHaveLength(1);
    time.advance(15_000);
    await time.runChannels();
    expect(textsAt(url)).toHaveLength(2);
    expect(await stateOf(one, id)).toMatchObject({ last_sent: expect.any(String) });
  });

  it('is paused after three days of failures or when its receiver is gone, and its maker is notified', async () => {
    const one = await fixture();
    const { id, url } = await channel(one, { name: 'Failing' });
    answers.set(url, 500);
    await make.finding(one.tenant.id);
    for (let hours = 0; hours <= 84; hours += 12) {
      await time.runChannels();
      time.advance(12 * HOUR);
    }
    expect(await stateOf(one, id)).toMatchObject({ state: 'paused', pause_reason: 'failing' });
    const gone = await channel(one, { name: 'Gone' });
    answers.set(gone.url, 410);
    await make.finding(one.tenant.id);
    await time.runChannels();
    expect(await stateOf(one, gone.id)).toMatchObject({ state: 'paused', pause_reason: 'gone' });
    const mails = await query('SELECT 1 FROM mails');
    expect(mails.length).toBeGreaterThanOrEqual(2);
    answers.clear();
    await one.admin.client.patch(`${one.path}/${id}`, { state: 'active' });
    await time.runChannels();
    expect(textsAt(url).length).toBeGreaterThan(0);
    await query('DELETE FROM mails');
  });

  it('is paused when its maker is no longer an admin, and another admin takes it over', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    await query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [one.admin.userId]);
    await make.finding(one.tenant.id);
    await time.runChannels();
    expect(textsAt(url)).toEqual([]);
    const other = await one.tenant.as('admin');
    const { body } = await other.client.get(`${one.path}/${id}`);
    expect(body).toMatchObject({ state: 'paused', pause_reason: 'maker_left' });
    await other.client.patch(`${one.path}/${id}`, { state: 'active' });
    await time.runChannels();
    expect(textsAt(url)).toHaveLength(1);
  });

  it('sends mail once, to members alone, and without titles if an admin says so', async () => {
    const one = await fixture();
    const [kept, left] = [await one.tenant.as('viewer'), await one.tenant.as('viewer')];
    const { id } = await channel(one, { kind: 'mail', url: undefined, recipients: [kept.userId, left.userId] });
    await one.admin.client.patch(`/v1/organizations/${one.tenant.id}/settings/mail`, { titles: false });
    await query('DELETE FROM memberships WHERE user_id = $1', [left.userId]);
    const finding = await make.finding(one.tenant.id);
    mailServer.refuse(1);
    await time.runChannels();
    expect(await stateOf(one, id)).toMatchObject({ last_error: 'unreachable' });
    time.advance(DAY);
    await time.runChannels();
    const mails = mailServer.mails.filter(({ to }) => to.length > 0 && to[0] !== undefined);
    const email = await emailOf(kept);
    const [mail, ...others] = mails.filter(({ to }) => to.includes(email));
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([email]);
    const { subject, text } = readMail(mail ?? { to: [], source: '' });
    expect(subject).toBe(`New finding: Finding ${finding.id}`);
    expect(text).not.toContain(finding.title);
    await make.finding(one.tenant.id);
    await time.planChannels();
    await query('UPDATE channel_messages SET taken = now() WHERE channel_id = $1', [id]);
    await time.work();
    await query('UPDATE channel_messages SET taken = NULL WHERE channel_id = $1', [id]);
    await query('ALTER TABLE channels ADD CONSTRAINT ck_test CHECK (last_sent < $$2036-07-17T13:00:00Z$$)');
    time.advance(DAY);
    await time.runChannels();
    await query('ALTER TABLE channels DROP CONSTRAINT ck_test');
    await time.runChannels();
    expect(mailServer.mails.filter(({ to }) => to.includes(email))).toHaveLength(2);
    await query('DELETE FROM memberships WHERE user_id = $1', [kept.userId]);
    await make.finding(one.tenant.id);
    await time.runChannels();
    expect(await stateOf(one, id)).toMatchObject({ state: 'paused', pause_reason: 'no_recipients' });
  });

  it('sends a test at once, also while it is paused or quiet, and shows its result', async () => {
    const one = await fixture();
    const { id, url } = await channel(one, { quiet: ['Mo-Su 00:00-23:00 UTC'], kind: 'teams' });
    await one.admin.client.patch(`${one.path}/${id}`, { state: 'paused' });
    expect((await one.admin.client.post(`${one.path}/${id}/test`)).status).toBe(202);
    expect((await one.admin.client.post(`${one.path}/${id}/test`)).status).toBe(409);
    await time.work();
    expect(textsAt(url)).toEqual([expect.stringContaining('Changes that this channel selects arrive here.')]);
    answers.set(url, 404);
    await one.admin.client.post(`${one.path}/${id}/test`);
    await time.work();
    expect(await stateOf(one, id)).toMatchObject({ last_error: 'HTTP 404', state: 'paused' });
  });

  it('holds waiting messages while it is paused, also when a test is sent', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    await make.finding(one.tenant.id);
    await time.planChannels();
    await one.admin.client.patch(`${one.path}/${id}`, { state: 'paused' });
    await one.admin.client.post(`${one.path}/${id}/test`);
    await time.work();
    expect(textsAt(url)).toEqual([expect.stringContaining('Changes that this channel selects arrive here.')]);
  });

  it('refuses what cannot be sent', async () => {
    const one = await fixture();
    const stranger = await (await make.organization()).as('viewer');
    const valid = { name: 'C', kind: 'slack', url: 'https://hooks.slack.com/services/x' };
    for (const [change, status] of [
      [{ url: 'https://10.0.0.7/x' }, 400],
      [{ url: 'http://93.184.216.34/x' }, 400],
      [{ url: undefined }, 400],
      [{ recipients: [one.admin.userId] }, 400],
      [{ kind: 'mail' }, 400],
      [{ kind: 'mail', url: undefined }, 400],
      [{ kind: 'mail', url: undefined, recipients: [stranger.userId] }, 422],
      [{ quiet: ['Mo-Su 00:00-24:00 UTC'] }, 400],
      [{ quiet: ['nights'] }, 400],
      [{ time_zone: 'Mars/Olympus' }, 400],
      [{ hourly_limit: 0 }, 400],
    ] as const)
      expect([change, (await one.admin.client.post(one.path, { ...valid, ...change })).status]).toEqual([
        change,
        status,
      ]);
    for (let count = 0; count < 20; count++) await channel(one);
    expect((await one.admin.client.post(one.path, valid)).status).toBe(422);
  });

  it('never shows its URL, which is encrypted', async () => {
    const one = await fixture();
    const { id, url } = await channel(one);
    expect((await one.admin.client.get(`${one.path}/${id}`)).text).not.toContain(url);
    const [row] = await query<{ sealed: Buffer }>('SELECT sealed FROM channels WHERE id = $1', [id]);
    expect(row?.sealed.toString('latin1')).not.toContain(url);
    const audit = await query("SELECT 1 FROM audit_logs WHERE metadata::text LIKE '%' || $1 || '%'", [url]);
    expect(audit).toEqual([]);
  });

  it('is created, changed, tested and deleted in the portal', async () => {
    jest.restoreAllMocks();
    const one = await fixture();
    const email = await emailOf(one.admin);
    const page = `/o/${one.tenant.id}/channels`;
    const browser = await signedInAs(api, portal, one.admin);
    const fields = { name: 'Weekly', kind: 'mail', recipients: email, types: 'finding', digest: 'weekly' };
    const rest = { digest_hour: '8', time_zone: 'Europe/Lisbon', hourly_limit: '5', quiet: 'Sa-Su 00:00-24:00 UTC' };
    const created = await browser.submit(`${page}/new`, page, { ...fields, ...rest });
    expect(created.status).toBe(303);
    const [one_] = (await one.admin.client.get(one.path)).body.channels;
    expect(one_).toMatchObject({ kind: 'mail', recipients: [one.admin.userId], digest: 'weekly', hourly_limit: 5 });
    const own = `${page}/${one_.id}`;
    expect((await browser.get(own)).text).toContain(email);
    await browser.submit(own, own, { ...fields, ...rest, name: 'Renamed' });
    await browser.submit(own, `${own}/test`);
    await time.work();
    expect(mailServer.mails.some(({ to, source }) => to.includes(email) && source.includes('Renamed'))).toBe(true);
    await browser.submit(own, `${own}/delete`);
    expect((await one.admin.client.get(one.path)).body.channels).toEqual([]);
  });
});
