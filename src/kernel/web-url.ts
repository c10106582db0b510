import { canonicalIp } from './cidr';
import { invalid } from './domain-error';
import { parseUrl } from './parse-url';

const MAX_LENGTH = 2_048;

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * A text that is plainly a URL of the web, or a refusal that names the field. `new URL()` drops line feeds, mends slashes
 * and takes user information: what it would have to mend is refused before it is asked.
 */
export function requireWebUrl(text: string, field: string, schemes: readonly string[] = ['http', 'https']): URL {
  const wanted = schemes.join(' or ');
  const refuse = (why: string) => invalid(`${field} must be an ${wanted} URL, such as https://example.com/: ${why}.`);
  if (text.length > MAX_LENGTH) throw refuse(`it is longer than ${MAX_LENGTH} characters`);
  if (/[\s\p{Cc}\\]/u.test(text)) throw refuse('it has a space, a backslash or a control character');
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) throw refuse(`it does not begin with ${wanted}, :// and a host`);
  if (authority.includes('@')) throw refuse('it has user information');
  const url = parseUrl(text);
  if (url === null) throw refuse('its host or port is not valid');
  if (url.href.length > MAX_LENGTH)
    throw refuse(`it is longer than ${MAX_LENGTH} characters when it is percent-encoded`);
  return url;
}

/** A name or an address in its one spelling, without brackets and without a dot at its end. */
export function hostOf({ hostname }: URL): string {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return canonicalIp(name) ?? name;
}

export const portOf = ({ port, protocol }: URL): number => Number(port || PORTS[protocol]);

/** A host as a URL has it. */
export const formatUrlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
