import { NotificationPlanning } from '../../src/modules/notifications/work/notification-planning';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { NotificationTime } from '../support/notifications';
import { signedInAs, usePortal } from '../support/portal';

const LAUNCHABLE = '127.0.0.1:8080';
const DAY = 86_400_000;

/** Without a mail server: the inbox needs none. */
const api = useApi({ EGRESS_ALLOW: LAUNCHABLE });
const portal = usePortal(api);
const make = new Factories(api);
const time = new NotificationTime(api);

beforeEach(() => time.start());
afterEach(() => jest.restoreAllMocks());

interface Entry {
  readonly id: number;
  readonly kind: string;
  readonly news: string | null;
  readonly record_type: string | null;
  readonly record_id: string | null;
  readonly title: string | null;
  readonly read: string | null;
}

const pathOf = ({ id }: Tenant): string => `/v1/organizations/${id}/inbox`;

async function inboxOf({ client }: Person, tenant: Tenant, rest = ''): Promise<{ inbox: Entry[]; unread: number }> {
  const answer = await client.get(`${pathOf(tenant)}?per_page=100${rest}`);
  expect(answer.status).toBe(200);
  return answer.body as { inbox: Entry[]; unread: number };
}

const kindsOf = async (person: Person, tenant: Tenant): Promise<string[]> =>
  (await inboxOf(person, tenant)).inbox.map(({ kind }) => kind);

