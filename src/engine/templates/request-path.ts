import { bytesOf } from './expressions/value';

/** Percent-encodes characters that are not allowed in a request line, like a browser. */
export const encodedPath = (path: string): string =>
  path.replaceAll(/[^\x21-\x7e]+/g, (text) =>
    [...bytesOf(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

export function requestPath(base: string, rest: string): string {
  const path = `${base}${rest}`.split('#', 1)[0] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}
