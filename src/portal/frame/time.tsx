import type { VNode } from 'preact';
import { useView } from './view';

/** An instant in the viewer's time zone. */
export function Time({ at }: { at: Date }): VNode {
  const { timeZone } = useView();
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={at.toISOString()}>
      {timeZone === 'UTC' ? `${text} UTC` : text}
    </time>
  );
}
