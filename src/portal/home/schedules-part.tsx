import type { VNode } from 'preact';
import type { EventAhead } from '../../modules/machine-events';
import type { ScheduleOverviewOf } from '../../modules/schedules';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { eventUrl, scheduleUrl, schedulesUrl } from '../urls';

interface SchedulesPartProps {
  readonly organizationId: number;
  readonly overview: ScheduleOverviewOf;
  readonly events: readonly EventAhead[];
}

/** What schedules and machine events do next and what they have done. Nothing without them. */
export function SchedulesPart({ organizationId, overview, events }: SchedulesPartProps): VNode | null {
  const { next, failed, stayedFixed } = overview;
  const ahead = events.filter((one) => one.next !== null);
  const notTestable = events.filter((one) => one.notTestable > 0);
  if (next.length + failed.length + stayedFixed.looked + ahead.length + notTestable.length === 0) return null;
  return (
    <section class="matter" aria-labelledby="schedules-title">
      <h3 id="schedules-title">
        <a href={schedulesUrl(organizationId)}>Schedules</a>
      </h3>
      {stayedFixed.looked > 0 && (
        <p>
          Stayed fixed: {stayedFixed.fixed} of {stayedFixed.looked}
        </p>
      )}
      {failed.length + notTestable.length > 0 && (
        <>
          <h4>Runs that failed</h4>
          <ul class="plain">
            {failed.map((run) => (
              <li key={run.uuid}>
                <a href={scheduleUrl(organizationId, run.scheduleId)} dir="auto">
                  {run.name}
                </a>{' '}
                <span class="muted">
                  {labelOf(run.status)}, <Time at={run.due} />
                </span>
              </li>
            ))}
            {notTestable.map((one) => (
              <li key={one.event.slug}>
                <EventLink {...{ organizationId }} event={one.event} />{' '}
                <span class="muted">{one.notTestable} not testable</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {next.length + ahead.length > 0 && (
        <>
          <h4>Next 24 hours</h4>
          <ul class="plain">
            {next.map(({ id, name, nextDue }) => (
              <li key={id}>
                <a href={scheduleUrl(organizationId, id)} dir="auto">
                  {name}
                </a>{' '}
                <span class="muted">{nextDue !== null && <Time at={nextDue} />}</span>
              </li>
            ))}
            {ahead.map((one) => (
              <li key={one.event.slug}>
                <EventLink {...{ organizationId }} event={one.event} />{' '}
                <span class="muted">{one.next !== null && <Time at={one.next} />}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const EventLink = ({ organizationId, event }: { organizationId: number; event: EventAhead['event'] }): VNode => (
  <a href={eventUrl(organizationId, event.slug)} dir="auto">
    {event.name}
  </a>
);
