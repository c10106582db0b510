import { parseUrl } from '../../../kernel/parse-url';
import type { TemplateRequest } from '../../findings';

const UNDERIVED =
  'the result does not say at which URL the template ran: none of its paths is the end of the URL that the scanner reports';
const AMBIGUOUS =
  'the result does not say at which URL the template ran: its paths have values that are known only when it runs, and fit the URL that the scanner reports in several ways';
const REDIRECTED =
  'the result does not say at which URL the template ran: it follows redirects, so the URL that the scanner reports may be that of another page';

type Place = { readonly location: string } | { readonly refusal: string };

/** The base URL for which a scanner ran a template, derived from the URL at which it matched. */
export function placeOfTemplate(requests: readonly TemplateRequest[], matchedAt: string | null): Place {
  const url = matchedAt === null ? null : parseUrl(matchedAt);
  if (url === null || !/^https?:$/.test(url.protocol)) return { refusal: 'the result names no http or https URL' };
  const root = `${url.origin}/`;
  const asked = `${url.pathname}${url.search}`;
  const paths = requests.map((request) => pathOf(request));
  // A front page is not below any path, and neither is a page whose whole path the template states.
  if (asked === '/' || paths.some(({ start, end }) => end === null && start === asked)) return { location: root };
  const fitting = paths.flatMap((path) => basesOf(path, asked).map((base) => ({ base, path })));
  const bases = fitting.map(({ base }) => base);
  // A path without expressions leads to the matched URL from each of its bases. A path with unknown values may not.
  const isKnown = paths.every(({ end }) => end === null);
  const isClear = new Set(bases).size === 1 && fitting.some(({ path }) => saysMore(path));
  if (!isKnown && bases.length > 0 && !isClear) return { refusal: AMBIGUOUS };
  const base = bases.toSorted((one, other) => one.length - other.length)[0];
  if (base === undefined) return { refusal: UNDERIVED };
  if (base !== '' && requests.some(({ followsRedirects }) => followsRedirects)) return { refusal: REDIRECTED };
  return { location: base === '' ? root : `${url.origin}${base}` };
}

interface Path {
  /** The whole path, or the part before its first expression. */
  readonly start: string;
  /** The part after its last expression; null without one. */
  readonly end: string | null;
  readonly isBelowPath: boolean;
}

/** Every URL ends with an empty path, and every folder with a slash, so these say nothing. */
const saysMore = ({ start, end }: Path): boolean => end !== null || (start !== '' && start !== '/');

/** URLs do not escape it. A path that contains it is treated like one with an expression, which is safe. */
const ANYTHING = '*';

function pathOf({ target, isBelowPath }: TemplateRequest): Path {
  const opened = target.indexOf('{{');
  const closed = target.lastIndexOf('}}');
  const isStated = opened === -1 || closed < opened;
  const path = normalized(isStated ? target : `${target.slice(0, opened)}${ANYTHING}${target.slice(closed + 2)}`);
  const first = path.indexOf(ANYTHING);
  if (first === -1) return { start: path, end: null, isBelowPath };
  return { start: path.slice(0, first), end: path.slice(path.lastIndexOf(ANYTHING) + 1), isBelowPath };
}

/** The path in the form in which a URL has it. */
function normalized(target: string): string {
  const url = target.startsWith('/') ? parseUrl(`http://host.invalid${target}`) : null;
  return url === null ? target : `${url.pathname}${url.search}`;
}

/** The possible bases before the path in the requested URL. More than one means that the base is ambiguous. */
function basesOf({ start, end, isBelowPath }: Path, asked: string): string[] {
  if (!asked.endsWith(end ?? start)) return [];
  const last = asked.length - start.length - (end ?? '').length;
  const starts = end === null ? [last] : startsOf(start, asked).filter((at) => at <= last);
  return starts
    .map((at) => asked.slice(0, at))
    .filter((base) => !base.includes('?') && (isBelowPath || base === ''))
    .map((base) => (base === '/' ? '' : base));
}

/** The first positions of a text in another one. Three are enough, because a base that is only a slash counts as empty. */
function startsOf(start: string, asked: string): number[] {
  const first = asked.indexOf(start);
  const second = first === -1 ? -1 : asked.indexOf(start, first + 1);
  const third = second === -1 ? -1 : asked.indexOf(start, second + 1);
  return [first, second, third].filter((at) => at !== -1);
}
