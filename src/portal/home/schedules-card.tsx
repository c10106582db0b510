import type { VNode } from 'preact';
import type { ScheduleOverviewOf } from '../../modules/schedules';
import { Card } from '../frame/card';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { scheduleUrl, schedulesUrl } from '../urls';

interface SchedulesCardProps {
  readonly organizationId: number;
  readonly overview: ScheduleOverviewOf;
}

/** What schedules do next and what they have done. Nothing without schedules. */
export function SchedulesCard({ organizationId, overview }: SchedulesCardProps): VNode | null {
  const { next, failed, stayedFixed } = overview;
  if (next.length + failed.length + stayedFixed.looked === 0) return null;
  return (
    <Card id="schedules" class="matter week" title="Schedules">
      {stayedFixed.looked > 0 && (
        <p>
          Stayed fixed: {stayedFixed.fixed} of {stayedFixed.looked}
        </p>
      )}
      {failed.length > 0 && (
        <>
          <h3>Runs that failed</h3>
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
          </ul>
        </>
      )}
      {next.length > 0 && (
        <>
          <h3>Next 24 hours</h3>
          <ul class="plain">
            {next.map(({ id, name, nextDue }) => (
              <li key={id}>
                <a href={scheduleUrl(organizationId, id)} dir="auto">
                  {name}
                </a>{' '}
                <span class="muted">{nextDue !== null && <Time at={nextDue} />}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={schedulesUrl(organizationId)}>All schedules</a>
      </p>
    </Card>
  );
}
