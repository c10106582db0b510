import type { VNode } from 'preact';
import type { ScheduleRun } from '../../modules/schedules';
import { VerdictBadge } from '../frame/badges';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { asSentence, labelOf, pluralize } from '../frame/words';
import { assetUrl, schedulesUrl, scheduleUrl } from '../urls';
import { NextRuns, ScheduleFields } from './schedule-form';
import type { ScheduleView } from './schedule-reader';
import { timingOf } from './schedule-timings';
import { targetText, timingText, WHAT_NAMES } from './schedule-words';

export function SchedulePage({ view }: { view: ScheduleView }): VNode {
  const { organizationId, mayChange, details, asset } = view;
  const { schedule, nextRuns, runs } = details;
  const base = scheduleUrl(organizationId, schedule.id);
  return (
    <div class="columns">
      <div>
        {schedule.confirmBy !== null && (
          <p role="status">
            Its maker has left the organization. Without the confirmation of an admin it pauses on{' '}
            <Time at={schedule.confirmBy} to="day" />.
          </p>
        )}
        <Card id="runs" title="Last runs">
          {runs.length === 0 ? <p class="muted">It has not run yet.</p> : <RunsTable runs={runs} />}
        </Card>
        {mayChange && <Changes view={view} />}
      </div>
      <aside>
        <Card id="next" title="Next runs">
          {nextRuns.length === 0 ? <p class="muted">It is paused.</p> : <NextRuns runs={nextRuns} />}
          {mayChange && (nextRuns.length === 0 || schedule.confirmBy !== null) && (
            <Form action={`${base}/confirm`}>
              <button class="primary">{nextRuns.length === 0 ? 'Resume' : 'Confirm'}</button>
            </Form>
          )}
          {mayChange && nextRuns.length > 0 && (
            <Form action={`${base}/pause`}>
              <button>Pause</button>
            </Form>
          )}
        </Card>
        <Card id="facts" title="Details">
          <dl class="facts">
            <Fact label="What">{WHAT_NAMES[schedule.what]}</Fact>
            <Fact label="On">
              {asset === undefined ? (
                targetText(schedule)
              ) : (
                <a href={assetUrl(organizationId, asset.id)} dir="auto">
                  {asset.value}
                </a>
              )}
            </Fact>
            <Fact label="When">{timingText(schedule)}</Fact>
          </dl>
          <p>
            <a href={schedulesUrl(organizationId)}>All schedules</a>
          </p>
        </Card>
      </aside>
    </div>
  );
}

/** What a run did, and what it could not do. */
const outcomeOf = ({ parts, results, obstacles, reason }: ScheduleRun): string =>
  [
    reason ?? '',
    parts > 0 ? `${pluralize(parts, 'part')}.` : '',
    ...Object.entries(results).map(([result, count]) => `${labelOf(result)}: ${count}.`),
    ...obstacles.map((obstacle) => `${pluralize(obstacle.parts, 'part')}: ${asSentence(obstacle.reason)}`),
  ]
    .filter((text) => text !== '')
    .join(' ');

const RunsTable = ({ runs }: { runs: readonly ScheduleRun[] }): VNode => (
  <Table
    rows={runs}
    columns={[
      { label: 'Due', class: 'nowrap', cell: ({ due }) => <Time at={due} /> },
      { label: 'State', class: 'nowrap', cell: ({ status }) => <VerdictBadge verdict={status} /> },
      { label: 'Result', class: 'wide', dir: 'auto', cell: outcomeOf },
    ]}
  />
);

function Changes({ view }: { view: ScheduleView }): VNode {
  const { schedule } = view.details;
  const base = scheduleUrl(view.organizationId, schedule.id);
  const form = {
    name: schedule.name,
    what: schedule.what,
    on: schedule.target,
    asset: view.asset?.value,
    label: schedule.label,
    event_slug: schedule.eventSlug,
    checks: schedule.checks?.join(', '),
    depth: schedule.depth,
    accounts: schedule.accounts,
    resolved_days: schedule.resolvedDays,
    report_format: schedule.reportOptions?.format,
    when: timingOf(schedule),
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    every_hours: schedule.everyHours,
    jitter_minutes: schedule.jitterMinutes,
    windows: schedule.windows.join('\n'),
  };
  return (
    <>
      <Panel label="Change the schedule" action={base}>
        <ScheduleFields choices={view} form={form} />
        <button>Save</button>
      </Panel>
      <Panel label="Delete the schedule" action={`${base}/delete`}>
        <p>Its runs are deleted too. What they have started goes on.</p>
        <button class="danger">Delete {schedule.name}</button>
      </Panel>
    </>
  );
}
