import type { EventStatus } from '../../events/domain/event-status';
import { EVENT_CATEGORY } from '../../events/domain/event-vocabulary';
import type { Event } from '../../events';

/** What the plan of an event does now. `rest`: nothing runs, and it may continue. `over`: nothing follows but the report. */
export type PlanMode = 'test' | 'retest' | 'rest' | 'over';

const MODES: Readonly<Record<EventStatus, PlanMode>> = {
  draft: 'rest',
  scheduled: 'rest',
  running: 'test',
  paused: 'rest',
  retesting: 'retest',
  finished: 'over',
  canceled: 'over',
};

type PlannedEvent = Pick<Event, 'status' | 'automatic' | 'eventCategory'>;

/** An event that is not automatic, or of a red team, sends nothing by itself. */
export function planModeOf({ status, automatic, eventCategory }: PlannedEvent): PlanMode {
  const mode = MODES[status];
  if (mode === 'over') return mode;
  if (automatic !== true) return 'rest';
  return eventCategory === EVENT_CATEGORY.red_team ? 'rest' : mode;
}
