import { parseUrl } from '../kernel/parse-url';
import type { Page } from './page';
import { attributeOf, tagsOf } from './protocols/http/markup';
import type { Target } from './target';
import { ExchangeFailed } from './transport/exchange';

/** Where pages name other addresses of their site. Forms are not among them: none is submitted. */
const REFERENCES = [
  ['a', 'href'],
  ['area', 'href'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['link', 'href'],
] as const;

/** A request for such an address could change something on a site that uses GET for that. */
const MAY_CHANGE =
  /log-?out|log-?off|sign-?(?:out|off)|delete|remove|destroy|drop|unsubscribe|cancel|disable|enable|activate|confirm|approve|reset|clear|purge|install|update|vote|buy|checkout|order|add[-_]?to|[?&/](?:add|edit|new|set|do|cmd|action)\b/i;
/** No pages with links. */
const FILES =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|m?js|map|woff2?|pdf|zip|gz|tar|mp[34]|webm|json|xml|txt|csv|docx?|xlsx?)$/i;
const MAX_LINKS = 500;
const MAX_LENGTH = 2_000;

/** The addresses of the same origin that a page names, without fragments, in the order of the page. */
export function linksIn({ url, text }: Page): URL[] {
  const own = new URL(url);
  const links = new Map<string, URL>();
  for (const [name, attribute] of REFERENCES)
    for (const tag of tagsOf(text, name)) {
      const named = attributeOf(tag, attribute)?.replaceAll('&amp;', '&').trim() ?? '';
      const link = named.length > MAX_LENGTH ? null : parseUrl(named, url);
      if (link?.origin !== own.origin || link.username !== '' || MAY_CHANGE.test(`${link.pathname}${link.search}`))
        continue;
      link.hash = '';
      if (links.size < MAX_LINKS) links.set(link.href, link);
    }
  return [...links.values()];
}

/** Where pages come from: a session. */
interface Pages {
  page(target: Target, kind: 'page' | 'followed'): Promise<{ readonly page: Page }>;
}

/** How many pages are requested for their links, besides the page that was given. */
export const MAX_LINKED_PAGES = 20;

/** A light look at the links of a site: the given page, and some pages of the same origin that it links to. */
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
    const add = (found: readonly URL[]): void => {
      for (const link of found)
        if (links.size < MAX_LINKS && this.isInScope({ ...target, path: link.pathname })) links.set(link.href, link);
    };
    add(await this.linksOf(target, 'followed'));
    const paths = new Set(
      [...links.values()].filter(({ pathname }) => !FILES.test(pathname)).map((link) => link.pathname),
    );
    paths.delete(target.path);
    for (const path of [...paths].slice(0, this.maxPages)) add(await this.linksOf({ ...target, path }, 'page'));
    return [...links.values()];
  }

  /** None of a page that does not respond. */
  private async linksOf(target: Target, kind: 'page' | 'followed'): Promise<readonly URL[]> {
    try {
      return linksIn((await this.session.page(target, kind)).page);
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return [];
    }
  }
}
