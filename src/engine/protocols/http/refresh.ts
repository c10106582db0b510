import { parseUrl } from '../../../kernel/parse-url';
import { type Page, redirectOf } from '../../page';
import { decodedEntities } from '../../entities';
import { attributeOf, tagsOf } from './markup';

const HTML = /^\s?(?:text\/html|application\/xhtml\+xml)\b/i;
/** Seconds, and an address that may be in quotes. */
const REFRESH =
  /^\s*[\d.]{1,12}\s*(?:[;,]\s*)?(?:url\s*=\s*)?(?:"([^"]{1,2000})|'([^']{1,2000})|([^\s"'][^\s]{0,2000}))/i;

function addressIn(refresh: string, base: string): URL[] {
  const [, double, single, bare] = REFRESH.exec(refresh) ?? [];
  const address = double ?? single ?? bare;
  const url = address === undefined ? null : parseUrl(address, base);
  return url === null ? [] : [url];
}

/** Where a browser goes from a response that is no redirect: its field `Refresh`, and `meta` tags of a page. */
export function refreshesOf(page: Page): URL[] {
  if (redirectOf(page) !== null) return [];
  const tags = HTML.test(page.headers.get('content-type') ?? '') ? tagsOf(page.text, 'meta') : [];
  const stated = tags
    .filter((tag) => attributeOf(tag, 'http-equiv')?.trim().toLowerCase() === 'refresh')
    .map((tag) => decodedEntities(attributeOf(tag, 'content') ?? ''));
  return [...page.headers.all('refresh'), ...stated].flatMap((one) => addressIn(one, page.url));
}
