import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { Schedule } from '../../modules/schedules';
import { Pager } from '../frame/pager';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { scheduleUrl } from '../urls';
import type { ScheduleChoices } from './schedule-reader';
import { targetText, timingText, WHAT_NAMES } from './schedule-words';

interface SchedulesPageProps {
  readonly slice: Slice<Schedule>;
  readonly choices: ScheduleChoices;
  readonly page: Page;
  readonly url: string;
}

export const SchedulesPage = ({ slice, choices, page, url }: SchedulesPageProps): VNode => (
  <>
    {slice.items.length === 0 ? (
      <section class="empty">
        <h2>No schedules yet</h2>
        <p>A schedule starts scans, observations, retests or a report repeatedly.</p>
      </section>
    ) : (
      <SchedulesTable organizationId={choices.organizationId} schedules={slice.items} />
    )}
    <Pager page={page} slice={slice} url={url} />
  </>
);

const SchedulesTable = ({
  organizationId,
  schedules,
}: {
  organizationId: number;
  schedules: readonly Schedule[];
}): VNode => (
  <Table
    rows={schedules}
    columns={[
      {
        label: 'Schedule',
        class: 'main wide',
        cell: ({ id, name }) => <a href={scheduleUrl(organizationId, id)}>{name}</a>,
      },
      { label: 'What', cell: (schedule) => `${WHAT_NAMES[schedule.what]} on ${targetText(schedule)}` },
      { label: 'When', cell: timingText },
      {
        label: 'Next run',
        class: 'nowrap muted',
        isNamed: true,
        cell: ({ nextDue }) => (nextDue === null ? 'paused' : <Time at={nextDue} />),
      },
    ]}
  />
);
