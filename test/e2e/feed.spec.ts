import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Client as PgClient } from 'pg';
import { type FeedFilter, FeedService, FeedWatch, typesNamed } from '../../src/modules/feed';
import { FeedRepository } from '../../src/modules/feed/data/feed.repository';
import { ENTRY_TYPES, NAMED_TYPE } from '../../src/modules/feed/domain/entry-types';
import { FeedUpkeep } from '../../src/modules/feed/work/feed-upkeep';
import { OrganizationPurge } from '../../src/modules/organizations/work/organization-purge';
import { everything, Scope } from '../../src/platform/api/scope';
import type { Claim } from '../../src/platform/work/claim';
import { useApi, useWorker } from '../support/api';
import { basic, type Client } from '../support/client';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';
import { EventStream } from '../support/portal';
import { tenantWithRecords } from '../support/records';

const api = useApi({ AUTH_CACHE_SECONDS: '0' });
const make = new Factories(api);

interface Entry {
  readonly position: number;
  readonly type: string;
  readonly version: number;
  readonly record_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly entries: Entry[];
  readonly next_after: number;
  readonly newest: number;
}

const pathOf = (organizationId: number, search = ''): string => `/v1/organizations/${organizationId}/feed${search}`;

async function read(client: Client, organizationId: number, search = ''): Promise<Page> {
  const answer = await client.get(pathOf(organizationId, search));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Page;
}

const typesOf = ({ entries }: Page): string[] => entries.map(({ type }) => type);

async function streamOf({ credentials }: Person, organizationId: number, search = '', headers = {}): Promise<Response> {
  return fetch(api.url + pathOf(organizationId, search), {
    headers: { authorization: basic(credentials), accept: 'text/event-stream', ...headers },
  });
}

/** Below /schemas, which is no part of the API, without credentials. */
const published = async (path: string): Promise<{ readonly $id: string }> =>
  (await fetch(`${api.url}/schemas${path}`)).json() as Promise<{ readonly $id: string }>;

/** The ids of the entries that a stream has sent so far, without the positions between them. */
const idsIn = (text: string): number[] => [...text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id));

