import * as fc from 'fast-check';
import { beaconStatusAt, beaconStatusVocabulary } from './beacon-status';

const LAST = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number): Date => new Date(LAST.getTime() + seconds * 1000);

describe('the status of a beacon', () => {
  it('has the numbers 0 to 4', () => {
    expect(beaconStatusVocabulary.map(({ number, name }) => `${number} ${name}`)).toEqual([
      '0 pending',
      '1 online',
      '2 degraded',
      '3 offline',
      '4 disabled',
    ]);
  });

  it.each([
    [0, 1],
    [300, 1],
    [300.001, 2],
    [600, 2],
    [900, 2],
    [900.001, 3],
    [86_400, 3],
    // The clock of another process may be ahead.
    [-5, 1],
  ])('%d s after the last report is %d', (seconds, status) => {
    expect(beaconStatusAt(after(seconds), LAST)).toBe(status);
  });

  it('is pending before the first report, and disabled whatever is reported', () => {
    expect(beaconStatusAt(after(10_000), null)).toBe(0);
    expect(beaconStatusAt(after(0), LAST, true)).toBe(4);
    expect(beaconStatusAt(after(0), null, true)).toBe(4);
  });

  it('changes only by transitions of the table', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), fc.boolean(), (one, more, reported) => {
        const from = beaconStatusAt(after(one), LAST);
        const now = after(one + more);
        const to = beaconStatusAt(now, reported ? now : LAST);
        const moves: readonly number[] = beaconStatusVocabulary[from]?.transitions ?? [];
        expect(to === from || moves.includes(to)).toBe(true);
      }),
    );
  });
});
