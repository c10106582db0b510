import { pngOf } from '../../src/kernel/testing/pictures';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

/** The visible text. */
const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const csrfIn = ({ text }: { readonly text: string }): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
const actionsIn = (html: string): string[] =>
  [...html.matchAll(/<form(?=[^>]* method="post")[^>]* action="([^"]*)"/g)].map(([, action = '']) => action);

const PLACE = { dimension: 'physical', dimension_type: 'branch office', latitude: '-33.9', longitude: '18.4' };

async function eventOf(draft: object = {}) {
  const tenant = await make.organization();
  const { slug } = await make.event(tenant.id, { end_date: '2999-02-01', ...draft });
  const admin = await signedInAs(api, portal, await tenant.as('admin'));
  const { client } = await tenant.as('viewer');
  const read = async () => (await client.get(`/v1/events/${slug}`)).body;
  return { tenant, admin, read, page: `/o/${tenant.id}/events/${slug}` };
}

describe('the findings of an event and of an asset', () => {
  it('begin with the most urgent one, on the page of the asset the most urgent open one', async () => {
    const { tenant, admin, page } = await eventOf();
    const [event] = await query<{ id: number }>('SELECT id FROM events WHERE organization_id = $1', [tenant.id]);
    const { id, value } = await make.asset(tenant.id);
    const of = { eventId: event?.id ?? 0, asset: { id, value, tier: null } };
    const resolved = await make.finding(tenant.id, { ...of, severity: 'critical' });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [resolved.id]);
    const [urgent, newer] = [
      await make.finding(tenant.id, { ...of, severity: 'high' }),
      await make.finding(tenant.id, { ...of, severity: 'low' }),
    ];
    const placesOn = async (url: string) => {
      const { text } = await admin.get(url);
      return [urgent, newer, resolved].map(({ title }) => text.indexOf(title));
    };
    const [first = -1, second = -1, last = -1] = await placesOn(`/o/${tenant.id}/assets/${id}`);
    expect([first > 0, second > first, last > second]).toEqual([true, true, true]);
    const [urgentAt = -1, newerAt = -1] = await placesOn(page);
    expect([urgentAt > 0, newerAt > urgentAt]).toEqual([true, true]);
  });
});

describe('the form of an event', () => {
  it('sets the name, the days and the place', async () => {
    const { admin, read, page } = await eventOf();
    const change = { name: 'Renamed', start_date: '2999-01-02', end_date: '2999-03-01', ...PLACE };
    expect((await admin.submit(page, page, change)).status).toBe(303);
    expect(await read()).toMatchObject({
      name: 'Renamed',
      start_date: '2999-01-02T00:00:00.000Z',
      end_date: '2999-03-01T23:59:59.999Z',
      dimension: 'physical',
      dimension_type: 'branch office',
      latitude: -33.9,
      longitude: 18.4,
    });
    const shown = (await admin.get(page)).text;
    expect(textOf(shown)).toContain('Kind of place branch office Place -33.9°, 18.4°');
    expect(shown).toContain('value="2999-03-01"');
    expect(shown).toContain('value="-33.9"');
  });

  it('keeps the times of days that stay the same, and removes the values of empty fields', async () => {
    const times = { start_date: '2999-01-01T08:30:00.000Z', end_date: '2999-02-01T17:00:00.000Z' };
    const { admin, read, page } = await eventOf({ ...times, dimension: 'virtual', latitude: 1, longitude: 2 });
    const form = { name: 'Event', start_date: '2999-01-01', end_date: '2999-02-01', latitude: '', longitude: '' };
    expect((await admin.submit(page, page, form)).status).toBe(303);
    expect(await read()).toMatchObject({ ...times, dimension: null, latitude: null, longitude: null });
  });

  it('says what is wrong at its field', async () => {
    const { admin, read, page } = await eventOf();
    const refused = await admin.submit(page, page, { name: 'Event', ...PLACE, longitude: '' });
    expect(refused.status).toBe(400);
    expect(textOf(refused.text)).toContain('Longitude must be given with latitude.');
    expect(refused.text).toContain('value="-33.9"');
    expect(await read()).toMatchObject({ latitude: null, longitude: null });
  });

  it('has no first day when the event has started, and no days when it has ended', async () => {
    for (const [status, fields] of [
      ['running', ['end_date']],
      ['canceled', []],
    ] as const) {
      const { admin, page } = await eventOf({ start_date: '2026-01-01', status });
      const shown = (await admin.get(page)).text;
      expect([...shown.matchAll(/name="(start_date|end_date)"/g)].map(([, name]) => name)).toEqual(fields);
    }
  });

  it('is for admins, as is the picture', async () => {
    const { tenant, page } = await eventOf();
    const member = await signedInAs(api, portal, await tenant.as('member'));
    const shown = await member.get(page);
    expect(actionsIn(shown.text)).toEqual(['/sign-out']);
    expect((await member.post(page, { csrf: csrfIn(shown), name: 'Renamed' })).status).toBe(403);
    expect((await sendPicture(member, page, csrfIn(shown), pngOf(40, 20))).status).toBe(403);
    expect((await member.post(`${page}/picture/delete`, { csrf: csrfIn(shown) })).status).toBe(403);
  });

  it('creates an event with its place', async () => {
    const { tenant, admin } = await eventOf();
    const events = `/o/${tenant.id}/events`;
    const draft = { name: 'On site', event_type: '2', event_category: '1', status: 'draft', end_date: '2999-01-01' };
    const page = (await admin.submit(events, events, { ...draft, ...PLACE })).headers.get('location') ?? '';
    expect(textOf((await admin.get(page)).text)).toContain('Dimension Physical');
  });
});