describe('the entries', () => {
  it('have each type of the table, in the order of the changes, and match the schemas', async () => {
    const { owner, ids } = await tenantWithRecords(make);
    const { client } = owner;
    const { organization_id: organization, finding_id: finding, asset_id: asset } = ids;
    await client.post(`/v1/findings/${finding}/comments`, { comment: 'Looked at it.' });
    await client.post(`/v1/findings/${finding}/status`, { status: 3 });
    const other = await make.event(organization);
    const changes = [
      `UPDATE findings SET labels = '{shop}', severity = 5, score = 9.8, priority = 1, kev = true, due_date = '2099-01-01', accepted_until = '2099-01-01T01:00:00+01' WHERE id = ${finding}`,
      `UPDATE findings SET verification = 'confirmed', verification_reason = 'seen', verified_at = now() WHERE id = ${finding}`,
      `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority) VALUES (${other.id}, ${finding}, ${organization}, 3, 3)`,
      `UPDATE findings SET last_seen = now(), times_seen = 9 WHERE id = ${finding}`,
      `UPDATE retests SET second_look_result = 'fixed' WHERE finding_id = ${finding}`,
      `UPDATE jobs SET status = 'IN_PROGRESS' WHERE uuid = '${ids.uuid}'`,
      `UPDATE imports SET status = 'UNDOING' WHERE id = ${ids.import_id}`,
      `UPDATE events SET status = 'paused', automatic = true, windows = '{mon-fri 22:00-06:00}', end_date = '2098-01-01' WHERE slug = '${ids.event_slug}'`,
      `UPDATE assets SET tier = 1, labels = '{shop}', ports = '{80,443}', ip = '192.0.2.7', observe = false WHERE id = ${asset}`,
      `UPDATE domains SET verified = true WHERE id = ${ids.domain_id}`,
      `UPDATE beacons SET name = 'other', allowed_cidrs = '{10.1.0.0/16}' WHERE id = ${ids.beacon_id}`,
      `UPDATE beacon_discoveries SET status = 'FINISHED', finished = now() WHERE uuid = '${ids.discovery_uuid}'`,
      `UPDATE reports SET error = 'It is too large.' WHERE id = ${ids.report_id}`,
      `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind, port)
       VALUES (gen_random_uuid(), ${organization}, ${asset}, now(), 'port_opened', 22)`,
      `DELETE FROM reports WHERE id = ${ids.report_id}`,
      `DELETE FROM findings WHERE id = ${finding}`,
      `DELETE FROM event_scope WHERE asset_id = ${asset}`,
      `DELETE FROM events WHERE slug = '${ids.event_slug}'`,
      `DELETE FROM assets WHERE id = ${asset}`,
      `DELETE FROM domains WHERE id = ${ids.domain_id}`,
      `DELETE FROM beacons WHERE id = ${ids.beacon_id}`,
    ];
    for (const change of changes) await query(change);
    const page = await read(client, organization, '?limit=1000');
    expect([...new Set(typesOf(page))].sort()).toEqual(ENTRY_TYPES.filter((type) => type !== NAMED_TYPE).sort());
    expect(page.entries.map(({ position }) => position)).toEqual(page.entries.map((_entry, index) => index + 1));
    expect(page).toMatchObject({ next_after: page.entries.length, newest: page.entries.length });
    const ofFinding = page.entries.filter((one) => one.type.startsWith('finding.') && one.record_id === `${finding}`);
    expect(ofFinding.map(({ type }) => type)).toEqual([
      'finding.created',
      'finding.commented',
      'finding.commented',
      'finding.changed',
      'finding.changed',
      'finding.verified',
      'finding.linked',
      'finding.deleted',
    ]);
    const own = ofFinding.filter(({ type }) => !/commented|linked/.test(type));
    expect(own.map(({ data }) => data['belief'])).toEqual([...Array<string>(3).fill('untestable'), 'proved', 'proved']);
    expect(ofFinding[3]?.data).toMatchObject({ changed: { status: { from: 1, to: 3 } } });
    expect(ofFinding[4]?.data['changed']).toEqual({
      labels: { from: [], to: ['shop'] },
      severity: { from: 'high', to: 'critical' },
      score: { from: null, to: 9.8 },
      priority: { from: expect.any(Number), to: 1 },
      kev: { from: false, to: true },
      due_date: { from: expect.any(String), to: '2099-01-01' },
      accepted_until: { from: null, to: '2099-01-01T00:00:00.000Z' },
    });

    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (one: Ajv2020) => void)(ajv);
    for (const entry of page.entries) {
      const schema = await published(`/${entry.type}.v${entry.version}.json`);
      const validate = ajv.getSchema(schema.$id) ?? ajv.compile(schema);
      expect({ entry, valid: validate(entry), errors: validate.errors }).toMatchObject({ valid: true });
    }
    expect(await published('/asset.observed.v1.json')).toMatchObject({
      $id: '/schemas/asset.observed.v1.json',
      properties: { data: { required: ['asset_id', 'kind', 'address', 'port', 'change_id'] } },
    });
    expect(await published('')).toEqual({ schemas: ENTRY_TYPES.map((type) => `${type}.v1.json`) });
    expect((await make.anonymous().get('/schemas/finding.vanished.v1.json')).status).toBe(404);
  });

  it('are selected by type, severity, status, event and label', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const event = await make.event(tenant.id);
    const { client: member } = await tenant.as('member');
    const asset = await make.asset(tenant.id);
    const recorded = await member.post(`/v1/events/${event.slug}/findings/`, {
      title: 'In the event',
      severity: 'high',
      asset_id: asset.id,
    });
    const low = await make.finding(tenant.id, { severity: 'low' });
    await member.patch(`/v1/findings/${recorded.body.id}`, { labels: ['Shop'] });
    await member.post(`/v1/findings/${low.id}/status`, { status: 3 });
    const selected = async (search: string) => typesOf(await read(client, tenant.id, search));
    expect(await selected('?type=finding')).toEqual([
      'finding.created',
      'finding.created',
      'finding.changed',
      'finding.changed',
    ]);
    expect(await selected('?type=finding.changed')).toEqual(['finding.changed', 'finding.changed']);
    expect(await selected('?type=finding.changed&severity=medium')).toEqual(['finding.changed']);
    expect(await selected('?type=finding&status=3')).toEqual(['finding.changed']);
    expect(await selected('?label=shop')).toEqual(['finding.changed']);
    const inEvent = await selected(`?event=${event.id}`);
    expect(inEvent).toEqual(['event.created', 'finding.created', 'finding.changed']);
    expect(await selected('?confirmed=true')).toEqual([]);
    await member.post(`/v1/findings/${recorded.body.id}/comments`, { comment: 'Still there.' });
    await query(`UPDATE findings SET verification = 'confirmed', verified_at = now() WHERE id = ${recorded.body.id}`);
    await query(`UPDATE findings SET severity = 2 WHERE id = ${recorded.body.id}`);
    expect(await selected('?confirmed=true')).toEqual(['finding.commented', 'finding.verified', 'finding.changed']);
    expect(await selected('?severity=high')).toEqual([
      'finding.created',
      'finding.changed',
      'finding.verified',
      'finding.changed',
    ]);
    const none = await read(client, tenant.id, '?label=nothing');
    expect(none).toEqual({ entries: [], next_after: none.newest, newest: none.newest });
  });

  it('about a finding name its events: those that it is linked to later, and all of them when it is deleted', async () => {
    const tenant = await make.organization();
    const { client: member } = await tenant.as('member');
    const first = await make.event(tenant.id);
    const second = await make.event(tenant.id);
    const { id } = await make.asset(tenant.id);
    const draft = { title: 'In two events', severity: 'high', asset_id: id };
    const { body: finding } = await member.post(`/v1/events/${first.slug}/findings/`, draft);
    await member.post(`/v1/events/${second.slug}/findings/`, draft);
    await query('DELETE FROM findings WHERE id = $1', [finding.id]);
    const { entries } = await read(member, tenant.id, '?type=finding');
    expect(entries.map(({ type, data }) => [type, data['event_id']])).toEqual([
      ['finding.created', undefined],
      ['finding.linked', second.id],
      ['finding.deleted', undefined],
    ]);
    expect(entries[2]?.data).toMatchObject({ title: 'In two events', event_ids: [first.id, second.id] });
    expect(typesOf(await read(member, tenant.id, `?type=finding&event=${second.id}`))).toEqual(['finding.deleted']);
  });

  it('match a filter that has one of the values of each of its lists', async () => {
    const tenant = await make.organization();
    const event = await make.event(tenant.id);
    const high = await make.finding(tenant.id, { severity: 'high' });
    const low = await make.finding(tenant.id, { severity: 'low' });
    await query(`UPDATE findings SET labels = '{shop,api}' WHERE id = ${high.id}`);
    await query(`UPDATE findings SET status = 3 WHERE id = ${low.id}`);
    const feed = api.app.get(FeedService, { strict: false });
    const matching = async (filter: FeedFilter): Promise<number[]> => {
      const page = await feed.read(everything('a test'), { organizationId: tenant.id, filter, limit: 100 });
      expect(page).toMatchObject({ oldest: 1, newest: 5 });
      return page.entries.map(({ position }) => position);
    };
    expect(await matching({ types: [...typesNamed('event'), 'finding.changed'] })).toEqual([1, 4, 5]);
    expect(await matching({ severities: ['low', 'high'] })).toEqual([2, 3, 4, 5]);
    expect(await matching({ statuses: ['3', 'scheduled'] })).toEqual([1, 5]);
    expect(await matching({ eventIds: [event.id, 999] })).toEqual([1]);
    expect(await matching({ labels: ['none', 'api'] })).toEqual([4]);
    expect(await matching({ labels: [] })).toEqual([]);
    expect(await matching({ confirmed: false })).toEqual([1, 2, 3, 4, 5]);
  });

  it('are read in pages that continue where the last one ended', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    for (let count = 0; count < 5; count++) await make.finding(tenant.id);
    const first = await read(client, tenant.id, '?limit=2');
    expect(first).toMatchObject({ next_after: 2, newest: 5 });
    const second = await read(client, tenant.id, `?limit=2&after=${first.next_after}&type=finding.created`);
    expect(second.entries.map(({ position }) => position)).toEqual([3, 4]);
    expect((await read(client, tenant.id, '?after=5')).entries).toEqual([]);
    for (const [search, sentence] of [
      ['?after=-1', 'after must be a whole number from 0 to 9999999999'],
      ['?limit=1001', 'limit must be a whole number from 1 to 1000'],
      ['?wait=31', 'wait must be a whole number from 0 to 30'],
      ['?type=findings', 'type must be one of: finding,'],
      ['?severity=huge', 'severity must be one of: none,'],
      ['?event=x', 'event must be'],
      ['?label=', 'label'],
    ]) {
      const refused = await client.get(pathOf(tenant.id, search));
      expect(refused.status).toBe(400);
      expect(refused.body.description).toContain(sentence);
    }
    const ahead = await client.get(pathOf(tenant.id, '?after=6'));
    expect(ahead.status).toBe(409);
    expect(ahead.body.description).toContain('the newest one is 5');
  });

  it('of one tenant are never seen by another, and are deleted with the organization', async () => {
    const { integratorId, client: integrator } = await make.integrator();
    const tenant = await make.organization({ integratorId });
    const { client: viewer } = await tenant.as('viewer');
    const other = await make.organization();
    const { client: stranger } = await other.as('owner');
    await make.finding(tenant.id);
    await make.finding(other.id);
    expect((await read(viewer, tenant.id)).entries).toHaveLength(1);
    expect((await read(stranger, other.id)).entries).toHaveLength(1);
    expect((await stranger.get(pathOf(tenant.id))).status).toBe(404);
    const feed = api.app.get(FeedService, { strict: false });
    const scope = Scope.organizations([other.id]);
    await expect(feed.newest(scope, tenant.id, {}, { limit: 50 })).rejects.toThrow('Organization not found');
    expect((await feed.newest(scope, other.id, {}, { limit: 50 })).entries).toHaveLength(1);
    expect((await stranger.get(pathOf(tenant.id, '?wait=30'))).status).toBe(404);
    const ci = make.withCredentials(await make.key((await tenant.as('owner')).userId, { scopes: ['ci'] }));
    expect((await ci.get(pathOf(tenant.id))).status).toBe(403);

    await make.asset(tenant.id);
    expect((await integrator.delete(`/v1/organizations/${tenant.id}`)).status).toBeLessThan(300);
    const purge = api.app.get(OrganizationPurge, { strict: false });
    await purge.perform({ reference: `${tenant.id}` } as Claim, new AbortController().signal);
    await api.app.get(FeedUpkeep, { strict: false }).append();
    for (const table of ['feed_outbox', 'feed_entries', 'feed_positions'])
      expect(await query(`SELECT 1 FROM ${table} WHERE organization_id = ${tenant.id}`)).toEqual([]);
    expect((await read(stranger, other.id)).entries).toHaveLength(1);
  });

  it('are kept for 30 days, and an older position is refused with the oldest one', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    await make.finding(tenant.id);
    await make.finding(tenant.id);
    await read(client, tenant.id);
    await query(
      `UPDATE feed_entries SET appended = now() - interval '50 days' WHERE organization_id = $1 AND position = 1`,
      [tenant.id],
    );
    const upkeep = api.app.get(FeedUpkeep, { strict: false });
    await upkeep.remove();
    const refused = await client.get(pathOf(tenant.id, '?after=0'));
    expect(refused.status).toBe(409);
    expect(refused.body.description).toContain(
      'the oldest one is 2. Read the records again, then continue with after=1',
    );
    expect((await read(client, tenant.id)).entries.map(({ position }) => position)).toEqual([2]);
    await query(`UPDATE feed_entries SET appended = now() - interval '50 days' WHERE organization_id = $1`, [
      tenant.id,
    ]);
    await upkeep.remove();
    expect(await read(client, tenant.id)).toEqual({ entries: [], next_after: 2, newest: 2 });
    await make.finding(tenant.id);
    expect((await read(client, tenant.id, '?after=2')).entries.map(({ position }) => position)).toEqual([3]);
  });

  it('are removed by whole partitions, of weeks that ended more than 30 days ago', async () => {
    await query(`CREATE TABLE feed_entries_2020_01_06 (LIKE feed_entries INCLUDING DEFAULTS)`);
    await query(
      `ALTER TABLE feed_entries ATTACH PARTITION feed_entries_2020_01_06 FOR VALUES FROM ('2020-01-06Z') TO ('2020-01-13Z')`,
    );
    const tenant = await make.organization();
    await make.finding(tenant.id);
    await read((await tenant.as('viewer')).client, tenant.id);
    await query(`UPDATE feed_entries SET appended = '2020-01-07Z' WHERE organization_id = $1`, [tenant.id]);
    await api.app.get(FeedUpkeep, { strict: false }).remove();
    expect(await query(`SELECT to_regclass('feed_entries_2020_01_06') AS part`)).toEqual([{ part: null }]);
    const [positions] = await query(`SELECT oldest, newest FROM feed_positions WHERE organization_id = $1`, [
      tenant.id,
    ]);
    expect(positions).toEqual({ oldest: '2', newest: '1' });
  });
});

