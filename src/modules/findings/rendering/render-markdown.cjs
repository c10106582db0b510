/**
 * A thread that renders Markdown: each message is a text, each answer its HTML, or null where that is too long. It is
 * plain JavaScript and is copied, not compiled, so that it can be started from the sources as from what is built.
 */
const { parentPort, workerData } = require('node:worker_threads');
const MarkdownIt = require('markdown-it');
const sanitize = require('sanitize-html');

/**
 * Images are off, because one that is fetched tells its host who reads the finding, and when; they become links.
 * Reference links are off, because a long one that is named ten thousand times makes hundreds of megabytes out of 64 KiB.
 */
const markdown = new MarkdownIt({ html: false }).disable(['image', 'reference']);

/** Relative links would lead into the page that shows the finding, so a link says where it goes. */
markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url);

const TAGS = 'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code strong em s a table thead tbody tr th td';

/** The second wall: whatever the renderer might be talked into, nothing leaves but this. */
const ALLOWED = {
  allowedTags: TAGS.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
};

/** The sanitizer shortens some texts, but none to a quarter: what is longer than that need not be sanitized. */
function htmlOf(text) {
  const rendered = markdown.render(text);
  if (rendered.length > 4 * workerData.longest) return null;
  const html = sanitize(rendered, ALLOWED);
  return html.length > workerData.longest ? null : html;
}

parentPort.on('message', (text) => parentPort.postMessage(htmlOf(text), []));
parentPort.postMessage('ready', []);
