import { DAY_MS, HOUR_MS } from '../../../kernel/durations';
import { nextOpening, type OpeningWindow } from '../../../kernel/opening-windows';
import { DEFAULT_EVERY_HOURS } from '../../events/domain/automation';
import { EVENT_CATEGORY, type EventCategory } from '../../events/domain/event-vocabulary';
import type { Event } from '../../events';

const GOLDEN_RATIO = 0.618_033_988_75;

/** What the next time depends on. */
export interface Due {
  readonly event: Pick<Event, 'eventCategory' | 'everyHours' | 'endDate'>;
  /** Of the event, which may have many targets. */
  readonly lastRound: Date | null;
  readonly target: {
    readonly id: number;
    /** Null for the asset itself, which is observed. */
    readonly origin: string | null;
    readonly dueAt: Date | null;
    /** How often it has run before. */
    readonly runs: number;
  };
  readonly now: Date;
}

type DueAgain = Omit<Due, 'target'> & { readonly target: Due['target'] & { readonly lastRun: Date | null } };

export const periodMs = ({ everyHours }: Pick<Event, 'everyHours'>): number =>
  (everyHours ?? DEFAULT_EVERY_HOURS) * HOUR_MS;

/**
 * When all is tested once more before the end: the last day, or an earlier one if no window opens on it. Null if it is in the
 * past, as where a running event is too short for it.
 */
export function lastRoundOf(
  event: Pick<Event, 'endDate' | 'startDate'>,
  windows: readonly OpeningWindow[],
  now: Date,
): Date | null {
  let from = new Date(event.endDate.getTime() - DAY_MS);
  while (from > event.startDate && nextOpening(windows, from) >= event.endDate)
    from = new Date(from.getTime() - DAY_MS);
  return from > now ? from : null;
}

/** When a target that has been tested is due again; null for never. */
export function nextDue(due: Due): Date | null {
  return RULES[due.event.eventCategory](due);
}

/** When a target that has been tested is due after the event has changed: counted from its last test. */
export function dueAfterChange({ target: { lastRun, ...target }, ...due }: DueAgain): Date | null {
  const { event, now } = due;
  const next = nextDue({ ...due, target: { ...target, dueAt: lastRun, runs: Math.max(0, target.runs - 1) } });
  // The end has moved so close that the last round begins at once.
  const missesLastRound = lastRun !== null && lastRun.getTime() < event.endDate.getTime() - DAY_MS;
  return next === null && event.eventCategory === EVENT_CATEGORY.pentest && missesLastRound ? now : next;
}

/**
 * On from when it was due, so that delays do not add up. The second round is spread over half a period, each target comes at
 * its own time from then on, and none waits longer than a period.
 */
function periodically({ event, target, now }: Due): Date {
  const period = periodMs(event);
  const share = (target.id * GOLDEN_RATIO) % 1;
  const first = (target.dueAt ?? now).getTime() + (target.runs === 0 ? period * (0.5 + share / 2) : period);
  const missed = Math.max(0, Math.ceil((now.getTime() - first) / period));
  return new Date(first + missed * period);
}

/** Assets are observed in every period, and their origins tested when something changed, and on the last day. */
function whatChanged(due: Due): Date | null {
  const { lastRound } = due;
  if (due.target.origin !== null || lastRound === null) return lastRound;
  const regular = periodically(due);
  return regular < lastRound ? regular : lastRound;
}

const RULES: Readonly<Record<EventCategory, (due: Due) => Date | null>> = {
  [EVENT_CATEGORY.pentest]: whatChanged,
  [EVENT_CATEGORY.red_team]: () => null,
  [EVENT_CATEGORY.continuous]: periodically,
};

/** When a target that could not be tested is tried again: after an hour, then after longer, and at least once in a period. */
export function nextTry(event: Due['event'], attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(HOUR_MS * 2 ** attempts, periodMs(event)));
}
