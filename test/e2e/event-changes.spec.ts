import { jpegOf, pngOf } from '../../src/kernel/testing/pictures';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { logoFile } from '../support/records';

const api = useApi();
const make = new Factories(api);

const place = { dimension: 'hybrid', dimension_type: 'branch office', latitude: -33.918861, longitude: 18.4233 };

async function eventOf(draft: object = {}) {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { slug } = await make.event(tenant.id, { ...draft });
  const path = `/v1/events/${slug}`;
  const logOf = async (operation: string) =>
    (await client.get(`/v1/audit-logs/?operation=${operation}&resource_id=${slug}`)).body.audit_logs;
  return { tenant, client, slug, path, logOf };
}

describe('the place of an event', () => {
  it('is set when it is created, and changed or removed later', async () => {
    const { client, path, logOf } = await eventOf(place);
    expect((await client.get(path)).body).toMatchObject(place);
    const moved = await client.patch(path, { latitude: 52.52, longitude: 13.405, dimension_type: null });
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({ ...place, latitude: 52.52, longitude: 13.405, dimension_type: null });
    expect((await client.patch(path, { longitude: -0.1 })).body).toMatchObject({ latitude: 52.52, longitude: -0.1 });
    const removed = await client.patch(path, { dimension: null, latitude: null, longitude: null });
    expect(removed.body).toMatchObject({ dimension: null, latitude: null, longitude: null });
    expect((await client.get(path)).body).toEqual(removed.body);
    const [, , first] = await logOf('event.change');
    expect(first.metadata.changes).toEqual({
      dimension_type: { from: 'branch office', to: null },
      latitude: { from: -33.918861, to: 52.52 },
      longitude: { from: 18.4233, to: 13.405 },
    });
  });

  it.each([
    [{ latitude: 1 }, 'longitude must be given with latitude.'],
    [{ longitude: 1 }, 'latitude must be given with longitude.'],
    [{ latitude: 90.1, longitude: 0 }, 'latitude must be a number from -90 to 90, or null.'],
    [{ latitude: 0, longitude: -180.1 }, 'longitude must be a number from -180 to 180, or null.'],
    [{ latitude: '1', longitude: 0 }, 'latitude must be a number from -90 to 90, or null.'],
    [{ dimension: 'real' }, 'dimension must be one of: virtual, physical, hybrid, or null.'],
    [{ dimension_type: '' }, 'dimension_type must be a string of 1 to 100 characters that is not blank, or null.'],
  ])('is refused when it is not whole, or out of range: %j', async (fields, sentence) => {
    const { tenant, client, path } = await eventOf();
    const draft = { name: 'Event', event_type: 1, event_category: 1, ...fields };
    const created = await client.post(`/v1/organizations/${tenant.id}/events/`, draft);
    expect([created.status, created.body.description]).toEqual([400, sentence]);
    const changed = await client.patch(path, fields);
    expect([changed.status, changed.body.description]).toEqual([400, sentence]);
    expect((await client.get(path)).body).toMatchObject({ dimension: null, latitude: null, longitude: null });
  });

  it('keeps both coordinates when one of them is removed alone', async () => {
    const { client, path } = await eventOf(place);
    const answer = await client.patch(path, { latitude: null });
    expect([answer.status, answer.body.description]).toEqual([400, 'latitude must be given with longitude.']);
    expect((await client.get(path)).body).toMatchObject(place);
  });
});

