import { DAY_MS, HOUR_MS } from '../../../kernel/durations';
import { invalid, unprocessable } from '../../../kernel/domain-error';

const LONGEST_DAYS = 365;

/** The largest number of a duration, in its smallest unit. */
export const MAX_HOURS = 24 * LONGEST_DAYS;

/** A month has 30 days, so that a duration does not depend on its start. */
const UNITS = { hours: HOUR_MS, days: DAY_MS, weeks: 7 * DAY_MS, months: 30 * DAY_MS } as const;

export type DurationUnit = keyof typeof UNITS;

export interface EventDuration {
  readonly duration: number;
  readonly unit: DurationUnit;
}

/** Used if the integrator has set no default. */
export const defaultEventDuration: EventDuration = { duration: 14, unit: 'days' };

export const DURATION_UNITS = Object.keys(UNITS);

export const isDurationUnit = (text: string): text is DurationUnit => Object.hasOwn(UNITS, text);

export const durationMs = ({ duration, unit }: EventDuration): number => duration * UNITS[unit];

/** For people, such as "1 day" or "30 days". */
export const formatDuration = ({ duration, unit }: EventDuration): string =>
  `${duration} ${duration === 1 ? unit.slice(0, -1) : unit}`;

/** Refuses invalid durations, and durations shorter than an hour or longer than 365 days. */
export function requireDuration({ duration, unit }: { duration: number; unit: string }): EventDuration {
  if (!isDurationUnit(unit)) throw invalid(`unit must be one of ${DURATION_UNITS.join(', ')}.`);
  if (!Number.isInteger(duration)) throw invalid('duration must be a whole number.');
  const length = durationMs({ duration, unit });
  if (length < HOUR_MS || length > LONGEST_DAYS * DAY_MS) {
    throw unprocessable(`duration must be from 1 hour to ${LONGEST_DAYS} days in its unit.`);
  }
  return { duration, unit };
}

interface StoredDuration {
  readonly defaultEventDuration: number | null;
  readonly defaultEventUnit: string | null;
}

/** The default that an integrator has set; null if it has set none. */
export function eventDurationOf(stored: StoredDuration | undefined): EventDuration | null {
  const { defaultEventDuration: duration = null, defaultEventUnit: unit = null } = stored ?? {};
  return duration === null || unit === null || !isDurationUnit(unit) ? null : { duration, unit };
}