const rename = ({ userId }: Person, name: string) => query('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);

async function named(tenant: Tenant, name: string, role: 'member' | 'admin' = 'member'): Promise<Person> {
  const person = await tenant.as(role);
  await rename(person, name);
  return person;
}

async function comment({ client }: Person, findingId: number, text: string): Promise<string> {
  const answer = await client.post(`/v1/findings/${findingId}/comments/`, { comment: text });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

/** The comments as a person sees them. */
async function shownTo(person: Person, tenant: Tenant, findingId: number): Promise<string> {
  const browser = await signedInAs(api, portal, person);
  const { text } = await browser.get(`/o/${tenant.id}/findings/${findingId}`);
  return [...text.matchAll(/<div class="comment markdown"[^>]*>([^]*?)<\/div>/g)].map(([, html]) => html).join('');
}

/** Adds entries of a member as the planning does, of one finding. */
const addEntries = ({ userId }: Person, { id }: Tenant, findingId: number, count: number) =>
  query(
    `INSERT INTO personal_notices (organization_id, user_id, kind, reference, finding_id, created, taken, read)
     SELECT $1, $2, 'assigned', 'test ' || n, $3, now(), now(), NULL FROM generate_series(1, $4::int) n`,
    [id, userId, findingId, count],
  );

async function fixture() {
  const tenant = await make.organization();
  const author = await named(tenant, 'Ben Author', 'admin');
  const { id: findingId, title } = await make.finding(tenant.id);
  return { tenant, author, findingId, title };
}

describe('a mention', () => {
  it('by a name with spaces reaches only this member, as a mark in the comment and an entry of the inbox', async () => {
    const { tenant, author, findingId, title } = await fixture();
    const [ana, silva] = [await named(tenant, 'Ana'), await named(tenant, 'Ana Silva')];
    const id = await comment(author, findingId, '@ana silva, please look');
    await time.plan();
    expect((await inboxOf(silva, tenant)).inbox).toMatchObject([
      {
        kind: 'mentioned',
        news: 'By Ben Author',
        record_type: 'finding',
        record_id: String(findingId),
        title,
        read: null,
      },
    ]);
    expect(await kindsOf(ana, tenant)).toEqual([]);
    expect(await shownTo(ana, tenant, findingId)).toBe('<p><mark>@ana silva</mark>, please look</p>\n');
    expect(await shownTo(silva, tenant, findingId)).toContain('<mark class="me">@ana silva</mark>');
    const browser = await signedInAs(api, portal, silva);
    expect((await browser.get(`/o/${tenant.id}/inbox`)).text).toContain(
      `href="/o/${tenant.id}/findings/${findingId}#comment-${id}"`,
    );
  });

  it('of a user of another organization is a plain name, and notifies nobody', async () => {
    const { tenant, author, findingId } = await fixture();
    const other = await make.organization();
    const stranger = await named(other, 'Zoe Stranger');
    const [{ email } = { email: '' }] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      stranger.userId,
    ]);
    await comment(author, findingId, `@Zoe Stranger @${email}`);
    await time.plan();
    expect(await shownTo(author, tenant, findingId)).toBe(`<p>@Zoe Stranger @${email}</p>\n`);
    expect(await kindsOf(stranger, other)).toEqual([]);
    expect(await query('SELECT 1 FROM personal_notices WHERE user_id = $1', [stranger.userId])).toEqual([]);
    expect((await stranger.client.get(pathOf(tenant))).status).toBe(404);
  });

  it('in code is not a mention, and bare URLs become links as they were written', async () => {
    const { tenant, author, findingId } = await fixture();
    const ana = await named(tenant, 'Ana');
    const text = '`@Ana` see https://xn--pple-43d.example/@Ana?q=%E2%80%AE. ftp://a.example www.a.example a@b.example';
    await comment(author, findingId, `${text} javascript://alert(1) http://a.example/"onclick=x`);
    await time.plan();
    expect(await kindsOf(ana, tenant)).toEqual([]);
    const shown = await shownTo(author, tenant, findingId);
    expect(shown).toContain('<code>@Ana</code>');
    expect([...shown.matchAll(/<a href="([^"]*)" rel="([^"]*)">([^<]*)<\/a>/g)].map(([, ...parts]) => parts)).toEqual([
      [
        'https://xn--pple-43d.example/@Ana?q=%E2%80%AE',
        'noopener noreferrer nofollow',
        'https://xn--pple-43d.example/@Ana?q=%E2%80%AE',
      ],
      ['http://a.example/', 'noopener noreferrer nofollow', 'http://a.example/'],
    ]);
  });

  it('of a name that two members have reaches both, who are offered by their addresses', async () => {
    const { tenant, author, findingId } = await fixture();
    const [one, other] = [await named(tenant, 'Kim Double'), await named(tenant, 'Kim Double')];
    await comment(author, findingId, '@Kim Double');
    await time.plan();
    expect([await kindsOf(one, tenant), await kindsOf(other, tenant)]).toEqual([['mentioned'], ['mentioned']]);
    const browser = await signedInAs(api, portal, author);
    const { text } = await browser.get(`/o/${tenant.id}/mentions?q=dou`);
    expect(text.match(/data-mention="[^"]*@example\.com"/g)).toHaveLength(2);
  });

  it('is one of at most twenty in a comment', async () => {
    const { tenant, author, findingId } = await fixture();
    for (let count = 0; count < 23; count++) await named(tenant, `Person ${String(count).padStart(2, '0')}`);
    const names = Array.from({ length: 23 }, (_, at) => `@Person ${String(at).padStart(2, '0')}`);
    await comment(author, findingId, names.join(', '));
    await time.plan();
    expect((await shownTo(author, tenant, findingId)).match(/<mark>/g)).toHaveLength(20);
    const [row] = await query('SELECT count(*)::int AS count FROM personal_notices WHERE organization_id = $1', [
      tenant.id,
    ]);
    expect(row).toEqual({ count: 20 });
  });

  it('shows HTML in a name as text, in the comment, the inbox and the offered names', async () => {
    const { tenant, author, findingId } = await fixture();
    const name = '<img src=x onerror=alert(1)>';
    await rename(author, name);
    const reader = await named(tenant, 'Reader');
    await comment(await tenant.as('member'), findingId, `@${name}`);
    await comment(author, findingId, '@Reader');
    await time.plan();
    expect(await kindsOf(author, tenant)).toEqual(['mentioned']);
    expect(await shownTo(reader, tenant, findingId)).toContain('<mark>@&lt;img src=x onerror=alert(1)&gt;</mark>');
    const browser = await signedInAs(api, portal, reader);
    for (const page of [`inbox`, `findings/${findingId}`, 'mentions?q=%3Cimg'])
      expect((await browser.get(`/o/${tenant.id}/${page}`)).text).not.toContain('<img src=x');
    expect((await browser.get(`/o/${tenant.id}/inbox`)).text).toContain('&lt;img src=x');
  });

  it('of a member who has left is a plain name, and returns to no inbox', async () => {
    const { tenant, author, findingId } = await fixture();
    const [owner, ana] = [await tenant.as('owner'), await named(tenant, 'Ana')];
    await comment(author, findingId, '@Ana');
    await time.plan();
    expect(await kindsOf(ana, tenant)).toEqual(['mentioned']);
    const removed = await owner.client.delete(`/v1/organizations/${tenant.id}/members/${ana.userId}`);
    expect(removed.status).toBe(200);
    expect(await shownTo(author, tenant, findingId)).toBe('<p>@Ana</p>\n');
    await comment(author, findingId, '@Ana');
    await time.plan();
    await make.membership(ana.userId, tenant.id, 'member');
    expect(await kindsOf(ana, tenant)).toEqual([]);
  });

  it('is offered from the members of this organization, to those who may comment', async () => {
    const { tenant, author } = await fixture();
    const other = await make.organization();
    await named(other, 'Ana Elsewhere');
    await named(tenant, 'Ana Silva');
    const browser = await signedInAs(api, portal, author);
    const offered = async (typed: string): Promise<string[]> => {
      const { text } = await browser.get(`/o/${tenant.id}/mentions?q=${encodeURIComponent(typed)}`);
      return [...text.matchAll(/data-mention="([^"]*)"/g)].map(([, name = '']) => name);
    };
    expect(await offered('ana')).toEqual(['Ana Silva']);
    expect(await offered('SIL')).toEqual(['Ana Silva']);
    expect(await offered('nobody')).toEqual([]);
    expect(await offered('')).toHaveLength(2);
    expect((await browser.get(`/o/${other.id}/mentions?q=ana`)).status).toBe(404);
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await viewer.get(`/o/${tenant.id}/mentions?q=ana`)).status).toBe(403);
  });
});

