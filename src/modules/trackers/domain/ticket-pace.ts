import { DAY_MS, HOUR_MS } from '../../../kernel/durations';
import { type TicketState } from './ticket-states';

const MINUTE_MS = 60_000;

/** Beyond these, tickets wait: trackers limit how fast content is created. */
export const OPENED_IN_A_TURN = 10;
export const OPENING_PAUSE_MS = MINUTE_MS;
export const POLL_MS = MINUTE_MS;
/** What changed so shortly before the last poll is read again, because the clocks of two servers differ. */
export const POLL_OVERLAP_MS = 5 * MINUTE_MS;
/** Longer ago than this nothing is searched: each ticket is read once a day. */
export const POLL_REACH_MS = HOUR_MS;
/** Whether strangers may read the project, and what it demands. */
export const FACTS_MS = HOUR_MS;
/** A step has lost its worker after this. It is longer than its requests may take. */
export const STEP_MS = 5 * MINUTE_MS;
/** Then others have their turn. No step begins in its second half, so that one ends which has begun. */
export const TURN_MS = MINUTE_MS;
export const STEPS_MS = TURN_MS / 2;
/** After a lost answer, until a search of the tracker surely shows a ticket that was opened. */
export const INDEX_MS = 2 * MINUTE_MS;

/** When a ticket is looked at again if nothing is said about it; null if it is over. */
export const lookAgain = (state: TicketState, now: Date): Date | null =>
  state === 'replaced'
    ? null
    : new Date(now.getTime() + (state === 'queued' || state === 'testing' ? 5 * MINUTE_MS : DAY_MS));

interface CountedDay {
  readonly dayStarted: Date | null;
  readonly dayOpened: number;
  readonly dailyLimit: number;
}

const isOver = ({ dayStarted }: CountedDay, now: Date): boolean =>
  dayStarted === null || now.getTime() - dayStarted.getTime() >= DAY_MS;

/** From when the next ticket may be opened, if not now. */
export const openFrom = (day: CountedDay, now: Date): Date | null =>
  day.dayStarted === null || isOver(day, now) || day.dayOpened < day.dailyLimit
    ? null
    : new Date(day.dayStarted.getTime() + DAY_MS);

export const countedDay = (day: CountedDay, now: Date) =>
  isOver(day, now) ? { dayStarted: now, dayOpened: 1 } : { dayStarted: day.dayStarted, dayOpened: day.dayOpened + 1 };
