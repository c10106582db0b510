/** A month in UTC, such as 2026-11, whose entries are one tree. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

export const startOfMonth = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export function monthAfter(month: string, count = 1): string {
  const start = startOfMonth(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count)));
}
