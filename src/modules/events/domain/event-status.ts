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

/** Whether a new job is asked for, or a look at what has been found: a retest, or the first look at a finding's check. */
export type EventTest = 'job' | 'retest';

const TESTABLE: Readonly<Record<EventTest, readonly EventStatus[]>> = {
  job: ['running'],
  retest: ['running', 'retesting'],
};

/** Why nothing may be tested for an event in this status, or null. */
export function reasonNotTestable(status: EventStatus, test: EventTest): string | null {
  const allowed = TESTABLE[test];
  return allowed.includes(status) ? null : `The event is ${status}: it must be ${allowed.join(' or ')}.`;
}

/**
 * What a person's request for a status comes to. An event starts when its time has come, and only then: the clock starts
 * what is scheduled, and what was paused before its start waits for that as well.
 */
export function requestedChange(
  from: EventStatus,
  to: EventStatus,
  startDate: Date,
  now: Date,
): 'unchanged' | 'updated' {
  if (from === to) return 'unchanged';
  const moves = eventTransitions.from(from);
  const why = moves.includes('running') ? reasonNotStartable(from, startDate, now) : null;
  if (to === 'running' && why !== null) throw conflict(`The event is ${from} and ${why}.`);
  eventTransitions.requireAllowed(from, to, why === null ? moves : moves.filter((move) => move !== 'running'));
  return 'updated';
}

/** Why no person starts an event that may run, or null. */
function reasonNotStartable(from: EventStatus, startDate: Date, now: Date): string | null {
  if (from === 'scheduled') return `starts by itself at its start_date, ${startDate.toISOString()}`;
  return startDate > now ? `cannot run before its start_date, ${startDate.toISOString()}: ask again then` : null;
}

/**
 * The move that the clock owes an event, or null. After a long absence it may owe two: ask again after the first.
 * A pause lasts until somebody ends it, also over the start: whoever asked for it is not overruled by a clock.
 * Retesting often goes on after the end, so it ends when somebody says so.
 */
export function dueTransition(status: EventStatus, startDate: Date, endDate: Date, now: Date): EventStatus | null {
  if (status === 'scheduled' && startDate <= now) return 'running';
  if ((status === 'running' || status === 'paused') && endDate <= now) return 'finished';
  return null;
}
