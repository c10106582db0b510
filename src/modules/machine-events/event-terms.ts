import { isOpen, nextClosing, type OpeningWindow, parseWindows } from '../../kernel/opening-windows';
import type { Event } from '../events';

/** A job or observation that has less time than this is not started. */
const MIN_LEFT_MS = 120_000;

export const WINDOW_CLOSED = 'the window of the event closed before it; the next one goes on';

/** When and how quickly an event may send something. */
export interface EventTerms {
  readonly windows: readonly OpeningWindow[];
  readonly isOpen: boolean;
  /** When nothing more may be sent: the end of the event, or of the window that is open. */
  readonly until: Date;
  /** Whether there is time to start something. */
  readonly mayStart: boolean;
}

export function termsOf(event: Pick<Event, 'windows' | 'endDate'>, now: Date): EventTerms {
  const windows = parseWindows(event.windows ?? []);
  const closing = nextClosing(windows, now);
  const until = closing !== null && closing < event.endDate ? closing : event.endDate;
  const open = isOpen(windows, now) && now < event.endDate;
  return { windows, isOpen: open, until, mayStart: open && until.getTime() - now.getTime() >= MIN_LEFT_MS };
}
