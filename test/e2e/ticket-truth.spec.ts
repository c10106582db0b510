import { type RunningApi, startApi } from '../support/api';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { startMailServer } from '../support/mail-server';
import { TrackerServer } from '../support/tracker-server';
import { endRetest, TrackerTime } from '../support/trackers';

/** Nothing listens there: the tests say how retests end. */
const TARGET = '127.0.0.1:22801';
const DAY = 24 * 60;

const server = new TrackerServer();
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
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
  mailServer = await startMailServer();
  running = await startApi({
    WEBHOOK_ALLOW: server.entry,
    EGRESS_ALLOW: TARGET,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Assay <assay@example.com>',
  });
  useContract(running.app);
});

afterAll(async () => {
  await running.app.close();
  await mailServer.close();
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
  readonly client: Client;
  readonly findingId: number;
  readonly trackerPath: string;
}

/** A finding with an open ticket, which is number 1 of the server. */
async function fixture(
  kind: Kind = 'github',
  { hasCheck = true, ...stated }: { hasCheck?: boolean; regression?: 'reopen' | 'new' } = {},
): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const path = `/v1/organizations/${tenant.id}/trackers`;
  const draft = { name: 'Board', ...KINDS[kind], address: server.url, token: 'a-secret-token', ...stated };
  const created = await client.post(path, draft);
  const trackerPath = `${path}/${created.body.id}`;
  await time.turn();
  await client.patch(trackerPath, { state: 'active' });
  const url = `http://${TARGET}`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const check = hasCheck ? { checkId: 'missing-nosniff', checkDefinition: { location: url } } : {};
  const { id: findingId } = await make.finding(tenant.id, { asset: { id, value: url, tier: null }, ...check });
  expect((await client.post(`/v1/findings/${findingId}/ticket`, {})).status).toBe(202);
  await time.run(2);
  return { tenant, client, findingId, trackerPath };
}

const ticketOf = async ({ client, findingId }: Fixture) => (await client.get(`/v1/findings/${findingId}/ticket`)).body;
const statusOf = async ({ findingId }: Fixture) =>
  (await query<{ status: number }>('SELECT status FROM findings WHERE id = $1', [findingId]))[0]?.status;
const retestsOf = ({ findingId }: Fixture) => query('SELECT id FROM retests WHERE finding_id = $1', [findingId]);
const lastSaid = (number = 1): string => server.said(number).at(-1) ?? '';

/** The database has its own clock: the retest that runs has started when that of the test says. */
const dateRetest = ({ findingId }: Fixture) =>
  query("UPDATE retests SET created = $2 WHERE finding_id = $1 AND status = 'pending'", [findingId, time.now()]);

async function closed(one: Fixture, how: 'done' | 'wont_do' = 'done'): Promise<void> {
  time.advance(61);
  server.change(1, how);
  await time.run(2);
  await dateRetest(one);
}

