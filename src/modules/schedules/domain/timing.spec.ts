import { Cron } from 'croner';
import * as fc from 'fast-check';
import { nextRun, nextRuns, requireTiming, type Timing } from './timing';
import { ZONES } from '../../../kernel/testing/zones';
import { clockTimeOf } from '../../../kernel/zoned-time';

const NOW = new Date('2026-02-10T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const timing = (stated: Partial<Timing>): Timing => ({
  cron: stated.everyHours == null ? '0 3 * * *' : null,
  timeZone: stated.everyHours == null ? 'Europe/Lisbon' : null,
  everyHours: null,
  jitterMinutes: 0,
  windows: [],
  anchor: NOW,
  seed: 'a',
  ...stated,
});

const shown = (runs: readonly Date[]): string[] => runs.map((run) => run.toISOString().slice(5, 16));

describe.each(ZONES)('cron in $zone', ({ zone, changes }) => {
  const start = fc.oneof(
    fc.constantFrom(...changes).map((change) => Date.parse(change) - 2 * DAY),
    fc
      .date({ min: new Date('2022-01-01'), max: new Date('2025-12-20'), noInvalidDate: true })
      .map((date) => date.getTime()),
  );
  const minute = fc.constantFrom('0', '30', '15,45', '*/20');
  const hour = fc.constantFrom('0', '1', '2', '3', '0,2', '1-3', '*/2', '23');

  it('runs every time that the expression names once, on days when the clocks change too', () => {
    fc.assert(
      fc.property(start, minute, hour, (from, minutes, hours) => {
        const cron = `${minutes} ${hours} * * *`;
        const runs = nextRuns(timing({ cron, timeZone: zone }), new Date(from), 24).map((run) => run.getTime());
        const named = new Cron(cron, { timezone: 'UTC', paused: true }).nextRuns(
          100,
          new Date(clockTimeOf(zone, new Date(from)) - 4 * HOUR),
        );
        const until = runs.at(-1) ?? from;
        const times = named.map((date) => date.getTime());
        // A run shows its time, or it replaces times that the clocks skipped within the last hour.
        for (const run of runs) {
          const clock = clockTimeOf(zone, new Date(run));
          const skips = clock - clockTimeOf(zone, new Date(run - 60_000)) > 60_000;
          expect(times.includes(clock) || (skips && times.some((time) => time < clock && time >= clock - HOUR))).toBe(
            true,
          );
        }
        // No time is run twice, although the clocks may show it twice.
        const clocks = runs.map((run) => clockTimeOf(zone, new Date(run)));
        expect(new Set(clocks).size).toBe(clocks.length);
        // No time is left out: each is shown by a run, or was skipped and a run replaced it.
        const first = clockTimeOf(zone, new Date(from));
        const last = clockTimeOf(zone, new Date(until));
        for (const time of times.filter((one) => one > first + HOUR && one < last - HOUR)) {
          expect(clocks.includes(time) || clocks.some((clock) => clock > time && clock <= time + HOUR)).toBe(true);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('runs every hour of the day, the repeated one too', () => {
    for (const change of changes) {
      const runs = nextRuns(
        timing({ cron: '0 * * * *', timeZone: zone }),
        new Date(Date.parse(change) - 30 * HOUR),
        60,
      );
      for (const [index, run] of runs.slice(1).entries()) {
        const passed = run.getTime() - (runs[index]?.getTime() ?? 0);
        // Lord Howe changes its clocks by half an hour.
        expect(passed === HOUR || (zone === 'Australia/Lord_Howe' && passed <= 1.5 * HOUR)).toBe(true);
      }
    }
  });
});

describe('a timing', () => {
  it('shows the runs at the start and the end of summer in Lisbon', () => {
    const at = (cron: string, from: string): string[] => shown(nextRuns(timing({ cron }), new Date(from), 3));
    expect(at('30 1 * * *', '2026-03-28T00:00:00Z')).toEqual(['03-28T01:30', '03-29T01:00', '03-30T00:30']);
    expect(at('30 1 * * *', '2026-10-24T00:00:00Z')).toEqual(['10-24T00:30', '10-25T00:30', '10-26T01:30']);
    expect(at('30 1 * * *', '2026-10-25T01:15:00Z')).toEqual(['10-26T01:30', '10-27T01:30', '10-28T01:30']);
  });

  it('counts hours from its anchor', () => {
    const every = timing({ everyHours: 5, anchor: new Date('2026-02-10T00:30:00Z') });
    expect(shown(nextRuns(every, NOW, 3))).toEqual(['02-10T15:30', '02-10T20:30', '02-11T01:30']);
    expect(shown(nextRuns(every, new Date('2026-01-01T00:00:00Z'), 1))).toEqual(['02-10T05:30']);
  });

  it('waits for a window, and runs once where several times lie outside of it', () => {
    const windows = ['Mo-Fr 20:00-06:00 Europe/Lisbon'];
    expect(shown(nextRuns(timing({ cron: '0 8,12 * * *', windows }), new Date('2026-02-10T11:00:00Z'), 3))).toEqual([
      '02-10T20:00',
      '02-11T20:00',
      '02-12T20:00',
    ]);
  });

  it('is late by its jitter, by the same time whenever it is asked, and by others for another schedule', () => {
    const late = timing({ jitterMinutes: 60 });
    const runs = nextRuns(late, NOW, 50).map((run) => run.getTime());
    for (const [index, run] of nextRuns(timing({}), NOW, 50).entries()) {
      expect((runs[index] ?? 0) - run.getTime()).toBeGreaterThanOrEqual(0);
      expect((runs[index] ?? 0) - run.getTime()).toBeLessThan(HOUR);
    }
    expect(nextRun(late, new Date((runs[3] ?? 0) + 1))?.getTime()).toBe(runs[4]);
    expect(nextRuns(timing({ jitterMinutes: 60, seed: 'b' }), NOW, 50).map((run) => run.getTime())).not.toEqual(runs);
  });

  it.each<[Partial<Timing>, string]>([
    [{ cron: null, timeZone: null }, 'cron or every_hours must be set'],
    [{ everyHours: 5, cron: '0 3 * * *', timeZone: 'UTC' }, 'and not both'],
    [{ everyHours: 5, timeZone: 'UTC' }, 'time_zone must be null'],
    [{ timeZone: null }, 'time_zone is missing'],
    [{ timeZone: 'Lisbon/Europe' }, 'time_zone must be a name of the IANA database: "Lisbon/Europe" is none'],
    [{ cron: '@daily' }, 'cron must have five fields'],
    [{ cron: '0 0 3 * * *' }, 'cron must have five fields'],
    [{ cron: '61 * * * *' }, 'cron is not an expression: Invalid value for minute: 61'],
    [{ cron: 'a b c d e' }, 'cron is not an expression'],
    [{ cron: '0 0 31 2 *' }, 'cron names a time that never comes'],
    [{ cron: '*/5 * * * *' }, 'cron must leave at least 15 minutes between two runs'],
    [{ cron: '0,5 3 * * *' }, 'cron must leave at least 15 minutes between two runs'],
    [{ cron: '0 * * * *', jitterMinutes: 60 }, 'cron must leave at least 61 minutes between two runs'],
    [{ everyHours: 1, jitterMinutes: 60 }, 'every_hours must leave at least 61 minutes'],
    [{ windows: ['Mo 8-9 UTC'] }, 'windows[0]: "8-9" must be a start and an end'],
  ])('refuses %j: %s', (stated, message) => {
    expect(() => requireTiming(timing(stated), NOW)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    expect(() => requireTiming(timing(stated), NOW)).toThrow(message);
  });

  it.each<Partial<Timing>>([
    { cron: '*/15 * * * *' },
    { everyHours: 1 },
    { jitterMinutes: 720 },
    { cron: '0 0 29 2 *' },
  ])('accepts %j', (stated) => expect(() => requireTiming(timing(stated), NOW)).not.toThrow());
});

describe('the spacing of an expression', () => {
  const minute = fc.constantFrom('*', '0', '*/10', '*/15', '0,14', '0,15,30,45', '0-30/15', '0,50', '10-12', '59');
  const hour = fc.constantFrom('*', '0', '0,23', '22-23', '*/5', '1-3', '0,2,4,6,8,10,12,14,16,18,20,22,23');
  const days = fc.constantFrom(
    '* * *',
    '1 * *',
    '1,31 * *',
    '*/2 * *',
    '1-2 3 *',
    '29 2 *',
    '* * 1',
    '* * MON,TUE',
    '* * 6-7',
  );

  it('is the shortest one of its runs, also over midnight', () => {
    fc.assert(
      fc.property(minute, hour, days, fc.constantFrom(0, 29, 59, 400), (minutes, hours, named, jitterMinutes) => {
        const cron = `${minutes} ${hours} ${named}`;
        const runs = new Cron(cron, { timezone: 'UTC', paused: true }).nextRuns(300, NOW).map((run) => run.getTime());
        const shortest = Math.min(...runs.slice(1).map((run, index) => run - (runs[index] ?? 0)));
        const check = () => requireTiming(timing({ cron, timeZone: 'UTC', jitterMinutes }), NOW);
        if (shortest < Math.max(15, jitterMinutes + 1) * 60_000) expect(check).toThrow('must leave at least');
        else expect(check).not.toThrow();
      }),
      { numRuns: 50 },
    );
  });

  it('counts runs over midnight on successive days only', () => {
    const check = (days: string) => () => requireTiming(timing({ cron: `0,50 0,23 ${days}` }), NOW);
    for (const days of ['* * *', '1,31 * *', '* * MON,TUE']) expect(check(days)).toThrow('must leave at least');
    for (const days of ['1 * *', '*/2 2 *', '* * 1,3']) expect(check(days)).not.toThrow();
  });

  it('is found without computing its runs', () => {
    const next = jest.spyOn(Cron.prototype, 'nextRuns');
    const one = jest.spyOn(Cron.prototype, 'nextRun');
    try {
      for (const cron of ['*/15 * * * *', '0 3 * * *', '0 0 29 2 *', '59 23 31 12 +MON'])
        requireTiming(timing({ cron }), NOW);
      expect([next.mock.calls.length, one.mock.calls.length]).toEqual([0, 4]);
    } finally {
      next.mockRestore();
      one.mockRestore();
    }
  });
});
