import { posix } from 'node:path';

/** Some servers decode a path before they normalize it and some do not, so both results count. */
const interpretations = (path: string): readonly string[] => [posix.normalize(path), posix.normalize(decoded(path))];

/** Byte by byte, so that paths that are not valid UTF-8 can be compared, too. */
const decoded = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const withoutLastSlash = (path: string): string => path.replace(/\/$/, '');

/** Compares whole segments: /apple is not below /app. A trailing slash makes no difference. */
const isAtOrBelow = (path: string, parent: string): boolean => `${withoutLastSlash(path)}/`.startsWith(`${parent}/`);

const isAtOrBelowAny = (path: string, parent: string): boolean =>
  interpretations(parent).some((variant) => isAtOrBelow(path, withoutLastSlash(variant)));

/** Whether a path is at or below another one for every server. */
export const isSurelyAtOrBelow = (path: string, parent: string): boolean =>
  interpretations(path).every((variant) => isAtOrBelowAny(variant, parent));

/** Whether a path is at or below another one for some server. */
export const mayBeAtOrBelow = (path: string, parent: string): boolean =>
  interpretations(path).some((variant) => isAtOrBelowAny(variant, parent));

/** Of two paths above the same path, the closer one has the greater depth. */
export const depthOf = (path: string): number => withoutLastSlash(posix.normalize(decoded(path))).length;
