import { type Check, isWebCheck } from './check';

/** Whether it compares what two accounts are given, so that a job or a retest with both runs it. */
export const needsAccounts = (check: Check): boolean => isWebCheck(check) && check.needsAccounts === true;
