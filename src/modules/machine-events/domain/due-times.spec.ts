import { isOpen, nextOpening, parseWindows } from '../../../kernel/opening-windows';
import { EVENT_CATEGORY, type EventCategory } from '../../events/domain/event-vocabulary';
import { capacityOf, openHoursOfDay } from './capacity';
import { type Due, dueAfterChange, lastRoundOf, nextDue, nextTry } from './due-times';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Summer time ends in Lisbon on 25 October 2026. */
const startDate = new Date('2026-10-19T12:00:00Z');
const endDate = new Date(startDate.getTime() + 14 * DAY_MS);

interface Simulated {
  readonly category: EventCategory;
  readonly windows: string[];
  readonly targets: number;
  readonly everyHours?: number;
  readonly isAsset?: boolean;
  /** Nothing is sent from the first to the second hour. */
  readonly pause?: readonly [number, number];
}

/** The times of all runs in 14 days of a worker that looks every ten minutes and tests what is due, by target. */
function simulate({
  category,
  windows,
  targets,
  everyHours = 24,
  isAsset = false,
  pause = [0, 0],
}: Simulated): Date[][] {
  const event = { eventCategory: category, everyHours, startDate, endDate };
  const parsed = parseWindows(windows);
  const plan = Array.from({ length: targets }, (_, id) => ({
    id: id + 1,
    dueAt: startDate as Date | null,
    runs: [] as Date[],
  }));
  for (let time = startDate.getTime(); time < endDate.getTime(); time += HOUR_MS / 6) {
    const now = new Date(time);
    const hour = (time - startDate.getTime()) / HOUR_MS;
    if (!isOpen(parsed, now) || (hour >= pause[0] && hour < pause[1])) continue;
    for (const target of plan) {
      if (target.dueAt === null || target.dueAt > now) continue;
      const origin = isAsset ? null : 'https://www.example.com/';
      const due: Due = {
        event,
        lastRound: lastRoundOf(event, parsed, now),
        target: { id: target.id, origin, dueAt: target.dueAt, runs: target.runs.length },
        now,
      };
      target.runs.push(now);
      target.dueAt = nextDue(due);
    }
  }
  return plan.map(({ runs }) => runs);
}

const longestGap = (runs: readonly Date[]): number =>
  Math.max(...runs.slice(1).map((at, index) => (at.getTime() - (runs[index] as Date).getTime()) / HOUR_MS));

const nights = ['Mo-Su 20:00-06:00 Europe/Lisbon'];

