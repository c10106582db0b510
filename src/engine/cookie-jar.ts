import type { HttpAnswer } from './transport/http';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Whether browsers add it to a POST of another site: without the attribute, `SameSite` is `Lax`. */
  readonly isCrossSite: boolean;
}

const MOST_COOKIES = 100;
const LONGEST_COOKIE = 4_096;

/** Whether a cookie for this domain is sent to the host. */
const coversHost = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(attributes.get('expires') ?? '') < Date.now();
}

/** The cookies that one target sets during one probe. */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Stores the cookies of a response. From another host than `host`, it only stores those for a domain of both hosts. */
  store({ url, headers }: HttpAnswer, host = new URL(url).hostname, isCrossSite = false): void {
    for (const field of headers.all('set-cookie')) this.set(field, new URL(url), host, isCrossSite);
  }

  /** The value of a Cookie header for this URL, or null if there are no cookies. */
  fieldFor(url: string, isCrossSite = false): string | null {
    const { protocol, pathname } = new URL(url);
    const sent = [...this.cookies.values()].filter(
      ({ path, isSecure, isCrossSite: isForAll }) =>
        (isForAll || !isCrossSite) &&
        (protocol === 'https:' || !isSecure) &&
        (pathname === path || pathname.startsWith(path.replace(/\/?$/, '/'))),
    );
    return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  private set(field: string, { hostname, pathname }: URL, host: string, isOfCrossSite: boolean): void {
    const [pair = '', ...rest] = field.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals < 1 || field.length > LONGEST_COOKIE || !/^[\x21-\x7e]*$/.test(name)) return;
    const attributes = new Map(
      rest.map((one) => {
        const [key = '', value = ''] = one.split('=', 2);
        return [key.trim().toLowerCase(), value.trim()] as const;
      }),
    );
    const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase();
    const value = pair.slice(equals + 1).trim();
    if (domain === undefined ? host !== hostname : !coversHost(domain, hostname) || !coversHost(domain, host)) return;
    if (!/^[\x20-\x7e]*$/.test(value)) return;
    const stated = attributes.get('path') ?? '';
    const path = stated.startsWith('/') ? stated : pathname.slice(0, pathname.lastIndexOf('/')) || '/';
    const key = `${name} ${path}`;
    // The answer to a request that had no session may begin another one, which must not replace that of the account.
    if (isOfCrossSite && this.cookies.get(key)?.isCrossSite !== true) return;
    const isSecure = attributes.has('secure');
    const isCrossSite = isSecure && attributes.get('samesite')?.toLowerCase() === 'none';
    if (isExpired(attributes)) this.cookies.delete(key);
    else if (this.cookies.size < MOST_COOKIES || this.cookies.has(key))
      this.cookies.set(key, { name, value, path, isSecure, isCrossSite });
  }
}
