import { DAY_MS } from '../../kernel/durations';

/** Older failures no longer need attention. */
const RECENT_DAYS = 7;

/** The beginning of the last days. */
export const recently = (): Date => new Date(Date.now() - RECENT_DAYS * DAY_MS);
