import { TEST_DEPTHS } from '../../../kernel/test-depth';
import { presented, ResponseField } from '../../../platform/api/response-field';
import type { ScheduleRun } from '../data/schedule-run.entity';
import type { Schedule } from '../data/schedule.entity';
import {
  RUN_STATUSES,
  type RunStatus,
  SCHEDULE_STATUSES,
  type ScheduleStatus,
  TARGETS,
  type TargetKind,
  type What,
  WHATS,
} from '../domain/vocabulary';
import type { ScheduleDetails } from '../schedules.service';

export class ScheduleResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ enum: WHATS })
  what!: What;

  @ResponseField.string({ enum: TARGETS })
  on!: TargetKind;

  @ResponseField.integer({ nullable: true, description: 'Null also after the asset was deleted: then runs fail.' })
  asset_id!: number | null;

  @ResponseField.string({ nullable: true })
  label!: string | null;

  @ResponseField.string({ nullable: true })
  event_slug!: string | null;

  @ResponseField.strings({ nullable: true })
  checks!: string[] | null;

  @ResponseField.string({ nullable: true, enum: TEST_DEPTHS, description: 'Of its jobs; null for standard.' })
  depth!: string | null;

  @ResponseField.integers({ description: 'The accounts as which its jobs run, too.' })
  accounts!: number[];

  @ResponseField.integer({ nullable: true })
  resolved_days!: number | null;

  @ResponseField.object({ nullable: true })
  report_options!: object | null;

  @ResponseField.string({ nullable: true })
  cron!: string | null;

  @ResponseField.string({ nullable: true })
  time_zone!: string | null;

  @ResponseField.integer({ nullable: true })
  every_hours!: number | null;

  @ResponseField.integer()
  jitter_minutes!: number;

  @ResponseField.strings()
  windows!: string[];

  @ResponseField.string({ enum: SCHEDULE_STATUSES })
  status!: ScheduleStatus;

  @ResponseField.integer({ description: 'The user who saved or confirmed it last, in whose name it runs.' })
  maker_id!: number;

  @ResponseField.instant({
    nullable: true,
    description: 'Its maker has left: until then an admin must confirm it, or it pauses.',
  })
  confirm_by!: string | null;

  @ResponseField.instant({ nullable: true, description: 'Null while it is paused.' })
  next_run!: string | null;

  @ResponseField.instant()
  created!: string;
}

class ScheduleObstacleResponse {
  @ResponseField.string({ description: 'Why, and what to do.' })
  reason!: string;

  @ResponseField.integer({ description: 'For how many parts of the run.' })
  parts!: number;
}

export class ScheduleRunResponse {
  @ResponseField.string()
  uuid!: string;

  @ResponseField.instant()
  due!: string;

  @ResponseField.string({ enum: RUN_STATUSES, description: 'skipped: the run before it had not ended.' })
  status!: RunStatus;

  @ResponseField.instant({ nullable: true })
  started!: string | null;

  @ResponseField.instant({ nullable: true })
  ended!: string | null;

  @ResponseField.integer({ description: 'The jobs, observations, retests or reports that it starts.' })
  parts!: number;

  @ResponseField.object({ description: 'How many of them ended in which way, when the run has ended.' })
  results!: Readonly<Record<string, number>>;

  @ResponseField.list(ScheduleObstacleResponse, { description: 'Why parts did not start or did not end well.' })
  obstacles!: ScheduleObstacleResponse[];

  @ResponseField.string({ nullable: true, description: 'Why it was skipped or failed as a whole, and what to do.' })
  reason!: string | null;
}

export class ScheduleDetailsResponse extends ScheduleResponse {
  @ResponseField.instants({ description: 'The next five.' })
  next_runs!: Date[];

  @ResponseField.list(ScheduleRunResponse, { description: 'The last 20, newest first. They are kept for 90 days.' })
  runs!: ScheduleRunResponse[];
}

export class ScheduleListResponse {
  @ResponseField.list(ScheduleResponse)
  schedules!: ScheduleResponse[];
}

export class NextRunsResponse {
  @ResponseField.instants({ description: 'The next five.' })
  next_runs!: Date[];
}

export const presentSchedule = (schedule: Schedule) =>
  presented(ScheduleResponse, schedule, {
    on: schedule.target,
    accounts: schedule.accounts ?? [],
    next_run: schedule.nextDue?.toISOString() ?? null,
  });

const presentRun = (run: ScheduleRun): ScheduleRunResponse =>
  presented(ScheduleRunResponse, run, { obstacles: run.obstacles.map(({ reason, parts }) => ({ reason, parts })) });

export const presentDetails = ({ schedule, nextRuns, runs }: ScheduleDetails): ScheduleDetailsResponse => ({
  ...presentSchedule(schedule),
  next_runs: [...nextRuns],
  runs: runs.map(presentRun),
});

export const scheduleExample = {
  id: 12,
  organization_id: 1,
  name: 'Every night',
  what: 'retest',
  on: 'label',
  asset_id: null,
  label: 'production',
  event_slug: null,
  checks: null,
  depth: null,
  accounts: [],
  resolved_days: null,
  report_options: null,
  cron: '0 3 * * *',
  time_zone: 'Europe/Lisbon',
  every_hours: null,
  jitter_minutes: 20,
  windows: [],
  status: 'active',
  maker_id: 4,
  confirm_by: null,
  next_run: '2026-06-02T02:07:31.000Z',
  created: '2026-05-01T09:00:00.000Z',
};

export const scheduleDetailsExample = {
  ...scheduleExample,
  next_runs: ['2026-06-02T02:07:31.000Z', '2026-06-03T02:14:02.000Z'],
  runs: [
    {
      uuid: '6d2b2a64-5d0f-4b3a-9f3c-0f6a1f0a5a11',
      due: '2026-06-01T02:11:09.000Z',
      status: 'partial',
      started: '2026-06-01T02:11:12.000Z',
      ended: '2026-06-01T02:13:40.000Z',
      parts: 3,
      results: { fixed: 2, refused: 1 },
      obstacles: [
        {
          reason:
            'The retest cannot start: The domain of shop.example.com is not verified: add it to your domains and publish its TXT record.',
          parts: 1,
        },
      ],
      reason: null,
    },
  ],
};
