/** A text with paragraphs, before it gets the form of a tracker. Nothing of it is markup. */
export interface TicketText {
  readonly paragraphs: readonly string[];
  readonly link: { readonly text: string; readonly url: string };
}

const ZERO_WIDTH = '\u200B';
const MAX_TITLE = 250;
const MAX_PARAGRAPH = 4_000;
/** Of all paragraphs together. Jira accepts the fewest, 32,767. */
const MAX_BODY = 30_000;

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

function within(paragraphs: readonly string[]): string[] {
  let left = MAX_BODY;
  return paragraphs.flatMap((text) => {
    const shown = cut(text, Math.max(left, 1));
    const isShown = left > 0;
    left -= text.length + 2;
    return isShown ? [shown] : [];
  });
}

/** Mentions notify people, and references change other tickets: also in a title. */
const withoutMentions = (text: string): string =>
  text.replaceAll(/[@#!~$%&](?=\S)|\bGH-(?=\d)/gi, (sign) => `${sign}${ZERO_WIDTH}`);

export const ticketTitle = (text: string): string => cut(withoutMentions(oneLine(text)), MAX_TITLE);

/** Also of quick actions, which are lines that begin with a slash, and of links that begin without a sign of Markdown. */
const escaped = (text: string): string =>
  withoutMentions(oneLine(cut(text, MAX_PARAGRAPH)))
    .replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `\\${sign}`)
    .replaceAll(/(https?|ftp|mailto|www)(?=\\[:.])/gi, (scheme) => `${scheme}${ZERO_WIDTH}`);

/** In a comment of HTML, which no reader sees. */
export const hiddenMarker = (marker: string): string => `<!-- assay:${marker} -->`;

export const markdownOf = ({ paragraphs, link }: TicketText, marker: string): string =>
  [...within(paragraphs.map(escaped)), `[${escaped(link.text)}](<${link.url}>)`, hiddenMarker(marker)].join('\n\n');

/** The marker of a text that Assay has written: only the last line counts, because a text above it may quote another one. */
export const markerIn = (text: string): string | null => /<!-- assay:([\da-f-]{36}) -->\s*$/.exec(text)?.[1] ?? null;

export const adfMarker = (marker: string): string => `#assay-${marker}`;

/** Atlassian Document Format. Its texts have no markup. The marker of a note is the fragment of its link. */
export const adfOf = ({ paragraphs, link }: TicketText, marker?: string) => ({
  type: 'doc',
  version: 1,
  content: [
    ...within(paragraphs.map((text) => oneLine(cut(text, MAX_PARAGRAPH)) || '-')).map((text) => ({
      type: 'paragraph',
      content: [{ type: 'text', text }],
    })),
    {
      type: 'paragraph',
      content: [
        {
          type: 'text',
          text: link.text,
          marks: [
            { type: 'link', attrs: { href: marker === undefined ? link.url : `${link.url}${adfMarker(marker)}` } },
          ],
        },
      ],
    },
  ],
});
