import { conflict } from '../../../kernel/domain-error';
import { Transitions } from '../../../kernel/transitions';

export const EVENT_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'retesting', 'finished', 'canceled'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

const TRANSITIONS: Readonly<Record<EventStatus, readonly EventStatus[]>> = {
  draft: ['scheduled', 'canceled'],
  scheduled: ['running', 'paused', 'canceled'],
  running: ['paused', 'retesting', 'finished', 'canceled'],
  paused: ['running', 'finished', 'canceled'],
  retesting: ['running', 'finished'],
  finished: [],
  canceled: [],
};

export const eventTransitions = new Transitions<EventStatus>('event', TRANSITIONS);

export const eventStatusVocabulary = EVENT_STATUSES.map((name) => ({ name, transitions: TRANSITIONS[name] }));

/** Nothing follows. */
export const hasEnded = (status: EventStatus): boolean => TRANSITIONS[status].length === 0;

/** An event that was paused before its start has not started. */
export const hasStarted = (status: EventStatus, startDate: Date, now: Date): boolean =>
  status !== 'draft' && status !== 'scheduled' && startDate <= now;

/** A new job, or a test of a known finding: a retest or the initial verification. */
export type EventTest = 'job' | 'retest';

const TESTABLE: Readonly<Record<EventTest, readonly EventStatus[]>> = {
  job: ['running'],
  retest: ['running', 'retesting'],
};

/** Why this test is not allowed in an event with this status, or null. */
export function reasonNotTestable(status: EventStatus, test: EventTest): string | null {
  const allowed = TESTABLE[test];
  return allowed.includes(status) ? null : `The event is ${status}: it must be ${allowed.join(' or ')}.`;
}

/**
 * Checks a status that a person requests. No event runs before its start date: a scheduled event starts automatically,
 * and one that was paused before its start can be resumed from then on.
 */
export function requestedChange(
  from: EventStatus,
  to: EventStatus,
  startDate: Date,
  now: Date,
): 'unchanged' | 'updated' {
  if (from === to) return 'unchanged';
  const allowed = eventTransitions.from(from);
  const reason = allowed.includes('running') ? reasonNotStartable(from, startDate, now) : null;
  if (to === 'running' && reason !== null) throw conflict(`The event is ${from} and ${reason}.`);
  eventTransitions.requireAllowed(
    from,
    to,
    reason === null ? allowed : allowed.filter((status) => status !== 'running'),
  );
  return 'updated';
}

/** Why a person cannot start the event now, or null. */
function reasonNotStartable(from: EventStatus, startDate: Date, now: Date): string | null {
  if (from === 'scheduled') return `starts automatically at its start_date, ${startDate.toISOString()}`;
  return startDate > now ? `cannot run before its start_date, ${startDate.toISOString()}: try again then` : null;
}

/**
 * The transition that is due for an event, or null. After a long downtime a second one may be due after the first.
 * A pause continues past the start date until a person ends it. Retesting often continues past the end date, so only a
 * person ends it.
 */
export function dueTransition(status: EventStatus, startDate: Date, endDate: Date, now: Date): EventStatus | null {
  if (status === 'scheduled' && startDate <= now) return 'running';
  if ((status === 'running' || status === 'paused') && endDate <= now) return 'finished';
  return null;
}