describe('a ticket that a person closes', () => {
  it.each(ALL_KINDS)('asks for a retest, says so, and stays closed when the test shows the fix: %s', async (kind) => {
    const one = await fixture(kind);
    await closed(one);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing' });
    expect(lastSaid()).toContain('being tested again');
    expect(server.ticket(1).state).toBe('done');
    expect(await endRetest(api, one.findingId, 'fixed')).toBe(true);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'closed', disagreements: 0 });
    expect(server.ticket(1).state).toBe('done');
    expect(lastSaid()).toContain('Fixed');
    expect(lastSaid()).toContain(`/findings/${one.findingId}`);
    expect(await statusOf(one)).toBe(5);
  });

  it.each(ALL_KINDS)('is opened again with the verdict when the test sees the weakness: %s', async (kind) => {
    const one = await fixture(kind);
    await closed(one);
    await endRetest(api, one.findingId, 'still_vulnerable', 'The header is missing.');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1 });
    expect(server.ticket(1).state).toBe('open');
    expect(lastSaid()).toContain('Still vulnerable');
    expect(lastSaid()).toContain('The header is missing.');
  });

  it.each(['blocked', 'inconclusive'] as const)(
    'is opened again with the next step when the test is %s',
    async (result) => {
      const one = await fixture();
      await closed(one);
      await endRetest(api, one.findingId, result, 'a firewall refuses the request');
      await time.run(3);
      expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1 });
      expect(server.ticket(1).state).toBe('open');
      expect(lastSaid()).toContain('Next: ');
    },
  );

  it('is opened again, and waits for the verdict of an admin, when no check can run', async () => {
    const one = await fixture('jira', { hasCheck: false });
    await closed(one);
    expect(await ticketOf(one)).toMatchObject({ state: 'verdict' });
    expect(server.ticket(1).state).toBe('open');
    expect(lastSaid()).toContain("waits for an admin's verdict");
    await one.client.patch(`/v1/findings/${one.findingId}/retest`, {});
    const given = await one.client.post(`/v1/findings/${one.findingId}/retest/verdict`, { result: 'fixed' });
    expect(given.status).toBe(200);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'closed' });
    expect(server.ticket(1).state).toBe('done');
  });

  it('is opened again with the reason when the test may not start', async () => {
    const one = await fixture();
    await query('DELETE FROM assets WHERE organization_id = $1', [one.tenant.id]);
    await closed(one);
    await time.run(2);
    expect(server.ticket(1).state).toBe('open');
    expect(lastSaid()).toContain('cannot be tested now');
    expect(lastSaid()).not.toMatch(/127\.0\.0\.1:22801|asset/i);
    const { history } = (await one.client.get(`/v1/findings/${one.findingId}/history`)).body;
    expect(JSON.stringify(history)).toMatch(/no test can start\. [^"]*asset/i);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1 });
  });

  it('waits while the organization has the most unfinished retests, which is no disagreement', async () => {
    const one = await fixture();
    for (let count = 0; count < 200; count++) await make.finding(one.tenant.id, { title: `Another one ${count}` });
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status)
       SELECT gen_random_uuid(), organization_id, id, 'pending' FROM findings
       WHERE organization_id = $1 AND id <> $2 ORDER BY id DESC LIMIT 200`,
      [one.tenant.id, one.findingId],
    );
    await closed(one);
    expect(await ticketOf(one)).toMatchObject({
      state: 'open',
      disagreements: 0,
      error: expect.stringContaining('200 retests'),
    });
    expect(server.ticket(1).state).toBe('done');
    await query("UPDATE retests SET status = 'canceled', finished = now() WHERE organization_id = $1", [one.tenant.id]);
    time.advance(10);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing', error: null });
  });

  it('waits while 50 other tickets of the organization wait for their retests', async () => {
    const one = await fixture('github', { hasCheck: false });
    for (let count = 0; count < 50; count++) await make.finding(one.tenant.id, { title: `Another one ${count}` });
    await query(
      `INSERT INTO tickets (organization_id, tracker_id, finding_id, marker, state, by_hand, changed)
       SELECT f.organization_id, t.tracker_id, f.id, gen_random_uuid(), 'verdict', false, now()
       FROM findings f JOIN tickets t ON t.finding_id = $2 WHERE f.organization_id = $1 AND f.id <> $2 ORDER BY f.id LIMIT 50`,
      [one.tenant.id, one.findingId],
    );
    await closed(one);
    const error = expect.stringContaining('50 tickets');
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 0, error });
    expect(await retestsOf(one)).toEqual([]);
    await query("UPDATE tickets SET state = 'closed' WHERE finding_id <> $1", [one.findingId]);
    time.advance(10);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'verdict', error: null });
  });

  it('is tested at most once an hour, and says when', async () => {
    const one = await fixture();
    await closed(one);
    await endRetest(api, one.findingId, 'still_vulnerable');
    await time.run(2);
    server.change(1, 'done');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'queued' });
    expect(lastSaid()).toContain('at most once an hour');
    expect(await retestsOf(one)).toHaveLength(1);
    time.advance(61);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing' });
    expect(await retestsOf(one)).toHaveLength(2);
  });

  it('is changed no more after three disagreements, until a person looks again', async () => {
    const one = await fixture();
    for (let round = 1; round <= 3; round++) {
      await closed(one);
      await endRetest(api, one.findingId, 'still_vulnerable');
      await time.run(3);
      expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: round });
    }
    await closed(one);
    expect(await ticketOf(one)).toMatchObject({ state: 'person' });
    expect(lastSaid()).toContain('three times');
    const { history } = (await one.client.get(`/v1/findings/${one.findingId}/history`)).body;
    expect(JSON.stringify(history)).toContain('A person decides');
    const said = server.said(1).length;
    time.advance(2 * DAY);
    await time.run(5);
    expect([server.said(1).length, server.ticket(1).state, (await retestsOf(one)).length]).toEqual([said, 'done', 3]);
    server.change(1, 'open');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'person', disagreements: 3 });
    server.change(1, 'done');
    expect((await one.client.post(`/v1/findings/${one.findingId}/ticket/retry`)).status).toBe(202);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing', disagreements: 0 });
  });
});

describe('a ticket that is closed as not to be fixed', () => {
  it.each(ALL_KINDS)('asks an admin for an acceptance, which closes it: %s', async (kind) => {
    const one = await fixture(kind);
    await closed(one, 'wont_do');
    expect(await ticketOf(one)).toMatchObject({ state: 'acceptance' });
    expect(await retestsOf(one)).toEqual([]);
    expect(await statusOf(one)).toBe(1);
    expect(lastSaid()).toContain('accept the risk');
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const accepted = await one.client.post(`/v1/findings/${one.findingId}/status`, {
      status: 6,
      comment: 'Known',
      until,
    });
    expect(accepted.status).toBe(200);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'closed' });
    expect(lastSaid()).toContain(`until ${until.slice(0, 10)}`);
  });

  it('notifies the admins by mail', async () => {
    const one = await fixture();
    const before = await query("SELECT id FROM work WHERE kind = 'mail.send'");
    await closed(one, 'wont_do');
    expect((await query("SELECT id FROM work WHERE kind = 'mail.send'")).length).toBeGreaterThan(before.length);
  });

  it('asks once in seven days, however often it is opened and closed, and then waits for a person', async () => {
    const one = await fixture();
    const asked = async () => {
      const { history } = (await one.client.get(`/v1/findings/${one.findingId}/history`)).body;
      return JSON.stringify(history).split('An admin must accept').length - 1;
    };
    for (let round = 1; round <= 3; round++) {
      await closed(one, 'wont_do');
      expect(await ticketOf(one)).toMatchObject({ state: 'acceptance' });
      time.advance(1);
      server.change(1, 'open');
      await time.run(3);
      expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: round });
    }
    expect(await asked()).toBe(1);
    await closed(one, 'wont_do');
    expect(await ticketOf(one)).toMatchObject({ state: 'person' });
    await one.client.post(`/v1/findings/${one.findingId}/ticket/retry`);
    time.advance(8 * DAY);
    await time.run(3);
    expect(await asked()).toBe(2);
  });

  it('is opened again after seven days without one', async () => {
    const one = await fixture();
    await closed(one, 'wont_do');
    time.advance(8 * DAY);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1 });
    expect(server.ticket(1).state).toBe('open');
    expect(lastSaid()).toContain('No admin has accepted');
  });
});

describe('a finding with a ticket', () => {
  async function fixed(one: Fixture): Promise<void> {
    await closed(one);
    await endRetest(api, one.findingId, 'fixed');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'closed' });
  }

  it('closes it when a test of Assay shows the fix first', async () => {
    const one = await fixture();
    expect((await one.client.post(`/v1/findings/${one.findingId}/retest`)).status).toBe(202);
    await endRetest(api, one.findingId, 'fixed');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'closed' });
    expect([server.ticket(1).state, lastSaid()]).toEqual(['done', expect.stringContaining('Fixed')]);
  });

  it('leaves it open when a person sets the status to resolved, which proves nothing', async () => {
    const one = await fixture();
    await one.client.post(`/v1/findings/${one.findingId}/status`, { status: 5 });
    await time.run(3);
    expect(server.ticket(1).state).toBe('open');
    expect(await ticketOf(one)).toMatchObject({ state: 'open' });
  });

  it('opens it again when the weakness is found again', async () => {
    const one = await fixture();
    await fixed(one);
    await one.client.post(`/v1/findings/${one.findingId}/status`, { status: 1 });
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', key: '#1' });
    expect([server.ticket(1).state, lastSaid()]).toEqual(['open', expect.stringContaining('open again')]);
  });

  it('gets a new one when the weakness is found again, if the tracker says so', async () => {
    const one = await fixture('jira', { regression: 'new' });
    await fixed(one);
    await one.client.post(`/v1/findings/${one.findingId}/status`, { status: 1 });
    await time.run(5);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', key: 'SEC-2' });
    expect(server.ticket(1).state).toBe('done');
    expect(lastSaid(1)).toContain('new ticket');
    expect(JSON.stringify(server.ticket(2).body)).toContain('SEC-1');
  });

  it('is tested again when a person opens what a test had closed', async () => {
    const one = await fixture();
    await fixed(one);
    time.advance(61);
    server.change(1, 'open');
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing', disagreements: 1 });
    await endRetest(api, one.findingId, 'fixed');
    await time.run(3);
    expect([server.ticket(1).state, (await ticketOf(one)).state]).toEqual(['done', 'closed']);
  });

  it('closes it when it is merged into another one, and opens it again when it is separated', async () => {
    const one = await fixture();
    const main = await make.finding(one.tenant.id, { title: 'The main one' });
    const merged = await one.client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [one.findingId] });
    expect(merged.status).toBe(200);
    await time.run(3);
    expect([server.ticket(1).state, lastSaid()]).toEqual(['done', expect.stringContaining('merged')]);
    const separated = await one.client.post(`/v1/findings/${main.id}/separate`, { finding_ids: [one.findingId] });
    expect(separated.status).toBe(200);
    await time.run(3);
    expect([server.ticket(1).state, (await ticketOf(one)).state]).toEqual(['open', 'open']);
  });

  it('closes it when an admin dismisses it', async () => {
    const one = await fixture();
    await one.client.post(`/v1/findings/${one.findingId}/status`, { status: 7, comment: 'No' });
    await time.run(3);
    expect([server.ticket(1).state, lastSaid()]).toEqual(['done', expect.stringContaining('not to be fixed')]);
  });

  it('takes its ticket with it when it is deleted with its organization', async () => {
    const one = await fixture();
    await query('DELETE FROM findings WHERE id = $1', [one.findingId]);
    await time.run(2);
    expect(await query('SELECT id FROM tickets WHERE finding_id = $1', [one.findingId])).toEqual([]);
  });
});

describe('a loop', () => {
  it('does not begin with what Assay itself has written, although the echo comes before the answer', async () => {
    const one = await fixture();
    await closed(one);
    await endRetest(api, one.findingId, 'still_vulnerable');
    server.lose(({ method }) => method === 'PATCH');
    await time.run(6);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1, error: null });
    expect(server.said(1).filter((text) => text.includes('Still vulnerable'))).toHaveLength(1);
    expect(await retestsOf(one)).toHaveLength(1);
  });

  it.each(ALL_KINDS)('does not write a note twice whose answer was lost: %s', async (kind) => {
    const one = await fixture(kind);
    server.lose(({ method, path }) => method === 'POST' && /\/(comments?|notes)$/.test(path));
    await closed(one);
    await time.run(6);
    expect(server.said(1).filter((text) => text.includes('being tested again'))).toHaveLength(1);
    expect(await ticketOf(one)).toMatchObject({ state: 'testing', error: null });
  });

  it('does not begin with an answer that is older than what Assay has written', async () => {
    const one = await fixture();
    await closed(one);
    const stale = { ...server.ticket(1) };
    await endRetest(api, one.findingId, 'still_vulnerable');
    await time.run(3);
    time.advance(61);
    server.refuse(({ method, path }) => method === 'GET' && path.endsWith('/issues/1'), {
      status: 200,
      body: {
        number: 1,
        html_url: '',
        state: 'closed',
        state_reason: 'completed',
        updated_at: stale.updated.toISOString(),
        body: '',
        labels: [],
      },
    });
    server.ticket(1).updated = time.now();
    await time.run(6);
    expect(await ticketOf(one)).toMatchObject({ state: 'open', disagreements: 1 });
    expect(await retestsOf(one)).toHaveLength(1);
  });

  it('does not come of a ticket that was deleted: it is said, and no other one is opened', async () => {
    const one = await fixture();
    server.ticket(1).isDeleted = true;
    time.advance(DAY + 5);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'gone' });
    const { history } = (await one.client.get(`/v1/findings/${one.findingId}/history`)).body;
    expect(JSON.stringify(history)).toContain('was deleted in the tracker');
    time.advance(3 * DAY);
    await time.run(3);
    expect(server.tickets).toHaveLength(1);
  });

  it.each([
    ['GitHub redirects from', 'github', { status: 301, body: {} }],
    [
      'GitLab leaves behind',
      'gitlab',
      { status: 200, body: { iid: 1, state: 'closed', moved_to_id: 9, updated_at: '2036-01-01T00:00:00Z' } },
    ],
    [
      'has another key in Jira',
      'jira',
      { status: 200, body: { id: '1', key: 'OPS-1', fields: { status: { statusCategory: { key: 'done' } } } } },
    ],
  ] as const)('does not come of a ticket that was moved to another project, which %s', async (_name, kind, answer) => {
    const one = await fixture(kind);
    server.refuse(({ method, path }) => method === 'GET' && /\/issues?\/1(\?|$)/.test(path), answer);
    time.advance(DAY + 5);
    await time.run(2);
    expect(await ticketOf(one)).toMatchObject({ state: 'gone' });
    expect(await retestsOf(one)).toEqual([]);
  });

  it('does not take a project that cannot be read for tickets that were deleted', async () => {
    const one = await fixture();
    for (let count = 0; count < 40; count++)
      server.refuse(({ path }) => path.startsWith('/repos'), { status: 404, body: {} });
    time.advance(DAY + 5);
    await time.run(3);
    expect(await ticketOf(one)).toMatchObject({ state: 'open' });
    expect((await one.client.get(one.trackerPath)).body.last_error).toContain('no such project');
  });

  it('does not come of a workflow without a way back: a person decides', async () => {
    const one = await fixture('jira');
    server.hasNoWayBack = true;
    await closed(one);
    await endRetest(api, one.findingId, 'still_vulnerable');
    await time.run(5);
    expect(await ticketOf(one)).toMatchObject({ state: 'person', error: expect.stringContaining('no transition') });
    expect(lastSaid()).toContain('Still vulnerable');
    const said = server.said(1).length;
    time.advance(DAY);
    await time.run(5);
    expect(server.said(1)).toHaveLength(said);
  });
});
