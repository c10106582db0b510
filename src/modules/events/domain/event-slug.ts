import { randomInt } from 'node:crypto';

const MAX_LENGTH = 63;
const SUFFIX_LENGTH = 6;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const randomSuffix = (): string =>
  Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** By way of upper case, which takes sharp s and ligatures apart; the marks that NFKD splits off then go. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');

/**
 * The event's name in a URL. Always with random characters, also where the name is free: a plain slug would tell
 * that no other tenant has an event of this name.
 */
export function newEventSlug(name: string, suffix: string = randomSuffix()): string {
  const words = plain(name).replace(/^-/, '');
  const head = words.slice(0, MAX_LENGTH - suffix.length - 1).replace(/-$/, '');
  return `${head || 'event'}-${suffix}`;
}
