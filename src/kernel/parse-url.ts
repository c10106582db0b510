/**
 * A URL, or null where the text is none. Not by `URL.canParse()`: once Node 20 has compiled it, it answers false for every
 * text with a letter beyond ASCII, so that a process would change its mind about a URL while it runs.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
