import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { invalid } from '../../../kernel/domain-error';

/** The public suffix list with its private part: github.io belongs to everybody who has a page there. */
const SUFFIXES = { allowPrivateDomains: true };

/** A name has at most 253 characters in ASCII. As Unicode it may have some more, but not so many that converting them takes long. */
const MAX_UNICODE_LENGTH = 1_000;

/**
 * The one spelling of a host name: lower case, in ASCII, without the dot at the end; null when it is none. Other ASCII
 * is refused first, because the URL parser behind `domainToASCII` cuts at a slash and decodes `%41`. Underscores are
 * taken: the names of hosts may not have them, and many do.
 */
export function canonicalHostName(text: string): string | null {
  if (text.length > MAX_UNICODE_LENGTH || !/^[\w.\-\u{80}-\u{10ffff}]+$/u.test(text)) return null;
  const name = domainToASCII(text).replace(/\.$/, '');
  const labels = name.split('.');
  const fits = name.length <= 253 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  // Node 24 lets Punycode through that stands for no text, and only fails to decode it.
  const decodes = !/(^|\.)xn--/.test(domainToUnicode(name));
  return fits && decodes && isIP(name) === 0 ? name : null;
}

/** The name that somebody registered, of which this host is a part; null for a public suffix and a single label. */
export const registrableDomain = (host: string): string | null => getDomain(host, SUFFIXES);

/** A name that can belong to somebody: a registrable domain or one below it. The refusal names the field. */
export function requireDomainName(text: string, field: string): string {
  const name = canonicalHostName(text);
  if (name === null) throw invalid(`${field} must be a domain name, such as example.com; no address, URL or wildcard.`);
  if (registrableDomain(name) === null) {
    throw invalid(`${field} must be a domain that can be registered, such as example.com; ${name} is only a suffix.`);
  }
  return name;
}

/** Whether the host is the domain or below it; both in their one spelling. */
export const coversHost = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The host and every name above it: a domain among these covers the host. */
export const selfAndParents = (host: string): string[] =>
  host.split('.').map((_label, index, labels) => labels.slice(index).join('.'));