describe('changing an event', () => {
  it('changes the name and the dates, and keeps the slug and what is omitted', async () => {
    const { client, path, slug } = await eventOf({ ...place, end_date: '2999-02-01' });
    const change = { name: ' Renamed ', start_date: '2999-01-05', end_date: '2999-03-01' };
    const { body } = await client.patch(path, change);
    expect(body).toMatchObject({
      ...place,
      slug,
      name: 'Renamed',
      start_date: '2999-01-05T00:00:00.000Z',
      end_date: '2999-03-01T23:59:59.999Z',
    });
    expect((await client.patch(path, {})).body).toEqual(body);
  });

  it.each([
    [{ start_date: '2999-06-01' }, 400, 'end_date must be after start_date.'],
    [{ end_date: '1999-01-01' }, 400, 'end_date must be after start_date.'],
    [{ start_date: '1969-01-01' }, 400, 'start_date must not be before 1970.'],
    [{ start_date: null }, 400, 'start_date must be an ISO 8601'],
    [{ name: ' ' }, 400, 'name must be a string of 1 to 200 characters that is not blank.'],
    [{ status: 'running' }, 400, '"status" is not a field of this operation'],
    [{ slug: 'other' }, 400, '"slug" is not a field of this operation'],
  ])('refuses %j', async (change, status, sentence) => {
    const { client, path } = await eventOf({ end_date: '2999-02-01' });
    const before = (await client.get(path)).body;
    const answer = await client.patch(path, change);
    expect([answer.status, answer.body.description]).toEqual([status, expect.stringContaining(sentence)]);
    expect((await client.get(path)).body).toEqual(before);
  });

  it('keeps the start of an event that has started, whose end can still change', async () => {
    const { client, path } = await eventOf({ start_date: '2026-01-01', end_date: '2999-01-01', status: 'running' });
    const moved = await client.patch(path, { start_date: '2026-01-02' });
    const sentence = 'The event started on 2026-01-01T00:00:00.000Z: its start_date no longer changes.';
    expect([moved.status, moved.body.description]).toEqual([409, sentence]);
    const longer = await client.patch(path, { start_date: '2026-01-01', end_date: '2999-02-01' });
    expect([longer.status, longer.body.end_date]).toEqual([200, '2999-02-01T23:59:59.999Z']);
  });

  it.each(['finished', 'canceled'])('keeps the dates of a %s event, whose name can still change', async (status) => {
    const { client, path } = await eventOf({ start_date: '2026-01-01', end_date: '2999-01-01', status });
    const answer = await client.patch(path, { end_date: '2999-02-01' });
    const sentence = `The event is ${status}: its dates no longer change.`;
    expect([answer.status, answer.body.description]).toEqual([409, sentence]);
    expect((await client.patch(path, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', status });
  });

  it('is for admins', async () => {
    const { tenant, path } = await eventOf();
    const member = (await tenant.as('member')).client;
    expect((await member.patch(path, { name: 'Renamed' })).status).toBe(403);
  });
});

describe('the picture of an event', () => {
  it('is an absolute URL in the event, which the same credentials read', async () => {
    const { tenant, client, path, slug, logOf } = await eventOf();
    expect((await client.get(`${path}/picture`)).body.description).toBe('Picture not found.');
    expect((await client.put(`${path}/picture`, logoFile())).status).toBe(204);
    const { picture } = (await client.get(path)).body;
    expect(picture).toBe(`${api.url}/v1/events/${slug}/picture`);
    const [listed] = (await client.get(`/v1/organizations/${tenant.id}/events/`)).body.events;
    expect(listed.picture).toBe(picture);
    const viewer = (await tenant.as('viewer')).client;
    const file = await viewer.get(new URL(picture).pathname);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(file.headers.get('content-length')).toBe(String(pngOf(40, 20).length));
    expect(file.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect((await fetch(picture)).status).toBe(401);
    const other = (await (await make.organization()).as('owner')).client;
    expect((await other.get(new URL(picture).pathname)).status).toBe(404);
    const [entry] = await logOf('event.picture_change');
    expect(entry.metadata).toMatchObject({ media_type: 'image/png', width: 40, height: 20 });
  });

  it('is replaced and deleted', async () => {
    const { client, path } = await eventOf();
    const file = `${path}/picture`;
    await client.put(file, logoFile());
    const jpeg = new Blob([new Uint8Array(jpegOf(60, 30))], { type: 'image/jpeg' });
    expect((await client.put(file, jpeg)).status).toBe(204);
    expect((await client.get(file)).headers.get('content-type')).toBe('image/jpeg');
    expect([(await client.delete(file)).status, (await client.delete(file)).status]).toEqual([204, 404]);
    expect((await client.get(path)).body.picture).toBeNull();
    expect((await client.get(file)).status).toBe(404);
  });

  it.each([
    ['image/svg+xml', logoFile(), 415],
    ['image/png', new Blob(['<script>']), 400],
    ['image/png', new Blob([new Uint8Array(262_145)]), 413],
  ] as const)('is refused with the rules of the logo of an organization: %s', async (type, body, status) => {
    const { client, path } = await eventOf();
    expect((await client.put(`${path}/picture`, body, { 'content-type': type })).status).toBe(status);
    expect((await client.get(path)).body.picture).toBeNull();
  });

  it('counts for the stored bytes of the organization, and goes with the event', async () => {
    const { tenant, client, path, slug } = await eventOf();
    const bytes = async (): Promise<number> => {
      const [stored] = await query<{ bytes: string }>(
        "SELECT sum(bytes) AS bytes FROM stored_rows WHERE organization_id = $1 AND table_name = 'event_pictures'",
        [tenant.id],
      );
      return Number(stored?.bytes);
    };
    await client.put(`${path}/picture`, logoFile());
    const one = await bytes();
    expect(one).toBeGreaterThan(pngOf(40, 20).length);
    await client.put(`${path}/picture`, logoFile());
    expect(await bytes()).toBe(one);
    await query('DELETE FROM events WHERE slug = $1', [slug]);
    expect(await query('SELECT 1 FROM event_pictures WHERE organization_id = $1', [tenant.id])).toEqual([]);
    expect(await bytes()).toBe(0);
  });
});
