import type { Check } from './check';
import type { PreviousFinding } from './scan-request';

/** The previous finding of a check at a place; the first one if there are several. An origin may have thousands. */
export function previousAt(
  findings: readonly PreviousFinding[],
): (check: Check, location: string) => PreviousFinding | undefined {
  const byPlace = new Map(findings.toReversed().map((one) => [`${one.check} ${one.location}`, one]));
  return ({ id }, location) => byPlace.get(`${id} ${location}`);
}
