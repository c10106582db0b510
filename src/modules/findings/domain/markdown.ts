import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';
import { invalid } from '../../../kernel/domain-error';

/**
 * Images are off, because one that is fetched tells its host who reads the finding, and when; they become links.
 * Reference links are off, because a long one that is named ten thousand times makes hundreds of megabytes out of 64 KiB.
 */
const markdown = new MarkdownIt({ html: false }).disable(['image', 'reference']);

/** Relative links would lead into the page that shows the finding, so a link says where it goes. */
markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url);

const TAGS = 'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code strong em s a table thead tbody tr th td';

/** The second wall: whatever the renderer might be talked into, nothing leaves but this. */
const ALLOWED: sanitize.IOptions = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
};

/**
 * Shapes that cost far more than they say: rendering them would hold up everybody, and what comes of them would fill every
 * list. Nobody writes them to be read.
 */
const EXCESSES: readonly (readonly [shape: RegExp, sentence: string])[] = [
  // Each takes six bytes in JSON.
  [/(?![\t\n\r])\p{Cc}/u, 'md has control characters other than tabs and ends of lines.'],
  [/^(?:[^|\n]*\|){101}/m, 'md has a table with more than 100 columns.'],
  [/^(?:[ \t]{0,3}>[ \t]?){21}/m, 'md has quotes inside quotes, more than 20 deep.'],
];

const MOST_HTML = 256 * 1024;

/** A text as it was written, and as HTML. */
export interface Markdown {
  readonly md: string;
  readonly html: string;
}

export const readMarkdown = (md: string): Markdown => ({ md, html: htmlOfMarkdown(md) });

/** Markdown as HTML that is safe to show; done once, when a finding is written. */
export function htmlOfMarkdown(text: string): string {
  const excess = EXCESSES.find(([shape]) => shape.test(text));
  if (excess !== undefined) throw invalid(excess[1]);
  const html = sanitize(markdown.render(text), ALLOWED);
  if (html.length > MOST_HTML) throw invalid(`md becomes more than ${MOST_HTML} characters of HTML: shorten it.`);
  return html;
}
