import { type Page } from './page';
import { parseUrl } from '../kernel/parse-url';

const LOOKED_AT = 100_000;
const MOST = 3;

/** Paths of the same origin that a page links to, in its order; no folders, which may be gone with what is fixed. */
export function linksOf({ url, text }: Page): string[] {
  const own = new URL(url);
  const paths = new Set<string>();
  for (const [, href = ''] of text
    .slice(0, LOOKED_AT)
    .matchAll(/<a\s[^<>]{0,300}?href\s?=\s?["']([^"'<>]{1,500})["']/gi)) {
    const to = parseUrl(href, url);
    if (to?.origin === own.origin && to.search === '' && !to.pathname.endsWith('/')) paths.add(to.pathname);
    if (paths.size === MOST) break;
  }
  return [...paths];
}
