import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { FeedService } from '../../src/modules/feed';
import { TicketSteps } from '../../src/modules/trackers/ticket-steps';
import { type RunningApi, startApi } from '../support/api';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { TrackerServer } from '../support/tracker-server';
import { TrackerTime } from '../support/trackers';

const server = new TrackerServer();
let running: RunningApi;
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
const time = new TrackerTime(api);

beforeAll(async () => {
  await server.start();
  running = await startApi({ WEBHOOK_ALLOW: server.entry });
  useContract(running.app);
});

afterAll(async () => {
  await running.app.close();
  await server.stop();
});

beforeEach(async () => {
  await query('DELETE FROM trackers');
  server.reset();
  server.now = time.now;
  time.start();
});

afterEach(() => jest.restoreAllMocks());

const KINDS = {
  github: { kind: 'github', project: 'acme/shop' },
  gitlab: { kind: 'gitlab', project: 'acme/shop' },
  jira: { kind: 'jira', project: 'SEC', user: 'assay@example.com' },
} as const;
type Kind = keyof typeof KINDS;
const ALL_KINDS = Object.keys(KINDS) as Kind[];

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Person;
  readonly client: Client;
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const admin = await tenant.as('admin');
  return { tenant, admin, client: admin.client, path: `/v1/organizations/${tenant.id}/trackers` };
}

const draftOf = (kind: Kind, stated: object = {}) => ({
  name: 'Board',
  ...KINDS[kind],
  address: server.url,
  token: 'a-secret-token',
  ...stated,
});

/** An active one. */
async function tracker({ client, path }: Fixture, kind: Kind = 'github', stated: object = {}): Promise<string> {
  const created = await client.post(path, draftOf(kind, stated));
  if (created.status !== 201) throw new Error(created.text);
  const one = `${path}/${created.body.id}`;
  await time.turn();
  const resumed = await client.patch(one, { state: 'active' });
  if (resumed.status !== 200) throw new Error(resumed.text);
  return one;
}

const ticketOf = async ({ client }: Fixture, findingId: number) =>
  (await client.get(`/v1/findings/${findingId}/ticket`)).body;

async function opened(one: Fixture, draft: Parameters<typeof make.finding>[1] = {}): Promise<number> {
  const { id } = await make.finding(one.tenant.id, draft);
  expect((await one.client.post(`/v1/findings/${id}/ticket`, {})).status).toBe(202);
  await time.run(1);
  return id;
}

