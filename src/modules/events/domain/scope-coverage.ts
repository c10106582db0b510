import { type TypedAssetValue, covers, type HostAndPort } from '../../assets/domain/asset-coverage';

export interface ScopedAsset extends TypedAssetValue {
  /** Whether the event includes the subdomains of a domain. Null means true. */
  readonly wildcard: boolean | null;
}

/** Whether an asset in scope covers a place. A domain covers its subdomains unless `wildcard` is false. */
export const coversInScope = (asset: ScopedAsset, place: HostAndPort): boolean =>
  covers(asset, place) && !(asset.wildcard === false && isSubdomain(asset, place));

const isSubdomain = ({ type, value }: TypedAssetValue, { host }: HostAndPort): boolean =>
  type === 'domain' && host !== value;
