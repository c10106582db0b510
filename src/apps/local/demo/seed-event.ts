import { type Event, EventsService } from '../../../modules/events';
import type { DemoSession } from './demo-session';

const day = 86_400_000;

/** One that began a week ago and goes on for a year, so that whoever needs a running event has one. */
export async function seedEvent(session: DemoSession, organizationId: number): Promise<Event> {
  const events = session.app.get(EventsService);
  const draft = {
    name: 'Continuous pentest',
    eventType: 2,
    eventCategory: 3,
    dimension: 'virtual',
    status: 'scheduled',
    startDate: new Date(Date.now() - 7 * day),
    endDate: new Date(Date.now() + 358 * day),
  } as const;
  const { slug } = await session.run('event.create', 'event', () =>
    events.create(session.caller, organizationId, draft),
  );
  // It is due: nobody should have to wait for the worker's clock.
  await events.catchUpAll();
  return events.get(session.caller.scope, slug);
}
