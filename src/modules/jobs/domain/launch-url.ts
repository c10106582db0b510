import { canonicalIp } from '../../../kernel/cidr';
import { invalid } from '../../../kernel/domain-error';

const MAX_LENGTH = 2048;

/** What a job addresses: one origin and one path on it. */
export interface LaunchUrl {
  readonly origin: string;
  /** A name in ASCII or an address, in its one spelling and without brackets: what assets are compared with. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** `new URL()` drops line feeds and mends backslashes: what it would have to mend is refused before. */
export function parseLaunchUrl(text: string): LaunchUrl {
  const refuse = (why: string) => invalid(`url must be an http or https URL, such as https://example.com/: ${why}.`);
  if (text.length > MAX_LENGTH) throw refuse(`it is longer than ${MAX_LENGTH} characters`);
  if (/[\s\p{Cc}\\]/u.test(text)) throw refuse('it has a space, a backslash or a control character');
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority.includes('@')) throw refuse('it has user information');
  if (authority === '' || !URL.canParse(text)) throw refuse('its host or port is not valid');
  const url = new URL(text);
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const host = canonicalIp(name) ?? name;
  url.hostname = host.includes(':') ? `[${host}]` : host;
  return {
    origin: url.origin,
    host,
    port: Number(url.port || { 'http:': 80, 'https:': 443 }[url.protocol]),
    path: url.pathname,
  };
}
