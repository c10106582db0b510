import { DAY_MS } from '../../kernel/durations';

/** What failed before is no longer what a person has to look at. */
const RECENT_DAYS = 7;

/** The beginning of the last days. */
export const recently = (): Date => new Date(Date.now() - RECENT_DAYS * DAY_MS);
