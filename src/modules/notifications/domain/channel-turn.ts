import { DAY_MS, HOUR_MS } from '../../../kernel/durations';
import { isOpen, nextClosing, parseWindows } from '../../../kernel/opening-windows';
import { clockTimeOf, firstInstantOf } from '../../../kernel/zoned-time';
import type { Digest } from './channel-vocabulary';

const WEEK_DAYS = 7;

export interface ChannelTiming {
  /** Windows such as "Mo-Fr 20:00-06:00 Europe/Lisbon". */
  readonly quiet: readonly string[];
  readonly digest: Digest;
  readonly digestHour: number;
  readonly timeZone: string;
  readonly hourlyLimit: number;
  /** The hour in which messages were last counted. */
  readonly hourStarted: Date | null;
  readonly hourSent: number;
}

/** The next message has the oldest change, or all that wait. */
export type Turn = { readonly waitUntil: Date } | { readonly takes: 'one' | 'all' };

/** What a channel does now, given since when its oldest change waits. */
export function nextTurn(timing: ChannelTiming, oldest: Date, now: Date): Turn {
  const digest = digestAfter(timing, oldest);
  if (digest !== null && digest > now) return { waitUntil: digest };
  const windows = parseWindows(timing.quiet);
  if (windows.length > 0 && isOpen(windows, now)) {
    return { waitUntil: nextClosing(windows, now) ?? new Date(now.getTime() + DAY_MS) };
  }
  if (digest !== null) return { takes: 'all' };
  const { hourStarted, hourSent, hourlyLimit } = timing;
  if (hourStarted === null || hourSent < hourlyLimit) return { takes: 'one' };
  const end = new Date(hourStarted.getTime() + HOUR_MS);
  if (now < end) return { waitUntil: end };
  return { takes: oldest < end ? 'all' : 'one' };
}

/** How many messages were sent in this hour, with one more. */
export const countedHour = ({ hourStarted, hourSent }: ChannelTiming, now: Date) =>
  hourStarted === null || now.getTime() - hourStarted.getTime() >= HOUR_MS
    ? { hourStarted: now, hourSent: 1 }
    : { hourStarted, hourSent: hourSent + 1 };

/** The first digest after an instant: every day, or on Mondays. Null if each change is a message. */
function digestAfter({ digest, digestHour, timeZone }: ChannelTiming, after: Date): Date | null {
  if (digest === 'off') return null;
  const clockTime = clockTimeOf(timeZone, after);
  const midnight = clockTime - (clockTime % DAY_MS);
  for (let day = 0; day <= WEEK_DAYS; day++) {
    const time = midnight + day * DAY_MS + digestHour * HOUR_MS;
    if (digest === 'weekly' && !isMonday(time)) continue;
    const instant = firstInstantOf(timeZone, time);
    if (instant > after) return instant;
  }
  return new Date(after.getTime() + WEEK_DAYS * DAY_MS);
}

/** 1 January 1970 was a Thursday. */
const isMonday = (clockTime: number): boolean => (Math.floor(clockTime / DAY_MS) + 3) % WEEK_DAYS === 0;
