import * as fc from 'fast-check';
import { isOpen, nextClosing, nextOpening, type OpeningWindow, parseWindows } from './opening-windows';
import { ZONES } from './testing/zones';

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** From the words of a locale other than the one that the product reads. */
const clocks = new Map(
  ZONES.map(({ zone }) => [
    zone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
);

interface Hours {
  readonly zone: string;
  readonly days: readonly number[];
  readonly from: number;
  readonly to: number;
}

const textOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const windowOf = ({ zone, days, from, to }: Hours): OpeningWindow[] =>
  parseWindows([`${days.map((day) => DAYS[day]).join(',')} ${textOf(from)}-${textOf(to)} ${zone}`]);

/** By what a clock in the zone shows, minute by minute. */
function shows({ zone, days, from, to }: Hours, at: number): boolean {
  const parts = new Map(
    clocks
      .get(zone)
      ?.formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const minutes = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  const day = DAYS.findIndex((name) => parts.get('weekday')?.startsWith(name));
  if (from < to) return days.includes(day) && minutes >= from && minutes < to;
  return (days.includes(day) && minutes >= from) || (days.includes((day + 6) % 7) && minutes < to);
}

const hours = fc
  .record({
    days: fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 3, maxLength: 7 }),
    from: fc.nat({ max: 287 }).map((step) => step * 5),
    to: fc.integer({ min: 1, max: 288 }).map((step) => step * 5),
  })
  .filter(({ from, to }) => from !== to);

const FROM = Date.parse('2022-01-01T00:00:00Z') / STEP;
const UNTIL = Date.parse('2025-12-31T00:00:00Z') / STEP;

describe.each(ZONES)('windows in $zone', ({ zone, changes }) => {
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -300, max: 300 }))
    .map(([change, steps]) => Date.parse(change) + steps * STEP);
  const instant = fc.oneof(
    near,
    fc.integer({ min: FROM, max: UNTIL }).map((step) => step * STEP),
  );

  it('are open exactly while the clock shows their hours, over four years', () => {
    fc.assert(
      fc.property(hours, instant, (chosen, at) => {
        expect(isOpen(windowOf({ zone, ...chosen }), new Date(at))).toBe(shows({ zone, ...chosen }, at));
      }),
      { numRuns: 100 },
    );
  });

  it('change next where the clock shows it first', () => {
    fc.assert(
      fc.property(hours, instant, (chosen, at) => {
        const windows = windowOf({ zone, ...chosen });
        const open = shows({ zone, ...chosen }, at);
        // Closed for four days at most, and open for six, which the clocks can make longer.
        const never = at + 8 * 1_440 * MINUTE;
        let change = at;
        while (shows({ zone, ...chosen }, change) === open && change < never) change += STEP;
        const next = open ? nextClosing(windows, new Date(at)) : nextOpening(windows, new Date(at));
        expect(next?.toISOString()).toBe(change < never ? new Date(change).toISOString() : undefined);
      }),
      { numRuns: 40 },
    );
  });
});

