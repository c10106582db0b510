import { DAY_MS } from '../../../kernel/day';
import { type Event, EventsService } from '../../../modules/events';
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
