import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { hostOf, formatUrlHost, portOf } from '../../../kernel/web-url';
import type { AssetType } from './asset-value';
import { coversHost, selfAndParents } from './domain-name';

/** What of a target decides which assets it lies in; host and port in their one spelling. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export interface TypedAssetValue {
  readonly type: AssetType;
  readonly value: string;
}

const isAddress = (host: string): boolean => canonicalIp(host) !== null;

/** A name belongs to whoever has its domain, on every port; of an address a URL says one port and no more. */
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

/** Where the values are of all assets that may cover a host: those that are one of these, or lie in a range of bytes. */
export interface CoveringValues {
  readonly values: readonly string[];
  readonly ranges: readonly { readonly from: string; readonly below: string }[];
}

/** For an index of values, which finds few of very many; whether one really covers a place is for `covers` to say. */
export function valuesCovering(host: string): CoveringValues {
  const address = canonicalIp(host);
  return {
    values: address === null ? selfAndParents(host) : [address, ...Cidr.containing(address).map(String)],
    // A slash or a colon follows the host, and between the two there are only digits.
    ranges: ['http', 'https'].map((scheme) => ({
      from: `${scheme}://${formatUrlHost(host)}/`,
      below: `${scheme}://${formatUrlHost(host)};`,
    })),
  };
}

/** Of assets that cover the same place the greater is the closer: one page or address, the longest name, the smallest block. */
const SPECIFICITY: Readonly<Record<AssetType, (value: string) => number>> = {
  url: () => 2_000,
  ip: () => 1_000,
  domain: ({ length }) => length,
  cidr: (value) => Cidr.parse(value, 'asset_value').prefix,
};

export const specificity = ({ type, value }: TypedAssetValue): number => SPECIFICITY[type](value);

/** Those of a list that are closest, where several are equally close all of them. */
export function mostSpecific<A extends TypedAssetValue>(assets: readonly A[]): A[] {
  const most = Math.max(...assets.map(specificity));
  return assets.filter((asset) => specificity(asset) === most);
}

/** An exact address and port, which the operator has opened, is named by the address or by a URL on it; never by a block. */
export const isExactAddress = ({ type }: TypedAssetValue): boolean => type === 'ip' || type === 'url';
