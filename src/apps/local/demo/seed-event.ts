import { type Event, EventsService } from '../../../modules/events';
import type { DemoSteps } from './demo-steps';

const day = 86_400_000;

/** One that began a week ago and goes on for a year, so that whoever needs a running event has one. */
export async function seedEvent(steps: DemoSteps, organizationId: number): Promise<Event> {
  const events = steps.app.get(EventsService);
  const draft = {
    name: 'Continuous pentest',
    eventType: 2,
    eventCategory: 3,
    dimension: 'virtual',
    status: 'scheduled',
    startDate: new Date(Date.now() - 7 * day),
    endDate: new Date(Date.now() + 358 * day),
  } as const;
  const { slug } = await steps.take('event.create', 'event', () => events.create(steps.caller, organizationId, draft));
  // It is due: nobody should have to wait for the worker's clock.
  await events.applyDueTransitions();
  return events.get(steps.caller.scope, slug);
}
