import { randomInt } from 'node:crypto';

const MAX_LENGTH = 63;
const SUFFIX_LENGTH = 6;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const randomSuffix = (): string =>
  Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Upper case first, because it expands sharp s and ligatures. Then removes the marks that NFKD separates. */
const asciiWords = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');

/**
 * The identifier of an event in URLs. The random suffix is always added: otherwise a slug without one would reveal
 * that no other tenant has an event with this name.
 */
export function newEventSlug(name: string, suffix: string = randomSuffix()): string {
  const words = asciiWords(name).replace(/^-/, '');
  const head = words.slice(0, MAX_LENGTH - suffix.length - 1).replace(/-$/, '');
  return `${head || 'event'}-${suffix}`;
}
