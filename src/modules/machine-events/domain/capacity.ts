import { HOUR_MS } from '../../../kernel/durations';
import { nextClosing, nextOpening, type OpeningWindow } from '../../../kernel/opening-windows';
import { DEFAULT_PARALLEL_TARGETS } from '../../events/domain/automation';
import { EVENT_CATEGORY } from '../../events/domain/event-vocabulary';
import type { Event } from '../../events';
import { periodMs } from './due-times';

const DAY_HOURS = 24;
const WEEK_MS = 7 * DAY_HOURS * HOUR_MS;

/** The jobs of events, of each depth, that one worker runs at a time, unless `WORKER_SLOTS` sets it. */
export const EVENT_JOB_SLOTS = 2;

/** Of a job, until the event has jobs of its own. */
const ASSUMED_SECONDS = 120;

/** The time that the jobs of an event take, and the time that there is for them. */
export interface Capacity {
  /** For one job on each origin. */
  readonly roundHours: number;
  /** Of jobs, on an average day of the week. */
  readonly availableHours: number;
  readonly text: string;
}

interface Load {
  readonly event: Pick<Event, 'automatic' | 'eventCategory' | 'everyHours' | 'parallelTargets'>;
  readonly windows: readonly OpeningWindow[];
  readonly origins: number;
  /** Of a job; null if none has ended. */
  readonly seconds: number | null;
  /** Of a worker, for jobs of events. */
  readonly slots: number;
  readonly now: Date;
}

/**
 * Null for an event that sends nothing by itself. With one worker, which keeps one of its slots for other organizations.
 * Observations have slots of their own.
 */
export function capacityOf({ event, windows, origins, seconds, slots: ofWorker, now }: Load): Capacity | null {
  if (event.automatic !== true || event.eventCategory === EVENT_CATEGORY.red_team) return null;
  const slots = Math.min(event.parallelTargets ?? DEFAULT_PARALLEL_TARGETS, Math.max(1, ofWorker - 1));
  const availableHours = openHoursOfDay(windows, now) * slots;
  const roundHours = (origins * (seconds ?? ASSUMED_SECONDS)) / 3_600;
  const available = `${rounded(availableHours)} available`;
  const days = roundHours / availableHours;
  if (event.eventCategory === EVENT_CATEGORY.pentest) {
    const text = `${rounded(roundHours)} h for all origins, ${available} a day: one round takes ${inWords(days * DAY_HOURS)}`;
    return { roundHours, availableHours, text };
  }
  const period = periodMs(event) / HOUR_MS;
  const text = `${rounded((roundHours * DAY_HOURS) / period)} h a day, ${available}: each origin every ${inWords(Math.max(period, days * DAY_HOURS))}`;
  return { roundHours, availableHours, text };
}

/** On average over the next seven days. */
export function openHoursOfDay(windows: readonly OpeningWindow[], from: Date): number {
  const end = new Date(from.getTime() + WEEK_MS);
  let open = 0;
  let start = nextOpening(windows, from);
  while (start < end) {
    const closing = nextClosing(windows, start);
    const until = closing === null || closing > end ? end : closing;
    open += until.getTime() - start.getTime();
    start = nextOpening(windows, until);
  }
  return open / 7 / HOUR_MS;
}

const rounded = (value: number): string => String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

const inWords = (hours: number): string =>
  hours > 2 * DAY_HOURS ? `${rounded(hours / DAY_HOURS)} days` : hours === 1 ? 'hour' : `${rounded(hours)} hours`;
