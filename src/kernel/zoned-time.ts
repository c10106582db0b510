const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A name such as Europe/Lisbon or UTC. Offsets such as +01:00, which never change, are not names. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

const formats = new Map<string, Intl.DateTimeFormat>();

export function isZone(name: string): boolean {
  try {
    return ZONE_NAME.test(name) && formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** What the clocks of the zone show, as if it were UTC. */
export function clockTimeOf(zone: string, at: Date): number {
  const text = formatOf(zone).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) + (((at.getTime() % 1_000) + 1_000) % 1_000);
}

/** When the clocks of the zone show this time: twice at the end of daylight saving, never at its start. */
export function instantsOf(zone: string, clockTime: number): Date[] {
  const offsets = [-DAY_MS, 0, DAY_MS].map((shift) => offsetAt(zone, clockTime + shift));
  const instants = [...new Set(offsets)].map((offset) => clockTime - offset).sort((one, other) => one - other);
  return instants.map((at) => new Date(at)).filter((at) => clockTimeOf(zone, at) === clockTime);
}

/** When the clocks of the zone first show this time or, if they skip it, when they skip it. */
export function firstInstantOf(zone: string, clockTime: number): Date {
  const [first] = instantsOf(zone, clockTime);
  return (
    first ?? changeAfter(zone, new Date(clockTime - offsetAt(zone, clockTime - DAY_MS) - DAY_MS)) ?? new Date(clockTime)
  );
}

/** When the offset of the zone changes in the two days after an instant; null if it does not. */
export function changeAfter(zone: string, from: Date): Date | null {
  let before = from.getTime();
  let after = before + 2 * DAY_MS;
  const offset = offsetAt(zone, before);
  if (offsetAt(zone, after) === offset) return null;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return new Date(Math.round(after / MINUTE_MS) * MINUTE_MS);
}

const offsetAt = (zone: string, at: number): number => clockTimeOf(zone, new Date(at)) - at;

/** Throws a RangeError if there is no such zone. In lower case, so that there are no more entries than zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  const known = formats.get(name);
  if (known !== undefined) return known;
  // Swedish dates are ISO dates.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(name, format);
  return format;
}
