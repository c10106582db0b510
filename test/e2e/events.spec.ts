import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/kernel/role';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique, uniqueDomain } from '../support/factories';
import { statementsOf } from '../support/statements';

const api = useApi();
useWorker();
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  /** The route of the organization's events. */
  readonly path: string;
}

const pathOf = (organizationId: number): string => `/v1/organizations/${organizationId}/events/`;

async function createFixture(role: Role = 'admin'): Promise<Fixture> {
  const tenant = await make.organization();
  return { tenant, client: (await tenant.as(role)).client, path: pathOf(tenant.id) };
}

/** Makes the scheduled task due, which otherwise runs every five seconds. */
const runEventScheduler = () => query("DELETE FROM clock_tasks WHERE name = 'event.transitions'");

const machineEvent = (fields: object = {}) => ({ name: unique('Event'), event_type: 1, event_category: 1, ...fields });
const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
const lengthOf = ({ body }: Answer): number => Date.parse(body.end_date) - Date.parse(body.start_date);

/** The audit entries of an operation, newest first. */
async function entriesOf({ tenant }: Fixture, operation: string) {
  const { client } = await tenant.as('owner');
  return (await client.get(`/v1/audit-logs/?operation=${operation}&per_page=100`)).body.audit_logs;
}

/** The queries for this event, because the worker reads all events at any time. */
async function queriesFor(slug: string, work: () => Promise<unknown>): Promise<number> {
  const statements = await statementsOf(work);
  return statements.filter(({ values }) => values.includes(slug)).length;
}

describe('creating an event', () => {
  it('returns the scheduled event and its Location', async () => {
    const { tenant, client, path } = await createFixture();
    const answer = await client.post(path, {
      name: '  Prüfung der Straße 7 ',
      event_type: 2,
      event_category: 2,
      start_date: '2999-01-31T12:00:00+02:00',
      end_date: '2999-02-28',
      dimension: 'physical',
    });
    expect(answer.status).toBe(201);
    const { slug } = answer.body;
    expect(slug).toMatch(/^prufung-der-strasse-7-[a-z0-9]{6}$/);
    expect(answer.headers.get('location')).toBe(`/v1/events/${slug}`);
    expect(answer.body).toEqual({
      id: answer.body.id,
      name: 'Prüfung der Straße 7',
      slug,
      organization_id: tenant.id,
      event_type: 2,
      event_category: 2,
      dimension: 'physical',
      latitude: null,
      longitude: null,
      second_look: false,
      start_date: '2999-01-31T10:00:00.000Z',
      end_date: '2999-02-28T23:59:59.999Z',
      status: 'scheduled',
      dimension_type: null,
      picture: null,
      automatic: false,
      every_hours: null,
      windows: [],
      requests_per_second: null,
      parallel_targets: null,
      depth: 'standard',
      accounts: [],
      report_at_end: false,
      sends: null,
    });
    expect((await client.get(`/v1/events/${slug}`)).body).toEqual(answer.body);
    expect((await client.get(path)).body).toEqual({ events: [answer.body] });
  });

  it('keeps a draft unscheduled, and defaults the start to now', async () => {
    const { client, path } = await createFixture();
    const before = Date.now();
    const answer = await client.post(path, machineEvent({ status: 'draft', start_date: null, dimension: null }));
    expect(answer.body).toMatchObject({ status: 'draft', dimension: null });
    expect(Date.parse(answer.body.start_date)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(answer.body.start_date)).toBeLessThanOrEqual(Date.now());
  });

  it('gives a machine event a default duration of 14 days', async () => {
    const { client, path } = await createFixture();
    expect(lengthOf(await client.post(path, machineEvent({ start_date: '2999-01-01' })))).toBe(14 * day);
    expect(lengthOf(await client.post(path, machineEvent({ start_date: '2999-01-01', end_date: null })))).toBe(
      14 * day,
    );
  });

  it('uses the default duration that the integrator has set at that time', async () => {
    const { client } = await make.integrator({ machineEvents: true });
    const other = await make.integrator({ machineEvents: true });
    const { id } = (await client.post('/v1/organizations/', { name: unique('Partner') })).body;
    await other.client.put('/v1/settings/default-event-duration/', { duration: 1, unit: 'hours' });
    const first = await client.post(pathOf(id), machineEvent());
    await client.put('/v1/settings/default-event-duration/', { duration: 2, unit: 'months' });
    const second = await client.post(pathOf(id), machineEvent());
    expect([lengthOf(first), lengthOf(second)]).toEqual([14 * day, 60 * day]);
    // A worker may have begun it meanwhile.
    const begun = { ...first.body, status: expect.stringMatching(/^(scheduled|running)$/) };
    expect((await client.get(`/v1/events/${first.body.slug}`)).body).toEqual(begun);
    const third = await client.post(
      pathOf(id),
      machineEvent({ start_date: '2999-01-01', end_date: '2999-01-02T00:00:00Z' }),
    );
    expect(lengthOf(third)).toBe(day);
  });

  it('gives twenty events with the same name twenty different slugs', async () => {
    const { client, path } = await createFixture();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(path, machineEvent({ name: 'Same' }))),
    );
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(20);
  });

  it('accepts a name without Latin letters', async () => {
    const { client, path } = await createFixture();
    expect((await client.post(path, machineEvent({ name: '試験' }))).body.slug).toMatch(/^event-[a-z0-9]{6}$/);
    const long = await client.post(path, machineEvent({ name: 'x'.repeat(200) }));
    expect(long.body.slug).toHaveLength(63);
  });

  it.each([
    [{}, ['name is missing', 'event_type is missing', 'event_category is missing']],
    [machineEvent({ name: ' ' }), ['name must be a string of 1 to 200']],
    [machineEvent({ event_type: 3 }), ['event_type must be one of: 1, 2']],
    [machineEvent({ event_type: '1' }), ['event_type must be one of: 1, 2']],
    [machineEvent({ event_category: 0 }), ['event_category must be one of: 1, 2, 3']],
    [machineEvent({ dimension: 'Virtual' }), ['dimension must be one of: virtual, physical, hybrid, or null']],
    [machineEvent({ start_date: 'soon' }), ['start_date must be an ISO 8601 date-time']],
    [machineEvent({ start_date: 1 }), ['start_date must be an ISO 8601 date-time']],
    [machineEvent({ start_date: '2026-02-30' }), ['start_date must be an ISO 8601 date-time']],
    [machineEvent({ start_date: '1969-12-31' }), ['start_date must not be before 1970']],
    [machineEvent({ start_date: '9999-12-31' }), ['start_date is too late']],
    [machineEvent({ start_date: '2999-01-02', end_date: '2999-01-01' }), ['end_date must be after start_date']],
    [
      machineEvent({ start_date: '2999-01-01T00:00Z', end_date: '2999-01-01T00:00Z' }),
      ['end_date must be after start_date'],
    ],
    [machineEvent({ end_date: '1999-01-01' }), ['end_date must be after start_date']],
    [machineEvent({ event_type: 2 }), ['end_date is required']],
    [machineEvent({ status: 'running' }), ['status must be one of: draft, scheduled']],
    [machineEvent({ slug: 'mine' }), ['"slug" is not a field']],
    [machineEvent({ picture: 'x' }), ['"picture" is not a field']],
  ])('refuses %j with a message that says what is wrong', async (body, sentences) => {
    const { client, path } = await createFixture();
    const answer = await client.post(path, body);
    expect(answer.status).toBe(400);
    for (const sentence of sentences) expect(answer.body.description).toContain(sentence);
  });

  it('is recorded in the audit log, and so is its refusal', async () => {
    const fixture = await createFixture();
    const { slug } = (
      await fixture.client.post(fixture.path, machineEvent({ name: 'Noted', start_date: '2999-01-01' }))
    ).body;
    await fixture.client.post(fixture.path, machineEvent({ event_type: 2 }));
    expect(await entriesOf(fixture, 'event.create')).toMatchObject([
      { status: 'failure', metadata: { reason: 'invalid' } },
      {
        status: 'success',
        operation_category: 'events',
        resource_type: 'event',
        resource_id: slug,
        metadata: { name: 'Noted', status: 'scheduled', start_date: '2999-01-01T00:00:00.000Z' },
      },
    ]);
  });
});

