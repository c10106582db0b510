/** A host name has at most 253 characters, and a few more as Unicode. */
const MAX_AUTHORITY_LENGTH = 1_000;

/** Finds the authority as the URL parser does, which ignores white space and accepts any number of slashes of both kinds. */
const AUTHORITY = /^[^a-z/\\]*(?:[a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/?#\\]*)/i;

function hasLongAuthority(text: string): boolean {
  if (text.length <= MAX_AUTHORITY_LENGTH) return false;
  const [, authority = ''] = AUTHORITY.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  return authority.length > MAX_AUTHORITY_LENGTH;
}

/**
 * Returns null if the text is not a URL. Very long hosts are rejected first: converting them to ASCII takes quadratic time.
 * `URL.canParse()` is not used: in Node.js 20 it returns false for every text with a non-ASCII letter once it is compiled.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (hasLongAuthority(text)) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
