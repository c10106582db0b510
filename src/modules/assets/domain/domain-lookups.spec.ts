import * as fc from 'fast-check';
import { afterLookup, type LookupState, unverified } from './domain-lookups';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const START = new Date('2026-11-21T12:00:00Z');
const at = (days: number): Date => new Date(START.getTime() + days * DAY);
const minutesUntilNext = (lookups: LookupState, now: Date): number => (lookups.next.getTime() - now.getTime()) / MINUTE;

const verified = afterLookup(unverified(START), 'found', START);

describe('looking up a domain that is not verified', () => {
  it('starts after a minute, with pauses that grow from a minute to a day', () => {
    let known = unverified(START);
    expect(minutesUntilNext(known, START)).toBe(1);
    const pauses = Array.from({ length: 13 }, () => {
      const now = known.next;
      known = afterLookup(known, 'absent', now);
      return minutesUntilNext(known, now);
    });
    expect(pauses).toEqual([1, 2, 5, 10, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440]);
  });

  it('verifies it when the token is found, and repeats the lookup in a week', () => {
    expect(verified).toEqual({ verified: true, failedLookups: 0, misses: 0, lastMiss: null, next: at(7) });
  });
});

describe('looking up a domain that is verified', () => {
  const lookUp = (days: number[], verdict: 'absent' | 'unknown', from = verified): LookupState =>
    days.reduce((known, day) => afterLookup(known, verdict, at(day)), from);

  it('revokes it after three answers without the token, a day apart', () => {
    expect(lookUp([7], 'absent')).toMatchObject({ verified: true, misses: 1, next: at(8) });
    expect(lookUp([7, 8], 'absent')).toMatchObject({ verified: true, misses: 2, next: at(9) });
    expect(lookUp([7, 8, 9], 'absent')).toEqual(unverified(at(9)));
  });

  it('counts one answer a day, however often a lookup is requested', () => {
    const asked = lookUp([7, 7.1, 7.2, 7.5, 7.99], 'absent');
    expect(asked).toMatchObject({ verified: true, misses: 1, lastMiss: at(7), next: at(8) });
  });

  it('never revokes it because there is no answer', () => {
    expect(lookUp([7, 8, 9, 10, 11], 'unknown')).toMatchObject({ verified: true, misses: 0, next: at(12) });
    expect(lookUp([10, 11], 'unknown', lookUp([7, 8], 'absent'))).toMatchObject({ verified: true, misses: 2 });
  });

  it('resets the misses when the token is found again', () => {
    expect(afterLookup(lookUp([7, 8], 'absent'), 'found', at(9))).toMatchObject({
      misses: 0,
      lastMiss: null,
      next: at(16),
    });
  });

  it('never revokes it within two days after the token was last found', () => {
    const step = fc.tuple(fc.constantFrom('absent', 'unknown', 'found'), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let known = verified;
        let now = START.getTime();
        let seen = now;
        for (const [verdict, minutes] of steps) {
          now += minutes * MINUTE;
          if (verdict === 'found') seen = now;
          const before = known.verified;
          known = afterLookup(known, verdict, new Date(now));
          if (before && !known.verified) expect(now - seen).toBeGreaterThanOrEqual(2 * DAY);
          expect(known.next.getTime()).toBeGreaterThan(now);
        }
      }),
    );
  });
});