describe('the list of events', () => {
  it('is in pages, newest first', async () => {
    const { client, path } = await createFixture();
    const slugs: string[] = [];
    for (let index = 0; index < 3; index++) slugs.push((await client.post(path, machineEvent())).body.slug);
    const first = await client.get(`${path}?per_page=2`);
    const second = await client.get(`${path}?per_page=2&page=2`);
    const seen = [first, second].flatMap(({ body }) => body.events.map((event: { slug: string }) => event.slug));
    expect(seen).toEqual(slugs.toReversed());
    expect(first.headers.get('link')).toContain('rel="next"');
    expect(second.headers.get('link')).not.toContain('rel="next"');
    expect((await client.get(`${path}?page=9`)).body).toEqual({ events: [] });
    expect((await client.get(`${path}?page=0`)).status).toBe(400);
  });
});

describe('the list of the events that a caller may access', () => {
  const slugsOf = async (client: Client, filter = ''): Promise<string[]> => {
    const { body } = await client.get(`/v1/events${filter}`);
    return body.events.map(({ slug }: { slug: string }) => slug);
  };

  it('has those of all organizations of a member, newest first, and no other', async () => {
    const [here, there, hidden] = [await make.organization(), await make.organization(), await make.organization()];
    const { userId } = await here.as('viewer');
    await make.membership(userId, there.id, 'viewer');
    const { client } = await make.person(userId);
    expect(await slugsOf(client)).toEqual([]);
    const slugs: string[] = [];
    for (const { id } of [here, there, here]) slugs.push((await make.event(id)).slug);
    await make.event(hidden.id);
    expect(await slugsOf(client)).toEqual(slugs.toReversed());
    expect(await slugsOf(client, '?per_page=2')).toEqual(slugs.slice(1).toReversed());
    expect((await client.get('/v1/events?page=0')).status).toBe(400);
    await query('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [userId, there.id]);
    expect(await slugsOf((await make.person(userId)).client)).toEqual([slugs[2], slugs[0]]);
  });

  it('has those of an integrator without deleted organizations, read with one query', async () => {
    const { client } = await make.integrator();
    const slugs: string[] = [];
    const ids: number[] = [];
    for (let index = 0; index < 3; index++) {
      const { id } = (await client.post('/v1/organizations/', { name: unique('Mine') })).body;
      ids.push(id);
      slugs.push((await client.post(pathOf(id), machineEvent())).body.slug);
    }
    await make.event((await make.organization()).id);
    expect(await slugsOf(client)).toEqual(slugs.toReversed());
    const statements = await statementsOf(() => client.get('/v1/events'));
    // Workers of this process lock events that they begin or end.
    const reads = statements.filter(({ text }) => text.includes('FROM events') && !text.includes('FOR UPDATE'));
    expect(reads).toHaveLength(1);
    await client.delete(`/v1/organizations/${ids[2]}/`);
    expect(await slugsOf(client)).toEqual([slugs[1], slugs[0]]);
  });
});

describe('the status of an event', () => {
  const statuses = ['draft', 'scheduled', 'running', 'paused', 'retesting', 'finished', 'canceled'] as const;
  type Status = (typeof statuses)[number];
  const allowed: Record<Status, readonly Status[]> = {
    draft: ['scheduled', 'canceled'],
    scheduled: ['paused', 'canceled'],
    running: ['paused', 'retesting', 'finished', 'canceled'],
    paused: ['running', 'finished', 'canceled'],
    retesting: ['running', 'finished'],
    finished: [],
    canceled: [],
  };

  it.each(statuses)('allows exactly the transitions in the table from %s', async (from) => {
    const { tenant, client } = await createFixture();
    // Not due, because the scheduler would change the status of a due event.
    const start_date = inDays(['draft', 'scheduled'].includes(from) ? 9 : -1);
    for (const to of statuses) {
      const { slug } = await make.event(tenant.id, { status: from, start_date });
      const answer = await client.post(`/v1/events/${slug}/status`, { status: to });
      const isAllowed = from === to || allowed[from].includes(to);
      expect([to, answer.status]).toEqual([to, isAllowed ? 200 : 409]);
      expect((await client.get(`/v1/events/${slug}`)).body.status).toBe(isAllowed ? to : from);
    }
  });

  it('refuses other transitions and lists the possible ones', async () => {
    const { tenant, client } = await createFixture();
    const { slug } = await make.event(tenant.id);
    const early = await client.post(`/v1/events/${slug}/status`, { status: 'running' });
    expect(early.body.description).toContain('starts automatically at its start_date');
    const wrong = await client.post(`/v1/events/${slug}/status`, { status: 'finished' });
    expect(wrong.body.description).toContain('it may become: paused, canceled');
    const unknown = await client.post(`/v1/events/${slug}/status`, { status: 'done' });
    expect([unknown.status, unknown.body.description]).toEqual([400, expect.stringContaining('status must be one of')]);
  });

  it('cannot become running before the start of the event, also after a pause', async () => {
    const { tenant, client } = await createFixture();
    const { slug } = await make.event(tenant.id, { start_date: '2999-01-01' });
    const request = (status: Status) => client.post(`/v1/events/${slug}/status`, { status });
    expect((await request('paused')).body.status).toBe('paused');
    const early = await request('running');
    expect([early.status, early.body.description]).toEqual([
      409,
      'The event is paused and cannot run before its start_date, 2999-01-01T00:00:00.000Z: try again then.',
    ]);
    await query('UPDATE events SET start_date = now() WHERE slug = $1', [slug]);
    expect((await request('running')).body.status).toBe('running');
  });

  it('changes once for twenty simultaneous equal requests, with an audit entry for each', async () => {
    const fixture = await createFixture();
    const { slug } = await make.event(fixture.tenant.id, { status: 'running' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fixture.client.post(`/v1/events/${slug}/status`, { status: 'paused' })),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.status}`)).toEqual(
      Array.from({ length: 20 }, () => '200 paused'),
    );
    const entries = await entriesOf(fixture, 'event.status_change');
    const froms = entries.map((entry: { metadata: { from: string } }) => entry.metadata.from);
    expect(froms.filter((from: string) => from === 'running')).toHaveLength(1);
    expect(froms.filter((from: string) => from === 'paused')).toHaveLength(19);
  });

  it('ends in one of two final statuses when twenty requests ask for both', async () => {
    const { tenant, client } = await createFixture();
    const { slug } = await make.event(tenant.id, { status: 'running' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.post(`/v1/events/${slug}/status`, { status: index % 2 === 0 ? 'finished' : 'canceled' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.status)).size).toBe(1);
  });
});

describe('the scheduler of events', () => {
  const transitions = async (fixture: Fixture) =>
    (await entriesOf(fixture, 'event.status_change')).map(
      (entry: { actor_type: string; resource_id: string; metadata: { from: string; to: string } }) =>
        [entry.actor_type, entry.resource_id, entry.metadata.from, entry.metadata.to].join(' '),
    );

  it('starts an event at its start and finishes it at its end', async () => {
    const fixture = await createFixture();
    const { slug } = (await fixture.client.post(fixture.path, machineEvent())).body;
    const statusOf = async () => (await fixture.client.get(`/v1/events/${slug}`)).body.status;
    await runEventScheduler();
    await eventually(async () => expect(await statusOf()).toBe('running'));
    await query("UPDATE events SET end_date = now() - interval '1 second', start_date = '2020-01-01' WHERE slug = $1", [
      slug,
    ]);
    await runEventScheduler();
    await eventually(async () => expect(await statusOf()).toBe('finished'));
    expect(await transitions(fixture)).toEqual([`system ${slug} running finished`, `system ${slug} scheduled running`]);
  });

  it('applies every missed transition after an absence', async () => {
    const fixture = await createFixture();
    const { slug } = (
      await fixture.client.post(fixture.path, machineEvent({ start_date: inDays(-9), end_date: inDays(-2) }))
    ).body;
    await runEventScheduler();
    await eventually(async () =>
      expect(await transitions(fixture)).toEqual([
        `system ${slug} running finished`,
        `system ${slug} scheduled running`,
      ]),
    );
  });

  it('ends paused events, and leaves drafts, retesting events and those not due unchanged', async () => {
    const fixture = await createFixture();
    const past = { start_date: inDays(-9), end_date: inDays(-2) };
    const slugs = new Map<string, string>();
    for (const status of ['draft', 'retesting', 'canceled', 'paused'])
      slugs.set(status, (await make.event(fixture.tenant.id, { ...past, status })).slug);
    const waiting = await make.event(fixture.tenant.id);
    await runEventScheduler();
    const paused = slugs.get('paused');
    await eventually(async () => expect(await transitions(fixture)).toContain(`system ${paused} paused finished`));
    for (const [status, slug] of slugs)
      expect((await fixture.client.get(`/v1/events/${slug}`)).body.status).toBe(
        status === 'paused' ? 'finished' : status,
      );
    expect((await fixture.client.get(`/v1/events/${waiting.slug}`)).body.status).toBe('scheduled');
  });
});

describe('the scope of an event', () => {
  async function withAsset(options: Parameters<Factories['asset']>[1] = {}) {
    const fixture = await createFixture();
    const { slug } = await make.event(fixture.tenant.id);
    const asset = await make.asset(fixture.tenant.id, options);
    const scope = `/v1/events/${slug}/scope`;
    return { ...fixture, slug, asset, scope, own: `${scope}/assets/${asset.id}` };
  }

  it('lists assets in scope and out of scope', async () => {
    const { client, asset, scope, own, slug, tenant } = await withAsset();
    const outside = await make.asset(tenant.id, { type: 'ip', value: '192.0.2.7' });
    expect((await client.get(scope)).body).toEqual({ in_scope: { assets: [] }, out_of_scope: { assets: [] } });
    const body = {
      asset_id: asset.id,
      in_scope: true,
      description: 'The shop',
      wildcard: true,
      attachment_url: 'https://files.example.com/rules.pdf',
    };
    const answer = await client.post(`${scope}/assets/`, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ code: 201, description: 'Scope asset created.', id: asset.id, success: true });
    expect(answer.headers.get('location')).toBe(`/v1/events/${slug}/scope/assets/${asset.id}`);
    await client.post(`${scope}/assets`, { asset_id: outside.id, in_scope: false });
    const shop = {
      id: asset.id,
      value: asset.value,
      type: 'domain',
      in_scope: true,
      private: false,
      description: 'The shop',
      wildcard: true,
      beacon_id: null,
      attachment_url: 'https://files.example.com/rules.pdf',
    };
    expect((await client.get(own)).body).toEqual(shop);
    const excluded = { id: outside.id, type: 'ip', in_scope: false, wildcard: null, description: null };
    expect((await client.get(scope)).body).toMatchObject({
      in_scope: { assets: [shop] },
      out_of_scope: { assets: [excluded] },
    });
  });

  it('shows whether an asset is reached through a beacon', async () => {
    const { tenant, client, scope } = await withAsset();
    const beacon = await make.beacon(tenant.id);
    const asset = await make.asset(tenant.id, { type: 'ip', value: '10.20.0.1', beaconId: beacon.id });
    await client.post(`${scope}/assets/`, { asset_id: asset.id });
    expect((await client.get(`${scope}/assets/${asset.id}`)).body).toMatchObject({
      in_scope: true,
      private: true,
      beacon_id: beacon.id,
    });
    await client.delete(`/v1/organizations/${tenant.id}/beacons/${beacon.id}`);
    expect((await client.get(`${scope}/assets/${asset.id}`)).status).toBe(404);
  });

  it('is listed in pages', async () => {
    const { tenant, client, scope } = await withAsset();
    const ids: number[] = [];
    for (const in_scope of [true, false, true]) {
      const { id } = await make.asset(tenant.id);
      await client.post(`${scope}/assets/`, { asset_id: id, in_scope });
      ids.push(id);
    }
    const first = await client.get(`${scope}?per_page=2`);
    const second = await client.get(`${scope}?per_page=2&page=2`);
    expect(first.body).toMatchObject({
      in_scope: { assets: [{ id: ids[2] }] },
      out_of_scope: { assets: [{ id: ids[1] }] },
    });
    expect(second.body).toMatchObject({ in_scope: { assets: [{ id: ids[0] }] }, out_of_scope: { assets: [] } });
    expect(first.headers.get('link')).toContain('rel="next"');
  });

  it('has each asset once, also for twenty simultaneous requests', async () => {
    const { client, asset, scope } = await withAsset();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`${scope}/assets/`, { asset_id: asset.id })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it.each([
    [{}, 400, 'asset_id is missing'],
    [{ asset_id: '1' }, 400, 'asset_id must be a whole number'],
    [{ asset_id: 2_147_483_648 }, 400, 'asset_id must be a whole number'],
    [{ asset_id: 1, in_scope: 'yes' }, 400, 'in_scope must be true or false'],
    [{ asset_id: 1, in_scope: null }, 400, 'in_scope must be true or false'],
    [{ asset_id: 1, wildcard: 1 }, 400, 'wildcard must be true or false'],
    [{ asset_id: 1, description: 'x'.repeat(2_001) }, 400, 'description must be a string of at most 2000'],
    [{ asset_id: 1, attachment_url: 'http://example.com/' }, 400, 'attachment_url must be an https URL'],
    [{ asset_id: 1, attachment_url: 'https://user:secret@example.com/' }, 400, 'it has user information'],
    [{ asset_id: 1, beacon_id: 1 }, 400, '"beacon_id" is not a field'],
    [{ asset_id: 2_147_483_647 }, 404, 'Asset not found.'],
  ])('refuses %j with %d', async (body, status, sentence) => {
    const { client, scope } = await withAsset();
    const answer = await client.post(`${scope}/assets/`, body);
    expect(answer.status).toBe(status);
    expect(answer.body.description).toContain(sentence);
  });

  it('allows wildcard only for domains', async () => {
    const { client, asset, scope, own } = await withAsset({ type: 'ip', value: '192.0.2.9' });
    const answer = await client.post(`${scope}/assets/`, { asset_id: asset.id, wildcard: true });
    expect([answer.status, answer.body.description]).toEqual([422, expect.stringContaining('type domain')]);
    expect((await client.get(own)).status).toBe(404);
    expect((await client.post(`${scope}/assets/`, { asset_id: asset.id, wildcard: false })).status).toBe(201);
  });

  it('removes an asset once for twenty simultaneous requests', async () => {
    const fixture = await withAsset();
    const { client, asset, scope, own } = fixture;
    await client.post(`${scope}/assets/`, { asset_id: asset.id, in_scope: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.delete(own)));
    const gone = answers.find(({ status }) => status === 200);
    expect(gone?.body).toEqual({ code: 200, description: 'Scope asset deleted.', id: asset.id, success: true });
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
    expect((await client.get(`/v1/assets/${asset.id}`)).status).toBe(200);
    const success = (await entriesOf(fixture, 'scope_asset.delete')).find(
      (entry: { status: string }) => entry.status === 'success',
    );
    expect(success).toMatchObject({
      resource_id: String(asset.id),
      metadata: { event: fixture.slug, in_scope: false },
    });
    expect(await entriesOf(fixture, 'scope_asset.create')).toMatchObject([
      {
        resource_type: 'scope_asset',
        resource_id: String(asset.id),
        metadata: { event: fixture.slug, value: asset.value },
      },
    ]);
  });

  it('keeps an asset only while work runs on it in this event', async () => {
    const { client, tenant, asset, scope, own, slug } = await withAsset();
    await client.post(`${scope}/assets/`, { asset_id: asset.id });
    const [{ id: eventId } = { id: 0 }] = await query<{ id: number }>('SELECT id FROM events WHERE slug = $1', [slug]);
    const work = (event: number | null) =>
      query(
        `INSERT INTO work (kind, reference, organization_id, asset_id, event_id, state, lease_until)
         VALUES ('test.events', $1, $2, $3, $4, 'running', now() + interval '1 hour')`,
        [unique('work'), tenant.id, asset.id, event],
      );
    await work(eventId);
    const busy = await client.delete(own);
    expect([busy.status, busy.body.description]).toEqual([409, expect.stringContaining('is testing this asset')]);
    await query("UPDATE work SET state = 'done', lease_until = NULL WHERE asset_id = $1", [asset.id]);
    await work(null);
    expect((await client.delete(own)).status).toBe(200);
  });

  it('loses an asset that is deleted', async () => {
    const { client, asset, scope, own } = await withAsset();
    await client.post(`${scope}/assets/`, { asset_id: asset.id });
    await client.delete(`/v1/assets/${asset.id}`);
    expect((await client.get(own)).status).toBe(404);
    expect((await client.get(scope)).body.in_scope).toEqual({ assets: [] });
  });
});

describe('the findings of an event', () => {
  async function withEvent(role: Role = 'member') {
    const fixture = await createFixture(role);
    const { id, slug } = await make.event(fixture.tenant.id);
    return { ...fixture, id, slug, own: `/v1/events/${slug}/findings/` };
  }

  it('are filtered and sorted like the findings of the organization', async () => {
    const { tenant, client, id, own, slug } = await withEvent('viewer');
    const asset = await make.asset(tenant.id, { tier: 1 });
    const record = (draft: object) => make.finding(tenant.id, { eventId: id, jobUuid: randomUUID(), ...draft });
    const low = await record({ severity: 'low', asset: { ...asset, tier: 1 } });
    const critical = await record({ severity: 'critical', title: 'SQL injection' });
    const high = await record({ severity: 'high' });
    const medium = await record({ severity: 'medium', asset: { ...asset, tier: 1 } });
    await query('UPDATE findings SET status = 3 WHERE id = ANY($1)', [[low.id, high.id]]);
    // The same severities, statuses and texts in another event and without one.
    const other = await make.event(tenant.id);
    for (const eventId of [other.id, null])
      await make.finding(tenant.id, {
        eventId,
        severity: 'critical',
        title: 'SQL injection too',
        asset: { ...asset, tier: 1 },
      });
    const found = async (parameters: string): Promise<number[]> => {
      const { findings } = (await client.get(`${own}?${parameters}`)).body;
      return findings.map((finding: { id: number }) => finding.id);
    };
    expect(await found('severity=medium')).toEqual([medium.id, high.id, critical.id]);
    expect(await found('status=3')).toEqual([high.id, low.id]);
    expect(await found(`asset_id=${asset.id}`)).toEqual([medium.id, low.id]);
    expect(await found('q=sql%20INJ')).toEqual([critical.id]);
    expect(await found('sort=severity')).toEqual([critical.id, high.id, medium.id, low.id]);
    expect(await found('sort=priority')).toEqual([critical.id, medium.id, high.id, low.id]);
    expect(await found('sort=severity&status=3&severity=high')).toEqual([high.id]);
    expect(await found(`sort=priority&asset_id=${asset.id}&q=${asset.value}`)).toEqual([medium.id, low.id]);
    expect(await found('status=2')).toEqual([]);
    expect((await client.get(`${own}?sort=newest`)).body.description).toContain(
      'sort must be one of: severity, priority',
    );
    expect(await queriesFor(slug, () => client.get(`${own}?sort=severity&status=3`))).toBe(1);
    // The words, what the first findings show, and the page.
    expect(await queriesFor(slug, () => client.get(`${own}?sort=severity&status=3&q=finding`))).toBe(3);
    expect((await client.get('/v1/events/unknown-0a0a0a/findings/?status=3&count=true')).status).toBe(404);
    const outsider = await (await make.organization()).as('viewer');
    const refused = await outsider.client.get(`${own}?sort=severity&status=3&count=true`);
    expect([refused.status, refused.headers.get('x-total-count')]).toEqual([404, null]);
  });

  it('stay sorted by priority when a finding gets another one in another event', async () => {
    const { tenant, client, id, own } = await withEvent('viewer');
    const asset = await make.asset(tenant.id, { tier: 1 });
    const draft = {
      severity: 'medium',
      title: unique('Moving'),
      jobUuid: randomUUID(),
      asset: { id: null, value: asset.value, tier: null },
    } as const;
    const moving = await make.finding(tenant.id, { ...draft, eventId: id });
    const newer = await make.finding(tenant.id, { eventId: id, severity: 'medium', jobUuid: randomUUID() });
    // A page alone would be sorted by the findings themselves.
    const pages = (): Promise<number[]> =>
      Promise.all(
        [1, 2].map(async (page) => {
          const { body } = await client.get(`${own}?sort=priority&per_page=1&page=${page}`);
          return body.findings[0].id;
        }),
      );
    expect(await pages()).toEqual([newer.id, moving.id]);
    const other = await make.event(tenant.id);
    await make.record(tenant.id, { ...draft, eventId: other.id, asset: { ...asset, tier: 1 } });
    expect(await pages()).toEqual([moving.id, newer.id]);
  });

  it('are only its own, newest first, in pages, read with one query', async () => {
    const { tenant, client, id, own, slug } = await withEvent('viewer');
    const other = await make.event(tenant.id);
    const ids: number[] = [];
    for (let index = 0; index < 3; index++) ids.push((await make.finding(tenant.id, { eventId: id })).id);
    await make.finding(tenant.id, { eventId: other.id });
    const first = await client.get(`${own}?per_page=2`);
    const second = await client.get(`${own}?per_page=2&page=2`);
    const seen = [first, second].flatMap(({ body }) => body.findings.map((finding: { id: number }) => finding.id));
    expect(seen).toEqual(ids.toReversed());
    expect(first.body.findings[0]).toEqual((await client.get(`/v1/findings/${ids[2]}/`)).body.findings[0]);
    expect(first.headers.get('link')).toContain('rel="next"');
    expect((await client.get(`${own}?page=1000000`)).body).toEqual({ findings: [] });
    expect((await client.get(`${own}?per_page=101`)).status).toBe(400);
    expect(await queriesFor(slug, () => client.get(own))).toBe(1);
  });

  it('can be recorded on an asset by id', async () => {
    const fixture = await withEvent();
    const { tenant, client, id, own, slug } = fixture;
    const asset = await make.asset(tenant.id, { tier: 1 });
    const answer = await client.post(own, {
      title: ' TLS 1.0 is offered ',
      md: 'It **is**.<script>alert(1)</script>',
      asset_id: asset.id,
      cvss_vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cve: 'CVE-2011-3389',
      cwe: 326,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ code: 201, description: 'Finding created.', id: answer.body.id, success: true });
    expect(answer.headers.get('location')).toBe(`/v1/findings/${answer.body.id}/`);
    const [finding] = (await client.get(own)).body.findings;
    expect(finding).toMatchObject({
      id: answer.body.id,
      title: 'TLS 1.0 is offered',
      asset_id: asset.id,
      asset_value: asset.value,
      event_id: id,
      status: 1,
      severity: 'medium',
      score: 5.9,
      priority: 3,
      cve: 'CVE-2011-3389',
      cwe: 326,
    });
    expect(finding.html).not.toContain('<script');
    expect(await entriesOf(fixture, 'finding.record')).toMatchObject([
      {
        status: 'success',
        resource_type: 'finding',
        resource_id: String(answer.body.id),
        metadata: { event: slug, outcome: 'created', asset_value: asset.value },
      },
    ]);
  });

  it('are the same finding however often they are recorded and however the asset is named', async () => {
    const { tenant, client, own } = await withEvent();
    const asset = await make.asset(tenant.id);
    const first = await client.post(own, { title: 'Open port', asset_id: asset.id, severity: 'low' });
    const again = await client.post(own, { title: 'OPEN  port', asset_value: asset.value.toUpperCase(), score: 9.9 });
    expect([again.status, again.body]).toEqual([
      200,
      { code: 200, description: 'Finding seen again.', id: first.body.id, success: true },
    ]);
    await query('UPDATE findings SET status = 5 WHERE id = $1', [first.body.id]);
    const back = await client.post(own, { title: 'Open port', asset_id: asset.id, severity: 'low' });
    expect([back.status, back.body.description]).toEqual([200, 'Finding seen again, and reopened.']);
    expect((await client.get(own)).body.findings).toMatchObject([{ status: 1, previous_status: 5, severity: 'low' }]);
  });

  it('recorded in a second event are the same findings and belong to both events', async () => {
    const { tenant, client, id: firstEventId, own } = await withEvent();
    const { slug } = await make.event(tenant.id);
    const other = `/v1/events/${slug}/findings/`;
    const asset = await make.asset(tenant.id);
    const body = { title: 'Open port', asset_id: asset.id, severity: 'low' };
    const { id } = (await client.post(own, body)).body;
    expect((await client.get(other)).body.findings).toEqual([]);

    const again = await client.post(other, body);
    expect([again.status, again.body]).toEqual([
      200,
      { code: 200, description: 'Finding seen again.', id, success: true },
    ]);
    await client.post(`/v1/findings/${id}/status`, { status: 5 });
    const back = await client.post(other, body);
    expect([back.status, back.body.description]).toEqual([200, 'Finding seen again, and reopened.']);
    for (const path of [own, other]) {
      const { findings } = (await client.get(path)).body;
      expect(findings).toMatchObject([{ id, event_id: firstEventId, status: 1, previous_status: 5 }]);
    }
    expect((await client.get(`/v1/assets/${asset.id}`)).body).toMatchObject({ n_findings: 1, risk_score: '0.5' });
  });

  it('are one finding also for twenty simultaneous requests', async () => {
    const { client, own } = await withEvent();
    const body = { title: 'Race', asset_value: uniqueDomain(), severity: 'high' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(own, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect((await client.get(own)).body.findings).toHaveLength(1);
  });

  it('can be on a value that is not an asset of the organization, in canonical form', async () => {
    const { client, own } = await withEvent();
    await client.post(own, { title: 'x', asset_value: 'HTTPS://Bücher.example:443/a/../b#c', severity: 'info' });
    expect((await client.get(own)).body.findings).toMatchObject([
      { asset_id: null, asset_value: 'https://xn--bcher-kva.example/b', severity: 'info', score: null },
    ]);
  });

  const valid = { title: 'x', asset_value: 'example.com', severity: 'low' };
  it.each([
    [{ asset_value: 'example.com', severity: 'low' }, 'title is missing'],
    [{ ...valid, title: ' ' }, 'title must be a string of 1 to 500'],
    [{ ...valid, title: 'x'.repeat(501) }, 'title must be a string of 1 to 500'],
    [{ ...valid, md: 'x'.repeat(65_537) }, 'md must be a string of at most 65536'],
    [{ ...valid, md: 'a\u0001b' }, 'md has control characters'],
    [{ ...valid, md: '|'.repeat(121) }, 'md has a table with more than 100 columns'],
    [{ title: 'x', severity: 'low' }, 'Set asset_id or asset_value'],
    [{ ...valid, asset_id: 1 }, 'Set only one of asset_id and asset_value'],
    [{ ...valid, asset_value: 'nonsense' }, 'asset_value must be a domain'],
    [{ ...valid, asset_value: 7 }, 'asset_value must be a string'],
    [{ title: 'x', asset_value: 'example.com' }, 'Set one of severity, score and cvss_vector'],
    [{ ...valid, severity: 'bad' }, 'severity must be one of'],
    [{ ...valid, severity: null, score: 10.1 }, 'score must be a number from 0.0 to 10.0'],
    [{ ...valid, severity: null, score: 5.55 }, 'score must be a number from 0.0 to 10.0 with at most one decimal'],
    [{ ...valid, severity: null, score: '5' }, 'score must be a number'],
    [{ ...valid, score: 9.8 }, 'severity low contradicts the score 9.8'],
    [{ ...valid, severity: null, cvss_vector: 'CVSS:3.1/AV:N' }, 'cvss_vector'],
    [{ ...valid, cve: 'CVE-1' }, 'cve must be a CVE identifier'],
    [{ ...valid, cwe: 'CWE-79' }, 'cwe must be'],
    [{ ...valid, check: { id: 'open-redis' } }, 'check.location is missing'],
    [{ ...valid, status: 5 }, '"status" is not a field'],
  ])(
    'are refused %j with a message that says what is wrong, also in an event that does not exist',
    async (body, sentence) => {
      const { client, own } = await withEvent();
      for (const target of [own, '/v1/events/nobody-000000/findings/']) {
        const answer = await client.post(target, body);
        expect(answer.status).toBe(400);
        expect(answer.body.description).toContain(sentence);
      }
    },
  );
});

describe('permissions on events', () => {
  it.each<[Role, number, number]>([
    ['viewer', 403, 403],
    ['member', 403, 201],
    ['admin', 201, 201],
    ['owner', 201, 201],
  ])('a %s gets %d for managing events and %d for recording findings', async (role, manage, record) => {
    const { tenant, client, path } = await createFixture(role);
    const { slug } = await make.event(tenant.id, { status: 'running' });
    const asset = await make.asset(tenant.id);
    const scope = `/v1/events/${slug}/scope`;
    for (const read of [path, `/v1/events/${slug}`, scope, `/v1/events/${slug}/findings/`])
      expect((await client.get(read)).status).toBe(200);
    expect((await client.post(path, machineEvent())).status).toBe(manage);
    expect((await client.post(`${scope}/assets/`, { asset_id: asset.id })).status).toBe(manage);
    await query('INSERT INTO event_scope SELECT id, $2, $3 FROM events WHERE slug = $1 ON CONFLICT DO NOTHING', [
      slug,
      asset.id,
      tenant.id,
    ]);
    expect((await client.get(`${scope}/assets/${asset.id}`)).status).toBe(200);
    expect((await client.delete(`${scope}/assets/${asset.id}`)).status).toBe(manage === 201 ? 200 : 403);
    expect((await client.post(`/v1/events/${slug}/status`, { status: 'paused' })).status).toBe(
      manage === 201 ? 200 : 403,
    );
    const finding = { title: 'x', asset_id: asset.id, severity: 'low' };
    expect((await client.post(`/v1/events/${slug}/findings/`, finding)).status).toBe(record);
  });

  it('an integrator manages events of the organizations that it created', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Mine') })).body;
    const { slug } = (await client.post(pathOf(id), machineEvent())).body;
    expect((await client.post(`/v1/events/${slug}/status`, { status: 'canceled' })).status).toBe(200);
  });

  it('an admin of another organization who is a viewer here is refused, recorded in this organization’s audit log', async () => {
    const fixture = await createFixture();
    const { slug } = await make.event(fixture.tenant.id, { status: 'running' });
    const asset = await make.asset(fixture.tenant.id);
    const person = await (await make.organization()).as('admin');
    await make.membership(person.userId, fixture.tenant.id, 'viewer');
    const { client } = await make.person(person.userId);
    const attempts: [string, string, object][] = [
      ['event.create', fixture.path, machineEvent()],
      ['event.status_change', `/v1/events/${slug}/status`, { status: 'paused' }],
      ['scope_asset.create', `/v1/events/${slug}/scope/assets/`, { asset_id: asset.id }],
      ['finding.record', `/v1/events/${slug}/findings/`, { title: 'x', asset_id: asset.id, severity: 'low' }],
    ];
    for (const [operation, path, body] of attempts) {
      expect([operation, (await client.post(path, body)).status]).toEqual([operation, 403]);
      const [newest] = await entriesOf(fixture, operation);
      expect(newest).toMatchObject({ actor_id: String(person.userId), metadata: { reason: 'forbidden' } });
    }
  });

  it('a caller without access gets the same answer as for an event that does not exist', async () => {
    const hidden = await createFixture();
    const event = await make.event(hidden.tenant.id);
    const foreignAsset = await make.asset(hidden.tenant.id);
    await hidden.client.post(`/v1/events/${event.slug}/scope/assets/`, { asset_id: foreignAsset.id });
    const { client, tenant } = await createFixture('owner');
    const slugs = [
      'nobody-000000',
      event.slug,
      String(event.id),
      'UPPER',
      'a--b',
      '-a',
      'a%00b',
      '%ff',
      'x'.repeat(64),
    ];
    const finding = { title: 'x', asset_value: 'example.com', severity: 'low' };
    const requests: [string, (slug: string) => string, object?][] = [
      ['GET', (slug) => `/v1/events/${slug}`],
      ['GET', (slug) => `/v1/events/${slug}/findings/`],
      ['POST', (slug) => `/v1/events/${slug}/findings/`, finding],
      ['POST', (slug) => `/v1/events/${slug}/status`, { status: 'paused' }],
      ['GET', (slug) => `/v1/events/${slug}/scope`],
      ['POST', (slug) => `/v1/events/${slug}/scope/assets/`, { asset_id: foreignAsset.id }],
      ['GET', (slug) => `/v1/events/${slug}/scope/assets/${foreignAsset.id}`],
      ['DELETE', (slug) => `/v1/events/${slug}/scope/assets/${foreignAsset.id}`],
    ];
    for (const [method, pathTo, body] of requests) {
      const answers = await Promise.all(slugs.map((slug) => client.send(method, pathTo(slug), body)));
      expect([...new Set(answers.map(({ text }) => text))]).toEqual([
        '{"code":404,"name":"Not Found","description":"Event not found.","success":false}',
      ]);
    }
    const own = await make.event(tenant.id);
    const bodies: [string, (id: number) => object][] = [
      ['findings', (id) => ({ title: 'x', asset_id: id, severity: 'low' })],
      ['scope/assets', (id) => ({ asset_id: id })],
    ];
    for (const [list, bodyFor] of bodies) {
      const foreign = await client.post(`/v1/events/${own.slug}/${list}/`, bodyFor(foreignAsset.id));
      const unknown = await client.post(`/v1/events/${own.slug}/${list}/`, bodyFor(2_147_483_647));
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    for (const [method, body] of [['GET'], ['POST', machineEvent()]] as const) {
      const foreign = await client.send(method, hidden.path, body);
      const unknown = await client.send(method, pathOf(2_147_483_647), body);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    for (const assetId of [String(foreignAsset.id), '2147483648', 'abc'])
      expect((await client.get(`/v1/events/${own.slug}/scope/assets/${assetId}`)).status).toBe(404);
  });

  it('a caller cannot combine records of two of their organizations', async () => {
    const fixture = await createFixture();
    const there = await make.organization();
    const person = await fixture.tenant.as('owner');
    await make.membership(person.userId, there.id, 'owner');
    const { client } = await make.person(person.userId);
    const { slug } = await make.event(fixture.tenant.id);
    const asset = await make.asset(there.id);
    expect((await client.get(`/v1/assets/${asset.id}`)).status).toBe(200);
    expect((await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: asset.id })).status).toBe(404);
    const finding = { title: 'x', asset_id: asset.id, severity: 'low' };
    expect((await client.post(`/v1/events/${slug}/findings/`, finding)).status).toBe(404);
  });
});

describe('an organization that is deleted while events are added to it', () => {
  it('answers each of twenty requests with 201 or 404, and lists no event afterwards', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Doomed') })).body;
    const adding = Array.from({ length: 20 }, () => client.post(pathOf(id), machineEvent()));
    const [removed, ...answers] = await Promise.all([client.delete(`/v1/organizations/${id}/`), ...adding]);
    expect(removed?.status).toBe(200);
    for (const { status } of answers) expect([201, 404]).toContain(status);
    await eventually(async () =>
      expect(await query('SELECT 1 FROM events WHERE organization_id = $1', [id])).toEqual([]),
    );
  });
});
