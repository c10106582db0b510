import { canonicalIp } from './cidr';
import { invalid } from './domain-error';
import { parseUrl } from './parse-url';

export const MAX_URL_LENGTH = 2_048;

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Parses an http or https URL strictly, or throws an error that names the field. `new URL()` removes line feeds, corrects
 * slashes and accepts user information; such texts are rejected before it is called.
 */
export function requireWebUrl(text: string, field: string, schemes: readonly string[] = ['http', 'https']): URL {
  const wanted = schemes.join(' or ');
  const refusal = (why: string) => invalid(`${field} must be an ${wanted} URL, such as https://example.com/: ${why}.`);
  if (text.length > MAX_URL_LENGTH) throw refusal(`it is longer than ${MAX_URL_LENGTH} characters`);
  if (/[\s\p{Cc}\\]/u.test(text)) throw refusal('it has a space, a backslash or a control character');
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) throw refusal(`it does not begin with ${wanted}, :// and a host`);
  if (authority.includes('@')) throw refusal('it has user information');
  const url = parseUrl(text);
  if (url === null) throw refusal('its host or port is not valid');
  if (url.href.length > MAX_URL_LENGTH)
    throw refusal(`it is longer than ${MAX_URL_LENGTH} characters when it is percent-encoded`);
  return url;
}

/** The host name, or the canonical address without brackets; without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return canonicalIp(name) ?? name;
}

export const portOf = ({ port, protocol }: URL): number => Number(port || PORTS[protocol]);

/** The host as it is written in a URL: IPv6 addresses in brackets. */
export const formatUrlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