describe('the inbox', () => {
  it('has assignments by others, and verdicts for users who are assigned, have created or have commented', async () => {
    const { tenant, author } = await fixture();
    const [assignee, creator, commenter] = [
      await tenant.as('member'),
      await tenant.as('member'),
      await tenant.as('member'),
    ];
    const bystander = await tenant.as('member');
    const { slug } = await make.event(tenant.id);
    const asset = await make.asset(tenant.id);
    const recorded = await creator.client.post(`/v1/events/${slug}/findings/`, {
      title: unique('Created'),
      severity: 'high',
      asset_id: asset.id,
    });
    expect(recorded.status).toBe(201);
    const id = recorded.body.id as number;
    await comment(commenter, id, 'Looks bad.');
    await comment(author, id, 'I follow it, too.');
    await author.client.patch(`/v1/findings/${id}`, { assignee_id: assignee.userId });
    await assignee.client.post(`/v1/findings/${id}/retest/`);
    const verdict = { result: 'still_vulnerable', comment: 'seen' };
    expect((await author.client.post(`/v1/findings/${id}/retest/verdict`, verdict)).status).toBe(200);
    await time.plan();
    const news = 'The retest says: still vulnerable';
    expect((await inboxOf(assignee, tenant)).inbox).toMatchObject([
      { kind: 'done', news },
      { kind: 'assigned', news: 'By Ben Author' },
    ]);
    for (const person of [creator, commenter])
      expect((await inboxOf(person, tenant)).inbox).toMatchObject([{ kind: 'verdict', news, record_id: String(id) }]);
    for (const person of [bystander, author]) expect(await kindsOf(person, tenant)).toEqual([]);
  });

  it('leaves out the member’s own actions: a mention of oneself, a finding that one takes, a verdict that one gives', async () => {
    const { tenant, author, findingId } = await fixture();
    await comment(author, findingId, '@Ben Author');
    await author.client.patch(`/v1/findings/${findingId}`, { assignee_id: author.userId });
    await author.client.post(`/v1/findings/${findingId}/retest/`);
    await author.client.post(`/v1/findings/${findingId}/retest/verdict`, {
      result: 'still_vulnerable',
      comment: 'seen',
    });
    await time.plan();
    expect(await kindsOf(author, tenant)).toEqual([]);
  });

  it('has failed gates of the member’s own scans, and once a day those of others in the member’s event', async () => {
    const { tenant } = await fixture();
    const [starter, maker] = [await tenant.as('member'), await tenant.as('admin')];
    await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
    const start = new Date(Date.now() - DAY).toISOString();
    const event = await maker.client.post(`/v1/organizations/${tenant.id}/events/`, {
      name: 'Spring <test>',
      event_type: 1,
      event_category: 1,
      start_date: start,
      automatic: false,
    });
    expect(event.status).toBe(201);
    const uuids: string[] = [];
    for (const gate of ['failed', 'incomplete', 'passed']) {
      const launched = await starter.client.post('/v1/jobs/launch', { url: `http://${LAUNCHABLE}/?token=secret` });
      expect([launched.status, launched.body.description]).toEqual([201, undefined]);
      uuids.push(launched.body.uuid as string);
      await query(
        `UPDATE jobs SET status = 'FINISHED', finished = now(), gate = $2, event_id = (SELECT id FROM events WHERE slug = $3)
         WHERE uuid = $1`,
        [launched.body.uuid, gate, event.body.slug],
      );
    }
    await time.plan();
    expect((await inboxOf(starter, tenant)).inbox.toReversed()).toMatchObject([
      { kind: 'gate', record_type: 'job', record_id: uuids[0], title: `http://${LAUNCHABLE}/` },
      { kind: 'gate', record_id: uuids[1], news: 'Checks could not be completed' },
    ]);
    expect((await inboxOf(maker, tenant)).inbox).toMatchObject([
      { kind: 'gate', record_type: 'event', record_id: event.body.slug, title: 'Spring <test>' },
    ]);
    const browser = await signedInAs(api, portal, maker);
    const { text } = await browser.get(`/o/${tenant.id}/inbox`);
    expect(text).toContain(`href="/o/${tenant.id}/events/${event.body.slug}"`);
  });

  it('marks one or all up to an entry as read, and never entries of others', async () => {
    const { tenant, author, findingId } = await fixture();
    const [one, other] = [await tenant.as('viewer'), await tenant.as('viewer')];
    await addEntries(one, tenant, findingId, 3);
    await addEntries(other, tenant, findingId, 1);
    const [newest, middle, oldest] = (await inboxOf(one, tenant)).inbox;
    const mark = (body: object, { client }: Person = one) => client.post(`${pathOf(tenant)}/read`, body);
    expect((await mark({ id: oldest?.id })).body).toEqual({ unread: 2 });
    expect((await inboxOf(one, tenant, '&unread=true')).inbox.map(({ id }) => id)).toEqual([newest?.id, middle?.id]);
    expect((await mark({ id: (newest?.id ?? 0) + 1_000_000 })).status).toBe(404);
    expect((await mark({ id: middle?.id }, author)).status).toBe(404);
    expect((await inboxOf(one, tenant)).unread).toBe(2);
    expect((await mark({ up_to: middle?.id })).body).toEqual({ unread: 1 });
    expect((await mark({})).body).toEqual({ unread: 0 });
    expect((await mark({ id: 0 })).status).toBe(400);
    expect((await inboxOf(other, tenant)).unread).toBe(1);
    const entries = await query<{ metadata: unknown }>(
      `SELECT metadata FROM audit_logs WHERE organization_id = $1 AND operation = 'inbox.read' AND status = 'success'`,
      [tenant.id],
    );
    expect(entries).toHaveLength(3);
  });

  it('marks all entries that existed when the page was read, also from a later page, and nothing newer', async () => {
    const { tenant, findingId } = await fixture();
    const one = await tenant.as('viewer');
    await addEntries(one, tenant, findingId, 60);
    const browser = await signedInAs(api, portal, one);
    const later = `/o/${tenant.id}/inbox?page=2`;
    const { text } = await browser.get(later);
    const hidden = Object.fromEntries(
      ['csrf', 'up_to'].map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '']),
    );
    await query(
      `INSERT INTO personal_notices (organization_id, user_id, kind, reference, finding_id, created, taken, read)
       SELECT organization_id, user_id, kind, 'later', finding_id, now(), now(), NULL FROM personal_notices
       WHERE user_id = $1 LIMIT 1`,
      [one.userId],
    );
    expect((await browser.post(`/o/${tenant.id}/inbox/read`, hidden)).status).toBe(303);
    expect((await inboxOf(one, tenant)).unread).toBe(1);
  });

  it('does not show as new what the previous version has already sent', async () => {
    const { tenant, findingId } = await fixture();
    const one = await tenant.as('viewer');
    await query(
      `INSERT INTO personal_notices (organization_id, user_id, kind, reference, finding_id, created, taken)
       VALUES ($1, $2, 'assigned', 'before', $3, now(), now())`,
      [tenant.id, one.userId, findingId],
    );
    expect(await inboxOf(one, tenant)).toMatchObject({ unread: 0, inbox: [{ read: expect.any(String) }] });
  });

  it('counts exactly while twenty requests mark entries at once', async () => {
    const { tenant, findingId } = await fixture();
    const one = await tenant.as('viewer');
    await addEntries(one, tenant, findingId, 30);
    const { inbox } = await inboxOf(one, tenant);
    const mark = (body: object) => one.client.post(`${pathOf(tenant)}/read`, body);
    const answers = await Promise.all(inbox.slice(0, 20).map(({ id }) => mark({ id })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.every(({ body }) => body.unread >= 10 && body.unread < 30)).toBe(true);
    expect((await inboxOf(one, tenant)).unread).toBe(10);
    const { inbox: read } = await inboxOf(one, tenant);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => mark(at % 2 === 0 ? {} : { id: inbox[at]?.id })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const after = await inboxOf(one, tenant);
    expect(after.unread).toBe(0);
    // The first mark of an entry stays.
    expect(after.inbox.slice(0, 20)).toEqual(read.slice(0, 20));
  });

  it('keeps 90 days and the newest 1,000 entries', async () => {
    const { tenant, author, findingId } = await fixture();
    const one = await tenant.as('member');
    await addEntries(one, tenant, findingId, 1_005);
    const count = async () =>
      (
        await query<{ count: number }>('SELECT count(*)::int AS count FROM personal_notices WHERE user_id = $1', [
          one.userId,
        ])
      )[0]?.count;
    expect((await inboxOf(one, tenant)).unread).toBe(1_000);
    await author.client.patch(`/v1/findings/${findingId}`, { assignee_id: one.userId });
    await time.plan();
    expect(await count()).toBe(1_000);
    expect((await inboxOf(one, tenant)).inbox[0]).toMatchObject({ news: 'By Ben Author' });
    const forget = () => api.app.get(NotificationPlanning, { strict: false }).removeOld();
    time.advance(89 * DAY);
    await forget();
    expect(await count()).toBe(1_000);
    time.advance(2 * DAY);
    await forget();
    expect(await count()).toBe(0);
  });

  it('shows nothing of deleted records, and is removed with the user', async () => {
    const { tenant, author, findingId, title } = await fixture();
    const one = await tenant.as('member');
    const { id: into } = await make.finding(tenant.id);
    await author.client.patch(`/v1/findings/${findingId}`, { assignee_id: one.userId });
    await time.plan();
    expect((await inboxOf(one, tenant)).inbox).toMatchObject([{ title }]);
    expect((await author.client.post(`/v1/findings/${into}/merge`, { finding_ids: [findingId] })).status).toBe(200);
    const gone = { kind: 'assigned', news: null, record_type: null, record_id: null, title: null, severity: null };
    expect((await inboxOf(one, tenant)).inbox).toMatchObject([gone]);
    await query('DELETE FROM findings WHERE id = $1', [findingId]);
    expect((await inboxOf(one, tenant)).inbox).toMatchObject([gone]);
    const browser = await signedInAs(api, portal, one);
    const { text } = await browser.get(`/o/${tenant.id}/inbox`);
    expect(text).toContain('It is no longer there.');
    expect(text).not.toContain(title);
    const entries = () => query('SELECT 1 FROM personal_notices WHERE organization_id = $1', [tenant.id]);
    expect(await entries()).toHaveLength(1);
    await query('DELETE FROM users WHERE id = $1', [one.userId]);
    expect(await entries()).toEqual([]);
  });

  it('is empty for users of an integrator, who are not members', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    expect(await inboxOf(integrator, tenant)).toEqual({ inbox: [], unread: 0 });
  });
});

