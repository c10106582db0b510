import { createHash } from 'node:crypto';
import { fold } from '../../../kernel/fold';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One spelling of the place where a check found something: what a server sees of a URL, else the folded text. */
export function normalizeLocation(location: string): string {
  if (!/^https?:\/\//i.test(location.trim()) || !URL.canParse(location)) return fold(location);
  const url = new URL(location);
  url.hash = '';
  return url.href;
}

/** Neither a check's id nor a folded title holds a line feed, so no title reads like a check and its location. */
export const fingerprintOfCheck = (checkId: string, location: string): string =>
  sha256(`${checkId}\n${normalizeLocation(location)}`);

/** A finding that a person recorded is known by its title, however that is spelled. */
export const fingerprintOfTitle = (title: string): string => sha256(fold(title));
