import { decodedEntities } from '../entities';
import { percentDecoded } from '../protocols/http/percent-decoded';
import { isSessionCookie } from '../session-cookie';
import { redirectOf } from '../page';
import type { HttpAnswer } from '../transport/http';

const SEARCHED_CHARACTERS = 300_000;
const SHORTEST = 6;
/** The shortest value that counts as a secret in a cookie whose name says nothing. */
const SHORTEST_RANDOM = 16;
const MOST_FIELDS = 200;

/** Names of fields, `meta` elements, keys and parameters that have a secret of the session. */
const NAMES = /sess|sid$|token|csrf|xsrf|jwt|nonce|authenticity|verification|ticket|secret|assertion|^code$|^state$/i;

const TAG = /<(?:input|meta)\b[^<>]{0,4000}>/gi;
const ATTRIBUTE = /\b(name|id|value|content)\s?=\s?(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'<>=]{1,4000}))/gi;
const PAIR = /"([\w-]{1,60})"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){6,4000})"/g;

type Named = readonly [name: string, value: string];

/** The values of fields and `meta` elements in the markup of a page, by their names. */
export function* markedValues(text: string): Generator<Named> {
  for (const [tag] of text.slice(0, SEARCHED_CHARACTERS).matchAll(TAG)) {
    const found = new Map<string, string>();
    for (const [, attribute = '', double, single, bare] of tag.matchAll(ATTRIBUTE))
      found.set(attribute.toLowerCase(), decodedEntities(double ?? single ?? bare ?? ''));
    const name = found.get('name') ?? found.get('id');
    const value = found.get('value') ?? found.get('content');
    if (name !== undefined && value !== undefined) yield [name, value];
  }
}

function* keysOfJson(text: string): Generator<Named> {
  for (const [, name = '', value = ''] of text.slice(0, SEARCHED_CHARACTERS).matchAll(PAIR))
    if (NAMES.test(name)) yield [name, value.replaceAll('\\/', '/')];
}

function cookieSecrets(answer: HttpAnswer): string[] {
  return answer.headers.all('set-cookie').flatMap((field) => {
    const [, name = '', value = ''] = /^\s?([^=;\s]{1,200})=([^;]{0,4096})/.exec(field) ?? [];
    const isSecret =
      isSessionCookie(name, value) ||
      value.length >= SHORTEST_RANDOM ||
      (/;\s?httponly/i.test(field) && value.length >= SHORTEST);
    return isSecret && value.length >= 4 ? [value, percentDecoded(value)] : [];
  });
}

/** Session cookies, tokens and CSRF values in an answer. */
export function issuedIn(answer: HttpAnswer): string[] {
  const type = answer.headers.get('content-type') ?? '';
  const named = [
    ...(/html|xml/i.test(type) || type === '' ? [...markedValues(answer.text)].slice(0, MOST_FIELDS) : []),
    ...(/json|script|html/i.test(type) ? [...keysOfJson(answer.text)].slice(0, MOST_FIELDS) : []),
    ...(redirectOf(answer)?.searchParams ?? []),
  ];
  const values = named
    .filter(([name, value]) => NAMES.test(name) && value.length >= SHORTEST)
    .map(([, value]) => value);
  return [...cookieSecrets(answer), ...values];
}
