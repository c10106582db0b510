import { canonicalIp, Cidr } from '../../kernel/cidr';
import { invalid } from '../../kernel/domain-error';
import { parseUrl } from '../../kernel/parse-url';
import { formatUrlHost, hostOf, portOf } from '../../kernel/web-url';

/** A proxy that connects to the service by CONNECT. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Whether the connection to the proxy itself is TLS. */
  readonly isTls: boolean;
  /** `user:password`; undefined without credentials. */
  readonly credentials: string | undefined;
}

/** For logs: without the credentials. */
export const proxyText = ({ host, port }: Proxy): string => `${formatUrlHost(host)}:${port}`;

/** Errors never contain the text, which may have a password. `source` is the option or variable that it is from. */
export function parseProxy(text: string, source: string): Proxy {
  const url = parseUrl(text.includes('://') ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw invalid(`${source} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128.`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw invalid(`${source} must end after the port, such as http://proxy.example.com:3128.`);
  const { username, password } = url;
  const credentials = username === '' && password === '' ? undefined : [username, password].map(decoded).join(':');
  return { host: hostOf(url), port: portOf(url), isTls: url.protocol === 'https:', credentials };
}

/** A percent sign that encodes nothing is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether NO_PROXY excepts this host: names with their subdomains, addresses, CIDR blocks, each with an optional port. */
export function isExcepted(noProxy: string, host: string, port: number): boolean {
  return noProxy
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => entry === '*' || excepts(entry.toLowerCase(), host.toLowerCase(), port));
}

function excepts(entry: string, host: string, port: number): boolean {
  const address = canonicalIp(host);
  // Before the port, which would be the last part of an IPv6 address.
  if (address !== null && includesAddress(entry, address)) return true;
  const [, place = '', digits] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (digits !== undefined && Number(digits) !== port) return false;
  if (address !== null) return includesAddress(place.replace(/^\[(.*)\]$/, '$1'), address);
  const domain = place.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function includesAddress(place: string, address: string): boolean {
  if (!place.includes('/')) return canonicalIp(place) === address;
  try {
    return Cidr.parse(place, 'NO_PROXY').contains(address);
  } catch {
    return false;
  }
}