describe('the times of tests in 14 days', () => {
  it('tests every target of a continuous event at least once a day, spread over the day', () => {
    const runs = simulate({ category: EVENT_CATEGORY.continuous, windows: [], targets: 40 });
    expect(Math.max(...runs.map(longestGap))).toBeLessThanOrEqual(24.2);
    expect(Math.min(...runs.map(({ length }) => length))).toBeGreaterThanOrEqual(14);
    expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(15);
    const hours = new Set(runs.map((times) => times[3]?.getUTCHours()));
    expect(hours.size).toBeGreaterThan(8);
    // The second test is no sooner than half a period after the first.
    expect(Math.min(...runs.map(([first, second]) => Number(second) - Number(first)))).toBeGreaterThan(12 * HOUR_MS);
  });

  it('tests every target once in each night of its windows, also when the clocks change', () => {
    const runs = simulate({ category: EVENT_CATEGORY.continuous, windows: nights, targets: 40 });
    const parsed = parseWindows(nights);
    expect(runs.flat().every((at) => isOpen(parsed, at))).toBe(true);
    const nightsOf = runs.map((times) =>
      times.map((at) => new Date(at.getTime() - 12 * HOUR_MS).toISOString().slice(0, 10)),
    );
    expect(Math.min(...nightsOf.map((days) => new Set(days).size))).toBeGreaterThanOrEqual(13);
    expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(15);
  });

  it('continues after a pause and does not repeat what it missed', () => {
    const runs = simulate({ category: EVENT_CATEGORY.continuous, windows: [], targets: 20, pause: [60, 132] });
    const from = startDate.getTime() + 60 * HOUR_MS;
    const to = startDate.getTime() + 132 * HOUR_MS;
    expect(runs.flat().filter((at) => at.getTime() >= from && at.getTime() < to)).toEqual([]);
    for (const times of runs) {
      const next = times.filter((at) => at.getTime() >= to && at.getTime() < to + DAY_MS);
      expect(next.length).toBeGreaterThanOrEqual(1);
      expect(next.length).toBeLessThanOrEqual(2);
    }
  });

  it('tests the origins of a pentest at the start and on the last day, and observes its assets daily', () => {
    const origins = simulate({ category: EVENT_CATEGORY.pentest, windows: [], targets: 10 });
    expect(origins.map((times) => times.map((at) => at.toISOString()))).toEqual(
      Array.from({ length: 10 }, () => [startDate.toISOString(), new Date(endDate.getTime() - DAY_MS).toISOString()]),
    );
    const assets = simulate({ category: EVENT_CATEGORY.pentest, windows: [], targets: 10, isAsset: true });
    expect(Math.max(...assets.map(longestGap))).toBeLessThanOrEqual(24.2);
    const rare = { category: EVENT_CATEGORY.pentest, windows: [], targets: 3, isAsset: true, everyHours: 720 };
    const lastDay = new Date(endDate.getTime() - DAY_MS);
    expect(simulate(rare)).toEqual(Array.from({ length: 3 }, () => [startDate, lastDay]));
  });

  it('has the last round of a pentest in the last window before the end', () => {
    const windows = ['Mo-Fr 20:00-23:00 Europe/Lisbon'];
    const runs = simulate({ category: EVENT_CATEGORY.pentest, windows, targets: 3 });
    const last = new Date(nextOpening(parseWindows(windows), new Date('2026-10-30T12:00:00Z')));
    expect(runs.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(runs.map((times) => times[1])).toEqual([last, last, last]);
  });

  it('has the last round of a pentest before a window that opens when the event ends', () => {
    const runs = simulate({ category: EVENT_CATEGORY.pentest, windows: ['Mo 12:00-14:00 UTC'], targets: 1 });
    expect(runs).toEqual([[startDate, new Date('2026-10-26T12:00:00Z')]]);
  });

  it('tests nothing twice in a red team', () => {
    expect(
      simulate({ category: EVENT_CATEGORY.red_team, windows: [], targets: 2 }).map(({ length }) => length),
    ).toEqual([1, 1]);
  });
});

describe('the next time of a target', () => {
  const event = { eventCategory: EVENT_CATEGORY.continuous, everyHours: 24, startDate, endDate };
  const target = { id: 7, origin: 'https://www.example.com/', dueAt: startDate, runs: 0 };

  it('is counted from the last test when the event changes', () => {
    const now = new Date(startDate.getTime() + HOUR_MS);
    const planned = nextDue({ event, lastRound: null, target, now: startDate });
    const run = { ...target, dueAt: null, runs: 1, lastRun: startDate };
    expect(dueAfterChange({ event, lastRound: null, target: run, now })).toEqual(planned);
    const faster = dueAfterChange({ event: { ...event, everyHours: 12 }, lastRound: null, target: run, now });
    expect(Number(faster) - Number(startDate)).toBe((Number(planned) - Number(startDate)) / 2);
  });

  it.each([
    ['at once where the end of a pentest has moved so close that it misses the last round', 0, true, 'pentest'],
    ['never where its test was in the last day of a pentest', 13, false, 'pentest'],
    ['never where a pentest has not tested it', null, false, 'pentest'],
    ['never in a red team', 0, false, 'red_team'],
  ] as const)('is %s', (_when, testedAfter, isNow, category) => {
    const at = (hours: number): Date => new Date(startDate.getTime() + hours * HOUR_MS);
    const changed = { ...event, eventCategory: EVENT_CATEGORY[category], endDate: at(36) };
    const run = { ...target, dueAt: null, runs: 1, lastRun: testedAfter === null ? null : at(testedAfter) };
    const lastRound = lastRoundOf(changed, [], at(24));
    const next = dueAfterChange({ event: changed, lastRound, target: run, now: at(24) });
    expect(next).toEqual(isNow ? at(24) : null);
  });

  it('comes later after each attempt, and at most a period later', () => {
    const hours = [0, 1, 2, 4, 5, 40].map(
      (attempts) => (Number(nextTry(event, attempts, startDate)) - Number(startDate)) / HOUR_MS,
    );
    expect(hours).toEqual([1, 2, 4, 16, 24, 24]);
  });
});

describe('the capacity of an event', () => {
  const event = { automatic: true, eventCategory: EVENT_CATEGORY.continuous, everyHours: null, parallelTargets: 4 };
  const now = new Date('2026-03-02T12:00:00Z');

  it('promises only as many tests as the windows have time for', () => {
    const load = {
      event,
      windows: parseWindows(['Mo-Su 00:00-20:00 UTC']),
      origins: 2_490,
      seconds: 120,
      slots: 3,
      now,
    };
    expect(capacityOf(load)).toEqual({
      roundHours: 83,
      availableHours: 40,
      text: '83 h a day, 40 available: each origin every 2.1 days',
    });
    expect(capacityOf({ ...load, origins: 30 })?.text).toBe('1 h a day, 40 available: each origin every 24 hours');
  });

  it('leaves one slot of the worker to other organizations', () => {
    const load = { event, windows: [], origins: 48, seconds: 1_800, now };
    const hours = [1, 2, 3, 9].map((slots) => capacityOf({ ...load, slots })?.availableHours);
    expect(hours).toEqual([24, 24, 48, 96]);
  });

  it('says how long the round of a pentest takes, and nothing about events that send nothing by themselves', () => {
    const pentest = { ...event, eventCategory: EVENT_CATEGORY.pentest, parallelTargets: 1 };
    const load = { event: pentest, windows: [], origins: 360, seconds: null, slots: 2, now };
    expect(capacityOf(load)?.text).toBe('12 h for all origins, 24 available a day: one round takes 12 hours');
    expect(capacityOf({ ...load, event: { ...event, automatic: false } })).toBeNull();
    expect(capacityOf({ ...load, event: { ...event, eventCategory: EVENT_CATEGORY.red_team } })).toBeNull();
  });

  it('counts the open hours of a week by the clocks of the zone', () => {
    expect(openHoursOfDay([], now)).toBe(24);
    expect(openHoursOfDay(parseWindows(['Mo-Fr 20:00-06:00 Europe/Lisbon']), now) * 7).toBeCloseTo(50, 5);
  });
});