describe('a request that waits', () => {
  it('is answered when a change is committed, and with nothing when the time is over', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    expect(await read(client, tenant.id, '?wait=1')).toEqual({ entries: [], next_after: 0, newest: 0 });
    const waiting = read(client, tenant.id, '?wait=30&type=finding.created');
    await make.finding(tenant.id);
    expect(typesOf(await waiting)).toEqual(['finding.created']);
  });

  it('is one of at most 5 of a key, and of 50 of an organization', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('viewer');
    const open = async (one: Person): Promise<EventStream> => {
      const stream = new EventStream(await streamOf(one, tenant.id));
      expect(stream.response.status).toBe(200);
      return stream;
    };
    const streams: EventStream[] = [];
    for (let count = 0; count < 5; count++) streams.push(await open(person));
    const refused = await person.client.get(pathOf(tenant.id, '?wait=30'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.body.description).toContain('At most 5 requests of an API key');
    expect((await person.client.get(pathOf(tenant.id))).status).toBe(200);
    for (let people = 0; people < 9; people++) {
      const other = await tenant.as('viewer');
      for (let count = 0; count < 5; count++) streams.push(await open(other));
    }
    const last = await tenant.as('viewer');
    const full = await last.client.get(pathOf(tenant.id, '?wait=1'));
    expect(full.status).toBe(429);
    expect(full.body.description).toContain('At most 50 requests of an organization');
    await streams[0]?.cancel();
    await eventually(async () => expect((await last.client.get(pathOf(tenant.id, '?wait=1'))).status).toBe(200));
    await Promise.all(streams.map((stream) => stream.cancel().catch(() => undefined)));
  });
});

