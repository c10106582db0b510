import type { VNode } from 'preact';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/durations';
import { dateFormat } from './date-format';
import { useView } from './view';

const DAY = { dateStyle: 'medium' } as const;
const MINUTE = { dateStyle: 'medium', timeStyle: 'short' } as const;
/** With the name of the time zone. */
const SECOND = { dateStyle: 'medium', timeStyle: 'long' } as const;

const WEEK_MS = 7 * DAY_MS;

const distances = new Intl.RelativeTimeFormat('en');

/** Such as "2 hours ago" or "in 3 days". */
function distanceOf(ms: number): string {
  const length = Math.abs(ms);
  if (length < MINUTE_MS) return ms > 0 ? 'in a moment' : 'just now';
  if (length < HOUR_MS) return distances.format(Math.trunc(ms / MINUTE_MS), 'minute');
  return length < DAY_MS
    ? distances.format(Math.trunc(ms / HOUR_MS), 'hour')
    : distances.format(Math.trunc(ms / DAY_MS), 'day');
}

interface TimeProps {
  readonly at: Date;
  /** How much of it is shown instead of the distance from now. */
  readonly to?: 'minute' | 'day';
}

/** An instant: its distance from now up to a week, then its day, in the viewer's time zone. The tooltip has all of it. */
export function Time({ at, to }: TimeProps): VNode {
  const { timeZone } = useView();
  const distance = at.getTime() - Date.now();
  const text =
    to === undefined && Math.abs(distance) < WEEK_MS
      ? distanceOf(distance)
      : dateFormat({ ...(to === 'minute' ? MINUTE : DAY), timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={dateFormat({ ...SECOND, timeZone }).format(at)}>
      {timeZone === 'UTC' && to === 'minute' ? `${text} UTC` : text}
    </time>
  );
}

export const LastUse = ({ of: { lastUsed } }: { of: { readonly lastUsed: Date | null } }): VNode =>
  lastUsed === null ? (
    <>never used</>
  ) : (
    <>
      last used <Time at={lastUsed} />
    </>
  );
