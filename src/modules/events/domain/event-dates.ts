import { invalid } from '../../../kernel/domain-error';
import { EVENT_TYPE, type EventType } from './event-vocabulary';

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

/** The end of an event that was created without an end date. */
export function defaultEnd(startDate: Date, duration: number): Date {
  const end = new Date(startDate.getTime() + duration);
  if (end <= LATEST) return end;
  throw invalid('start_date is too late: the event would end after the year 9999.');
}