describe('a stream', () => {
  const streamed = async (person: Person, tenant: Tenant, search = '', headers = {}): Promise<EventStream> =>
    new EventStream(await streamOf(person, tenant.id, search, headers));

  it('sends existing and new entries, and continues after Last-Event-ID', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('viewer');
    const first = await make.finding(tenant.id);
    const stream = await streamed(person, tenant);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const early = await stream.readUntil('id: 1\n\n');
    expect(early).toContain('id: 1\nevent: finding.created\ndata: {"position":1,"type":"finding.created","version":1,');
    expect(early).toContain(`"record_id":"${first.id}"`);
    await make.finding(tenant.id);
    await stream.readUntil('id: 2\nevent');
    expect(idsIn(stream.text)).toEqual([1, 2]);
    await stream.cancel();
    await make.finding(tenant.id);
    const next = await streamed(person, tenant, '?after=0', { 'last-event-id': '2' });
    await next.readUntil('id: 3\nevent');
    expect(idsIn(next.text)).toEqual([3]);
    await next.cancel();
    const invalid = await streamOf(person, tenant.id, '', { 'last-event-id': 'x' });
    expect(invalid.status).toBe(400);
    expect(await invalid.text()).toContain('Last-Event-ID must be the position of an entry.');
    const ahead = await streamOf(person, tenant.id, '?after=9');
    expect(ahead.status).toBe(409);
    await ahead.text();
  });

  it('moves the position of the client past entries that do not match', async () => {
    const tenant = await make.organization();
    const stream = await streamed(await tenant.as('viewer'), tenant, '?type=job');
    await make.finding(tenant.id);
    expect(idsIn(await stream.readUntil('id: 1\n\n'))).toEqual([]);
    await stream.cancel();
  });

  it.each([
    ['the key is revoked', (person: Person) => `UPDATE api_keys SET revoked = now() WHERE user_id = ${person.userId}`],
    [
      'the key becomes one for pipelines',
      (person: Person) => `UPDATE api_keys SET scopes = '{ci}' WHERE user_id = ${person.userId}`,
    ],
    [
      'the user leaves the organization',
      (person: Person) => `DELETE FROM memberships WHERE user_id = ${person.userId}`,
    ],
  ])('ends when %s, and sends no later entries', async (_reason, statement) => {
    const tenant = await make.organization();
    const person = await tenant.as('viewer');
    const stream = await streamed(person, tenant);
    await stream.readUntil('id: 0\n\n');
    await query(statement(person));
    await stream.readToEnd().catch(() => undefined);
    expect(idsIn(stream.text)).toEqual([]);
    expect((await person.client.get(pathOf(tenant.id))).status).toBeGreaterThanOrEqual(401);
  });

  it('ends within two seconds for a user who leaves while entries arrive', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('viewer');
    const stream = await streamed(person, tenant);
    const left = performance.now();
    await query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
    const ended = stream.readToEnd().catch(() => (stream.isOver = true));
    await eventually(async () => {
      await make.finding(tenant.id);
      expect(stream.isOver).toBe(true);
    });
    expect(performance.now() - left).toBeLessThan(3_500);
    await ended;
  });
});

