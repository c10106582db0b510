import type { IncomingMessage } from 'node:http';

export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

const BASIC_HEADER = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Strictly RFC 7617: one Authorization header, the scheme in any case, one token, split at the first colon. passport-http
 * splits at every colon and accepts any scheme that contains "basic".
 */
export function basicCredentials(request: IncomingMessage): BasicCredentials | undefined {
  const header = request.headers.authorization;
  if (header === undefined || hasSeveral(request, 'authorization')) return undefined;
  const token = BASIC_HEADER.exec(header)?.[1];
  if (token === undefined || token.length % 4 !== 0) return undefined;
  const text = decode(Buffer.from(token, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `headers` contains only the first of several equal headers; `rawHeaders` contains all. */
function hasSeveral(request: IncomingMessage, name: string): boolean {
  let seen = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const header = request.rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) seen++;
  }
  return seen > 1;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
