import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import {
  NextRunsResponse,
  ScheduleDetailsResponse,
  ScheduleListResponse,
  scheduleDetailsExample,
  scheduleExample,
} from './schedule.responses';

const operation = operationsTagged('Schedules');

const SCHEDULES = '/v1/organizations/{organization_id}/schedules';

const bodyExample = {
  name: 'Every night',
  what: 'retest',
  on: 'label',
  label: 'production',
  cron: '0 3 * * *',
  time_zone: 'Europe/Lisbon',
  jitter_minutes: 20,
};

export const listSchedules = operation(`GET ${SCHEDULES}`, {
  id: 'listSchedules',
  summary: 'List the schedules of an organization',
  role: 'member',
  query: PageQuery,
  success: {
    description: 'The schedules, newest first.',
    body: ScheduleListResponse,
    example: { schedules: [scheduleExample] },
    paged: true,
  },
  errors: [401, 403, 404],
});

export const createSchedule = operation(`POST ${SCHEDULES}`, {
  id: 'createSchedule',
  summary: 'Create a schedule',
  description:
    'Starts jobs, observations, retests or a report repeatedly, at most 200 schedules in an organization. A run is checked like a launch, in the name of the admin who saved the schedule, with the lower of the role then and now. A run that was missed runs once, and one that is due before the last has ended is skipped.',
  role: 'admin',
  body: { example: bodyExample },
  success: {
    status: 201,
    description: 'The schedule.',
    body: ScheduleDetailsResponse,
    example: scheduleDetailsExample,
    location: ({ organization_id, id }: ScheduleDetailsResponse) =>
      `/v1/organizations/${organization_id}/schedules/${id}`,
  },
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'schedule.create', resource: 'schedule' },
});

export const previewSchedule = operation(`POST ${SCHEDULES}/preview`, {
  id: 'previewSchedule',
  summary: 'Show the next runs of a schedule before it is saved',
  description: 'Counts as five writes.',
  role: 'member',
  scope: 'read',
  cost: 5,
  body: { example: bodyExample },
  success: {
    description: 'The next five runs.',
    body: NextRunsResponse,
    example: { next_runs: scheduleDetailsExample.next_runs },
  },
});

export const getSchedule = operation(`GET ${SCHEDULES}/{schedule_id}`, {
  id: 'getSchedule',
  summary: 'Read a schedule with its last and next runs',
  role: 'member',
  entityTag: true,
  success: { description: 'The schedule.', body: ScheduleDetailsResponse, example: scheduleDetailsExample },
});

export const changeSchedule = operation(`PATCH ${SCHEDULES}/{schedule_id}`, {
  id: 'changeSchedule',
  summary: 'Change, pause or resume a schedule',
  description:
    'Omitted fields do not change, and null removes a value. It runs in the name of the caller from then on.',
  role: 'admin',
  body: { example: { status: 'paused' } },
  ifMatch: 'getSchedule',
  success: {
    description: 'The schedule after the change.',
    body: ScheduleDetailsResponse,
    example: scheduleDetailsExample,
  },
  audit: { operation: 'schedule.change', resource: 'schedule', id: 'schedule_id' },
});

export const confirmSchedule = operation(`POST ${SCHEDULES}/{schedule_id}/confirm`, {
  id: 'confirmSchedule',
  summary: 'Confirm a schedule whose maker has left',
  description:
    'It runs in the name of the caller from then on, also if it was paused. Without a confirmation it pauses 30 days after its maker has left.',
  role: 'admin',
  ifMatch: 'getSchedule',
  success: { description: 'The schedule.', body: ScheduleDetailsResponse, example: scheduleDetailsExample },
  audit: { operation: 'schedule.confirm', resource: 'schedule', id: 'schedule_id' },
});

export const deleteSchedule = operation(`DELETE ${SCHEDULES}/{schedule_id}`, {
  id: 'deleteSchedule',
  summary: 'Delete a schedule and its runs',
  description: 'What its runs have started goes on.',
  role: 'admin',
  ifMatch: 'getSchedule',
  success: {
    description: 'The schedule was deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Schedule deleted.', id: 12, success: true },
  },
  audit: { operation: 'schedule.delete', resource: 'schedule', id: 'schedule_id' },
});