describe('an organization whose changes cannot be appended', () => {
  it.each([
    ['because it is locked', () => 'SELECT 1 FROM feed_positions WHERE organization_id = $1 FOR UPDATE'],
    ['because that fails', () => 'UPDATE feed_positions SET newest = 9223372036854775807 WHERE organization_id = $1'],
  ])('%s, delays neither the readers nor the task of another one', async (reason, statement) => {
    const stuck = await make.organization();
    const first = await make.organization();
    const other = await make.organization();
    for (const { id } of [stuck, first]) {
      await make.finding(id);
      await query('SELECT feed_append($1)', [id]);
    }
    const connectionString = (await testDatabase()).ownerUrl;
    const held = new PgClient({ connectionString });
    const impatient = new PgClient({ connectionString, lock_timeout: 2_000 });
    await Promise.all([held.connect(), impatient.connect()]);
    const watch = api.app.get(FeedWatch, { strict: false });
    const gone = new AbortController();
    try {
      await held.query('BEGIN');
      await held.query(statement(), [stuck.id]);
      if (reason.endsWith('fails')) await held.query('COMMIT');
      const woken: number[] = [];
      for (const { id } of [stuck, first]) void watch.next(id, 1, 600_000, gone.signal).then(() => woken.push(id));
      for (const { id } of [stuck, first, other]) await make.finding(id);
      await eventually(() => Promise.resolve(expect(woken).toContain(first.id)));
      await api.app.get(FeedUpkeep, { strict: false }).append();
      expect(await query('SELECT newest FROM feed_positions WHERE organization_id = $1', [other.id])).toEqual([
        { newest: '1' },
      ]);
      if (reason.endsWith('locked')) await impatient.query('SELECT feed_append($1, false)', [stuck.id]);
    } finally {
      gone.abort();
      await Promise.all([held.end(), impatient.end()]);
      await query('DELETE FROM feed_outbox WHERE organization_id = $1', [stuck.id]);
      // Readers of other specs would look for entries up to there.
      await query('UPDATE feed_positions SET newest = 1 WHERE organization_id = $1', [stuck.id]);
    }
  });
});

