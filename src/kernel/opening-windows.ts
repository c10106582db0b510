import { invalid } from './domain-error';
import { changeAfter, clockTimeOf, instantsOf, isZone } from './zoned-time';

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
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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
  const opening = isOpen(windows, at) ? at : firstChange(windows, at, (time) => isOpen(windows, time));
  // Windows open every week, except in the hour that the clocks skip once a year.
  if (opening === null) throw new Error(`No window opens within ${MAX_DAYS_CLOSED} days`);
  return opening;
}

/** The instant itself if all windows are closed then; null if they never close. */
export const nextClosing = (windows: readonly OpeningWindow[], at: Date): Date | null =>
  isOpen(windows, at) ? firstChange(windows, at, (time) => !isOpen(windows, time)) : at;

function isOpenAt({ days, from, to, zone }: OpeningWindow, at: Date): boolean {
  const clockTime = clockTimeOf(zone, at);
  const minutes = Math.floor((clockTime % DAY_MS) / MINUTE_MS);
  const day = weekdayOf(clockTime);
  if (from < to) return days.has(day) && minutes >= from && minutes < to;
  return (days.has(day) && minutes >= from) || (days.has((day + 6) % 7) && minutes < to);
}

/** Windows change where the clock shows the start or the end of one, and where it is set forward or back. */
function firstChange(windows: readonly OpeningWindow[], at: Date, isWanted: (time: Date) => boolean): Date | null {
  for (let start = at.getTime(), day = 0; day < MAX_DAYS_CLOSED; start += DAY_MS, day++) {
    const times = windows
      .flatMap((window) => changesAfter(window, start))
      .filter((time) => time.getTime() > start && time.getTime() <= start + DAY_MS)
      .sort((one, other) => one.getTime() - other.getTime());
    const first = times.find(isWanted);
    if (first !== undefined) return first;
  }
  return null;
}

/** All of the 24 hours after an instant, and some later ones. */
function changesAfter({ from, to, zone }: OpeningWindow, start: number): Date[] {
  const clockTime = clockTimeOf(zone, new Date(start));
  const midnight = clockTime - (clockTime % DAY_MS);
  const boundaries = [0, 1, 2].flatMap((day) =>
    [from, to].map((minutes) => midnight + day * DAY_MS + minutes * MINUTE_MS),
  );
  const change = changeAfter(zone, new Date(start));
  return [...boundaries.flatMap((time) => instantsOf(zone, time)), ...(change === null ? [] : [change])];
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
