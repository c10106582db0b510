import { nextOpening } from '../../kernel/opening-windows';
import { type Event, EVENT_CATEGORY } from '../events';
import { planModeOf } from './domain/plan-mode';
import type { TargetCount } from './domain/target-totals';
import { termsOf } from './event-terms';

/** When the event may send something, and something is due. */
export function nextRunOf(event: Event, counts: readonly Pick<TargetCount, 'nextDue'>[], now: Date): Date | null {
  const mode = planModeOf(event);
  const hasPlan = mode === 'test' || (event.status === 'scheduled' && event.automatic === true);
  if (!hasPlan || event.eventCategory === EVENT_CATEGORY.red_team) return null;
  const due = counts.flatMap(({ nextDue }) => nextDue?.getTime() ?? []);
  const from = new Date(Math.max(now.getTime(), event.startDate.getTime(), due.length > 0 ? Math.min(...due) : 0));
  const next = nextOpening(termsOf(event, now).windows, from);
  return next < event.endDate ? next : null;
}