const sendPicture = (browser: Browser, page: string, csrf: string, content: Buffer) => {
  const form = new FormData();
  form.set('csrf', csrf);
  form.set('picture', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'picture.png');
  return browser.postForm(`${page}/picture`, form);
};

describe('the picture of an event', () => {
  it('is shown, replaced and deleted', async () => {
    const { tenant, admin, read, page } = await eventOf();
    const csrf = csrfIn(await admin.get(page));
    expect((await sendPicture(admin, page, csrf, pngOf(40, 20))).status).toBe(303);
    expect(await read()).toMatchObject({ picture: expect.stringMatching(/\/picture$/) });
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await viewer.get(page)).text).toContain(`src="${page}/picture"`);
    const picture = await viewer.get(`${page}/picture`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect((await sendPicture(admin, page, csrf, Buffer.from('<script>'))).status).toBe(400);
    expect((await admin.submit(page, `${page}/picture/delete`)).status).toBe(303);
    expect((await viewer.get(`${page}/picture`)).status).toBe(404);
    expect((await viewer.get(page)).text).not.toContain('There is none.');
  });
});

describe('the automatic tests of a machine event', () => {
  const form = { automatic: 'true', every_hours: '12', requests_per_second: '0.5', parallel_targets: '1' };

  it('are changed by admins, and the page says what is sent and what was tested', async () => {
    const { admin, read, page } = await eventOf();
    expect(textOf((await admin.get(page)).text)).toContain('This event sends nothing by itself.');
    const windows = 'Mo-Fr 20:00-06:00 Europe/Lisbon\r\nSa 00:00-24:00 Europe/Lisbon';
    expect((await admin.submit(page, `${page}/automation`, { ...form, windows })).status).toBe(303);
    expect(await read()).toMatchObject({
      automatic: true,
      every_hours: 12,
      windows: ['Mo-Fr 20:00-06:00 Europe/Lisbon', 'Sa 00:00-24:00 Europe/Lisbon'],
      requests_per_second: 0.5,
      parallel_targets: 1,
      report_at_end: false,
    });
    const shown = textOf((await admin.get(page)).text);
    expect(shown).toContain('in these windows only: Mo-Fr 20:00-06:00 Europe/Lisbon; Sa 00:00-24:00 Europe/Lisbon');
    expect(shown).toContain('Assets 0 done, 0 running, 0 waiting, 0 not testable; 0 tested today, 0 never tested');
    expect((await admin.submit(page, `${page}/automation`, { windows: '' })).status).toBe(303);
    expect(await read()).toMatchObject({ automatic: false, every_hours: null, windows: [], sends: null });
  });

  it('say what is wrong with a window', async () => {
    const { admin, page } = await eventOf();
    const refused = await admin.submit(page, `${page}/automation`, { ...form, windows: 'Mo 20:00-06:00 Nowhere' });
    expect(refused.status).toBe(400);
    expect(textOf(refused.text)).toContain('is not a time zone of the IANA database');
  });

  it('pause and continue with a button', async () => {
    const { admin, read, page } = await eventOf({ start_date: '2026-01-01', status: 'running', automatic: true });
    const shown = (await admin.get(page)).text;
    expect(shown).toContain(`data-stream="${page}/progress"`);
    expect(shown).toContain('<button>Pause</button>');
    await admin.submit(page, `${page}/status`, { status: 'paused' });
    expect(await read()).toMatchObject({ status: 'paused' });
    expect((await admin.get(page)).text).toContain('<button>Continue</button>');
    expect((await admin.get(`${page}/live`)).text).toContain('id="live"');
  });

  it('are on the home page with what is next and what could not be tested', async () => {
    const running = { start_date: '2026-01-01', status: 'running', automatic: true };
    const { tenant, admin, read } = await eventOf(running);
    const { id, name } = await read();
    const owner = tenant.id;
    const home = `/o/${owner}`;
    expect(textOf((await admin.get(home)).text)).toContain(`Next 24 hours ${name}`);
    const { id: assetId } = await make.asset(owner);
    await query(
      `INSERT INTO event_targets (event_id, organization_id, asset_id, state, reason, due_at)
       VALUES ($1, $2, $3, 'not_testable', 'It is off.', now() + interval '2 days')`,
      [id, owner, assetId],
    );
    const shown = textOf((await admin.get(home)).text);
    expect(shown).toContain(`Runs that failed ${name} 1 not testable`);
    expect(shown).not.toContain('Next 24 hours');
  });

  it('have no button that the state of the event does not allow', async () => {
    const { admin, page } = await eventOf({ start_date: '2026-01-01', status: 'running', automatic: true });
    await admin.submit(page, `${page}/status`, { status: 'retesting' });
    const shown = (await admin.get(page)).text;
    expect(shown).toContain(`data-stream="${page}/progress"`);
    expect(shown).not.toContain('<button>Pause</button>');
  });

  it('are no part of human events', async () => {
    const { admin, page } = await eventOf({ event_type: 2 });
    const shown = (await admin.get(page)).text;
    expect(shown).not.toContain('/automation"');
    expect(shown).not.toContain('data-stream');
  });
});
