import { inconclusive, type WebCheck } from '../check';
import type { ActiveDescription } from '../active/active-check';

const NEEDS_ACCOUNTS = 'it is tested with the accounts that have shown it, by a job with them or by a retest';

/**
 * A check that compares what accounts are given. It observes no single page: `scanAccess` and `scanSession`, and their retests, send
 * its requests.
 */
export const accessCheck = (
  description: ActiveDescription,
  activity = 'requests as one account what belongs to another',
): WebCheck => ({
  ...description,
  on: 'page',
  activity,
  needsAccounts: true,
  sendsAll: true,
  parametersIn: () => [],
  observe: () => inconclusive(NEEDS_ACCOUNTS),
});
