import { createHash } from 'node:crypto';
import { normalizeName } from '../../../kernel/normalize-name';
import { parseUrl } from '../../../kernel/parse-url';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The canonical form of a location: a URL without its fragment, or the case-folded text. */
export function normalizeLocation(location: string): string {
  const url = /^https?:\/\//i.test(location.trim()) ? parseUrl(location) : null;
  if (url === null) return normalizeName(location);
  url.hash = '';
  return url.href;
}

/** Check ids and folded titles contain no line feed, so the two kinds of fingerprints cannot collide. */
export const fingerprintOfCheck = (checkId: string, location: string): string =>
  sha256(`${checkId}\n${normalizeLocation(location)}`);

/** A finding without a check is identified by its title, whatever its case and spacing. */
export const fingerprintOfTitle = (title: string): string => sha256(normalizeName(title));

/**
 * The key by which findings with the same title are grouped, ignoring case and spacing. It has 52 bits, so that a JavaScript
 * number is exact.
 */
export const titleKeyOf = (title: string): number => Number.parseInt(fingerprintOfTitle(title).slice(0, 13), 16);
