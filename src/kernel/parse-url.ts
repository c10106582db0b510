/** Of what stands between the slashes: a host name has at most 253 characters, as Unicode it may have some more. */
const MAX_AUTHORITY_LENGTH = 1_000;

/** As the parser finds it: behind the white space that it drops, and any number of slashes of either kind. */
const AUTHORITY = /^[^a-z/\\]*(?:[a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})([^/?#\\]*)/i;

function hasLongAuthority(text: string): boolean {
  if (text.length <= MAX_AUTHORITY_LENGTH) return false;
  const [, authority = ''] = AUTHORITY.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  return authority.length > MAX_AUTHORITY_LENGTH;
}

/**
 * A URL, or null where the text is none. A host of thousands of characters is none either: the parser would take the square
 * of their number to convert them to ASCII, some seconds for a hundred thousand.
 * Not by `URL.canParse()`: once Node 20 has compiled it, it answers false for every
 * text with a letter beyond ASCII, so that a process would change its mind about a URL while it runs.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (hasLongAuthority(text)) return null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
