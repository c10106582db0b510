interface Sighted {
  readonly location: string;
  readonly detail: string;
}

/** What a target sent, as an indented code block of one line without control characters, so that it is never markup. */
const quoted = (text: string): string =>
  `    ${text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '\uFFFD')
    .trim()}`;

const LONGEST_COMMAND = 3_000;

/** The Markdown of a finding: the text of its check, and where and how it was found first. */
export const textOfSighting = (about: string, { location, detail }: Sighted, curl: string | null = null): string =>
  [
    about.trim(),
    'Seen at',
    quoted(location),
    'which showed',
    quoted(detail),
    // Printable, and cut off it would be another command.
    ...(curl === null || curl.length > LONGEST_COMMAND ? [] : ['To send the payload again', `    ${curl}`]),
  ].join('\n\n');