describe('thousands of changes', () => {
  it('are appended as fast when the statistics are from a time in which the organization had none', async () => {
    const [known, unknown] = [await make.organization(), await make.organization()];
    const { ownerUrl: connectionString } = await testDatabase();
    const owner = new PgClient({ connectionString });
    await owner.connect();
    const fill = (organizationId: number) =>
      owner.query(
        `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
         SELECT $1, 'finding.changed', 1, n::text, '{}' FROM generate_series(1, 5000) n`,
        [organizationId],
      );
    const append = async (organizationId: number): Promise<number> => {
      const before = performance.now();
      await owner.query('SELECT feed_append($1)', [organizationId]);
      return performance.now() - before;
    };
    try {
      await fill(known.id);
      await owner.query('ANALYZE feed_outbox');
      const usual = await append(known.id);
      await fill(unknown.id);
      // A join of each change with each takes a hundred times as long.
      expect(await append(unknown.id)).toBeLessThan(10 * usual + 1_000);
    } finally {
      await owner.query('ANALYZE feed_outbox');
      await owner.end();
    }
  });
});

describe('the worker', () => {
  useWorker();

  it('appends the changes of organizations whose feed nobody reads', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id);
    await eventually(async () =>
      expect(await query('SELECT newest FROM feed_positions WHERE organization_id = $1', [tenant.id])).toEqual([
        { newest: '1' },
      ]),
    );
  });
});

