interface Seen {
  readonly location: string;
  readonly detail: string;
}

/** What a target sent is shown as it came and as nothing else: on one line, as code, without what no text may hold. */
const quoted = (text: string): string =>
  `    ${text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '\uFFFD')
    .trim()}`;

/** The Markdown of a finding: what its check says of it, and where and how it was seen first. */
export const textOfSighting = (about: string, { location, detail }: Seen): string =>
  [about.trim(), 'Seen at', quoted(location), 'which showed', quoted(detail)].join('\n\n');
