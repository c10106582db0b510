import { type Check, isWebCheck } from './check';

/** Whether only calls of the listener show the weakness. */
export const needsCallbacks = (check: Check): boolean => isWebCheck(check) && check.needsCallbacks === true;
