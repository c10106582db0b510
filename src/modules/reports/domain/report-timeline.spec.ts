import * as fc from 'fast-check';
import { timelineOf } from './report-timeline';

const at = (text: string): Date => new Date(text);
const later = at('2100-01-01T00:00:00Z');
const found = (created: string, resolved: string | null = null) => ({ created, resolved });

describe('timelineOf', () => {
  it('has a stretch for each day of a month, and for each week of a longer period', () => {
    const month = timelineOf([], { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-31T23:59:59.999Z'), now: later });
    expect([month.length, month[0]?.from, month.at(-1)?.from]).toEqual([
      31,
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
    ]);
    const quarter = timelineOf([], { from: at('2026-01-01T00:00:00Z'), to: at('2026-03-31T00:00:00Z'), now: later });
    expect([quarter.length, quarter[1]?.from]).toEqual([13, '2026-01-08T00:00:00.000Z']);
  });

  it('counts findings in the stretch in which they were found and resolved, and leaves out those outside the period', () => {
    const period = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-03T00:00:00Z'), now: later };
    const findings = [
      found('2026-01-01T00:00:00.000Z', '2026-01-02T12:00:00.000Z'),
      found('2026-01-02T00:00:00.000Z', '2026-01-09T00:00:00.000Z'),
      found('2025-12-31T23:59:59.999Z', '2026-01-03T00:00:00.000Z'),
    ];
    expect(timelineOf(findings, period)).toEqual([
      { from: '2026-01-01T00:00:00.000Z', found: 1, resolved: 0 },
      { from: '2026-01-02T00:00:00.000Z', found: 1, resolved: 2 },
    ]);
  });

  it('ends now if the period has not ended, and is empty before it begins', () => {
    const from = at('2026-01-01T00:00:00Z');
    expect(timelineOf([], { from, to: later, now: at('2026-01-03T12:00:00Z') })).toHaveLength(3);
    expect(timelineOf([], { from, to: later, now: at('2025-12-31T00:00:00Z') })).toEqual([]);
  });

  it('has at most 31 stretches and every moment of the period in one of them', () => {
    const moment = fc.date({ min: at('1970-01-01T00:00:00Z'), max: at('9999-12-31T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, part) => {
        const [from, to] = one <= other ? [one, other] : [other, one];
        const within = new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * part)).toISOString();
        const stretches = timelineOf([found(within, within)], { from, to, now: at('9999-12-31T23:59:59Z') });
        expect(stretches.length).toBeLessThanOrEqual(31);
        expect(stretches.reduce((sum, { found, resolved }) => sum + found + resolved, 0)).toBe(2);
      }),
    );
  });
});