describe('the page of the inbox', () => {
  it('marks one entry and all as read, and the sidebar counts what is left, at most 99+', async () => {
    const { tenant, findingId, title } = await fixture();
    const one = await tenant.as('viewer');
    const page = `/o/${tenant.id}/inbox`;
    const browser = await signedInAs(api, portal, one);
    const shown = async (path = page) => {
      const { text } = await browser.get(path);
      return { text, count: /class="unread-count">([^<]*) </.exec(text)?.[1] };
    };
    const empty = await shown();
    expect([empty.count, empty.text]).toEqual([undefined, expect.stringContaining('Nothing has come yet')]);
    await addEntries(one, tenant, findingId, 101);
    expect((await shown(`/o/${tenant.id}`)).count).toBe('99+');
    expect((await shown()).text).toContain(title);
    await query(`DELETE FROM personal_notices WHERE user_id = $1 AND reference NOT IN ('test 1', 'test 2')`, [
      one.userId,
    ]);
    expect((await shown()).count).toBe('2');
    const marked = await browser.submit(page, `${page}/read`, {
      id: String((await inboxOf(one, tenant)).inbox[0]?.id),
      up_to: '',
    });
    expect([marked.status, (await shown()).count]).toEqual([303, '1']);
    expect((await shown(`${page}?unread=true`)).text.match(/<li class="unread">/g)).toHaveLength(1);
    await browser.submit(page, `${page}/read`);
    const { count, text } = await shown(`${page}?unread=true`);
    expect([count, text]).toEqual([undefined, expect.stringContaining('Nothing is unread')]);
  });
});
