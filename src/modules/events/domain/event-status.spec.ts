import * as fc from 'fast-check';
import {
  requestedChange,
  EVENT_STATUSES,
  type EventStatus,
  type EventTest,
  eventStatusVocabulary,
  eventTransitions,
  dueTransition,
  reasonNotTestable,
} from './event-status';

const status = fc.constantFrom(...EVENT_STATUSES);
const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour));

describe('the status of an event', () => {
  it('has these transitions', () => {
    expect(eventStatusVocabulary.map(({ name, transitions }) => `${name}: ${transitions.join(' ')}`)).toEqual([
      'draft: scheduled canceled',
      'scheduled: running paused canceled',
      'running: paused retesting finished canceled',
      'paused: running finished canceled',
      'retesting: running finished',
      'finished: ',
      'canceled: ',
    ]);
  });

  it('can be requested wherever the table allows it, except the start', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        const starts = from === 'scheduled' && to === 'running';
        const ask = () => requestedChange(from, to, at(10), at(10));
        if (from === to) expect(ask()).toBe('unchanged');
        else if (eventTransitions.allows(from, to) && !starts) expect(ask()).toBe('updated');
        else expect(ask).toThrow(expect.objectContaining({ kind: 'conflict' }));
      }),
    );
    expect(() => requestedChange('scheduled', 'running', at(10), at(9))).toThrow(
      'starts automatically at its start_date, 2026-11-21T10:00:00.000Z',
    );
  });

  it('is never running before the start, whatever was requested before', () => {
    const early = fc.integer({ min: 0, max: 9 }).map(at);
    fc.assert(
      fc.property(status, early, (from, now) => {
        fc.pre(from !== 'running');
        expect(() => requestedChange(from, 'running', at(10), now)).toThrow(
          expect.objectContaining({ kind: 'conflict' }),
        );
      }),
    );
    expect(() => requestedChange('paused', 'running', at(10), at(9))).toThrow(
      'The event is paused and cannot run before its start_date, 2026-11-21T10:00:00.000Z: try again then.',
    );
    expect(requestedChange('paused', 'finished', at(10), at(9))).toBe('updated');
  });

  it('refuses with the transitions that a person can request, without a start that is not possible yet', () => {
    const refused = (from: EventStatus, to: EventStatus, hour: number) => () =>
      requestedChange(from, to, at(10), at(hour));
    expect(refused('scheduled', 'finished', 9)).toThrow('cannot become finished; it may become: paused, canceled.');
    expect(refused('paused', 'retesting', 9)).toThrow('cannot become retesting; it may become: finished, canceled.');
    expect(refused('paused', 'retesting', 10)).toThrow('it may become: running, finished, canceled.');
  });
});

describe('what may be tested for an event', () => {
  const testable = (test: EventTest): EventStatus[] =>
    EVENT_STATUSES.filter((status) => reasonNotTestable(status, test) === null);

  it('is everything while the event is running, and only known findings while it is retesting', () => {
    expect(testable('job')).toEqual(['running']);
    expect(testable('retest')).toEqual(['running', 'retesting']);
    expect(reasonNotTestable('retesting', 'job')).toBe('The event is retesting: it must be running.');
    expect(reasonNotTestable('paused', 'retest')).toBe('The event is paused: it must be running or retesting.');
  });
});

describe('dueTransition', () => {
  it.each<[EventStatus, number, EventStatus | null]>([
    ['draft', 20, null],
    ['scheduled', 9, null],
    ['scheduled', 10, 'running'],
    ['scheduled', 20, 'running'],
    ['running', 11, null],
    ['running', 12, 'finished'],
    ['paused', 9, null],
    ['paused', 11, null],
    ['paused', 12, 'finished'],
    ['retesting', 20, null],
    ['finished', 20, null],
    ['canceled', 20, null],
  ])('an event from 10 to 12 that is %s has at %d the due transition %s', (from, hour, due) => {
    expect(dueTransition(from, at(10), at(12), at(hour))).toBe(due);
  });

  it('applies only transitions of the table, and ends', () => {
    const hour = fc.integer({ min: 0, max: 23 }).map(at);
    fc.assert(
      fc.property(status, hour, hour, hour, (start, from, until, now) => {
        const path: EventStatus[] = [start];
        for (let due = dueTransition(start, from, until, now); due; due = dueTransition(due, from, until, now)) {
          expect(eventTransitions.allows(path.at(-1) ?? start, due)).toBe(true);
          path.push(due);
          expect(path.length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});
