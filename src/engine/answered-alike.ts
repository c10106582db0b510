import { isEquivalentRedirect, type Page, redirectOf } from './page';
import { SEARCHED_CHARACTERS, wordsOf as wordsIn } from './response-similarity';
import { resembles, snapshot } from './snapshot';

/** The value of the Server header, or null. */
export const serverField = ({ headers }: Page): string | null => headers.get('server')?.trim().toLowerCase() ?? null;

const firstOf = (page: Page): Page => (page.hops[0] === undefined ? page : { ...page.hops[0], hops: [] });

const pathOf = ({ url }: Page): string => new URL(url).pathname;

/** Whether two paths get the same response from the same server. */
export async function isAnsweredAs(one: Page, other: Page): Promise<boolean> {
  const [first, otherFirst] = [firstOf(one), firstOf(other)];
  if (first.status !== otherFirst.status || serverField(first) !== serverField(otherFirst)) return false;
  const [to, otherTo] = [redirectOf(first), redirectOf(otherFirst)];
  if (to !== null && otherTo !== null) return isEquivalentRedirect(pathOf(first), to, pathOf(otherFirst), otherTo);
  if (to !== otherTo) return false;
  return first.text.trim() === otherFirst.text.trim() || resembles(await snapshot(first), await snapshot(otherFirst));
}

export interface Sent {
  readonly value: string;
  readonly answer: Page;
}

/** The page without the words of the value that it repeats, encoded or not; null if it repeats none. */
function withoutEcho({ value, answer }: Sent): Page | null {
  const text = answer.text.slice(0, SEARCHED_CHARACTERS);
  const repeated = (value.match(/\p{L}[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => text.includes(word));
  if (repeated.length === 0) return null;
  const plain = text.replaceAll(/&(?:[a-z]{2,4}|#x?[\da-f]{2,4});/gi, ' ');
  return { ...answer, text: repeated.reduce((rest, word) => rest.replaceAll(word, ' '), plain) };
}

/**
 * Whether two values get the same response. A short page contains little besides the value that it repeats. It counts if both
 * responses repeat their value and also contain something else, unlike the empty page of a firewall.
 */
export async function isAnsweredAsSent(one: Sent, other: Sent): Promise<boolean> {
  if (await isAnsweredAs(one.answer, other.answer)) return true;
  const [page, otherPage] = [withoutEcho(one), withoutEcho(other)];
  if (page === null || otherPage === null || [...wordsIn(page.text)].length === 0) return false;
  return isAnsweredAs(page, otherPage);
}

const wordsOf = ({ text }: Page): readonly string[] => [...new Set(text.toLowerCase().split(/[\s<>"']+/))];

/** Removes the requested path, which error pages repeat, whole or in parts. */
function withoutOwnPath(page: Page): (word: string) => string {
  const parts =
    pathOf(page)
      .toLowerCase()
      .match(/[\w-]+/g) ?? [];
  return (word) => parts.reduce((rest, part) => rest.replaceAll(part, ''), word).replaceAll(/\W/g, '');
}

/** The words that all these pages contain and none of the others, without the words of their paths. */
function wordsOfAllBut(pages: readonly Page[], others: readonly Page[]): readonly string[] {
  const [first, ...further] = pages.map(firstOf);
  if (first === undefined) return [];
  const known = new Set(['']);
  for (const other of others.map(firstOf)) {
    const without = withoutOwnPath(other);
    for (const word of wordsOf(other)) known.add(word).add(without(word));
  }
  const without = withoutOwnPath(first);
  const shared = further.map((page) => new Set(wordsOf(page)));
  return wordsOf(first).filter(
    (word) => !known.has(word) && !known.has(without(word)) && shared.every((words) => words.has(word)),
  );
}

/** Less than the length of an encoded secret. */
const MOST_OTHER_CHARACTERS = 24;

/** Whether all these pages contain a text that the others lack. Nonces and times differ in each. */
export const holdMoreThan = (pages: readonly Page[], others: readonly Page[]): boolean =>
  wordsOfAllBut(pages, others).join('').length > MOST_OTHER_CHARACTERS;

/** Whether one response may contain more. A word in place of another word of the same length is a nonce. */
export function mayHoldMoreThan(page: Page, other: Page): boolean {
  const nonces = wordsOfAllBut([other], [page]).map(({ length }) => length);
  const more = wordsOfAllBut([page], [other]).filter(({ length }) => {
    const at = nonces.indexOf(length);
    if (at >= 0) nonces.splice(at, 1);
    return at < 0;
  });
  return more.join('').length > MOST_OTHER_CHARACTERS;
}
