import { HOUR_MS } from '../../../kernel/durations';

/** Up to a tenth earlier or later, so that assets that were added together are not always observed together. */
const SPREAD = 0.1;

export const nextObservation = (now: Date, everyHours: number, random: () => number = Math.random): Date =>
  new Date(now.getTime() + everyHours * HOUR_MS * (1 - SPREAD + 2 * SPREAD * random()));
