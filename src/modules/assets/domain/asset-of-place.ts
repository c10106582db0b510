import { formatUrlHost, hostOf } from '../../../kernel/web-url';
import { parseUrl } from '../../../kernel/parse-url';
import { covers, specificity, type TypedAssetValue } from './asset-coverage';
import { canonicalHost } from './domain-name';
import { depthOf, isSurelyAtOrBelow } from './url-paths';

/** Where a scanner saw something. The host is canonical, and null is what the file does not say. */
export interface ResultPlace {
  readonly scheme: string | null;
  readonly host: string;
  readonly port: number | null;
  readonly path: string | null;
}

export type PlacedAsset = TypedAssetValue & { readonly id: number; readonly beaconId: number | null };

/** Why a place is at no asset for sure: several are equally specific, or all are URLs with another port. */
export interface PlaceDoubt<A> {
  readonly why: 'several' | 'other_port';
  readonly among: readonly A[];
}

export type AssetOfPlace<A> = { readonly asset: A } | PlaceDoubt<A>;

export const isDoubt = <A>(found: AssetOfPlace<A>): found is PlaceDoubt<A> => 'among' in found;

/** The parser of URLs removes these. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443, ftp: 21 };

/** The place of a sighting: a URL, or a host with or without its port, before the file of source code if there is one. */
export function resultPlaceOf(text: string): ResultPlace | null {
  const [location = ''] = text.split(' ');
  const url = parseUrl(location);
  if (url !== null && url.hostname !== '') {
    const scheme = url.protocol.slice(0, -1);
    const host = canonicalHost(hostOf(url));
    const port = url.port === '' ? (DEFAULT_PORTS[scheme] ?? null) : Number(url.port);
    return host === null ? null : { scheme, host, port, path: url.pathname };
  }
  const [, named = location, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(location) ?? [];
  const host = canonicalHost(named.replace(/^\[(.*)\]$/, '$1'));
  return host === null ? null : { scheme: null, host, port: port === undefined ? null : Number(port), path: null };
}

/** Host and port, which decide whether two results are at one service. */
export const serviceOf = ({ host, port }: Pick<ResultPlace, 'host' | 'port'>): string =>
  port === null ? host : `${formatUrlHost(host)}:${port}`;

/** The same of a text, also if it names no host. */
export function serviceOfText(text: string): string {
  const place = resultPlaceOf(text);
  return place === null ? (text.split(' ')[0] ?? '') : serviceOf(place);
}

/** What an asset for this place alone would be: the site of a URL, otherwise the host. */
export const siteOf = ({ scheme, host, port }: ResultPlace): string =>
  scheme === 'http' || scheme === 'https'
    ? `${scheme}://${formatUrlHost(host)}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}/`
    : host;

/** Whether the asset has something of this host, on any port. */
export const isOnHost = (asset: TypedAssetValue, host: string): boolean =>
  asset.type === 'url' ? hostOf(new URL(asset.value)) === host : covers(asset, { host, port: 0 });

/** How close an asset is to a place, the closest last. */
const LEVEL = { otherPort: 0, otherPath: 1, parent: 2, anyPort: 3, host: 4, site: 5 } as const;

interface Closeness {
  readonly level: number;
  /** Within the level: greater is more specific. */
  readonly detail: number;
}

/** The caller has called `isOnHost`. Domains, addresses and blocks cover all ports. */
function closenessOf(asset: TypedAssetValue, { scheme, host, port, path }: ResultPlace): Closeness {
  const { type, value } = asset;
  if (type !== 'url') return { level: value === host ? LEVEL.host : LEVEL.parent, detail: specificity(asset) };
  const of = resultPlaceOf(value);
  if (port === null) return { level: LEVEL.anyPort, detail: 0 };
  if (of?.port !== port) return { level: LEVEL.otherPort, detail: 0 };
  const parent = of.path ?? '/';
  if (!isSurelyAtOrBelow(path ?? '/', parent)) return { level: LEVEL.otherPath, detail: 0 };
  return { level: LEVEL.site, detail: (of.scheme === scheme ? 10_000 : 0) + depthOf(parent) };
}

const isUrl = ({ type }: TypedAssetValue): boolean => type === 'url';

/**
 * The asset that a result belongs to: the most specific one at its place, and on the Internet before those behind a beacon.
 * Unlike `covers`, which says what may be tested, a URL has only its own port here. Undefined if no asset is on the host.
 */
export function assetOfPlace<A extends PlacedAsset>(
  assets: readonly A[],
  place: ResultPlace,
): AssetOfPlace<A> | undefined {
  const onHost = assets.filter((asset) => isOnHost(asset, place.host));
  const close = onHost.map((asset) => ({ asset, ...closenessOf(asset, place) }));
  const atPlace = close.filter(({ level }) => level !== LEVEL.otherPort);
  const direct = atPlace.filter(({ asset }) => asset.beaconId === null);
  const closest = (direct.length > 0 ? direct : atPlace).toSorted(
    (one, other) => other.level - one.level || other.detail - one.detail || one.asset.id - other.asset.id,
  );
  const [first] = closest;
  if (first === undefined) return onHost.length === 0 ? undefined : { why: 'other_port', among: onHost };
  const equal = closest.filter(({ level, detail }) => level === first.level && detail === first.detail);
  if (!isUrl(first.asset) || equal.length === 1) return { asset: first.asset };
  const wide = closest.find(({ asset }) => !isUrl(asset));
  return wide === undefined ? { why: 'several', among: equal.map(({ asset }) => asset) } : { asset: wide.asset };
}
