import { HOUR_MS } from './durations';

/** For how long a secret stays valid after it was replaced. */
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 7 * 24;

/** The end of the replaced secret; null if it ends at once. */
export const overlapEnd = (now: Date, hours: number): Date | null =>
  hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS);
