import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { canonicalIp } from '../../../kernel/cidr';
import { invalid } from '../../../kernel/domain-error';

/** With the private part of the public suffix list, because many users share github.io. */
const SUFFIXES = { allowPrivateDomains: true };

/** Names have at most 253 ASCII characters. This limit for Unicode input keeps the conversion fast. */
const MAX_UNICODE_LENGTH = 1_000;

/**
 * The canonical form of a host name: lower case, ASCII, without a trailing dot. Null if it is invalid. Other ASCII
 * characters are refused first, because `domainToASCII` cuts at a slash and decodes `%41`. Underscores are allowed,
 * because many host names have them despite the standard.
 */
export function canonicalHostName(text: string): string | null {
  if (text.length > MAX_UNICODE_LENGTH || !/^[\w.\-\u{80}-\u{10ffff}]+$/u.test(text)) return null;
  const name = domainToASCII(text).replace(/\.$/, '');
  const labels = name.split('.');
  const isValid = name.length <= 253 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  // Node 24 accepts invalid Punycode, but cannot decode it.
  const decodes = !/(^|\.)xn--/.test(domainToUnicode(name));
  return isValid && decodes && isIP(name) === 0 ? name : null;
}

/** A host name, also of a single label, or an address. Null if it is invalid. */
export const canonicalHost = (text: string): string | null => canonicalIp(text) ?? canonicalHostName(text);

/** The registrable domain of a host. Null for a public suffix and a single label. */
export const registrableDomain = (host: string): string | null => getDomain(host, SUFFIXES);

/** Requires a registrable domain or a subdomain of one. The error names the field. */
export function requireDomainName(text: string, field: string): string {
  const name = canonicalHostName(text);
  if (name === null)
    throw invalid(`${field} must be a domain name, such as example.com, and not an address, URL or wildcard.`);
  if (registrableDomain(name) === null) {
    throw invalid(`${field} must be a domain that can be registered, such as example.com; ${name} is a public suffix.`);
  }
  return name;
}

/** Whether the host is the domain or a subdomain of it. Both are canonical. */
export const coversHost = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The host and its parent names, which are the domains that cover it. */
export const selfAndParents = (host: string): string[] =>
  host.split('.').map((_label, index, labels) => labels.slice(index).join('.'));
