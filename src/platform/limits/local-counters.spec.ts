import { Clock } from '../../kernel/clock';
import type { Budget } from './budget';
import { LocalCounters } from './local-counters';

class TestClock extends Clock {
  ms = 1_000_000;

  override now(): Date {
    return new Date(this.ms);
  }
}

const budget = (owner: Budget['owner'], ownerId: number, limit: number): Budget => ({
  owner,
  ownerId,
  limitClass: 'read',
  limit,
});
const ofKey = budget('key', 1, 2);

let clock: TestClock;
beforeEach(() => (clock = new TestClock()));

it('allows the limit in a window of a minute, which begins with the first request', () => {
  const counters = new LocalCounters(1, clock);
  expect(counters.count([ofKey])).toEqual({ isRefused: false, counts: [{ remaining: 1, resetMs: 60_000 }] });
  clock.ms += 59_999;
  expect(counters.count([ofKey])).toEqual({ isRefused: false, counts: [{ remaining: 0, resetMs: 1 }] });
  expect(counters.count([ofKey])).toEqual({ isRefused: true, counts: [{ remaining: 0, resetMs: 1 }] });
  clock.ms += 1;
  expect(counters.count([ofKey]).isRefused).toBe(false);
});

it('does not count a refused request in any budget', () => {
  const counters = new LocalCounters(1, clock);
  const ofAll = budget('organization', 9, 4);
  for (let request = 0; request < 5; request++) counters.count([ofKey, ofAll]);
  expect(counters.count([ofAll]).counts[0]?.remaining).toBe(1);
});

it('counts a request as several, and a smaller budget allows it once', () => {
  const counters = new LocalCounters(1, clock);
  const twelve = budget('key', 2, 12);
  const remaining = () => counters.count([twelve], 5);
  expect(
    [remaining(), remaining(), remaining()].map(({ isRefused, counts }) => [isRefused, counts[0]?.remaining]),
  ).toEqual([
    [false, 7],
    [false, 2],
    [true, 2],
  ]);
  expect(counters.count([twelve]).isRefused).toBe(false);
  expect([1, 2].map(() => counters.count([ofKey], 5).isRefused)).toEqual([false, true]);
});

it('allows a process its share, and estimates what is left of the whole', () => {
  const counters = new LocalCounters(4, clock);
  const ten = budget('key', 1, 10);
  expect(counters.count([ten]).counts[0]?.remaining).toBe(6);
  expect([1, 2, 3].map(() => counters.count([ten]).isRefused)).toEqual([false, false, true]);
  expect(new LocalCounters(100, clock).count([ten]).isRefused).toBe(false);
});

it('does not prolong a window when the clock is set back', () => {
  const counters = new LocalCounters(1, clock);
  for (let request = 0; request < 3; request++) counters.count([ofKey]);
  clock.ms -= 3_600_000;
  expect(counters.count([ofKey])).toEqual({ isRefused: false, counts: [{ remaining: 1, resetMs: 60_000 }] });
});