describe('windows', () => {
  const nights = parseWindows(['Mo-Fr 20:00-06:00 Europe/Lisbon']);

  it.each([
    ['2026-06-05T18:59:59Z', false, 'before it opens on Friday'],
    ['2026-06-05T19:00:00Z', true, 'when it opens at 20:00 in summer'],
    ['2026-06-06T04:59:59Z', true, 'on the morning after its last day'],
    ['2026-06-06T05:00:00Z', false, 'when it closes'],
    ['2026-06-06T20:00:00Z', false, 'on Saturday night'],
    ['2026-06-08T03:00:00Z', false, 'on Monday morning, because Sunday night is closed'],
    ['2026-12-07T19:30:00Z', false, 'before 20:00 in winter'],
  ])('at %s: %s, %s', (at, open) => {
    expect(isOpen(nights, new Date(at))).toBe(open);
  });

  it('that are closed at the weekend open next on Monday', () => {
    expect(nextOpening(nights, new Date('2026-06-06T12:00:00Z'))).toEqual(new Date('2026-06-08T19:00:00Z'));
    expect(nextClosing(nights, new Date('2026-06-05T21:00:00Z'))).toEqual(new Date('2026-06-06T05:00:00Z'));
  });

  it('open at once if the instant is inside of one, and close at once if it is outside', () => {
    const inside = new Date('2026-06-05T20:30:12.345Z');
    const outside = new Date('2026-06-06T12:30:12.345Z');
    expect(nextOpening(nights, inside)).toEqual(inside);
    expect(nextClosing(nights, outside)).toEqual(outside);
  });

  it('are one where they meet, also in different zones', () => {
    const all = parseWindows(['Mo-Su 00:00-12:00 UTC', 'Mo-Su 13:00-24:00 Europe/Paris']);
    expect(nextClosing(all, new Date('2026-01-05T00:00:00Z'))).toEqual(new Date('2026-01-05T23:00:00Z'));
    expect(nextOpening(all, new Date('2026-01-05T23:00:00Z'))).toEqual(new Date('2026-01-06T00:00:00Z'));
  });

  it('never close without a limit', () => {
    expect(isOpen([], new Date())).toBe(true);
    expect(nextClosing([], new Date('2026-01-05T00:00:00Z'))).toBeNull();
    expect(nextClosing(parseWindows(['Mo-Su 00:00-24:00 UTC']), new Date('2026-01-05T00:00:00Z'))).toBeNull();
  });

  it('that lie in the hour that the clocks skip open a week later', () => {
    const skipped = parseWindows(['Su 01:00-02:00 Europe/Lisbon']);
    expect(nextOpening(skipped, new Date('2026-03-28T12:00:00Z'))).toEqual(new Date('2026-04-05T00:00:00Z'));
  });

  it('are closed in the repeated hour after their end', () => {
    const early = parseWindows(['Sa 20:00-01:30 Europe/Lisbon']);
    const shown = ['00:29', '00:30', '00:59', '01:00', '01:29', '01:30'];
    expect(shown.map((time) => isOpen(early, new Date(`2026-10-25T${time}:00Z`)))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['Fr-Mo 08:00-09:00 UTC', [4, 5, 6, 0]],
    ['mo,WE,Sa-Su 08:00-09:00 UTC', [0, 2, 5, 6]],
    ['  Tu   08:00-09:00   UTC ', [1]],
  ])('reads the days of %s', (text, days) => {
    expect([...(parseWindows([text])[0]?.days ?? [])]).toEqual(days);
  });

  it.each([
    ['', 'it must be days, hours and a time zone'],
    ['Mo 08:00-09:00', 'it must be days, hours and a time zone'],
    ['Mo 08:00-09:00 Europe/Lisbon please', 'it must be days, hours and a time zone'],
    ['Mo-Sonday 08:00-09:00 UTC', '"Sonday" is not a day of the week'],
    ['Mo-We-Fr 08:00-09:00 UTC', '"Mo-We-Fr" is not a day of the week'],
    ['Mo,,Fr 08:00-09:00 UTC', '"" is not a day of the week'],
    ['Mo 8-9 UTC', '"8-9" must be a start and an end'],
    ['Mo 08:00 UTC', '"08:00" must be a start and an end'],
    ['Mo 08:00-24:30 UTC', '"08:00-24:30" must be a start and an end'],
    ['Mo 08:60-09:00 UTC', '"08:60-09:00" must be a start and an end'],
    ['Mo 08:00-09:00-10:00 UTC', 'must be a start and an end'],
    ['Mo 08:00-08:00 UTC', '"08:00-08:00" is empty'],
    ['Mo 24:00-08:00 UTC', '"24:00-08:00" is empty'],
    ['Mo 08:00-09:00 Europe/Lissabon', '"Europe/Lissabon" is not a time zone'],
    ['Mo 08:00-09:00 +01:00', '"+01:00" is not a time zone'],
  ])('refuses "%s" and names the wrong part', (text, problem) => {
    const refused = { kind: 'invalid', message: expect.stringMatching(/^windows\[1\]: .*Write it as in "Mo-Fr/) };
    expect(() => parseWindows(['Mo 08:00-09:00 UTC', text])).toThrow(expect.objectContaining(refused));
    expect(() => parseWindows(['Mo 08:00-09:00 UTC', text])).toThrow(problem);
  });

  it('refuses more than ten windows', () => {
    expect(() => parseWindows(Array<string>(11).fill('Mo 08:00-09:00 UTC'))).toThrow('at most 10');
  });
});

it('reads the offset of a zone once for all days near it, because formatting a time takes long', () => {
  const windows = parseWindows(ZONES.slice(0, 10).map(({ zone }, at) => `Su 03:0${at}-04:00 ${zone}`));
  // A getter, although its type says that it is a method.
  const prototype: { readonly format: unknown } = Intl.DateTimeFormat.prototype;
  const formatted = jest.spyOn(prototype, 'format', 'get');
  const monday = Date.parse('2031-06-09T12:00:00Z');
  for (let at = 0; at < 100; at++) nextOpening(windows, new Date(monday + at * MINUTE));
  const times = formatted.mock.calls.length;
  formatted.mockRestore();
  // Two for each span of four days; it was 4,000 for each opening.
  expect(times).toBeGreaterThan(0);
  expect(times).toBeLessThan(100);
});