describe('a tracker', () => {
  it.each(ALL_KINDS)('is paused until a test has read its project, and then becomes active: %s', async (kind) => {
    const { client, path } = await fixture();
    const created = await client.post(path, draftOf(kind));
    expect(created.body).toMatchObject({
      state: 'paused',
      pause_reason: 'untested',
      has_credentials: true,
      tested: null,
    });
    expect(JSON.stringify(created.body)).not.toContain('a-secret-token');
    const one = `${path}/${created.body.id}`;
    expect((await client.patch(one, { state: 'active' })).status).toBe(409);
    await time.turn();
    expect((await client.get(one)).body).toMatchObject({
      account: 'assay-bot',
      last_error: null,
      tested: expect.any(String),
    });
    expect((await client.patch(one, { state: 'active' })).body).toMatchObject({ state: 'active', pause_reason: null });
  });

  it.each(ALL_KINDS)('is refused where strangers can read its project: %s', async (kind) => {
    const { client, path } = await fixture();
    server.isPublic = true;
    const { body } = await client.post(path, draftOf(kind));
    await time.turn();
    expect((await client.get(`${path}/${body.id}`)).body).toMatchObject({
      tested: null,
      last_error: expect.stringContaining('Everybody can read'),
    });
    expect((await client.patch(`${path}/${body.id}`, { state: 'active' })).status).toBe(409);
  });

  it('names the fields that the project demands before it becomes active', async () => {
    const { client, path } = await fixture();
    server.requiredFields = ['Team'];
    const { body } = await client.post(path, draftOf('jira'));
    await time.turn();
    const { fields } = (await client.get(`${path}/${body.id}`)).body;
    expect(fields).toContainEqual({ name: 'Team', is_filled: false });
    expect(fields).toContainEqual({ name: 'Summary', is_filled: true });
    const refused = await client.patch(`${path}/${body.id}`, { state: 'active' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Team')]);
  });

  it('sends its credentials to no other address than that for which they were typed', async () => {
    const one = await fixture();
    const path = await tracker(one);
    const other = `http://127.0.0.1:${Number(new URL(server.url).port)}/other`;
    const changed = await one.client.patch(path, { address: other });
    expect(changed.body).toMatchObject({
      has_credentials: false,
      state: 'paused',
      pause_reason: 'untested',
      tested: null,
    });
    server.requests.length = 0;
    expect((await one.client.post(`${path}/test`)).status).toBe(409);
    await time.run(2);
    expect(server.requests).toEqual([]);
    expect((await one.client.patch(path, { state: 'active' })).status).toBe(409);
  });

  it('keeps its credentials encrypted, and leads only to allowed addresses', async () => {
    const one = await fixture();
    await tracker(one, 'gitlab');
    const [row] = await query<{ sealed: Buffer }>('SELECT sealed FROM trackers WHERE organization_id = $1', [
      one.tenant.id,
    ]);
    expect(row?.sealed.toString('latin1')).not.toContain('a-secret-token');
    const refused = await one.client.post(one.path, draftOf('github', { address: 'http://10.0.0.1:8080' }));
    expect(refused.status).toBe(400);
  });

  it('and its tickets leave audit entries without secrets', async () => {
    const one = await fixture();
    await tracker(one);
    await opened(one);
    const entries = await query<{ operation: string }>('SELECT * FROM audit_logs WHERE organization_id = $1', [
      one.tenant.id,
    ]);
    const operations = entries.map(({ operation }) => operation);
    for (const operation of ['tracker.create', 'tracker.change', 'ticket.request', 'ticket.open'])
      expect(operations).toContain(operation);
    expect(JSON.stringify(entries)).not.toContain('a-secret-token');
  });

  it.each([
    ['succeeds', 200],
    ['fails', 401],
  ])('is tested again when its settings change during a test that %s', async (_how, status) => {
    const one = await fixture();
    const path = `${one.path}/${(await one.client.post(one.path, draftOf('github'))).body.id}`;
    const [row] = await query<{ sealed: Buffer }>('SELECT sealed FROM trackers WHERE organization_id = $1', [
      one.tenant.id,
    ]);
    let isChanged: Promise<unknown> | undefined;
    server.refuse(
      ({ path: at }) => {
        if (at === '/user')
          isChanged ??= query('UPDATE trackers SET sealed = $1 WHERE organization_id = $2', [
            Buffer.concat([row?.sealed ?? Buffer.of(), Buffer.of(0)]),
            one.tenant.id,
          ]);
        return at.startsWith('/repos');
      },
      { status, body: { full_name: 'acme/shop', private: true } },
    );
    await time.turn();
    await isChanged;
    expect((await one.client.get(path)).body).toMatchObject({ tested: null, account: null });
    expect((await one.client.post(`${path}/test`)).status).toBe(409);
  });

  it('says why a test failed', async () => {
    const one = await fixture();
    server.refuse(({ path }) => path === '/user', { status: 401, body: { message: 'Bad credentials' } });
    const { body } = await one.client.post(one.path, draftOf('github'));
    await time.turn();
    expect((await one.client.get(`${one.path}/${body.id}`)).body).toMatchObject({
      tested: null,
      last_error: expect.stringContaining('credentials'),
    });
  });

  it('keeps no long text of an answer, and neither does the database', async () => {
    const one = await fixture();
    const long = 'x'.repeat(100_000);
    server.refuse(({ path }) => path.endsWith('/myself'), { status: 200, body: { accountId: long } });
    server.requiredFields = Array.from({ length: 150 }, (_, index) => `${index}${'y'.repeat(1_000)}`);
    const path = `${one.path}/${(await one.client.post(one.path, draftOf('jira'))).body.id}`;
    await time.turn();
    const { account, fields, last_error: error } = (await one.client.get(path)).body;
    expect([account.length, fields.length, fields.at(-1).name.length, error]).toEqual([200, 100, 100, null]);
    for (const change of ['account = $1', 'last_error = $1', 'fields = to_jsonb($1::text)'])
      await expect(query(`UPDATE trackers SET ${change}`, [long])).rejects.toThrow('ck_trackers_texts');
  });

  it('keeps a name that the database would refuse, and rests after an error that nobody expects', async () => {
    const one = await fixture();
    server.refuse(({ path }) => path === '/user', { status: 200, body: { login: 'bot\u0000\uD800' } });
    const path = await tracker(one);
    expect((await one.client.get(path)).body.account).toBe('bot\uFFFD\uFFFD');
    jest
      .spyOn(running.app.get(TicketSteps, { strict: false }), 'run')
      .mockRejectedValue(new RangeError('a planted one'));
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const id = await opened(one);
    for (let turn = 0; turn < 10; turn++) await time.turn();
    expect((await ticketOf(one, id)).error).toContain('has failed in Assay');
    expect(log.mock.calls.length).toBeLessThan(3);
    jest.spyOn(FeedService.prototype, 'continueOfVisible').mockRejectedValue(new RangeError('another one'));
    for (let turn = 0; turn < 3; turn++) await time.run(1);
    expect((await one.client.get(path)).body.last_error).toContain('has failed in Assay');
    const before = log.mock.calls.length;
    for (let turn = 0; turn < 10; turn++) await time.turn();
    expect(log.mock.calls.length - before).toBeLessThan(2);
  });

  it('is not read any further than a megabyte of an answer', async () => {
    const one = await fixture();
    server.refuse(({ path }) => path === '/user', { status: 200, body: { login: 'x', more: 'y'.repeat(1_000_001) } });
    const { body } = await one.client.post(one.path, draftOf('github'));
    await time.turn();
    const { account, last_error: error } = (await one.client.get(`${one.path}/${body.id}`)).body;
    expect([account, error]).toEqual([null, expect.any(String)]);
  });

  it.each([
    ['github', ['./shop', '../shop', 'acme/.', 'acme/..', 'acme']],
    ['gitlab', ['../shop', 'acme/../shop', 'acme/./shop', 'acme/shop/..', 'acme/shop/.']],
  ] as const)('has no project whose path leads elsewhere: %s', async (kind, projects) => {
    const { client, path } = await fixture();
    for (const project of projects) expect((await client.post(path, draftOf(kind, { project }))).status).toBe(400);
    for (const project of ['acme/.github', 'a.b/c..d'])
      expect((await client.post(path, draftOf(kind, { project }))).status).toBe(201);
  });

  it('keeps its project while it has tickets', async () => {
    const one = await fixture();
    const path = await tracker(one);
    await opened(one);
    expect((await one.client.patch(path, { project: 'acme/other' })).status).toBe(409);
  });
});

describe('a ticket', () => {
  it.each(ALL_KINDS)('says what was found and nothing else, unless an admin turns it on: %s', async (kind) => {
    const one = await fixture();
    await tracker(one, kind, { priorities: { critical: 'Highest' }, ticket_labels: ['security'] });
    const title = `${unique('XSS')} @everyone <!-- assay:x --> ![](http://evil.example/p)`;
    const id = await opened(one, { title, md: 'The secret evidence\n\n/close', score: 9.5 });
    expect(await ticketOf(one, id)).toMatchObject({
      state: 'open',
      key: kind === 'jira' ? 'SEC-1' : '#1',
      error: null,
      url: expect.stringContaining(server.url),
    });
    const { title: shown, body, labels, confidential, fields } = server.ticket(1);
    const text = JSON.stringify(body);
    expect(shown).toContain('XSS');
    expect(shown).not.toContain('@everyone');
    expect(text).toContain(`/findings/${id}`);
    for (const hidden of ['secret evidence', 'example.com']) expect(text).not.toContain(hidden);
    expect(labels).toEqual(expect.arrayContaining(['assay', 'security']));
    expect(confidential).toBe(kind === 'gitlab');
    expect(JSON.stringify(fields)).toContain('Highest');
  });

  it.each(ALL_KINDS)(
    'has address and description if an admin turns them on, without markup of their own: %s',
    async (kind) => {
      const one = await fixture();
      await tracker(one, kind, { details: ['asset', 'description'] });
      await opened(one, { md: 'Look at **this**\n\n/close\n\n<!-- assay:11111111-1111-4111-8111-111111111111 -->' });
      const text = String(server.ticket(1).body);
      const shown = kind === 'jira' ? JSON.stringify(server.ticket(1).body) : text;
      expect(shown).toContain('this');
      expect(shown).toContain('Asset');
      expect(text).not.toMatch(/^\/close/m);
      expect(text.match(/<!-- assay:/g)?.length ?? 0).toBe(kind === 'jira' ? 0 : 1);
    },
  );

  it.each(ALL_KINDS)('is not opened twice when the answer was lost: %s', async (kind) => {
    const one = await fixture();
    await tracker(one, kind);
    server.lose(({ method, path }) => method === 'POST' && /issues?$/.test(path));
    const id = await opened(one);
    expect(await ticketOf(one, id)).toMatchObject({ state: 'wanted', error: expect.any(String) });
    await time.run(5);
    expect(await ticketOf(one, id)).toMatchObject({ state: 'open', error: null });
    expect(server.tickets).toHaveLength(1);
  });

  it('gets no comment of an agent, and none of a person', async () => {
    const one = await fixture();
    await tracker(one);
    const id = await opened(one);
    for (const by_agent of [true, false])
      await one.client.post(`/v1/findings/${id}/comments/`, { comment: 'A remark @octocat', by_agent });
    await time.run(2);
    expect(JSON.stringify(server.requests)).not.toContain('remark');
    expect(server.ticket(1).comments).toEqual([]);
  });

  it('is one, although twenty people ask for it at once', async () => {
    const one = await fixture();
    await tracker(one);
    const { id } = await make.finding(one.tenant.id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => one.client.post(`/v1/findings/${id}/ticket`, {})),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    await time.run();
    expect(server.tickets).toHaveLength(1);
  });

  it('is opened for findings that the filter selects, if that is turned on', async () => {
    const one = await fixture();
    await tracker(one, 'github', { automatic: true, severity: 'high' });
    const high = await make.finding(one.tenant.id, { score: 9.5 });
    const low = await make.finding(one.tenant.id, { score: 2 });
    const closed = await make.finding(one.tenant.id, { score: 9 });
    await one.client.post(`/v1/findings/${closed.id}/status`, { status: 7, comment: 'No' });
    await time.run(2);
    expect(server.tickets).toHaveLength(1);
    expect(await ticketOf(one, high.id)).toMatchObject({ state: 'open' });
    expect((await one.client.get(`/v1/findings/${low.id}/ticket`)).status).toBe(404);
  });

  it('is not opened by the filter again when it was unlinked', async () => {
    const one = await fixture();
    await tracker(one, 'github', { automatic: true });
    const { id } = await make.finding(one.tenant.id);
    await time.run(2);
    expect((await one.client.delete(`/v1/findings/${id}/ticket`)).status).toBe(200);
    await one.client.patch(`/v1/findings/${id}`, { labels: ['shop'] });
    await time.run(3);
    expect(server.tickets).toHaveLength(1);
    expect((await one.client.get(`/v1/findings/${id}/ticket`)).status).toBe(404);
    expect((await one.client.post(`/v1/findings/${id}/ticket`, {})).status).toBe(202);
    await time.run(2);
    expect(server.tickets).toHaveLength(2);
  });

  it.each(ALL_KINDS)('may be an existing one, which belongs to one finding: %s', async (kind) => {
    const one = await fixture();
    await tracker(one, kind);
    const number = server.addForeign(kind, 'Our own ticket');
    const [first, second] = [await make.finding(one.tenant.id), await make.finding(one.tenant.id)];
    const key = kind === 'jira' ? `SEC-${number}` : String(number);
    for (const { id } of [first, second]) await one.client.post(`/v1/findings/${id}/ticket`, { key });
    await time.run(3);
    expect(await ticketOf(one, first.id)).toMatchObject({ state: 'open', error: null });
    expect(await ticketOf(one, second.id)).toMatchObject({
      state: 'wanted',
      error: expect.stringContaining('another finding'),
      next_attempt: null,
    });
    expect(server.said(number)).toEqual([expect.stringContaining('belongs to a finding')]);
    expect(server.ticket(number).title).toBe('Our own ticket');
  });

  it('of another project, or one that guests read in GitLab, is not linked', async () => {
    for (const kind of ['jira', 'gitlab'] as const) {
      const one = await fixture();
      await tracker(one, kind);
      const number = server.addForeign(kind, 'Our own ticket');
      server.ticket(number).confidential = false;
      server.refuse(({ path }) => path.includes('/issue/SEC-1?'), {
        status: 200,
        body: { id: '1', key: 'OPS-1', fields: {} },
      });
      const { id } = await make.finding(one.tenant.id);
      await one.client.post(`/v1/findings/${id}/ticket`, { key: kind === 'jira' ? 'SEC-1' : String(number) });
      await time.run(2);
      expect(await ticketOf(one, id)).toMatchObject({
        state: 'wanted',
        error: expect.stringContaining(kind === 'jira' ? 'project has no ticket' : 'not confidential'),
      });
      expect(server.said(number)).toEqual([]);
    }
  });

  it.each([
    ['jira', ['..', '12', 'SEC-1/comment', 'SEC-1 [x](https://evil.example)', 'sec-1']],
    ['github', ['..', 'SEC-1', '1/comments', '1 [x](https://evil.example)', '##1']],
    ['gitlab', ['.', '-1', '1?x', '1'.repeat(13)]],
  ] as const)('is linked only by a key that is one: %s', async (kind, keys) => {
    const one = await fixture();
    await tracker(one, kind);
    const { id } = await make.finding(one.tenant.id);
    for (const key of keys) expect((await one.client.post(`/v1/findings/${id}/ticket`, { key })).status).toBe(400);
    expect((await one.client.get(`/v1/findings/${id}/ticket`)).status).toBe(404);
  });

  it('shows what the tracker refuses, and tries again when a person asks', async () => {
    const one = await fixture();
    await tracker(one, 'jira');
    server.requiredFields = ['Team'];
    const id = await opened(one);
    expect(await ticketOf(one, id)).toMatchObject({
      state: 'wanted',
      error: expect.stringContaining('Team is required'),
    });
    server.requiredFields = [];
    expect((await one.client.post(`/v1/findings/${id}/ticket/retry`)).status).toBe(202);
    await time.run(1);
    expect(await ticketOf(one, id)).toMatchObject({ state: 'open', error: null });
    expect((await one.client.post(`/v1/findings/${id}/ticket/retry`)).status).toBe(409);
  });

  it('lists those whose last step failed in the log of their tracker', async () => {
    const one = await fixture();
    const path = await tracker(one, 'jira');
    await opened(one);
    server.refuse(({ method, path: at }) => method === 'POST' && at.endsWith('/issue'), {
      status: 400,
      body: { errorMessages: ['No'] },
    });
    const failed = await opened(one);
    const { tickets } = (await one.client.get(`${path}/tickets?failing=true`)).body;
    expect(tickets).toMatchObject([{ finding_id: failed }]);
    expect((await one.client.get(`${path}/tickets?state=open`)).body.tickets).toHaveLength(1);
  });

  it('waits when the tracker asks for fewer requests', async () => {
    const one = await fixture();
    await tracker(one);
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 1_800),
    };
    server.refuse(({ method }) => method === 'POST', { status: 403, body: {}, headers });
    const id = await opened(one);
    const before = server.requests.length;
    await time.run(5);
    expect(server.requests.length).toBe(before);
    time.advance(40);
    await time.run(2);
    expect(await ticketOf(one, id)).toMatchObject({ state: 'open' });
  });

  it('is not opened where strangers can read it, and the tracker is paused', async () => {
    const one = await fixture();
    const path = await tracker(one);
    server.isPublic = true;
    const id = await opened(one);
    expect(server.tickets).toHaveLength(0);
    expect((await one.client.get(path)).body).toMatchObject({ state: 'paused', pause_reason: 'public', tested: null });
    expect(await ticketOf(one, id)).toMatchObject({ state: 'wanted' });
    expect((await one.client.patch(path, { state: 'active' })).status).toBe(409);
  });

  it('pauses a tracker whose project becomes public within the hour', async () => {
    const one = await fixture();
    const path = await tracker(one, 'jira');
    await time.run(2);
    server.isPublic = true;
    time.advance(61);
    await time.run(1);
    expect((await one.client.get(path)).body).toMatchObject({ state: 'paused', pause_reason: 'public' });
  });

  it('waits when its tracker has opened the most of a day, or of a minute', async () => {
    const one = await fixture();
    const path = await tracker(one, 'github', { daily_limit: 12 });
    const ids: number[] = [];
    for (let count = 0; count < 15; count++) ids.push((await make.finding(one.tenant.id)).id);
    const asked = await one.client.post(`${path}/tickets`, { finding_ids: ids });
    expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('15 tickets')]);
    expect((await one.client.post(`${path}/tickets`, { finding_ids: ids, confirm: 14 })).status).toBe(409);
    expect((await one.client.post(`${path}/tickets`, { finding_ids: ids, confirm: 15 })).body).toEqual({ tickets: 15 });
    await time.turn();
    expect(server.tickets).toHaveLength(10);
    await time.turn();
    expect(server.tickets).toHaveLength(10);
    time.advance(2);
    await time.run(5);
    expect(server.tickets).toHaveLength(12);
    time.advance(24 * 60);
    await time.run(3);
    expect(server.tickets).toHaveLength(15);
  });

  it('waits for the next turn when this one has taken half a minute, and no turn takes more than one', async () => {
    const one = await fixture();
    const path = await tracker(one);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) ids.push((await make.finding(one.tenant.id)).id);
    await one.client.post(`${path}/tickets`, { finding_ids: ids, confirm: 3 });
    const slow = ({ method }: { method: string }): boolean => {
      if (method === 'POST') time.advance(0.5);
      return false;
    };
    server.refuse(slow, { status: 500 });
    await time.turn();
    expect(server.tickets).toHaveLength(1);
    const over = AbortSignal.abort(new DOMException('over', 'TimeoutError'));
    const clock = jest.spyOn(AbortSignal, 'any').mockReturnValue(over);
    await time.run(2);
    expect((await one.client.get(path)).body.last_error).toContain('too slowly');
    clock.mockRestore();
    time.advance(10);
    await time.run(3);
    expect(server.tickets).toHaveLength(3);
    expect((await one.client.get(path)).body.last_error).toBeNull();
  });

  it('is left as it is when the member who saved its tracker is no admin any more', async () => {
    const one = await fixture();
    const path = await tracker(one);
    const owner = await one.tenant.as('owner');
    await query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [one.admin.userId]);
    const { id } = await make.finding(one.tenant.id);
    await owner.client.post(`/v1/findings/${id}/ticket`, {});
    await time.run(2);
    expect(server.tickets).toHaveLength(0);
    expect((await owner.client.get(path)).body).toMatchObject({ state: 'paused', pause_reason: 'maker_left' });
  });

  it('pauses its tracker after three days in which nothing was accepted', async () => {
    const one = await fixture();
    const path = await tracker(one);
    for (let day = 0; day < 12; day++) {
      for (let count = 0; count < 3; count++) server.refuse(() => true, { status: 401 });
      await time.run(1);
      time.advance(12 * 60);
      if (day === 1)
        expect((await one.client.get(path)).body).toMatchObject({
          state: 'active',
          last_error: expect.stringContaining('credentials'),
        });
    }
    expect((await one.client.get(path)).body).toMatchObject({ state: 'paused', pause_reason: 'failing' });
  });

  it('and its tracker are of no other organization, and end with it', async () => {
    const [one, other] = [await fixture(), await fixture()];
    const path = await tracker(one);
    const id = await opened(one);
    expect((await other.client.get(`/v1/findings/${id}/ticket`)).status).toBe(404);
    expect((await other.client.get(path)).status).toBe(404);
    const foreign = await make.finding(other.tenant.id);
    const { id: trackerId } = (await one.client.get(path)).body;
    expect((await other.client.post(`/v1/findings/${foreign.id}/ticket`, { tracker_id: trackerId })).status).toBe(404);
    await query('DELETE FROM trackers WHERE id = $1', [trackerId]);
    expect(await query('SELECT id FROM tickets WHERE tracker_id = $1', [trackerId])).toEqual([]);
  });
});

