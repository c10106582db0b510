import type { VNode } from 'preact';
import { dateFormat } from './date-format';
import { useView } from './view';

const FORMATS = {
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
} as const;

interface TimeProps {
  readonly at: Date;
  /** How much of it is shown. The tooltip has all of it. */
  readonly to?: keyof typeof FORMATS;
}

/** An instant in the viewer's time zone. */
export function Time({ at, to = 'minute' }: TimeProps): VNode {
  const { timeZone } = useView();
  const text = dateFormat({ ...FORMATS[to], timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
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
