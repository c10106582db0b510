import type { LookupResult, LookupVerdict } from './domain-proof';

/** Does not reveal which organization owns the other record. */
const OWNED_BY_ANOTHER =
  'The record exists, but so does another verification record of this domain, a parent domain or a subdomain. ' +
  'Remove every other assay-verification= record from the zone, then verify again.';

/** For the previous owner. Does not reveal the new owner. */
export const OWNERSHIP_LOST = 'The record is gone, and the domain was verified with another verification record.';

/**
 * The result of a lookup if other organizations own the domain, a parent or a subdomain. It changes owner only if all
 * their records are absent. An owner without a verdict was verified after the lookup began, so its record exists.
 */
export function resolveOwnership(found: LookupResult, owners: readonly (LookupVerdict | undefined)[]): LookupResult {
  if (found.verdict !== 'found' || owners.every((verdict) => verdict === 'absent')) return found;
  return { verdict: 'unknown', reason: OWNED_BY_ANOTHER };
}
