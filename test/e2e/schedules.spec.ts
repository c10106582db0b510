import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const nightly = { name: 'Nightly', what: 'retest', on: 'all', cron: '0 3 * * *', time_zone: 'Europe/Lisbon' };

async function fixture() {
  const tenant = await make.organization();
  const { client: admin, userId } = await tenant.as('admin');
  return { tenant, admin, userId, path: `/v1/organizations/${tenant.id}/schedules` };
}

describe('schedules', () => {
  it('are created, read, listed, changed, paused and deleted by admins, with audit entries', async () => {
    const { tenant, admin, userId, path } = await fixture();
    const created = await admin.post(path, { ...nightly, jitter_minutes: 20, windows: ['Mo-Su 00:00-24:00 UTC'] });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...nightly, status: 'active', maker_id: userId, confirm_by: null, runs: [] });
    expect(created.body.next_runs).toHaveLength(5);
    expect(created.body.next_runs[0]).toBe(created.body.next_run);
    const one = `${path}/${created.body.id}`;
    expect(created.headers.get('location')).toContain(one);
    expect((await admin.get(one)).body).toEqual(created.body);
    expect((await admin.get(path)).body.schedules).toMatchObject([{ id: created.body.id, name: 'Nightly' }]);
    const changed = await admin.patch(one, { name: 'Daily', cron: null, time_zone: null, every_hours: 24 });
    expect(changed.body).toMatchObject({ name: 'Daily', cron: null, every_hours: 24, jitter_minutes: 20 });
    const paused = await admin.patch(one, { status: 'paused' });
    expect(paused.body).toMatchObject({ status: 'paused', next_run: null, next_runs: [] });
    expect((await admin.patch(one, { status: 'active' })).body.next_runs).toHaveLength(5);
    expect((await admin.delete(one)).status).toBe(200);
    expect((await admin.get(one)).status).toBe(404);
    const { client: owner } = await tenant.as('owner');
    const entries = (await owner.get('/v1/audit-logs/?per_page=50')).body.audit_logs as { operation: string }[];
    const operations = entries.map(({ operation }) => operation).filter((name) => name.startsWith('schedule.'));
    expect(operations.toReversed()).toEqual([
      'schedule.create',
      'schedule.change',
      'schedule.change',
      'schedule.change',
      'schedule.delete',
    ]);
  });

  it('show the same next runs before they are saved as after', async () => {
    const { admin, path } = await fixture();
    const body = { ...nightly, jitter_minutes: 300, windows: ['Mo-Fr 04:00-06:00 Europe/Lisbon'] };
    const preview = await admin.post(`${path}/preview`, body);
    expect(preview.body.next_runs).toHaveLength(5);
    expect((await admin.post(path, body)).body.next_runs).toEqual(preview.body.next_runs);
  });

  it('are read by members and written by admins, whatever their roles in other organizations', async () => {
    const { tenant, admin, path } = await fixture();
    const other = await make.organization();
    const adminElsewhere = async (role: 'member' | 'viewer') => {
      const { userId } = await tenant.as(role);
      await make.membership(userId, other.id, 'admin');
      return (await make.person(userId)).client;
    };
    const one = `${path}/${(await admin.post(path, nightly)).body.id}`;
    const member = await adminElsewhere('member');
    expect((await member.get(one)).status).toBe(200);
    expect((await member.get(path)).status).toBe(200);
    expect((await member.post(`${path}/preview`, nightly)).status).toBe(200);
    for (const answer of [
      await member.post(path, nightly),
      await member.patch(one, { name: 'Other' }),
      await member.post(`${one}/confirm`),
      await member.delete(one),
    ])
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('role admin')]);
    const viewer = await adminElsewhere('viewer');
    for (const answer of [await viewer.get(one), await viewer.get(path), await viewer.post(`${path}/preview`, nightly)])
      expect(answer.status).toBe(403);
  });

  it('do not exist for other organizations, and cannot name their assets and events', async () => {
    const { admin, path } = await fixture();
    const other = await fixture();
    const { id } = (await other.admin.post(other.path, nightly)).body;
    const asset = await make.asset(other.tenant.id);
    const event = await make.event(other.tenant.id);
    for (const answer of [
      await admin.get(`${other.path}/${id}`),
      await admin.get(`${path}/${id}`),
      await admin.patch(`${path}/${id}`, { name: 'Mine' }),
      await admin.post(`${path}/${id}/confirm`),
      await admin.delete(`${path}/${id}`),
      await admin.get(other.path),
      await admin.post(other.path, nightly),
      await admin.post(path, { ...nightly, on: 'asset', asset_id: asset.id }),
      await admin.post(path, { ...nightly, on: 'event', event_slug: event.slug }),
      await admin.post(`${path}/preview`, { ...nightly, on: 'event', event_slug: event.slug }),
    ])
      expect(answer.status).toBe(404);
    expect((await other.admin.get(`${other.path}/${id}`)).body.name).toBe('Nightly');
  });

  it('cannot name an event of another organization of the same person', async () => {
    const { userId, admin, path } = await fixture();
    const other = await fixture();
    await make.membership(userId, other.tenant.id, 'admin');
    const event = await make.event(other.tenant.id);
    const own = await make.person(userId);
    expect((await own.client.get(`/v1/events/${event.slug}`)).status).toBe(200);
    for (const url of [path, `${path}/preview`]) {
      const answer = await own.client.post(url, { ...nightly, on: 'event', event_slug: event.slug });
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Event not found')]);
    }
    expect((await admin.get(path)).body.schedules).toEqual([]);
  });

  it.each<[object, string]>([
    [{ what: 'nothing' }, 'what must be one of: job'],
    [{ on: 'asset' }, 'asset_id is missing: `on` is asset'],
    [{ asset_id: 1 }, 'asset_id must be null, because `on` is all'],
    [{ on: 'label' }, 'label is missing'],
    [{ on: 'event' }, 'event_slug is missing'],
    [{ checks: ['missing-nosniff'] }, 'checks must be null, because `what` is retest'],
    [{ what: 'job', checks: ['no-such-check'] }, 'no-such-check'],
    [{ resolved_days: 7 }, 'resolved_days must be null'],
    [{ what: 'resolved_retest' }, 'resolved_days is missing'],
    [{ report_options: { format: 'pdf' } }, 'report_options must be null'],
    [{ what: 'report', on: 'label', label: 'a' }, 'on must be event or all'],
    [{ what: 'report', report_options: { format: 'docx' } }, 'format must be one of'],
    [{ cron: '* * * * *' }, 'at least 15 minutes'],
    [{ cron: '0 3 * *' }, 'cron must have five fields'],
    [{ cron: '0 25 * * *' }, 'cron is not an expression'],
    [{ time_zone: 'Lisbon' }, 'time_zone must be a name of the IANA database: "Lisbon" is none'],
    [{ time_zone: null }, 'time_zone is missing'],
    [{ every_hours: 5 }, 'and not both'],
    [{ every_hours: 721 }, 'every_hours must be a whole number from 1 to 720'],
    [{ jitter_minutes: -1 }, 'jitter_minutes must be a whole number from 0'],
    [{ windows: ['Mo-Fr 20:00-06:00 Europe/Lissabon'] }, '"Europe/Lissabon" is not a time zone'],
    [{ windows: ['Mo-Fr 20-06 Europe/Lisbon'] }, '"20-06" must be a start and an end'],
  ])('refuse %j: %s', async (stated, message) => {
    const { admin, path } = await fixture();
    const answer = await admin.post(path, { ...nightly, ...stated });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
    expect((await admin.post(`${path}/preview`, { ...nightly, ...stated })).status).toBe(400);
  });

  it('are at most 200 of an organization, also when requests come at once', async () => {
    const { tenant, admin, path } = await fixture();
    const { id } = (await admin.post(path, nightly)).body;
    await query(
      `INSERT INTO schedules (organization_id, name, what, target, every_hours, anchor, maker_id, maker_role, status)
       SELECT $1, 'S' || n, 'retest', 'all', 24, now(), 1, 'admin', 'paused' FROM generate_series(1, 194) n`,
      [tenant.id],
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post(path, nightly)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.text).toContain('200 schedules, which is the limit');
    expect((await admin.patch(`${path}/${id}`, { name: 'Still mine' })).status).toBe(200);
  });
});
