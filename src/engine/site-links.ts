import { parseUrl } from '../kernel/parse-url';
import { mayChange } from './may-change';
import type { Page } from './page';
import { attributeOf, tagsOf } from './protocols/http/markup';
import type { Target } from './target';
import { ExchangeFailed } from './transport/exchange';

/** Attributes in which pages refer to other addresses of their site. Forms are left out, because none is submitted. */
const REFERENCES = [
  ['a', 'href'],
  ['area', 'href'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['link', 'href'],
] as const;

/** Extensions of files that contain no links. */
const FILES =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|m?js|map|woff2?|pdf|zip|gz|tar|mp[34]|webm|json|xml|txt|csv|docx?|xlsx?)$/i;
const MAX_LINKS = 500;
/** Per page, because each link is searched for many words. */
const MOST_JUDGED = 2_000;
const MAX_LENGTH = 2_000;

/** The addresses of the same origin among these, without fragments and without addresses that may change something. */
function linksTo(named: readonly string[], url: string): URL[] {
  const { origin } = new URL(url);
  const links = new Map<string, URL>();
  const judged = new Set<string>();
  for (const name of named) {
    if (links.size === MAX_LINKS || judged.size === MOST_JUDGED) break;
    const link = name.length > MAX_LENGTH ? null : parseUrl(name.replaceAll('&amp;', '&').trim(), url);
    if (link?.origin !== origin || link.username !== '') continue;
    link.hash = '';
    if (judged.has(link.href)) continue;
    judged.add(link.href);
    if (!mayChange(`${link.pathname}${link.search}`)) links.set(link.href, link);
  }
  return [...links.values()];
}

/** The links of a page, in the order of the page. */
export const linksIn = ({ url, text }: Page): URL[] =>
  linksTo(
    REFERENCES.flatMap(([name, attribute]) => tagsOf(text, name).map((tag) => attributeOf(tag, attribute) ?? '')),
    url,
  );

/**
 * The paths of further pages that a page links to. Links with queries are left out, because these often mean an action or a
 * session.
 */
export const linkedPages = (page: Page): string[] => [
  ...new Set(
    linksIn(page)
      .filter(({ pathname, search }) => search === '' && !FILES.test(pathname))
      .map(({ pathname }) => pathname),
  ),
];

const SEARCHED_CHARACTERS = 300_000;

const isText = ({ status, headers }: Page, type: RegExp): boolean =>
  status === 200 && type.test(headers.get('content-type') ?? '');

/** The values of a robots.txt field. Rules with wildcards do not name a path. */
const fieldsOf = ({ text }: Page, field: RegExp): string[] =>
  text
    .slice(0, SEARCHED_CHARACTERS)
    .split(/[\r\n]+/)
    .flatMap((line) =>
      field.test(line)
        ? (line
            .slice(line.indexOf(':') + 1)
            .split('#', 1)[0]
            ?.trim() ?? [])
        : [],
    )
    .filter((value) => value !== '' && !/[*$]/.test(value));

/** Its rules are not treated as prohibitions: they tell search engines what not to list, which shows what exists. */
export const pathsOfRobots = (page: Page): URL[] =>
  isText(page, /^text\/plain\b/i) ? linksTo(fieldsOf(page, /^\s{0,20}(?:dis)?allow\s{0,20}:/i), page.url) : [];

export const sitemapsOf = (page: Page): URL[] =>
  isText(page, /^text\/plain\b/i) ? linksTo(fieldsOf(page, /^\s{0,20}sitemap\s{0,20}:/i), page.url) : [];

export const locationsOfSitemap = (page: Page): URL[] =>
  isText(page, /xml\b/i)
    ? linksTo(
        [...page.text.slice(0, SEARCHED_CHARACTERS).matchAll(/<loc>([^<]{1,2000})<\/loc>/gi)].map(([, to = '']) => to),
        page.url,
      )
    : [];

/** The source of pages: a session. */
interface Pages {
  page(target: Target, kind: 'page' | 'followed'): Promise<{ readonly page: Page }>;
}

/** The number of pages that are requested for their links, in addition to the given page. */
export const MAX_LINKED_PAGES = 20;
/** The number of paths from robots.txt that are requested before the links of the page. */
const FIRST_OF_ROBOTS = 5;
/** A sitemap may refer to others. */
const MAX_SITEMAPS = 3;

/**
 * Collects the links of a site with few requests: from the given page, from some pages of the same origin that it links to, and
 * from robots.txt and the sitemap.
 */
export class SiteLinks {
  private readonly known = new Map<string, Promise<readonly URL[]>>();

  constructor(
    private readonly session: Pages,
    private readonly maxPages: number,
    private readonly isInScope: (place: Target) => boolean,
  ) {}

  /** Requested once for all checks of a job. */
  of(target: Target): Promise<readonly URL[]> {
    const known = this.known.get(target.path) ?? this.collect(target);
    this.known.set(target.path, known);
    return known;
  }

  private async collect(target: Target): Promise<readonly URL[]> {
    const links = new Map<string, URL>();
    const known = new Set([target.path]);
    const pages: string[] = [];
    const add = (found: readonly URL[]): void => {
      for (const link of found) {
        const { pathname } = link;
        if (links.size >= MAX_LINKS || !this.isInScope({ ...target, path: pathname })) continue;
        links.set(link.href, link);
        if (!known.has(pathname) && !FILES.test(pathname)) pages.push(pathname);
        known.add(pathname);
      }
    };
    const { ofRobots, ofSitemaps } = await this.namedOutsidePages(target);
    add(ofRobots.slice(0, FIRST_OF_ROBOTS));
    add(await this.found(target, 'followed', linksIn));
    add([...ofRobots, ...ofSitemaps]);
    // The loop appends pages: the links of linked pages follow those of the given page.
    for (let at = 0; at < Math.min(pages.length, this.maxPages); at += 1)
      add(await this.found({ ...target, path: pages[at] ?? '/' }, 'page', linksIn));
    return [...links.values()];
  }

  private async namedOutsidePages(target: Target): Promise<{ ofRobots: URL[]; ofSitemaps: URL[] }> {
    const at = (path: string): Target => ({ ...target, path });
    if (this.maxPages === 0) return { ofRobots: [], ofSitemaps: [] };
    const ofRobots = await this.found(at('/robots.txt'), 'page', pathsOfRobots);
    const sitemaps = [
      ...(await this.found(at('/robots.txt'), 'page', sitemapsOf)).map(({ pathname }) => pathname),
      '/sitemap.xml',
    ];
    const ofSitemaps: URL[] = [];
    const read = new Set<string>();
    for (const path of sitemaps) {
      if (read.size === MAX_SITEMAPS) break;
      if (read.has(path)) continue;
      read.add(path);
      const named = await this.found(at(path), 'page', locationsOfSitemap);
      sitemaps.push(...named.filter(({ pathname }) => /\.xml$/i.test(pathname)).map(({ pathname }) => pathname));
      ofSitemaps.push(...named.filter(({ pathname }) => !/\.xml(?:\.gz)?$/i.test(pathname)));
    }
    return { ofRobots, ofSitemaps };
  }

  /** Empty for a page that does not respond or is out of scope. */
  private async found(target: Target, kind: 'page' | 'followed', read: (page: Page) => URL[]): Promise<URL[]> {
    if (kind === 'page' && !this.isInScope(target)) return [];
    try {
      return read((await this.session.page(target, kind)).page);
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return [];
    }
  }
}
