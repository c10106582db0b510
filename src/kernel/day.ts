import { DAY_MS } from './durations';

/** The day of an instant in UTC, such as 2026-01-31. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** 2026-01-31 09:30 UTC */
export const minuteOf = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const addDays = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS));
