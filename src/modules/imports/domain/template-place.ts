import { parseUrl } from '../../../kernel/parse-url';
import type { TemplateRequest } from '../../../engine';

const UNDERIVED =
  'the result does not say at which URL the template ran: none of its paths is the end of the URL that the scanner reports';

/** The URL at which a scanner ran a template, from the URL at which it matched. */
export function placeOfTemplate(
  requests: readonly TemplateRequest[],
  matchedAt: string | null,
): { readonly location: string } | { readonly refusal: string } {
  const url = matchedAt === null ? null : parseUrl(matchedAt);
  if (url === null || !/^https?:$/.test(url.protocol)) return { refusal: 'the result names no http or https URL' };
  const asked = `${url.pathname}${url.search}`;
  const bases = requests.flatMap(({ target, isBelowPath }) => {
    const path = normalized(target, isBelowPath ? url.pathname : '/');
    if (!asked.endsWith(path) || (!isBelowPath && asked !== path)) return [];
    const base = path === '' ? url.pathname : asked.slice(0, asked.length - path.length);
    return base.includes('?') ? [] : [{ base, length: path.length }];
  });
  const [longest] = bases.toSorted((one, other) => other.length - one.length);
  if (longest !== undefined) return { location: `${url.origin}${longest.base || '/'}` };
  // A front page is below no path, wherever the template goes from there.
  return asked === '/' ? { location: `${url.origin}/` } : { refusal: UNDERIVED };
}

/** As a URL states it. */
function normalized(target: string, path: string): string {
  if (!target.startsWith('/')) return target === '' && path === '/' ? '/' : target;
  const url = parseUrl(`http://host.invalid${target}`);
  return url === null ? target : `${url.pathname}${url.search}`;
}
