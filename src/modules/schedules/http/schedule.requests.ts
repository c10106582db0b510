import { stated } from '../../../kernel/stated';
import type { TestDepth } from '../../../kernel/test-depth';
import { Id, Integer, Name, Nested, OneOf, Text, TextListWithRule, TextWithRule } from '../../../platform/http/fields';
import { AccountsOfPlan } from '../../accounts';
import { MAX_LABEL_LENGTH, normalizeLabel } from '../../findings';
import { ChecksOfLaunch, Depth } from '../../jobs';
import { optionsOf, ReportOptionsRequest } from '../../reports';
import { MAX_CRON_LENGTH, MAX_EVERY_HOURS, MAX_JITTER_MINUTES } from '../domain/timing';
import {
  SCHEDULE_STATUSES,
  type ScheduleStatus,
  TARGETS,
  type TargetKind,
  type What,
  WHATS,
} from '../domain/vocabulary';
import { MAX_WINDOWS, parseWindows } from '../../../kernel/opening-windows';
import type { ScheduleChange, ScheduleDraft } from '../schedules.service';

const MAX_ZONE_LENGTH = 100;
const MAX_WINDOW_LENGTH = 150;

/** What a schedule may leave out. */
class ScheduleOptionsRequest {
  @Id({ nullable: true, description: 'With `on` asset.' })
  asset_id?: number | null;

  @TextWithRule(
    normalizeLabel,
    { minLength: 1, maxLength: MAX_LABEL_LENGTH },
    { nullable: true, description: 'With `on` label: the assets that have it when the schedule runs.' },
  )
  label?: string | null;

  @Text(1, 200, {
    nullable: true,
    description: 'With `on` event: the assets in its scope, or the findings seen in it.',
  })
  event_slug?: string | null;

  @ChecksOfLaunch()
  checks?: string[] | null;

  @Depth()
  depth?: TestDepth | null;

  @AccountsOfPlan()
  accounts?: number[] | null;

  @Integer(1, 365, {
    nullable: true,
    description: 'With `what` resolved_retest: how many days after their fix findings are retested, once each.',
  })
  resolved_days?: number | null;

  @Nested(ReportOptionsRequest, 'as in POST /v1/organizations/{organization_id}/reports', {
    nullable: true,
    description: 'With `what` report.',
  })
  report_options?: ReportOptionsRequest | null;

  @Text(1, MAX_CRON_LENGTH, {
    nullable: true,
    description: 'Five fields: minute, hour, day of the month, month, day of the week. Either this or `every_hours`.',
    example: '0 3 * * *',
  })
  cron?: string | null;

  @Text(1, MAX_ZONE_LENGTH, { nullable: true, description: 'Of `cron`.', example: 'Europe/Lisbon' })
  time_zone?: string | null;

  @Integer(1, MAX_EVERY_HOURS, { nullable: true })
  every_hours?: number | null;

  @Integer(0, MAX_JITTER_MINUTES, {
    nullable: true,
    description: 'A run begins up to so many minutes later, so that schedules of the same time do not begin together.',
    default: 0,
  })
  jitter_minutes?: number | null;

  @TextListWithRule(
    parseWindows,
    { minItems: 0, maxItems: MAX_WINDOWS, maxLength: MAX_WINDOW_LENGTH },
    {
      nullable: true,
      description:
        'Days, hours and a time zone, such as `Mo-Fr 20:00-06:00 Europe/Lisbon`. Outside of them nothing begins, and what runs is stopped and begins again in the next one.',
      default: [],
    },
  )
  windows?: string[] | null;
}

export class CreateScheduleRequest extends ScheduleOptionsRequest {
  @Name()
  name!: string;

  @OneOf(WHATS, { description: 'What a run starts. `retest`: of open findings.' })
  what!: What;

  @OneOf(TARGETS, { description: 'On what. A report is about an event or all.' })
  on!: TargetKind;
}

export class ChangeScheduleRequest extends ScheduleOptionsRequest {
  @Name(200, { optional: true })
  name?: string;

  @OneOf(WHATS, { optional: true })
  what?: What;

  @OneOf(TARGETS, { optional: true })
  on?: TargetKind;

  @OneOf(SCHEDULE_STATUSES, { optional: true, description: 'A paused schedule does not run.' })
  status?: ScheduleStatus;
}

/** An empty list is none. */
const accountsOf = (accounts: number[] | null | undefined): number[] | null =>
  accounts == null || accounts.length === 0 ? null : accounts;

export const draftOf = (body: CreateScheduleRequest): ScheduleDraft => ({
  name: body.name,
  what: body.what,
  target: body.on,
  assetId: body.asset_id ?? null,
  label: body.label ?? null,
  eventSlug: body.event_slug ?? null,
  checks: body.checks ?? null,
  depth: body.depth ?? null,
  accounts: accountsOf(body.accounts),
  resolvedDays: body.resolved_days ?? null,
  reportOptions: body.report_options == null ? null : optionsOf(body.report_options),
  cron: body.cron ?? null,
  timeZone: body.time_zone ?? null,
  everyHours: body.every_hours ?? null,
  jitterMinutes: body.jitter_minutes ?? 0,
  windows: body.windows ?? [],
});

/** Omitted fields do not change, and null removes a value. */
export function changeOf(body: ChangeScheduleRequest): ScheduleChange {
  const { report_options: report } = body;
  return stated<ScheduleChange>({
    name: body.name,
    what: body.what,
    target: body.on,
    assetId: body.asset_id,
    label: body.label,
    eventSlug: body.event_slug,
    checks: body.checks,
    depth: body.depth,
    accounts: body.accounts === undefined ? undefined : accountsOf(body.accounts),
    resolvedDays: body.resolved_days,
    reportOptions: report == null ? report : optionsOf(report),
    cron: body.cron,
    timeZone: body.time_zone,
    everyHours: body.every_hours,
    jitterMinutes: body.jitter_minutes === null ? 0 : body.jitter_minutes,
    windows: body.windows === null ? [] : body.windows,
    status: body.status,
  });
}
