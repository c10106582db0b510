import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** The smallest hashes of a set of words or tags (MinHash), to estimate the similarity of two sets. */
export type Sketch = readonly number[];

const SKETCH_SIZE = 64;
export const SEARCHED_CHARACTERS = 300_000;

/** FNV-1a: distribution matters, not security. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

const smallest = (hashes: Set<number>): number[] => [...Uint32Array.from(hashes).sort().subarray(0, SKETCH_SIZE)];

/** After this many tokens, the event loop gets a turn. */
const TOKENS_PER_TURN = 5_000;

export async function sketch(tokens: Iterable<string>): Promise<Sketch> {
  const hashes = new Set<number>();
  let read = 0;
  for (const token of tokens) {
    hashes.add(hash(token));
    read += 1;
    if (read % TOKENS_PER_TURN === 0) await yieldToEventLoop();
  }
  return smallest(hashes);
}

/** The number of common elements divided by the number of all elements of two sets; 1 for two empty sets. */
export function similarity(one: Sketch, other: Sketch): number {
  const union = smallest(new Set([...one, ...other]));
  if (union.length === 0) return 1;
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return union.filter((value) => inOne.has(value) && inOther.has(value)).length / union.length;
}

/** The tags of a page with their classes and ids: its structure, independent of its text. */
export function* structureOf(text: string): Generator<string> {
  for (const [, tag = '', attributes = ''] of text
    .slice(0, SEARCHED_CHARACTERS)
    .matchAll(/<([a-z][\w-]{0,30})([^<>]{0,500})/gi)) {
    const marks = attributes.match(/\b(?:class|id)\s?=\s?["'][^"']{0,200}["']/gi) ?? [];
    yield [tag, ...marks].join(' ').toLowerCase();
  }
}

/** Also removes scripts and styles, which are not shown. */
export const withoutTags = (html: string): string =>
  html.replace(/<(script|style)\b[^<>]{0,500}>[^<]*/gi, ' ').replace(/<[^<>]{0,2000}>/g, ' ');

/** The words of a page. Numbers and long tokens are left out, because they change between responses. */
export function* wordsOf(text: string): Generator<string> {
  const prose = withoutTags(text.slice(0, SEARCHED_CHARACTERS));
  for (const [word] of prose.matchAll(/\p{L}[\p{L}\p{N}]{1,30}/gu)) {
    if (!/\d/.test(word)) yield word.toLowerCase();
  }
}
