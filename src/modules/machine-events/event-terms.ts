import { isOpen, nextClosing, type OpeningWindow, parseWindows } from '../../kernel/opening-windows';
import type { Event } from '../events';

/** A job or observation that has less time than this is not started. */
const MIN_LEFT_MS = 120_000;

/** What cannot end by itself is stopped so long before: its worker needs a moment. */
const STOPPING_MS = 20_000;

/** So long after the end, what has sent its last request may store what it found. */
const CLOSING_MS = 30_000;

/** When and how quickly an event may send something. */
export interface EventTerms {
  readonly windows: readonly OpeningWindow[];
  readonly isOpen: boolean;
  /** When nothing more may be sent: the end of the event, or of the window that is open. */
  readonly until: Date;
  /** Whether there is time to start something. */
  readonly mayStart: boolean;
  /** Whether a test that cannot end by itself may go on. */
  readonly mayGoOn: boolean;
  /** Whether it was open a moment ago. */
  readonly isClosing: boolean;
}

export function termsOf(event: Pick<Event, 'windows' | 'endDate'>, now: Date): EventTerms {
  const windows = parseWindows(event.windows ?? []);
  const closing = nextClosing(windows, now);
  const until = closing !== null && closing < event.endDate ? closing : event.endDate;
  const isOpenAt = (at: Date): boolean => isOpen(windows, at) && at < event.endDate;
  const open = isOpenAt(now);
  const leftMs = open ? until.getTime() - now.getTime() : 0;
  return {
    windows,
    until,
    isOpen: open,
    mayStart: leftMs >= MIN_LEFT_MS,
    mayGoOn: leftMs >= STOPPING_MS,
    isClosing: !open && isOpenAt(new Date(now.getTime() - CLOSING_MS)),
  };
}
