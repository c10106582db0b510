import { parseUrl } from '../../../kernel/parse-url';
import { type Page, redirectOf } from '../../page';
import { decodedEntities } from '../../entities';
import { attributeOf, tagsOf } from './markup';

const HTML = /^\s?(?:text\/html|application\/xhtml\+xml)\b/i;
/** The seconds, and an address that may be quoted. */
const REFRESH =
  /^\s*[\d.]{1,12}\s*(?:[;,]\s*)?(?:url\s*=\s*)?(?:"([^"]{1,2000})|'([^']{1,2000})|([^\s"'][^\s]{0,2000}))/i;

function addressIn(refresh: string, base: string): URL[] {
  const [, double, single, bare] = REFRESH.exec(refresh) ?? [];
  const address = double ?? single ?? bare;
  const url = address === undefined ? null : parseUrl(address, base);
  return url === null ? [] : [url];
}

/**
 * The addresses that a browser goes to from a response that is not a redirect: in its `Refresh` header, and in `meta` tags of the
 * page.
 */
export function refreshesOf(page: Page): URL[] {
  if (redirectOf(page) !== null) return [];
  const tags = HTML.test(page.headers.get('content-type') ?? '') ? tagsOf(page.text, 'meta') : [];
  const stated = tags
    .filter((tag) => attributeOf(tag, 'http-equiv')?.trim().toLowerCase() === 'refresh')
    .map((tag) => decodedEntities(attributeOf(tag, 'content') ?? ''));
  return [...page.headers.all('refresh'), ...stated].flatMap((one) => addressIn(one, page.url));
}
