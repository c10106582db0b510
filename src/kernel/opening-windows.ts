import { DAY_MS, MINUTE_MS } from './durations';
import { invalid } from './domain-error';
import { clockTimeOf, isZone, offsetFrom } from './zoned-time';

/** Hours of days of the week, by the clocks of a time zone. Those that end before their start end on the next day. */
export interface OpeningWindow {
  /** From 0 for Monday to 6 for Sunday: the days on which it opens. */
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

export const MAX_WINDOWS = 10;

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
const TIME = /^([01]\d|2[0-4]):([0-5]\d)$/;
const DAY_MINUTES = 1_440;

/** A window may lie in the hour that the clocks skip, and opens a week later then. */
const MAX_DAYS_CLOSED = 15;

/** Such as "Mo-Fr 20:00-06:00 Europe/Lisbon". Throws an error that names the wrong part. */
export function parseWindows(texts: readonly string[]): OpeningWindow[] {
  if (texts.length > MAX_WINDOWS) throw invalid(`windows must be at most ${MAX_WINDOWS}.`);
  return texts.map((text, index) => {
    const refuse = (problem: string): Error =>
      invalid(`windows[${index}]: ${problem}. Write it as in "Mo-Fr 20:00-06:00 Europe/Lisbon".`);
    const parts = text.trim().split(/\s+/);
    const [days = '', hours = '', zone = ''] = parts;
    if (parts.length !== 3) throw refuse('it must be days, hours and a time zone, separated by spaces');
    const [from, to, ...rest] = hours.split('-').map(minutesOf);
    if (from === undefined || to === undefined || rest.length > 0)
      throw refuse(`"${hours}" must be a start and an end from 00:00 to 24:00, such as 20:00-06:00`);
    if (from === to || from === DAY_MINUTES) throw refuse(`"${hours}" is empty: the whole day is 00:00-24:00`);
    if (!isZone(zone)) throw refuse(`"${zone}" is not a time zone of the IANA database`);
    return { days: new Set(days.split(',').flatMap((range) => daysOf(range, refuse))), from, to, zone };
  });
}

/** Without windows everything is open. */
export const isOpen = (windows: readonly OpeningWindow[], at: Date): boolean =>
  windows.length === 0 || windows.some((window) => isOpenAt(window, at));

/** The instant itself if a window is open then. */
export function nextOpening(windows: readonly OpeningWindow[], at: Date): Date {
  if (windows.length === 0) return at;
  const opening = Math.min(...windows.map((window) => firstTime(window, at.getTime(), true)));
  // Windows open every week, except in the hour that the clocks skip once a year.
  if (opening === Infinity) throw new Error(`No window opens within ${MAX_DAYS_CLOSED} days`);
  return new Date(opening);
}

/** The instant itself if all windows are closed then; null if they never close. */
export function nextClosing(windows: readonly OpeningWindow[], at: Date): Date | null {
  if (windows.length === 0) return null;
  const end = at.getTime() + MAX_DAYS_CLOSED * DAY_MS;
  for (let open = at.getTime(); open < end;) {
    const closing = Math.max(...windows.map((window) => firstTime(window, open, false)));
    if (closing === open) return new Date(closing);
    open = closing;
  }
  return null;
}

const isOpenAt = (window: OpeningWindow, at: Date): boolean => isOpenBy(window, clockTimeOf(window.zone, at));

function isOpenBy({ days, from, to }: OpeningWindow, clockTime: number): boolean {
  const minutes = Math.floor((clockTime % DAY_MS) / MINUTE_MS);
  const day = weekdayOf(clockTime);
  if (from < to) return days.has(day) && minutes >= from && minutes < to;
  return (days.has(day) && minutes >= from) || (days.has((day + 6) % 7) && minutes < to);
}

/** When a window first is open or closed from an instant on; Infinity for neither within the days. */
function firstTime(window: OpeningWindow, at: number, toOpen: boolean): number {
  const end = at + MAX_DAYS_CLOSED * DAY_MS;
  for (let start = at; start < end;) {
    const { offset, until } = offsetFrom(window.zone, start);
    const time = firstClockTime(window, start + offset, until + offset, toOpen);
    if (time !== undefined) return time - offset;
    start = until;
  }
  return Infinity;
}

/** By a clock that is not set: it then changes where the clock shows its start or end. */
function firstClockTime(window: OpeningWindow, start: number, end: number, toOpen: boolean): number | undefined {
  if (isOpenBy(window, start) === toOpen) return start;
  const boundaries = [Math.min(window.from, window.to), Math.max(window.from, window.to)];
  for (let midnight = start - (start % DAY_MS); midnight < end; midnight += DAY_MS)
    for (const minutes of boundaries) {
      const time = midnight + minutes * MINUTE_MS;
      if (time > start && time < end && isOpenBy(window, time) === toOpen) return time;
    }
  return undefined;
}

/** 1 January 1970 was a Thursday. */
const weekdayOf = (clockTime: number): number => (Math.floor(clockTime / DAY_MS) + 3) % 7;

function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return total <= DAY_MINUTES ? total : undefined;
}

/** "Fr-Mo" is Friday to Monday. */
function daysOf(range: string, refuse: (problem: string) => Error): number[] {
  const names = range.split('-');
  const [first, last = first, ...rest] = names.map((name) =>
    DAYS.findIndex((day) => day.toLowerCase() === name.toLowerCase()),
  );
  const wrong = names.find((_name, index) => [first, last][index] === -1);
  if (first === undefined || last === undefined || rest.length > 0 || wrong !== undefined)
    throw refuse(`"${wrong ?? range}" is not a day of the week, which are ${DAYS.join(', ')}`);
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, day) => (first + day) % 7);
}
