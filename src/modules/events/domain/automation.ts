import { minuteOf } from '../../../kernel/day';
import { unprocessable } from '../../../kernel/domain-error';
import { nextOpening, parseWindows } from '../../../kernel/opening-windows';
import type { TestDepth } from '../../../kernel/test-depth';
import { EVENT_CATEGORY, EVENT_TYPE, type EventCategory, type EventType } from './event-vocabulary';

/** How a machine event works by itself. Null for the default, and in human events, which send nothing by themselves. */
export interface Automation {
  readonly automatic: boolean | null;
  readonly everyHours: number | null;
  readonly windows: readonly string[] | null;
  readonly requestsPerSecond: number | null;
  readonly parallelTargets: number | null;
  readonly depth: TestDepth | null;
  readonly accounts: readonly number[] | null;
  readonly reportAtEnd: boolean | null;
}

export const DEFAULT_EVERY_HOURS = 24;
export const DEFAULT_PARALLEL_TARGETS = 2;

/** The fields by their names in the API. */
export const AUTOMATION_FIELDS = {
  automatic: 'automatic',
  every_hours: 'everyHours',
  windows: 'windows',
  requests_per_second: 'requestsPerSecond',
  parallel_targets: 'parallelTargets',
  depth: 'depth',
  accounts: 'accounts',
  report_at_end: 'reportAtEnd',
} as const satisfies Record<string, keyof Automation>;

/** New machine events work by themselves. */
export const automationOfNew = (eventType: EventType, stated: Partial<Automation>): Automation => ({
  automatic: stated.automatic ?? (eventType === EVENT_TYPE.machine ? true : null),
  everyHours: stated.everyHours ?? null,
  windows: stated.windows ?? null,
  requestsPerSecond: stated.requestsPerSecond ?? null,
  parallelTargets: stated.parallelTargets ?? null,
  depth: stated.depth ?? null,
  accounts: stated.accounts ?? null,
  reportAtEnd: stated.reportAtEnd ?? null,
});

export function requireAutomationAllowed(eventType: EventType, stated: Partial<Automation>): void {
  if (eventType === EVENT_TYPE.machine) return;
  for (const [name, field] of Object.entries(AUTOMATION_FIELDS)) {
    if ((stated[field] ?? false) === false) continue;
    throw unprocessable(`${name} is for machine events (event_type 1): a human event sends nothing by itself.`);
  }
}

interface AutomaticEvent extends Automation {
  readonly eventType: EventType;
  readonly eventCategory: EventCategory;
  readonly startDate: Date;
}

const inHours = (hours: number): string => (hours === 1 ? 'hour' : `${hours} hours`);

const SENT: Readonly<Record<EventCategory, (hours: number) => string>> = {
  [EVENT_CATEGORY.pentest]: (hours) =>
    `every asset in its scope is observed and every web origin there is tested: all once, then every ${inHours(hours)} what changed, and all again on the last day`,
  [EVENT_CATEGORY.red_team]: () => 'only what a person launches is sent',
  [EVENT_CATEGORY.continuous]: (hours) =>
    `every asset in its scope is observed and every web origin there is tested, all every ${inHours(hours)}`,
};

/** What the event sends by itself, and from when; null if nothing. */
export function whatIsSent(event: AutomaticEvent): string | null {
  if (event.automatic !== true) return null;
  const windows = event.windows ?? [];
  const from = nextOpening(parseWindows(windows), event.startDate);
  const pace = event.requestsPerSecond;
  const limits = [
    ...(windows.length === 0 ? [] : [`in these windows only: ${windows.join('; ')}`]),
    ...(pace === null ? [] : [`at most ${pace} requests a second to each target`]),
    `at most ${event.parallelTargets ?? DEFAULT_PARALLEL_TARGETS} targets at a time`,
  ];
  const depth = event.depth === 'active' ? ', with active tests' : '';
  const accounts = event.accounts?.length ?? 0;
  const signedIn =
    accounts === 0 ? '' : `, also signed in with ${accounts === 1 ? '1 account' : `${accounts} accounts`}`;
  const sent = SENT[event.eventCategory](event.everyHours ?? DEFAULT_EVERY_HOURS);
  return `From ${minuteOf(from)} on, ${sent}${depth}${signedIn}; ${limits.join(', ')}.`;
}
