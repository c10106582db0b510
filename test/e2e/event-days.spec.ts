import { EventDaysService } from '../../src/modules/findings';
import { OverviewRefresh } from '../../src/modules/findings/details/work/overview-refresh';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const service = () => api.app.get(EventDaysService, { strict: false });
const refresh = () => api.app.get(OverviewRefresh, { strict: false }).run();

beforeEach(() => Object.assign(service(), { maxComputedAtOnce: 2, maxComputedFirst: 3 }));
afterEach(() => Object.assign(service(), { maxComputedAtOnce: 5_000, maxComputedFirst: 50_000 }));

/** A running event with so many findings, which were recorded in it. */
async function eventWith(count: number) {
  const tenant = await make.organization();
  const person = await tenant.as('member');
  const event = await make.event(tenant.id, { start_date: '2026-01-01', status: 'running' });
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push((await make.finding(tenant.id)).id);
  await query(
    `INSERT INTO event_findings (event_id, finding_id, organization_id, severity, priority)
     SELECT $1, id, organization_id, severity, priority FROM findings WHERE id = ANY($2) ON CONFLICT DO NOTHING`,
    [event.id, ids],
  );
  return { tenant, person, event, ids, read: () => totalsOf(person.client, event.slug) };
}

async function totalsOf(client: Client, slug: string) {
  const { new: found, gone, counted } = (await client.get(`/v1/events/${slug}/progress`)).body.findings;
  return { found, gone, isCounted: counted !== null };
}

const resolve = (client: Client, id: number | undefined) => client.post(`/v1/findings/${id}/status`, { status: 5 });
const age = (eventId: number) =>
  query(`UPDATE event_days SET computed = computed - interval '11 minutes' WHERE event_id = $1`, [eventId]);

describe('what was found and fixed in an event', () => {
  it('is counted on each read with few findings, without those that are merged', async () => {
    const { person, ids, read } = await eventWith(2);
    expect(await read()).toEqual({ found: 2, gone: 0, isCounted: true });
    await resolve(person.client, ids[0]);
    expect(await read()).toEqual({ found: 2, gone: 1, isCounted: true });
    await query('UPDATE findings SET merged_into = $1 WHERE id = $2', ids);
    expect(await read()).toEqual({ found: 1, gone: 1, isCounted: true });
  });

  it('is stored with many, and counted again by a task when something has changed', async () => {
    const { person, event, ids, read } = await eventWith(3);
    expect(await read()).toEqual({ found: 3, gone: 0, isCounted: true });
    await resolve(person.client, ids[0]);
    await refresh();
    expect(await read()).toEqual({ found: 3, gone: 0, isCounted: true });
    await age(event.id);
    await refresh();
    expect(await read()).toEqual({ found: 3, gone: 1, isCounted: true });
  });

  it('is counted by the task alone with very many, and the page says so until then', async () => {
    const { tenant, person, event, read } = await eventWith(4);
    expect(await read()).toEqual({ found: 0, gone: 0, isCounted: false });
    const browser = await signedInAs(api, portal, person);
    const page = `/o/${tenant.id}/events/${event.slug}`;
    expect((await browser.get(page)).text).toContain('A worker counts them for the first time.');
    await refresh();
    expect(await read()).toEqual({ found: 4, gone: 0, isCounted: true });
    expect((await browser.get(page)).text).toContain('4 new, 0 fixed');
  });

  it('is counted anew when the event begins at another time', async () => {
    const { event, read } = await eventWith(3);
    expect(await read()).toMatchObject({ found: 3 });
    await query(
      `UPDATE events SET start_date = now() + interval '1 day', end_date = now() + interval '2 days' WHERE id = $1`,
      [event.id],
    );
    expect(await read()).toMatchObject({ found: 0 });
  });
});
