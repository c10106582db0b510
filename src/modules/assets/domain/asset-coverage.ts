import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { hostOf, formatUrlHost, portOf } from '../../../kernel/web-url';
import type { AssetType } from './asset-value';
import { coversHost, selfAndParents } from './domain-name';

/** The part of a target that decides which assets cover it. The host is canonical. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface TypedAssetValue {
  readonly type: AssetType;
  readonly value: string;
}

const isAddress = (host: string): boolean => canonicalIp(host) !== null;

/** A URL covers all ports of its host if that is a name, but only its own port if that is an address. */
function urlCovers(value: string, { host, port }: HostAndPort): boolean {
  const url = new URL(value);
  return hostOf(url) === host && (portOf(url) === port || !isAddress(host));
}

const COVERS: Readonly<Record<AssetType, (value: string, place: HostAndPort) => boolean>> = {
  domain: (value, { host }) => coversHost(value, host),
  url: urlCovers,
  ip: (value, { host }) => value === host,
  cidr: (value, { host }) => Cidr.parse(value, 'asset_value').contains(host),
};

export const covers = ({ type, value }: TypedAssetValue, place: HostAndPort): boolean => COVERS[type](value, place);

/** The host of an asset, or the name that its hosts end with; null for a block. */
export const hostOfAsset = ({ type, value }: TypedAssetValue): string | null =>
  type === 'cidr' ? null : type === 'url' ? hostOf(new URL(value)) : value;

/** Index conditions for the assets that may cover a host: these exact values, and these ranges of values. */
export interface CoveringValues {
  readonly values: readonly string[];
  readonly ranges: readonly { readonly from: string; readonly below: string }[];
}

/** Preselects assets by an index on their value. Check each result with `covers`. */
export function valuesCovering(host: string): CoveringValues {
  const address = canonicalIp(host);
  return {
    values: address === null ? selfAndParents(host) : [address, ...Cidr.containing(address).map(String)],
    // A slash or colon follows the host. In ASCII only digits are between the two characters.
    ranges: ['http', 'https'].map((scheme) => ({
      from: `${scheme}://${formatUrlHost(host)}/`,
      below: `${scheme}://${formatUrlHost(host)};`,
    })),
  };
}

/** Greater is more specific: a URL, then an address, then the longest name, then the smallest block. */
const SPECIFICITY: Readonly<Record<AssetType, (value: string) => number>> = {
  url: () => 2_000,
  ip: () => 1_000,
  domain: ({ length }) => length,
  cidr: (value) => Cidr.parse(value, 'asset_value').prefix,
};

export const specificity = ({ type, value }: TypedAssetValue): number => SPECIFICITY[type](value);

/** The most specific assets of a list: several if they are equally specific. */
export function mostSpecific<A extends TypedAssetValue>(assets: readonly A[]): A[] {
  const highest = Math.max(...assets.map(specificity));
  return assets.filter((asset) => specificity(asset) === highest);
}

/** Whether the asset can stand for an address and port that the operator allowed. A block cannot. */
export const isExactAddress = ({ type }: TypedAssetValue): boolean => type === 'ip' || type === 'url';
