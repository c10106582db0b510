import { conflict, invalid } from '../../../kernel/domain-error';
import type { ChangeableEvent } from './event-change';
import { type EventStatus, hasEnded, hasStarted } from './event-status';
import { EVENT_TYPE, type EventType } from './event-vocabulary';

type Dates = Pick<ChangeableEvent, 'startDate' | 'endDate'>;

const EARLIEST = new Date('1970-01-01T00:00:00.000Z');
const LATEST = new Date('9999-12-31T23:59:59.999Z');

/** Called before the default duration is read, so that invalid dates cost no query. */
export function requireValidDates(eventType: EventType, startDate: Date, endDate: Date | null): void {
  if (startDate < EARLIEST) throw invalid('start_date must not be before 1970.');
  if (endDate === null && eventType === EVENT_TYPE.human) {
    throw invalid('end_date is required: only a machine event (event_type 1) has a default duration.');
  }
  if (endDate !== null && endDate <= startDate) throw invalid('end_date must be after start_date.');
}

/**
 * The start can change until the event has started, and the end until it has ended. A date that is the same as before is no
 * change.
 */
export function requireChangeableDates(
  {
    status,
    eventType,
    startDate: start,
    endDate: end,
  }: Dates & { readonly status: EventStatus; readonly eventType: EventType },
  { startDate = start, endDate = end }: Partial<Dates>,
  now: Date,
): void {
  const changesStart = startDate.getTime() !== start.getTime();
  const changesEnd = endDate.getTime() !== end.getTime();
  if (!changesStart && !changesEnd) return;
  if (hasEnded(status)) throw conflict(`The event is ${status}: its dates no longer change.`);
  if (changesStart && hasStarted(status, start, now))
    throw conflict(`The event started on ${start.toISOString()}: its start_date no longer changes.`);
  requireValidDates(eventType, startDate, endDate);
}

/** The end of an event that was created without an end date. */
export function defaultEnd(startDate: Date, duration: number): Date {
  const end = new Date(startDate.getTime() + duration);
  if (end <= LATEST) return end;
  throw invalid('start_date is too late: the event would end after the year 9999.');
}
