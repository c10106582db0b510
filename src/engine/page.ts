import { randomBytes } from 'node:crypto';
import type { CookieJar } from './cookie-jar';
import type { Exchange } from './transport/exchange';
import type { HttpAnswer, HttpRequest } from './transport/http';
import { originOf, urlOf } from './transport/http';
import type { Transport, Via } from './transport/transport';
import { parseUrl } from '../kernel/parse-url';

/** A response, and the redirects that led to it. */
export interface Page extends HttpAnswer {
  readonly hops: readonly HttpAnswer[];
}

/** All responses, including redirects: content counts with any status. */
export const everyAnswer = (page: Page): readonly HttpAnswer[] => [...page.hops, page];

const HTML = /^\s?(?:text\/html|application\/xhtml\+xml)\b/i;

/** Whether browsers show the response as a page. A header for documents protects nothing in redirects, errors and data. */
export const isDocument = ({ status, headers }: HttpAnswer): boolean =>
  status >= 200 && status < 300 && HTML.test(headers.get('content-type') ?? '');

/** Whether it is read as HTML, whatever its status: without a type, it is. */
export const isHtml = ({ headers }: Pick<HttpAnswer, 'headers'>): boolean =>
  /html/i.test(headers.get('content-type') ?? 'html');

/** The maximum number of redirects. */
export const MOST_HOPS = 5;

/** A random path that does not exist, to learn the target's response for missing paths. */
export const missingPath = (): string => `/nothing-${randomBytes(6).toString('hex')}`;

/** A missing path next to a path, with the same prefix and extension, so that rules for hidden files or extensions apply to both. */
export function missingSiblingOf(path: string): string {
  const [, folder = '/', name = ''] = /^(.*\/)([^/]*)$/.exec(path) ?? [];
  const [, stem = '', ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
  return `${folder}${stem}-${missingPath().slice(1)}${ending}`;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect; null if the response is not a redirect. */
export function redirectOf(answer: HttpAnswer): URL | null {
  const location = REDIRECTS.has(answer.status) ? answer.headers.get('location') : null;
  return location === null ? null : parseUrl(location, answer.url);
}

/** Only the names of the parameters, because their values may differ between redirects. */
const parameterNames = (to: URL): string => [...new Set(to.searchParams.keys())].sort().join(' ');

/** Whether two paths redirect to the same place, or each to a place that contains the path. */
export function isEquivalentRedirect(path: string, to: URL, otherPath: string, otherTo: URL): boolean {
  if (to.origin !== otherTo.origin || parameterNames(to) !== parameterNames(otherTo)) return false;
  const kept = path === '/' ? to.pathname.replace(/\/$/, otherPath) : to.pathname.replaceAll(path, otherPath);
  return to.pathname === otherTo.pathname || kept === otherTo.pathname;
}

/** `Cache-Control` says what caches may do, not what a cache did. */
const CACHE_FIELD = /^(?!cache-control$).*cache|^server-timing$/i;
/**
 * Matches `HIT`, `TCP_HIT` and `RefreshHit`, but not `white`. Rack::Cache uses `fresh`. A prerendered page was stored when the
 * site was built.
 */
const CACHE_WORD =
  /(?:^|[^a-z])(?:refresh|origin-shield-)?hit\b|\b(?:fresh|stale|updating|revalidated|prerender(?:ed)?)\b/i;

/** The hits in each cache on the way, such as `0, 4`. */
const wasStored = (hits: string | null): boolean => hits !== null && /^[\d, ]+$/.test(hits) && /[1-9]/.test(hits);

/** Whether the headers show that a cache responded. */
export const isFromCache = ({ headers }: HttpAnswer): boolean =>
  Number(headers.get('age') ?? 0) > 0 ||
  // Two numbers: the id of this request, and the id of the request that filled the cache.
  /^\d+ \d+$/.test(headers.get('x-varnish') ?? '') ||
  wasStored(headers.get('x-cache-hits')) ||
  /(?:^|,)\s*11[0-3]\s/.test(headers.get('warning') ?? '') ||
  headers.fields.some(([name, value]) => CACHE_FIELD.test(name) && CACHE_WORD.test(value));

/** How far redirects are followed: within the asset, or not even from HTTP to HTTPS. */
export type Reach = 'asset' | 'origin';

/**
 * The request to follow a redirect with. It never leaves the asset: the host stays the same, and the port may only change from
 * that of http to that of https.
 */
function nextRequest(request: HttpRequest, to: URL, reach: Reach): HttpRequest | null {
  const scheme = to.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return null;
  if (reach === 'origin' && scheme !== request.scheme) return null;
  const port = to.port === '' ? { http: 80, https: 443 }[scheme] : Number(to.port);
  const sameHost = to.hostname === new URL(originOf(request)).hostname;
  const samePort = port === request.port || (request.port === 80 && port === 443 && scheme === 'https');
  if (!sameHost || !samePort || to.username !== '' || to.password !== '') return null;
  return { ...request, scheme, port, path: `${to.pathname}${to.search}`, method: 'GET', body: undefined };
}

export interface Following {
  readonly hops: number;
  readonly reach?: Reach;
  /** The response to the first request, if that was already sent. */
  readonly first?: HttpAnswer;
  /** Stores the cookies of each response, and adds them to the requests. */
  readonly cookies?: CookieJar;
}

function withCookies(request: HttpRequest, cookies: CookieJar | undefined): HttpRequest {
  const own = cookies?.fieldFor(urlOf(request)) ?? null;
  if (own === null) return request;
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';
  const { headers = [] } = request;
  const stated = headers.filter(isCookie).map(([, value]) => value);
  const rest = headers.filter((field) => !isCookie(field));
  return { ...request, headers: [...rest, ['Cookie', [...stated, own].join('; ')]] };
}

/** Requests a page and follows up to `hops` redirects within `reach`, without loops. Each exchange is passed to `record`. */
export async function fetchPage(
  transport: Transport,
  request: HttpRequest,
  { hops, reach = 'asset', first, cookies }: Following,
  via: Via,
  record: (exchange: Exchange) => void,
): Promise<Page> {
  const passed: HttpAnswer[] = [];
  let next = request;
  let known = first;
  const ask = async (): Promise<HttpAnswer> => {
    const { value, exchange } = await transport.http(withCookies(next, cookies), via);
    record(exchange);
    cookies?.store(value);
    return value;
  };
  for (;;) {
    const value = known ?? (await ask());
    known = undefined;
    const to = passed.length < hops ? redirectOf(value) : null;
    const onward = to && nextRequest(next, to, reach);
    const isCircle = onward !== null && [...passed, value].some(({ url }) => url === urlOf(onward));
    if (onward === null || isCircle) return { ...value, hops: passed };
    passed.push(value);
    next = onward;
  }
}

export function sentPath(path: string, fresh: boolean): string {
  if (!fresh) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${randomBytes(6).toString('hex')}`;
}
