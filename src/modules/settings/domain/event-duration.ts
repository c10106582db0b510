import { invalid, unprocessable } from '../../../kernel/domain-error';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LONGEST_DAYS = 365;

/** The largest number that a duration can have: in the smallest of its units. */
export const maxHours = 24 * LONGEST_DAYS;

/** A month is thirty days here, so that a duration is as long in February as in March. */
const UNITS = { hours: HOUR, days: DAY, weeks: 7 * DAY, months: 30 * DAY } as const;

export type DurationUnit = keyof typeof UNITS;

export interface EventDuration {
  readonly duration: number;
  readonly unit: DurationUnit;
}

/** How long a machine event lasts whose integrator has said nothing. */
export const defaultEventDuration: EventDuration = { duration: 14, unit: 'days' };

export const DURATION_UNITS = Object.keys(UNITS);

export const isDurationUnit = (word: string): word is DurationUnit => Object.hasOwn(UNITS, word);

export const durationMs = ({ duration, unit }: EventDuration): number => duration * UNITS[unit];

/** As a person says it. */
export const formatDuration = ({ duration, unit }: EventDuration): string =>
  `${duration} ${duration === 1 ? unit.slice(0, -1) : unit}`;

/** Refuses what is no duration, and one shorter than an hour or longer than 365 days. */
export function requireDuration({ duration, unit }: { duration: number; unit: string }): EventDuration {
  if (!isDurationUnit(unit)) throw invalid(`unit must be one of ${DURATION_UNITS.join(', ')}.`);
  if (!Number.isInteger(duration)) throw invalid('duration must be a whole number.');
  const length = durationMs({ duration, unit });
  if (length < HOUR || length > LONGEST_DAYS * DAY) {
    throw unprocessable(`duration must be from 1 hour to ${LONGEST_DAYS} days in its unit.`);
  }
  return { duration, unit };
}

interface StoredDuration {
  readonly defaultEventDuration: number | null;
  readonly defaultEventUnit: string | null;
}

/** What an integrator has set, if it has set something. */
export function eventDurationOf(stored: StoredDuration | undefined): EventDuration | null {
  const { defaultEventDuration: duration = null, defaultEventUnit: unit = null } = stored ?? {};
  return duration === null || unit === null || !isDurationUnit(unit) ? null : { duration, unit };
}
