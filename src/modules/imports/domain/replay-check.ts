import { createHash } from 'node:crypto';
import { dump } from 'js-yaml';
import { parseUrl } from '../../../kernel/parse-url';
import type { CheckDefinition } from '../../findings/domain/check-definition';

/** A request from a scanner's file, and an extract of its response. */
export interface Replay {
  readonly method: string;
  readonly url: string;
  readonly match: string;
}

const LEAST_MATCH = 8;
const MOST_MATCH = 500;
/** The minimum length of a query value or path segment that is compared, to recognize a page that only repeats the request. */
const LEAST_VALUE = 4;
const LEAST_SEGMENT = 8;
/** A word, a tag or the name of a header field, which pages without the weakness also contain. */
const GENERIC = /^[<"']?\/?[\p{L}_-]{1,30}[>:="']?$/u;

const inputsOf = (url: URL): string[] => [
  ...[...url.searchParams.values()].filter(({ length }) => length >= LEAST_VALUE),
  ...url.pathname
    .split('/')
    .map(decoded)
    .filter(({ length }) => length >= LEAST_SEGMENT),
];

/** Why finding this text proves nothing, such as a text that other pages contain as well. Null if it is good evidence. */
export function objectionToMatch(match: string, url: URL): string | null {
  if (match.length < LEAST_MATCH)
    return `the text that the scanner saw, ${JSON.stringify(match)}, is shorter than ${LEAST_MATCH} characters`;
  if (match.length > MOST_MATCH) return `the text that the scanner saw is longer than ${MOST_MATCH} characters`;
  if (GENERIC.test(match) || !/[\p{L}\p{N}]/u.test(match))
    return `the text that the scanner saw, ${JSON.stringify(match)}, is also on pages without the weakness`;
  const text = match.toLowerCase();
  const asked = `${url.href}\n${decoded(url.href)}`.toLowerCase();
  if (asked.includes(text) || inputsOf(url).some((input) => text.includes(input.toLowerCase())))
    return 'the text that the scanner saw repeats a part of the request, as pages without the weakness do too';
  return null;
}

/**
 * A check that repeats the request of a scanner. It is sent only to the host of the result, without Cookie and Authorization.
 * Braces begin expressions in templates, so they are escaped in the path and refused in the match.
 */
export function checkOfReplay(
  { method, url: stated, match }: Replay,
  location: string | null,
  rule: string,
): CheckDefinition | { readonly refusal: string } {
  const url = parseUrl(stated);
  const place = location === null ? null : parseUrl(location);
  if (method !== 'GET' && method !== 'HEAD')
    return { refusal: `its method is ${method}, and only GET and HEAD are sent` };
  if (url === null || !/^https?:$/.test(url.protocol)) return { refusal: 'its request names no http or https URL' };
  if (url.origin !== place?.origin)
    return { refusal: 'its request goes to another host, scheme or port than its result' };
  if (url.username !== '' || url.password !== '') return { refusal: 'its URL contains a user name or a password' };
  if (match.includes('{{')) return { refusal: 'the text that the scanner saw contains {{, which begins an expression' };
  const objection = objectionToMatch(match, url);
  if (objection !== null) return { refusal: objection };
  const path = `${url.pathname}${url.search}`.replaceAll('{', '%7B').replaceAll('}', '%7D');
  const id = createHash('sha256')
    .update(JSON.stringify([method, url.href, match]))
    .digest('hex')
    .slice(0, 16);
  const template = {
    id: `replay-${id}`,
    info: { name: `The request of the scanner, for ${rule}`.slice(0, 500), severity: 'info' },
    http: [
      {
        method,
        path: [`{{RootURL}}${path}`],
        'disable-cookie': true,
        matchers: [{ type: 'word', part: 'response', words: [match] }],
      },
    ],
  };
  return { location: `${url.origin}${url.pathname}`, http: dump(template, { lineWidth: -1 }), replay: true };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
