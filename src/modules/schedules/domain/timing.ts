import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/durations';
import { invalid } from '../../../kernel/domain-error';
import { clockTimeOf, firstInstantOf, isZone } from '../../../kernel/zoned-time';
import { nextOpening, parseWindows } from '../../../kernel/opening-windows';

/** When a schedule runs. Either `cron` and `timeZone` or `everyHours` is set. */
export interface Timing {
  readonly cron: string | null;
  readonly timeZone: string | null;
  readonly everyHours: number | null;
  /** A run begins up to so many minutes later, always the same number for one time of one schedule. */
  readonly jitterMinutes: number;
  readonly windows: readonly string[];
  /** From which the hours of `everyHours` count. */
  readonly anchor: Date;
  /** So that the runs of two schedules at the same time have different delays. */
  readonly seed: string;
}

export const MAX_EVERY_HOURS = 720;
export const MAX_JITTER_MINUTES = 720;
export const MAX_CRON_LENGTH = 100;

const MIN_SPACING_MINUTES = 15;

const DAY_MINUTES = 1_440;

/** Days of an expression that are compared with the day before: more than a month has. */
const COMPARED_DAYS = 40;

/** Throws an error that names the wrong field. */
export function requireTiming(timing: Timing, now: Date): void {
  const { cron, timeZone, everyHours, jitterMinutes } = timing;
  parseWindows(timing.windows);
  if ((cron === null) === (everyHours === null)) throw invalid('cron or every_hours must be set, and not both.');
  if (cron === null && timeZone !== null)
    throw invalid('time_zone must be null without cron: every_hours counts hours.');
  if (cron !== null) {
    if (timeZone === null) throw invalid('time_zone is missing: cron needs one, such as Europe/Lisbon.');
    if (!isZone(timeZone)) throw invalid(`time_zone must be a name of the IANA database: "${timeZone}" is none.`);
    requireCron(cron);
  }
  const spacing = Math.max(MIN_SPACING_MINUTES, jitterMinutes + 1);
  if (isCloser(timing, spacing, now)) {
    throw invalid(
      `${cron === null ? 'every_hours' : 'cron'} must leave at least ${spacing} minutes between two runs: ` +
        `${MIN_SPACING_MINUTES}, and more than jitter_minutes.`,
    );
  }
}

/** The first run after an instant; null if there is none within the years that cron expressions are searched. */
export function nextRun(timing: Timing, after: Date): Date | null {
  const occurrence = occurrenceAfter(timing, after);
  if (occurrence === null) return null;
  const delayed = new Date(occurrence.getTime() + delayOf(timing, occurrence));
  return nextOpening(parseWindows(timing.windows), delayed);
}

export function nextRuns(timing: Timing, after: Date, count: number): Date[] {
  const runs: Date[] = [];
  for (let last: Date | null = after; runs.length < count; runs.push(last)) {
    last = nextRun(timing, last);
    if (last === null) break;
  }
  return runs;
}

/**
 * Every time that the expression names is run once: at its first occurrence where the clocks show it twice, and when they skip
 * it. An expression for every hour goes on in the repeated hour.
 */
function occurrenceAfter({ cron, timeZone, everyHours, anchor }: Timing, after: Date): Date | null {
  if (cron === null || timeZone === null) {
    const every = (everyHours ?? MAX_EVERY_HOURS) * HOUR_MS;
    const passed = Math.floor((after.getTime() - anchor.getTime()) / every);
    return new Date(anchor.getTime() + Math.max(1, passed + 1) * every);
  }
  if (isHourly(cron)) return cronOf(cron, timeZone).nextRun(after);
  const onClock = cronOf(cron, 'UTC');
  let clockTime = onClock.nextRun(new Date(clockTimeOf(timeZone, after)));
  while (clockTime !== null) {
    const instant = firstInstantOf(timeZone, clockTime.getTime());
    if (instant > after) return instant;
    clockTime = onClock.nextRun(clockTime);
  }
  return null;
}

const isHourly = (cron: string): boolean => cron.split(/\s+/)[1] === '*';

const cronOf = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true });

function requireCron(cron: string): void {
  const fields = 'Write five fields: minute, hour, day of the month, month, day of the week.';
  if (cron.trim() !== cron || cron.split(/\s+/).length !== 5) throw invalid(`cron must have five fields. ${fields}`);
  let first: Date | null;
  try {
    first = cronOf(cron, 'UTC').nextRun();
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw invalid(`cron is not an expression: ${problem.replace(/\.$/, '')}. ${fields}`);
  }
  if (first === null) throw invalid(`cron names a time that never comes. ${fields}`);
}

/**
 * Whether two runs are closer than so many minutes, by the fields: many runs take long to compute. Runs at the start and the end of
 * daylight saving may be closer, which is not the expression's fault.
 */
function isCloser({ cron, everyHours }: Timing, minutes: number, now: Date): boolean {
  if (cron === null) return (everyHours ?? MAX_EVERY_HOURS) * HOUR_MS < minutes * MINUTE_MS;
  const [minuteField = '', hourField = '', ...dayFields] = cron.split(/\s+/);
  const hours = valuesOf(hourField, 23);
  const times = hours.flatMap((hour) => valuesOf(minuteField, 59).map((minute) => hour * 60 + minute));
  if (times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < minutes)) return true;
  const overMidnight = DAY_MINUTES - (times.at(-1) ?? 0) + (times[0] ?? 0);
  return overMidnight < minutes && hasSuccessiveDays(dayFields, now);
}

function hasSuccessiveDays(dayFields: readonly string[], now: Date): boolean {
  const days = cronOf(`0 0 ${dayFields.join(' ')}`, 'UTC').nextRuns(COMPARED_DAYS, now);
  return days.some((day, index) => day.getTime() - (days[index - 1]?.getTime() ?? 0) === DAY_MINUTES * MINUTE_MS);
}

/** Of a field of numbers in a correct expression, in their order. */
function valuesOf(field: string, most: number): number[] {
  const values = field.split(',').flatMap((part) => {
    const [range = '', step] = part.split('/');
    const [first = '', last = first] = range.split('-');
    const [from, to] = first === '*' || first === '?' ? [0, most] : [Number(first), Number(last)];
    return Array.from({ length: most + 1 }, (_, value) => value).filter(
      (value) => value >= from && value <= to && (value - from) % Number(step ?? 1) === 0,
    );
  });
  return [...new Set(values)].sort((one, other) => one - other);
}

function delayOf({ jitterMinutes, seed }: Timing, occurrence: Date): number {
  if (jitterMinutes === 0) return 0;
  const digest = hash('sha256', `${seed} ${occurrence.toISOString()}`, 'hex');
  return (Number.parseInt(digest.slice(0, 8), 16) % (jitterMinutes * 60)) * 1_000;
}
