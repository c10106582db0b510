import { parseUrl } from '../../../kernel/parse-url';
import type { SnapshotFinding } from '../domain/snapshot-finding';

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Characters that RFC 3986 forbids in a URI or that end its path; URL parsers accept some of them. */
const INVALID_URI_CHARACTERS = /%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]+/giu;

/** The same address behind two beacons is two places. */
export const placeText = (place: string, beacon: { readonly name: string } | null | undefined): string =>
  beacon ? `${place} (through ${beacon.name})` : place;

/** Where a finding is: `https://shop.example:8443` and `/cart?x=1`. */
export interface FindingLocation {
  /** The scheme and the authority; null if the finding has only an asset. */
  readonly origin: string | null;
  /** Without a leading slash; empty for the root. */
  readonly path: string;
}

/** Of the location if the finding has one, else of the value of its asset. Every part is a valid part of a URI. */
export function locationOfFinding({
  location,
  asset_value,
}: Pick<SnapshotFinding, 'location' | 'asset_value'>): FindingLocation {
  const url = [location, asset_value].find((text) => text !== null && /^[a-z]+:\/\//.test(text));
  if (!url) return { origin: null, path: asset_value.split('/').map(encoded).join('/') };
  const plain = parseUrl(url)?.href ?? url.toWellFormed();
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?#]*)(.*)$/s.exec(plain) ?? [];
  return {
    origin: origin.replace(/[^\w.~:/[\]-]+/gu, encoded),
    path: rest.replace(INVALID_URI_CHARACTERS, encoded).replace(/^\/+/, ''),
  };
}

/** The absolute URI; null if the finding has only an asset. */
export function absoluteUriOf(finding: Pick<SnapshotFinding, 'location' | 'asset_value'>): string | null {
  const { origin, path } = locationOfFinding(finding);
  return origin === null ? null : `${origin}/${path}`;
}
