/** Markdown as plain text on one line, for fields that no reader renders. It need not be exact. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+)/gm, '')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
