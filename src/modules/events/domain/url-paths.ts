import { posix } from 'node:path';

/** Some servers decode a path before they look what it names, and some do not: a path may be read either way. */
const readings = (path: string): readonly string[] => [posix.normalize(path), posix.normalize(decoded(path))];

/** Byte by byte, so that what is no UTF-8 can be compared too. */
const decoded = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const withoutLastSlash = (path: string): string => path.replace(/\/$/, '');

/** Segment by segment: /apple is not below /app. A slash at the end makes no difference. */
const isAtOrBelow = (path: string, above: string): boolean => `${withoutLastSlash(path)}/`.startsWith(`${above}/`);

const isReadBelow = (path: string, above: string): boolean =>
  readings(above).some((one) => isAtOrBelow(path, withoutLastSlash(one)));

/** Whether a path is another one or lies below it, in whatever way a server reads the two. */
export const isSurelyAtOrBelow = (path: string, above: string): boolean =>
  readings(path).every((one) => isReadBelow(one, above));

/** Whether a path is another one or lies below it, in some way in which a server may read the two. */
export const mayBeAtOrBelow = (path: string, above: string): boolean =>
  readings(path).some((one) => isReadBelow(one, above));

/** The longer of two paths above the same one is the closer. */
export const depthOf = (path: string): number => withoutLastSlash(posix.normalize(decoded(path))).length;
