const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+ -]\d{2}:?\d{2})?)?$/i;

const isCalendarDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** The minutes of `+02:00`, `-0530` or `Z`. A space is a decoded `+` of a query string. */
function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Parses an ISO 8601 date or date-time strictly; the default offset is UTC. A date without a time is the start of the day,
 * or its end for an upper bound.
 */
export function instantOf(text: string, bound: 'lower' | 'upper' = 'lower'): Date | undefined {
  const match = ISO_8601.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const offset = offsetMinutes(match[8]);
  if (offset === undefined || year < 1 || !isCalendarDay(year, month, day)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const isBareDate = match[4] === undefined;
  if (isBareDate && bound === 'upper') return new Date(Date.UTC(year, month - 1, day, 23, 59, 59, 999));
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second, milliseconds));
  // With its offset, the year can have more than four digits or be 0.
  return instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999 ? instant : undefined;
}