describe('the space of appended changes', () => {
  const clean = () => api.app.get(FeedRepository, { strict: false }).cleanOutbox();
  const size = async (): Promise<number> =>
    (await query<{ size: number }>(`SELECT pg_relation_size('feed_outbox')::int AS size`))[0]?.size ?? 0;

  /** Leaves deleted rows that a vacuum cannot remove before the connection has ended its transaction. */
  async function withDeletedRows(use: (tenant: Tenant, viewer: Person, writer: PgClient) => Promise<unknown>) {
    const writer = new PgClient({ connectionString: (await testDatabase()).ownerUrl });
    await writer.connect();
    const tenant = await make.organization();
    const viewer = await tenant.as('viewer');
    try {
      await writer.query('BEGIN');
      await writer.query('SELECT pg_current_xact_id()');
      await query(
        `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
         SELECT $1, 'event.deleted', 1, g::text, '{"event_ids": []}' FROM generate_series(1, 30000) g`,
        [tenant.id],
      );
      await query('DELETE FROM feed_outbox WHERE organization_id = $1', [tenant.id]);
      await use(tenant, viewer, writer);
    } finally {
      await writer.end();
    }
  }

  it('is free at once although another transaction runs for long, and what waits keeps its order', () =>
    withDeletedRows(async (tenant, viewer) => {
      await api.app.get(FeedUpkeep, { strict: false }).append();
      expect(await size()).toBeLessThan(100_000);
      await query(
        `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
         SELECT $1, 'event.deleted', 1, g::text, '{"event_ids": []}' FROM generate_series(1, 30000) g`,
        [tenant.id],
      );
      await query(`DELETE FROM feed_outbox WHERE organization_id = $1 AND record_id NOT IN ('9', '10')`, [tenant.id]);
      expect(await clean()).toBe(true);
      expect(await size()).toBeLessThan(100_000);
      const { entries } = await read(viewer.client, tenant.id, '?type=event');
      expect(entries.map(({ record_id: id }) => id)).toEqual(['9', '10']);
    }));

  it('waits for a change that is not committed yet', () =>
    withDeletedRows(async (tenant, viewer, writer) => {
      await writer.query(
        `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
         VALUES ($1, 'event.deleted', 1, 'late', '{"event_ids": []}')`,
        [tenant.id],
      );
      expect(await clean()).toBe(false);
      await writer.query('COMMIT');
      expect(await clean()).toBe(true);
      const { entries } = await read(viewer.client, tenant.id, '?type=event');
      expect(entries.map(({ record_id: id }) => id)).toEqual(['late']);
    }));

  it('is left alone while more changes wait than are written again at once', () =>
    withDeletedRows(async (tenant) => {
      await query(
        `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
         SELECT $1, 'event.deleted', 1, g::text, '{"event_ids": []}' FROM generate_series(1, 1001) g`,
        [tenant.id],
      );
      expect(await clean()).toBe(false);
      const [row] = await query('SELECT count(*)::int AS waiting FROM feed_outbox WHERE organization_id = $1', [
        tenant.id,
      ]);
      expect(row).toEqual({ waiting: 1001 });
    }));
});
