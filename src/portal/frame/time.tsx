import type { VNode } from 'preact';
import { DAY_MS } from '../../kernel/day';
import { dateFormat } from './date-format';
import { useView } from './view';

const DAY = { dateStyle: 'medium' } as const;
const MINUTE = { dateStyle: 'medium', timeStyle: 'short' } as const;
/** With the name of the time zone. */
const SECOND = { dateStyle: 'medium', timeStyle: 'long' } as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

const distances = new Intl.RelativeTimeFormat('en');

/** Such as "2 hours ago" or "in 3 days". */
function distanceOf(ms: number): string {
  if (Math.abs(ms) < MINUTE_MS) return ms > 0 ? 'in a moment' : 'just now';
  const [unit, unitMs] =
    Math.abs(ms) < HOUR_MS
      ? (['minute', MINUTE_MS] as const)
      : Math.abs(ms) < DAY_MS
        ? (['hour', HOUR_MS] as const)
        : (['day', DAY_MS] as const);
  return distances.format(Math.trunc(ms / unitMs), unit);
}

interface TimeProps {
  readonly at: Date;
  /** How much of it is shown instead of how far it is away. */
  readonly to?: 'minute' | 'day';
}

/** An instant: how far it is away up to a week, then its day, in the viewer's time zone. The tooltip has all of it. */
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
