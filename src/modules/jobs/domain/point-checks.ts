import { needsPoint } from '../../../engine/check';
import { needsAccounts } from '../../../engine/needs-accounts';
import type { Check, PreviousFinding, Scan } from '../../../engine';
import { ANY_PARAMETER } from '../../../engine/spots';
import { parseLocation } from '../../../engine/target';

/** Checks of standard jobs that also test a single point. */
const ALSO_AT_POINTS: ReadonlySet<string> = new Set(['reflected-input', 'open-redirect']);

/** What an active job runs at insertion points. */
export const testsPoints = (check: Check): boolean => needsPoint(check) || ALSO_AT_POINTS.has(check.id);

/** Whether the standard part of a job leaves the finding to another part. */
export const isAtPoint = ({ check, location }: PreviousFinding, checks: readonly Check[]): boolean =>
  checks.some((one) => one.id === check && needsAccounts(one)) ||
  (checks.some((one) => one.id === check && testsPoints(one)) &&
    (parseLocation(location).parameter ?? ANY_PARAMETER) !== ANY_PARAMETER);

/** What the standard part of an active job runs. */
export const isStandard = (check: Check): boolean => !needsPoint(check) && !needsAccounts(check);

/** The standard part of an active job whose selection has no check for it. */
export function nothingStandard(): Scan {
  const now = new Date().toISOString();
  return { end: 'complete', reason: null, started: now, finished: now, sightings: [], coverage: [], look: null };
}
