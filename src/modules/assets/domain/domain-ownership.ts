import type { LookupResult, LookupVerdict } from './domain-proof';

/** Nothing of whose record it is that stands: only that it does, and what follows from it. */
const OWNED_BY_ANOTHER =
  'The record is there, but another verification record of this domain, or of one above or below it, still stands. ' +
  'Remove every other assay-verification= record from the zone and look again.';

/** For those who lose it; again nothing of to whom. */
export const OWNERSHIP_LOST = 'The record is gone, and the domain has been proved anew by another verification record.';

/**
 * What a look-up comes to when others hold the domain, or one above or below it. They have been looked up at the same
 * time: all their records gone, it changes hands; else it stays with those whose record stands. Of one without a verdict nobody knew when the
 * look-up began: it has been proved just now, so its record stands.
 */
export function resolveOwnership(found: LookupResult, owners: readonly (LookupVerdict | undefined)[]): LookupResult {
  if (found.verdict !== 'found' || owners.every((verdict) => verdict === 'absent')) return found;
  return { verdict: 'unknown', reason: OWNED_BY_ANOTHER };
}
