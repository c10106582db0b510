import { posix } from 'node:path';

/** Some servers decode a path before they normalize it and some do not, so both results count. */
const interpretations = (path: string): readonly string[] => [posix.normalize(path), posix.normalize(decoded(path))];

/** Byte by byte, so that paths that are not valid UTF-8 can be compared, too. */
const decoded = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const withoutLastSlash = (path: string): string => path.replace(/\/$/, '');

/** What a path means to servers. A trailing slash makes no difference. */
export const readingsOf = (path: string): readonly string[] => interpretations(path).map(withoutLastSlash);

/** Compares whole segments: /apple is not below /app. */
const isAtOrBelowAny = (reading: string, parents: readonly string[]): boolean =>
  parents.some((parent) => `${reading}/`.startsWith(`${parent}/`));

/** Whether a path with these readings is at or below another one for every server. */
export const areSurelyAtOrBelow = (readings: readonly string[], parents: readonly string[]): boolean =>
  readings.every((reading) => isAtOrBelowAny(reading, parents));

export const isSurelyAtOrBelow = (path: string, parent: string): boolean =>
  areSurelyAtOrBelow(readingsOf(path), readingsOf(parent));

/** Whether a path is at or below another one for some server. */
export const mayBeAtOrBelow = (path: string, parent: string): boolean =>
  readingsOf(path).some((reading) => isAtOrBelowAny(reading, readingsOf(parent)));

/** Of two paths above the same path, the closer one has the greater depth. */
export const depthOf = (path: string): number => withoutLastSlash(posix.normalize(decoded(path))).length;
