import { DAY_MS } from '../../../kernel/durations';
import { type Event, EventScopeService, EventsService } from '../../../modules/events';
import type { DemoSession } from './demo-session';

/** Creates a running event, from a week ago until a year from then. */
export async function seedEvent(session: DemoSession, organizationId: number): Promise<Event> {
  const events = session.app.get(EventsService);
  const draft = {
    name: 'Continuous pentest',
    eventType: 2,
    eventCategory: 3,
    dimension: 'hybrid',
    dimensionType: 'web shop and office',
    latitude: 53.5503,
    longitude: 9.9937,
    status: 'scheduled',
    startDate: new Date(Date.now() - 7 * DAY_MS),
    endDate: new Date(Date.now() + 358 * DAY_MS),
  } as const;
  const { slug } = await session.run('event.create', 'event', () =>
    events.create(session.caller, organizationId, draft),
  );
  // Starts the event now instead of waiting for the scheduled task.
  await events.applyDueTransitions();
  return events.get(session.caller.scope, slug);
}

const MACHINE_EVENT = 'Machine test of 14 days';

/** A machine event that tests an asset every hour, so that its page shows something within minutes. Once. */
export async function seedMachineEvent(session: DemoSession, organizationId: number, assetId: number): Promise<string> {
  const { app, caller } = session;
  const events = app.get(EventsService);
  const { items } = await events.list(caller.scope, organizationId, { page: 1, perPage: 100 });
  const known = items.find(({ name }) => name === MACHINE_EVENT);
  if (known !== undefined) return known.slug;
  const draft = {
    name: MACHINE_EVENT,
    eventType: 1,
    eventCategory: 3,
    dimension: null,
    dimensionType: null,
    latitude: null,
    longitude: null,
    everyHours: 1,
    reportAtEnd: true,
    status: 'scheduled',
    startDate: null,
    endDate: new Date(Date.now() + 14 * DAY_MS),
  } as const;
  const { slug } = await session.run('event.create', 'event', () => events.create(caller, organizationId, draft));
  const entry = { assetId, inScope: true, description: null, wildcard: false, attachmentUrl: null };
  await session.run('scope_asset.create', 'scope_asset', () => app.get(EventScopeService).add(caller, slug, entry));
  return slug;
}
