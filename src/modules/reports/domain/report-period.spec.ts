import { periodOf } from './report-period';

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));
const event = { startDate: at(10), endDate: at(20) };

describe('the period of a report', () => {
  it('is the event’s unless the request states another', () => {
    expect(periodOf({ startDate: null, endDate: null }, event)).toEqual(event);
    expect(periodOf({ startDate: at(1), endDate: null }, event)).toEqual({ startDate: at(1), endDate: at(20) });
    expect(periodOf({ startDate: null, endDate: at(30) }, event)).toEqual({ startDate: at(10), endDate: at(30) });
  });

  it('does not begin at its end', () => {
    for (const startDate of [at(20), at(21)])
      expect(() => periodOf({ startDate, endDate: null }, event)).toThrow(/^start_date must be before end_date/);
  });
});
