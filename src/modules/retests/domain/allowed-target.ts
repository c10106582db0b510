import { isInBlockRanges } from '../../../kernel/address-ranges';
import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { type EgressEntry, isEntryFor } from '../../../kernel/egress-entry';
import { type HostAndPort, isExactAddress, type TypedAssetValue } from '../../assets/domain/asset-coverage';

type OwnedAsset = TypedAssetValue & { readonly organizationId: number };

/**
 * Whether the operator allows the organization to test a target without a verified domain: an entry of EGRESS_ALLOW for its
 * port names its host, or contains its address and the whole asset that covers it.
 */
export const isAllowedTarget = (entries: readonly EgressEntry[], asset: OwnedAsset, target: HostAndPort): boolean =>
  entries.some(
    (entry) =>
      entry.port === target.port && isEntryFor(entry, asset.organizationId) && coversAsset(entry, asset, target),
  );

/** Whether the operator allows an address to this very organization, whatever name leads to it. */
export const isBoundAddress = (
  entries: readonly EgressEntry[],
  organizationId: number,
  { address, port }: { readonly address: string; readonly port: number },
): boolean =>
  entries.some(
    (entry) =>
      entry.organizationId === organizationId &&
      entry.port === port &&
      (typeof entry.address === 'string' ? entry.address === address : entry.address.contains(address)),
  );

function coversAsset({ address, name }: EgressEntry, asset: OwnedAsset, { host }: HostAndPort): boolean {
  if (canonicalIp(host) === null) return name === host;
  if (typeof address === 'string') return address === host && isExactAddress(asset);
  if (!address.contains(host) || !isInBlockRanges(host)) return false;
  return isExactAddress(asset) || (asset.type === 'cidr' && address.covers(Cidr.parse(asset.value, 'asset_value')));
}
