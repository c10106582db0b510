import { createHash } from 'node:crypto';
import { normalizeName } from '../../../kernel/normalize-name';
import { parseUrl } from '../../../kernel/parse-url';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One spelling of the place where a check found something: what a server sees of a URL, else the folded text. */
export function normalizeLocation(location: string): string {
  const url = /^https?:\/\//i.test(location.trim()) ? parseUrl(location) : null;
  if (url === null) return normalizeName(location);
  url.hash = '';
  return url.href;
}

/** Neither a check's id nor a folded title holds a line feed, so no title reads like a check and its location. */
export const fingerprintOfCheck = (checkId: string, location: string): string =>
  sha256(`${checkId}\n${normalizeLocation(location)}`);

/** A finding that a person recorded is known by its title, however that is spelled. */
export const fingerprintOfTitle = (title: string): string => sha256(normalizeName(title));
