import { inconclusive, type WebCheck } from '../check';
import type { ActiveDescription } from '../active/active-check';

const NEEDS_ACCOUNTS = 'it is tested with the two accounts that have shown it, by a job with both or by a retest';

/** A check that compares what accounts are given. It observes no single page: `scanAccess` and `retestAccess` send its requests. */
export const accessCheck = (description: ActiveDescription): WebCheck => ({
  ...description,
  on: 'page',
  activity: 'requests as one account what belongs to another',
  needsAccounts: true,
  sendsAll: true,
  parametersIn: () => [],
  observe: () => inconclusive(NEEDS_ACCOUNTS),
});
