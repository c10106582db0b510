import { dayOf } from '../../kernel/day';
import { DAY_MS } from '../../kernel/durations';
import type { VNode } from 'preact';
import { type Finding, isOpen } from '../../modules/findings';
import { dateFormat } from '../frame/date-format';
import { pluralize } from '../frame/words';

const SOON_DAYS = 14;

export const longDay = (day: string): string =>
  dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

function distance(days: number, day: string): string {
  if (days < 0) return `${pluralize(-days, 'day')} late`;
  if (days === 0) return 'Today';
  return days <= SOON_DAYS ? `In ${pluralize(days, 'day')}` : longDay(day);
}

interface DueDateProps {
  readonly finding: Pick<Finding, 'dueDate' | 'status'>;
  readonly isInSentence?: boolean;
}

/** How far away the due date is. A finding that is no longer open has no deadline. */
export function DueDate({ finding: { dueDate, status }, isInSentence = false }: DueDateProps): VNode {
  if (dueDate === null || !isOpen(status)) return <span class="muted">None</span>;
  const days = Math.round((Date.parse(dueDate) - Date.parse(dayOf(new Date()))) / DAY_MS);
  return (
    <time dateTime={dueDate} title={longDay(dueDate)} class={days < 0 ? 'late' : undefined}>
      {isInSentence && days >= 0
        ? `due ${distance(days, dueDate).replace(/^[TI]/, (first) => first.toLowerCase())}`
        : distance(days, dueDate)}
    </time>
  );
}
