import { DAY_MS } from './durations';
import { ownText } from './plain-text';

/** A name such as Europe/Lisbon or UTC. Offsets such as +01:00, which never change, are not names. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Within this time the offset of a zone changes at most once. */
const SPAN_MS = 4 * DAY_MS;
/** Of each zone, because a request may name any time. */
const MAX_SPANS = 250;

/** The offset at the start of some days, and the one that it changes to. */
interface OffsetSpan {
  readonly offset: number;
  /** The end if it does not change. */
  readonly change: number;
  readonly changed: number;
  readonly end: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Formatting takes a hundred times longer than reading what it showed. */
  readonly spans: Map<number, OffsetSpan>;
}

const zones = new Map<string, Zone>();

export function isZone(name: string): boolean {
  try {
    return ZONE_NAME.test(name) && zoneOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** What the clocks of the zone show, as if it were UTC. */
export const clockTimeOf = (zone: string, at: Date): number => at.getTime() + offsetAt(zone, at.getTime());

/** When the clocks of the zone show this time: twice at the end of daylight saving, never at its start. */
function instantsOf(zone: string, clockTime: number): Date[] {
  const offsets = [-DAY_MS, 0, DAY_MS].map((shift) => offsetAt(zone, clockTime + shift));
  const instants = [...new Set(offsets)].map((offset) => clockTime - offset).sort((one, other) => one - other);
  return instants.map((at) => new Date(at)).filter((at) => clockTimeOf(zone, at) === clockTime);
}

/** When the clocks of the zone first show this time or, if they skip it, when they skip it. */
export function firstInstantOf(zone: string, clockTime: number): Date {
  const [first] = instantsOf(zone, clockTime);
  return first ?? changeAfter(zone, clockTime - offsetAt(zone, clockTime - DAY_MS) - DAY_MS) ?? new Date(clockTime);
}

/** When the offset of the zone changes in the two days after an instant. */
function changeAfter(zone: string, from: number): Date | undefined {
  const before = offsetAt(zone, from);
  for (let at = from; at <= from + 2 * DAY_MS;) {
    const { offset, until } = offsetFrom(zone, at);
    if (offset !== before) return new Date(at);
    at = until;
  }
  return undefined;
}

/** The offset of the zone at an instant, and until when it certainly stays. */
export function offsetFrom(zone: string, at: number): { readonly offset: number; readonly until: number } {
  const { offset, change, changed, end } = spanAt(zone, at);
  return at < change ? { offset, until: change } : { offset: changed, until: end };
}

const offsetAt = (zone: string, at: number): number => offsetFrom(zone, at).offset;

function spanAt(name: string, at: number): OffsetSpan {
  const { format, spans } = zoneOf(name);
  const index = Math.floor(at / SPAN_MS);
  const known = spans.get(index);
  if (known !== undefined) return known;
  if (spans.size >= MAX_SPANS) spans.clear();
  const span = readSpan(format, index * SPAN_MS);
  spans.set(index, span);
  return span;
}

function readSpan(format: Intl.DateTimeFormat, start: number): OffsetSpan {
  const end = start + SPAN_MS;
  const offset = shownOffset(format, start);
  const changed = shownOffset(format, end);
  if (offset === changed) return { offset, change: end, changed, end };
  let before = start;
  let after = end;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (shownOffset(format, middle) === offset) before = middle;
    else after = middle;
  }
  return { offset, change: after, changed, end };
}

function shownOffset(format: Intl.DateTimeFormat, at: number): number {
  const second = Math.floor(at / 1_000) * 1_000;
  return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second;
}

/** Throws a RangeError if there is no such zone. In lower case, so that there are no more entries than zones. */
function zoneOf(name: string): Zone {
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known !== undefined) return known;
  // Swedish dates are ISO dates.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
  const zone = { format, spans: new Map() };
  zones.set(ownText(key), zone);
  return zone;
}