describe('a message of a tracker', () => {
  const secret = 'a-secret-of-16-characters';
  const body = '{"action":"closed","issue":{"number":1}}';
  const hmac = (text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  const SIGNED = {
    github: { 'x-hub-signature-256': hmac(body) },
    gitlab: { 'x-gitlab-token': secret },
    jira: { 'x-hub-signature': hmac(body) },
  } as const;

  async function hook(kind: Kind) {
    const one = await fixture();
    const path = await tracker(one, kind, { hook_secret: secret });
    const { hook_path: at } = (await one.client.get(path)).body;
    const send = (headers: Record<string, string>, sent = body, to = at) =>
      fetch(`${api.url}${to}`, {
        method: 'POST',
        body: sent,
        headers: { 'content-type': 'application/json', ...headers },
      });
    // Without a message it would look again in a minute.
    await time.run(1);
    await time.turn();
    server.requests.length = 0;
    return { send, polls: () => server.requests.length };
  }

  it.each(ALL_KINDS)('that is signed makes Assay look at once, and is believed in nothing: %s', async (kind) => {
    const { send, polls } = await hook(kind);
    await time.turn();
    expect((await send({})).status).toBe(404);
    await time.turn();
    expect(polls()).toBe(0);
    expect((await send(SIGNED[kind])).status).toBe(202);
    await time.turn();
    expect(polls()).toBeGreaterThan(0);
  });

  it.each(ALL_KINDS)('with a wrong signature has the answer of an unknown address: %s', async (kind) => {
    const { send } = await hook(kind);
    const [header = ''] = Object.keys(SIGNED[kind]);
    const wrong = await send({ [header]: 'sha256=00' });
    const unsigned = await send({});
    const unknown = await send(SIGNED[kind], body, '/hooks/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    const others = await Promise.all(
      ['%00', '%ED%A0%80', 'x'.repeat(5_000)].map((at) => send({}, body, `/hooks/${at}`)),
    );
    expect(others.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const all = [wrong, unsigned, unknown, await send({}, body, '/hooks/%00')];
    const texts = await Promise.all(all.map((answer) => answer.text()));
    expect(all.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const withoutId = texts.map((text) => text.replaceAll(/[\da-f-]{36}/g, ''));
    expect(new Set(withoutId).size).toBe(1);
  });

  it('of another body than the signed one is refused, and so is one of more than 256 KiB', async () => {
    const { send } = await hook('github');
    expect((await send(SIGNED.github, `${body} `)).status).toBe(404);
    expect((await send(SIGNED.github, 'x'.repeat(256 * 1_024 + 1))).status).toBe(413);
  });

  it('counts once by its id', async () => {
    const { send, polls } = await hook('github');
    const headers = { ...SIGNED.github, 'x-github-delivery': 'one' };
    expect((await send(headers)).status).toBe(202);
    await time.turn();
    const first = polls();
    expect(first).toBeGreaterThan(0);
    expect((await send(headers)).status).toBe(202);
    await time.turn();
    expect(polls()).toBe(first);
  });

  it('is refused with 429 when there are too many', async () => {
    const { send } = await hook('github');
    time.advance(2);
    const statuses: number[] = [];
    for (let count = 0; count < 65; count++) statuses.push((await send({})).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    time.advance(5);
  });
});
