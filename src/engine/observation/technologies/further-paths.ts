import { parseUrl } from '../../../kernel/parse-url';
import { attributeOf, tagsOf } from '../../protocols/http/markup';
import { murmur3 } from '../../templates/expressions/murmur3';
import type { Statement } from '../host-seen';
import { technologiesOf } from './technologies-of';

type HttpStatement = Extract<Statement, { kind: 'http' }>;

/** The path at which software states its version, if its first page does not. */
const VERSION_PATHS: Readonly<Record<string, string>> = {
  Nextcloud: '/status.php',
  ownCloud: '/status.php',
  Grafana: '/login',
  Prometheus: '/metrics',
  'Prometheus Alertmanager': '/metrics',
  'Prometheus Node Exporter': '/metrics',
  WordPress: '/feed/',
};

/** Pages per origin, not counting the icon and the missing path. */
const MOST_PAGES = 3;
const LONGEST_PATH = 500;
const BASE64_LINE = 76;

/** The hash of a favicon that search engines for exposed hosts use: of its Base64 text in lines. */
export function iconHashOf(icon: Buffer): number {
  const lines = icon.toString('base64').match(new RegExp(`.{1,${BASE64_LINE}}`, 'g')) ?? [];
  return murmur3(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

/**
 * The next path to request from an origin after its first page: the target of its redirect, or the path at which its software
 * states a version. Null if no request is worthwhile, and after two further pages.
 */
export function nextPath(asked: readonly HttpStatement[]): string | null {
  const [home] = asked;
  if (home === undefined || asked.length >= MOST_PAGES) return null;
  const places = new Set(asked.map(({ url }) => pathOf(parseUrl(url))));
  const redirects = asked.map((page) => (isRedirect(page) ? pathIn(page.url, headerOf(page, 'location')) : null));
  const versions = technologiesOf(asked).map(({ name, version }) => (version === '' ? VERSION_PATHS[name] : null));
  return [...redirects, ...versions].find((path) => typeof path === 'string' && !places.has(path)) ?? null;
}

/** The path of the icon that a page names, if it is on the same origin. */
export function iconPath(page: HttpStatement): string {
  const icon = tagsOf(page.body, 'link').find((tag) => /\bicon\b/i.test(attributeOf(tag, 'rel') ?? ''));
  return pathIn(page.url, icon && attributeOf(icon, 'href')) ?? '/favicon.ico';
}

const isRedirect = ({ status }: HttpStatement): boolean => status >= 300 && status < 400;

const headerOf = ({ headers }: HttpStatement, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

const pathOf = (url: URL | null): string => `${url?.pathname ?? ''}${url?.search ?? ''}`;

/** The path of a link, if it is on the same origin. */
function pathIn(url: string, link: string | null | undefined): string | null {
  if (link === null || link === undefined) return null;
  const [from, to] = [parseUrl(url), parseUrl(link, url)];
  if (from === null || to === null || from.origin !== to.origin) return null;
  return pathOf(to).length > LONGEST_PATH ? null : pathOf(to);
}
