import { decodedEntities } from '../entities';
import { percentDecoded } from '../protocols/http/percent-decoded';
import { withoutTags } from '../response-similarity';
import { markedValues } from '../signed-in/issued-secrets';

const SEARCHED_CHARACTERS = 300_000;
const MOST_IDENTIFIERS = 500;

/** As a reader or a program reads it: without the spellings of markup and JSON. */
export const readable = (text: string): string =>
  decodedEntities(text.slice(0, SEARCHED_CHARACTERS))
    .replace(/\\u([\da-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');

const isInWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** Whether a text has the value as a whole: the number 1017 is not in 21017. */
export function shows(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isWhole = (own: string | undefined, next: string | undefined): boolean => !(isInWord(own) && isInWord(next));
    if (isWhole(value[0], text[at - 1]) && isWhole(value.at(-1), text[at + value.length])) return true;
  }
  return false;
}

/** Whether a text has the value in any spelling, also as a part. Then it may not be known to its owner alone. */
export function mentions(text: string, value: string): boolean {
  const wanted = value.toLowerCase();
  const read = readable(text).toLowerCase();
  return read.includes(wanted) || (read.includes('%') && percentDecoded(read).includes(wanted));
}

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{2,63}){1,4}(?![\w-])/gi;
/** Not in the middle of an address, a file name or another token. */
const TOKEN = /(?<![\w./:@#%&=+-])[a-z\d][\w-]{7,63}(?![\w./:@%=+-]*[\w/:@%=+-])/gi;
const FEWEST_DIGITS = 4;
/** Dates and times, also as numbers of seconds and milliseconds. */
const MOMENT = /^(?:\d{4}-?\d{2}-?\d{2}(?:[T_-].*)?|\d{2}-\d{2}-\d{4}|1\d{9}(?:\d{3})?)$/;

const isIdentifier = (token: string): boolean =>
  (token.match(/\d/g) ?? []).length >= FEWEST_DIGITS && !MOMENT.test(token);

/** People see field values, as they see text. Addresses in attributes are left out: pictures and files are for anyone. */
const seenText = (text: string, isMarkup: boolean): string =>
  isMarkup
    ? `${withoutTags(text)} ${[...markedValues(text)].map(([, value]) => value).join(' ')}`
    : text.replaceAll(/":|[",[\]{}]/g, ' ');

/** E-mail addresses, and numbers and codes of at least eight characters with four digits: two users do not share one by chance. */
export function identifiersIn(text: string, type: string): Set<string> {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  const isMarkup = /html|xml/i.test(type) || (type === '' && start.trimStart().startsWith('<'));
  const seen = readable(seenText(start, isMarkup));
  const found = new Set<string>();
  for (const [email] of seen.matchAll(EMAIL)) found.add(email);
  for (const [token] of seen.matchAll(TOKEN)) if (isIdentifier(token)) found.add(token);
  return new Set([...found].slice(0, MOST_IDENTIFIERS));
}
