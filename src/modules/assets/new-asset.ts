import { NO_OWNER, ownerOf } from '../identity';
import type { Organization } from '../organizations';
import type { NewAsset } from './data/assets.repository';
import type { CanonicalAsset } from './domain/asset-value';

const nothingStated = { beaconId: null, tier: null, purl: null, cpe: null, labels: [], ...NO_OWNER };

export function newAsset(
  { id }: Organization,
  { value, type, tld }: CanonicalAsset,
  stated: Partial<Pick<NewAsset, keyof typeof nothingStated>> = {},
): NewAsset {
  return { organizationId: id, ...nothingStated, ...stated, value, type, tld, ip: type === 'ip' ? value : null };
}

/** What the audit entry of a new asset says of it. */
export const factsOfNew = ({ value, type, tier, purl, cpe, labels, beaconId, ...owner }: NewAsset) => ({
  value,
  type,
  tier,
  purl,
  cpe,
  labels,
  beacon_id: beaconId,
  owner: ownerOf(owner),
});
