import * as fc from 'fast-check';
import { DURATION_UNITS, defaultEventDuration, requireDuration, durationMs, eventDurationOf } from './event-duration';

const DAY = 86_400_000;

describe('requireDuration', () => {
  it.each([
    [1, 'hours', DAY / 24],
    [8760, 'hours', 365 * DAY],
    [1, 'days', DAY],
    [365, 'days', 365 * DAY],
    [52, 'weeks', 364 * DAY],
    [12, 'months', 360 * DAY],
  ])('accepts %d %s', (duration, unit, length) => {
    expect(durationMs(requireDuration({ duration, unit }))).toBe(length);
  });

  it.each([
    [0, 'hours'],
    [-1, 'days'],
    [8761, 'hours'],
    [366, 'days'],
    [53, 'weeks'],
    [13, 'months'],
    [2 ** 31 - 1, 'months'],
  ])('refuses %d %s as too short or too long', (duration, unit) => {
    expect(() => requireDuration({ duration, unit })).toThrow(expect.objectContaining({ kind: 'unprocessable' }));
  });

  it.each([
    [1, 'minutes'],
    [1, 'Days'],
    [1, 'day'],
    [1, ''],
    [1, 'toString'],
    [0, 'years'],
    [1.5, 'days'],
    [NaN, 'days'],
    [Infinity, 'days'],
  ])('refuses %d %j as invalid', (duration, unit) => {
    expect(() => requireDuration({ duration, unit })).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  it('accepts exactly the durations from 1 hour to 365 days', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 9000 }),
        fc.constantFrom('hours', 'days', 'weeks', 'months'),
        (duration, unit) => {
          const length = durationMs({ duration, unit });
          const fits = length >= DAY / 24 && length <= 365 * DAY;
          if (fits) expect(requireDuration({ duration, unit })).toEqual({ duration, unit });
          else expect(() => requireDuration({ duration, unit })).toThrow(/^duration must be/);
        },
      ),
    );
  });

  it('is 14 days by default', () => {
    expect(durationMs(defaultEventDuration)).toBe(14 * DAY);
    expect(DURATION_UNITS).toEqual(['hours', 'days', 'weeks', 'months']);
  });
});

describe('the duration that an integrator has set', () => {
  it('is a duration with a unit, or null', () => {
    expect(eventDurationOf({ defaultEventDuration: 2, defaultEventUnit: 'weeks' })).toEqual({
      duration: 2,
      unit: 'weeks',
    });
    expect(eventDurationOf({ defaultEventDuration: null, defaultEventUnit: null })).toBeNull();
    expect(eventDurationOf(undefined)).toBeNull();
  });
});
