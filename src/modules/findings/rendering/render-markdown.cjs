/**
 * A thread that renders Markdown. Each message is a text and whether its bare URLs become links, and each answer its HTML, or
 * null if that is too long. Plain JavaScript that is copied and not compiled, so that it starts from the sources and from the build.
 */
const { parentPort, workerData } = require('node:worker_threads');
const MarkdownIt = require('markdown-it');
const sanitize = require('sanitize-html');

/**
 * Images are off, because loading one reveals to its host who reads the finding; they become links. Reference links are
 * off, because one long link that is used ten thousand times turns 64 KiB into hundreds of megabytes.
 */
const parserWith = (linkify) => {
  const markdown = new MarkdownIt({ html: false, linkify }).disable(['image', 'reference']);
  /** Relative links would depend on the page that shows the finding, so links must be absolute. */
  markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url);
  /** As it was written: decoded, another host could look the same, or the text change its direction. */
  markdown.normalizeLinkText = (url) => url;
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  for (const schema of ['ftp:', 'mailto:', '//']) markdown.linkify.add(schema, null);
  return markdown;
};

const PARSERS = { false: parserWith(false), true: parserWith(true) };

const TAGS = 'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code strong em s a table thead tbody tr th td';

/** A second defense: whatever the renderer produces, only these tags and attributes remain. */
const ALLOWED = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
};

/** The sanitizer never shortens a text to a quarter, so longer texts are refused before it runs. */
function htmlOf({ text, hasBareLinks }) {
  const rendered = PARSERS[hasBareLinks].render(text);
  if (rendered.length > 4 * workerData.maxHtmlLength) return null;
  const html = sanitize(rendered, ALLOWED);
  return html.length > workerData.maxHtmlLength ? null : html;
}

parentPort.on('message', (order) => parentPort.postMessage(htmlOf(order), []));
parentPort.postMessage('ready', []);
