export const DAY_MS = 86_400_000;

/** The day of an instant in UTC, such as 2026-01-31. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS));
