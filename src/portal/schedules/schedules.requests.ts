import { parseWindows } from '../../kernel/opening-windows';
import { TEST_DEPTHS, type TestDepth } from '../../kernel/test-depth';
import { normalizeLabel } from '../../modules/findings';
import { optionsOf, type ReportFormat, reportVocabulary } from '../../modules/reports';
import {
  MAX_CRON_LENGTH,
  MAX_EVERY_HOURS,
  MAX_JITTER_MINUTES,
  type ScheduleDraft,
  TARGETS,
  type TargetKind,
  type What,
  WHATS,
} from '../../modules/schedules';
import { AccountIds } from '../scans/account-choices';
import { type Timing, TIMINGS, timingIn } from './schedule-timings';
import { Integer, Name, OneOf, Text, TextWithRule } from '../../platform/http/fields';

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** As the API has it, with lists in one text, and the asset by its value. */
class ScheduleOptionsForm {
  @Text(1, 2_048, { nullable: true })
  asset?: string | null;

  @TextWithRule(normalizeLabel, { maxLength: 100 }, { nullable: true })
  label?: string | null;

  @Text(1, 200, { nullable: true })
  event_slug?: string | null;

  @Text(1, 2_000, { nullable: true })
  checks?: string | null;

  @OneOf(TEST_DEPTHS, { nullable: true })
  depth?: TestDepth | null;

  @AccountIds()
  accounts?: number[] | null;

  @Integer(1, 365, { nullable: true })
  resolved_days?: number | null;

  @OneOf(reportVocabulary.formats, { nullable: true })
  report_format?: ReportFormat | null;

  @OneOf(TIMINGS, { nullable: true })
  when?: Timing | null;

  @Text(1, MAX_CRON_LENGTH, { nullable: true })
  cron?: string | null;

  @Text(1, 100, { nullable: true })
  time_zone?: string | null;

  @Integer(1, MAX_EVERY_HOURS, { nullable: true })
  every_hours?: number | null;

  @Integer(0, MAX_JITTER_MINUTES, { nullable: true })
  jitter_minutes?: number | null;

  @TextWithRule((text: string) => parseWindows(linesIn(text)), { maxLength: 1_500 }, { nullable: true })
  windows?: string | null;
}

export class ScheduleForm extends ScheduleOptionsForm {
  @Name()
  name!: string;

  @OneOf(WHATS)
  what!: What;

  @OneOf(TARGETS)
  on!: TargetKind;
}

/** A form that is not filled yet. */
export class ScheduleQuery extends ScheduleOptionsForm {
  @Name(200, { optional: true })
  name?: string;

  @OneOf(WHATS, { optional: true })
  what?: What;

  @OneOf(TARGETS, { optional: true })
  on?: TargetKind;
}

/** What does not belong to the choices is ignored: the fields of all choices are on the page. */
export const draftOfForm = (form: ScheduleForm, assetId: number | null): ScheduleDraft => ({
  name: form.name,
  what: form.what,
  target: form.on,
  assetId: form.on === 'asset' ? assetId : null,
  label: form.on === 'label' ? (form.label ?? null) : null,
  eventSlug: form.on === 'event' ? (form.event_slug ?? null) : null,
  checks: form.what === 'job' && form.checks != null ? checksIn(form.checks) : null,
  depth: form.what === 'job' && form.depth === 'active' ? form.depth : null,
  accounts: form.what === 'job' ? (form.accounts ?? null) : null,
  resolvedDays: form.what === 'resolved_retest' ? (form.resolved_days ?? null) : null,
  reportOptions: form.what === 'report' ? optionsOf({ format: form.report_format ?? 'pdf' }) : null,
  ...timingIn(form),
  jitterMinutes: form.jitter_minutes ?? 0,
  windows: linesIn(form.windows ?? ''),
});

const checksIn = (text: string): string[] => text.split(/[\s,]+/).filter((check) => check !== '');
