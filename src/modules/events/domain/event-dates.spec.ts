import { defaultEnd, requireChangeableDates, requireValidDates } from './event-dates';
import { EVENT_TYPE } from './event-vocabulary';

const { machine, human } = EVENT_TYPE;
const day = (date: string): Date => new Date(`${date}T00:00:00.000Z`);

describe('the dates of an event', () => {
  it('end after they start, for human and machine events', () => {
    for (const type of [machine, human]) {
      expect(() => requireValidDates(type, day('2026-01-01'), day('2026-01-02'))).not.toThrow();
      expect(() => requireValidDates(type, day('2026-01-01'), day('2026-01-01'))).toThrow(/^end_date must be after/);
      expect(() => requireValidDates(type, day('2026-01-02'), day('2026-01-01'))).toThrow(/^end_date must be after/);
    }
  });

  it('may omit the end only for machine events', () => {
    expect(() => requireValidDates(machine, day('2026-01-01'), null)).not.toThrow();
    expect(() => requireValidDates(human, day('2026-01-01'), null)).toThrow(/^end_date is required/);
  });

  it('are limited to dates that the database and ISO 8601 can represent', () => {
    expect(() => requireValidDates(machine, day('1969-12-31'), null)).toThrow(/^start_date must not be before 1970/);
    expect(() => defaultEnd(day('9999-12-31'), 86_400_000)).toThrow(/^start_date is too late/);
  });

  it('default the end to the default duration', () => {
    expect(defaultEnd(day('2026-01-01'), 14 * 86_400_000)).toEqual(day('2026-01-15'));
  });
});

describe('changing the dates of an event', () => {
  const [start, now, later, end] = ['2026-01-01', '2026-01-05', '2026-01-10', '2026-02-01'].map(day) as [
    Date,
    Date,
    Date,
    Date,
  ];
  const event = { eventType: machine, startDate: later, endDate: end };
  const moved = { startDate: day('2026-01-11') };

  it.each(['draft', 'scheduled', 'paused'] as const)('moves the start of a %s event that has not started', (status) => {
    expect(() => requireChangeableDates({ ...event, status }, moved, now)).not.toThrow();
  });

  it.each(['running', 'paused', 'retesting'] as const)('keeps the start of a %s event that has started', (status) => {
    const started = { ...event, status, startDate: start };
    expect(() => requireChangeableDates(started, moved, now)).toThrow('its start_date no longer changes');
    expect(() => requireChangeableDates(started, { startDate: start, endDate: later }, now)).not.toThrow();
  });

  it.each(['finished', 'canceled'] as const)('keeps both dates of a %s event', (status) => {
    for (const change of [moved, { endDate: later }])
      expect(() => requireChangeableDates({ ...event, status }, change, now)).toThrow('its dates no longer change');
    expect(() => requireChangeableDates({ ...event, status }, {}, now)).not.toThrow();
  });

  it('compares a new date with the one that stays', () => {
    const scheduled = { ...event, status: 'scheduled' } as const;
    expect(() => requireChangeableDates(scheduled, { startDate: end }, now)).toThrow(/^end_date must be after/);
    expect(() => requireChangeableDates(scheduled, { endDate: later }, now)).toThrow(/^end_date must be after/);
  });
});
