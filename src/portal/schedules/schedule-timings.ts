import type { Schedule } from '../../modules/schedules';

/** At night, when most people do not work with what is tested. */
const PRESETS = { nightly: '0 3 * * *', weekly: '0 3 * * 1' } as const;
type Preset = keyof typeof PRESETS;

export const TIMINGS = ['nightly', 'weekly', 'hours', 'cron'] as const;
export type Timing = (typeof TIMINGS)[number];

export const TIMING_NAMES: Readonly<Record<Timing, string>> = {
  nightly: 'Every night at 3:00',
  weekly: 'Every Monday at 3:00',
  hours: 'Every so many hours',
  cron: 'At the times of a cron expression',
};

interface TimingFields {
  readonly when?: Timing | null;
  readonly cron?: string | null;
  readonly time_zone?: string | null;
  readonly every_hours?: number | null;
}

/** The fields of another choice are ignored. */
export function timingIn({ when, ...fields }: TimingFields): Pick<Schedule, 'cron' | 'timeZone' | 'everyHours'> {
  const given = when === 'hours' ? null : (fields.cron ?? null);
  const cron = when != null && when in PRESETS ? PRESETS[when as Preset] : given;
  const everyHours = when == null || when === 'hours' ? (fields.every_hours ?? null) : null;
  return { cron, timeZone: cron === null ? null : (fields.time_zone ?? null), everyHours };
}

/** The choice that a schedule was made with. */
export function timingOf({ cron }: Pick<Schedule, 'cron'>): Timing {
  if (cron === null) return 'hours';
  return TIMINGS.find((timing) => timing in PRESETS && PRESETS[timing as Preset] === cron) ?? 'cron';
}
