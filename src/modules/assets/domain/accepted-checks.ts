import { Cidr } from '../../../kernel/cidr';
import { groupBy } from '../../../kernel/group-by';
import { parseUrl } from '../../../kernel/parse-url';
import { hostOf, portOf } from '../../../kernel/web-url';
import { mostSpecific, type TypedAssetValue } from './asset-coverage';
import type { AssetType } from './asset-value';
import { isSurelyAtOrBelow } from './url-paths';

/** The location of a finding as the engine writes it: a page (`https:`), a service (`tcp:`) or a zone (`dns:`). */
const isPage = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/** A URL contains the pages of its origin at or below its path. If it has no path, it also contains its service. */
function urlContains(value: string, location: URL): boolean {
  const url = new URL(value);
  if (hostOf(url) !== hostOf(location) || portOf(url) !== portOf(location)) return false;
  return isPage(location)
    ? url.protocol === location.protocol && isSurelyAtOrBelow(location.pathname, url.pathname)
    : url.pathname === '/';
}

const isHost = (value: string, location: URL): boolean => value === hostOf(location);

const CONTAINS: Readonly<Record<AssetType, (value: string, location: URL) => boolean>> = {
  domain: isHost,
  url: urlContains,
  ip: isHost,
  cidr: (value, location) => Cidr.parse(value, 'asset_value').contains(hostOf(location)),
};

/**
 * Whether a setting of an asset applies to a location. Narrower than `covers`, which decides what may be tested: a domain
 * does not contain its subdomains, and a URL contains no other page, port or scheme.
 */
export function containsLocation({ type, value }: TypedAssetValue, location: string): boolean {
  const url = parseUrl(location);
  return url !== null && CONTAINS[type](value, url);
}

interface OnAsset {
  readonly beaconId: number | null;
  readonly checkId: string;
  readonly assetType: AssetType;
  readonly assetValue: string;
}

/** The accepted checks of an organization that are in effect. */
export class AcceptedChecks<A extends OnAsset> {
  private readonly byCheck: ReadonlyMap<string, readonly A[]>;

  constructor(accepted: readonly A[]) {
    this.byCheck = groupBy(accepted, acceptanceKeyOf);
  }

  /** The one for the findings of a check at a location behind this beacon, of the most specific asset if there are several. */
  find(checkId: string | null, location: string | null, beaconId: number | null): A | null {
    if (checkId === null || location === null) return null;
    const candidates = [...this.on(checkId, hostIn(location)), ...this.on(checkId, ANY_HOST)];
    const applying = candidates
      .filter((accepted) => accepted.beaconId === beaconId)
      .map((accepted) => ({ accepted, type: accepted.assetType, value: accepted.assetValue }))
      .filter((asset) => containsLocation(asset, location));
    return mostSpecific(applying)[0]?.accepted ?? null;
  }

  private on(checkId: string, host: string): readonly A[] {
    return this.byCheck.get(`${checkId} ${host}`) ?? [];
  }
}

/** In place of the host of a block. */
const ANY_HOST = '*';

function hostIn(location: string): string {
  const url = parseUrl(location);
  return url === null ? '' : hostOf(url);
}

const HOST_OF: Readonly<Record<AssetType, (value: string) => string>> = {
  domain: (value) => value,
  url: hostIn,
  ip: (value) => value,
  cidr: () => ANY_HOST,
};

const acceptanceKeyOf = ({ checkId, assetType, assetValue }: OnAsset): string =>
  `${checkId} ${HOST_OF[assetType](assetValue)}`;
