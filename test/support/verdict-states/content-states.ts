import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { notice, NOT_FOUND } from './library-site';
import { answered, isFile, type WebState } from './web-state';
import type { SiteRequest, SiteResponse } from './web-messages';
import type { Weakness } from './web-weaknesses';

type Encode = (content: string) => string | Buffer;

/** The content is there, in another form. A person, or another program, can read it. */
const encoded = (name: string, encode: Encode, fields?: SiteResponse['fields'], type?: string): WebState =>
  answered(
    `the content ${name}`,
    'hidden',
    ({ files }, { path }) => {
      const file = files[path];
      if (file === undefined) return NOT_FOUND;
      return { ...file, body: encode(String(file.body)), ...(type && { type }), fields };
    },
    { on: isFile },
  );

const utf16 = (content: string, isBigEndian = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${content}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const BOUNDARY = 'part-of-the-answer';

type PathOf = (request: SiteRequest, weakness: Weakness) => string | null;

/** Other spellings are tried for these alone. */
const isRespelled = ({ check }: Weakness): boolean => check === 'exposed-git' || check === 'exposed-env';

/** The usual spelling is shut, and the content is at another one. */
const respelled = (name: string, pathOf: PathOf): readonly WebState[] => [
  { ...shut(name, pathOf), on: isRespelled },
  {
    ...shut(name, pathOf),
    on: (weakness) => isFile(weakness) && !isRespelled(weakness),
    truth: 'known limit',
    limit: 'methods',
  },
];

const shut = (name: string, pathOf: PathOf): WebState => ({
  name: `shut, but open ${name}`,
  truth: 'hidden',
  on: isFile,
  begin: (weakness) => (request) => {
    const path = pathOf(request, weakness);
    const known = Object.keys(weakness.files).find((one) => one.toLowerCase() === path?.toLowerCase());
    if (known !== undefined) return weakness.weak({ ...request, path: known });
    return weakness.concerns(request) ? NOT_FOUND : weakness.fixed(request);
  },
});

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Of a path that is unlike the usual spelling of a file. */
const other = (request: SiteRequest, { files }: Weakness, path: string): string | null =>
  request.path in files ? null : path;

export const CONTENT_STATES: readonly WebState[] = [
  encoded('as base64', (content) => Buffer.from(content).toString('base64')),
  encoded('in UTF-16 with a byte order mark', (content) => utf16(content)),
  encoded('in big-endian UTF-16', (content) => utf16(content, true), undefined, 'text/plain; charset=utf-16be'),
  encoded(
    'in UTF-32',
    (content) => Buffer.concat(Array.from(content, (sign) => Buffer.from([sign.charCodeAt(0), 0, 0, 0]))),
    undefined,
    'text/plain; charset=utf-32le',
  ),
  encoded('after a byte order mark', (content) => `\ufeff${content}`),
  encoded('compressed twice', (content) => gzipSync(gzipSync(content)), { 'Content-Encoding': 'gzip, gzip' }),
  encoded('compressed, without saying so', (content) => gzipSync(content)),
  encoded('compressed, as a file', (content) => gzipSync(content), undefined, 'application/gzip'),
  encoded('compressed by Brotli', (content) => brotliCompressSync(content), { 'Content-Encoding': 'br' }),
  encoded('compressed as raw deflate', (content) => deflateRawSync(content), { 'Content-Encoding': 'deflate' }),
  encoded('said to be compressed', (content) => content, { 'Content-Encoding': 'gzip' }),
  encoded('with an unknown coding', (content) => content, { 'Content-Encoding': 'zstd' }),
  encoded('in a JSON string', (content) => JSON.stringify({ content }), undefined, 'application/json'),
  encoded('in a page, as preformatted text', (content) => notice('File', `</p><pre>${escaped(content)}</pre><p>`)),
  encoded('after a long comment', (content) => `# ${'-'.repeat(90)}\n${content}`),
  encoded('with the line ends of Windows', (content) => content.replaceAll('\n', '\r\n')),
  encoded('after empty lines', (content) => `\n\n\n${content}`),
  encoded('after 600 kB of blanks', (content) => `${' '.repeat(600_000)}\n${content}`),
  encoded('in capitals', (content) => content.toUpperCase()),
  encoded('as an image', (content) => content, undefined, 'image/png'),
  encoded(
    'as a part of a multipart response',
    (content) => `--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
    undefined,
    `multipart/byteranges; boundary=${BOUNDARY}`,
  ),
  encoded(
    'as an archive',
    (content) => Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}${content}`, 'latin1'),
    undefined,
    'application/zip',
  ),
  encoded('as an attachment', (content) => content, { 'Content-Disposition': 'attachment; filename="copy.txt"' }),
  encoded(
    'built by a script in the browser',
    () => '<html><body><div id="root"></div><script src="/view.js"></script></body></html>',
    undefined,
    'text/html',
  ),
  ...respelled('in capitals', (request, weakness) => other(request, weakness, request.path)),
  ...respelled('after two slashes', ({ path }) => (path.includes('//') ? path.replace('//', '/') : null)),
  ...respelled('with a path parameter', ({ path }) => (path.includes(';') ? path.replace(/;.*/, '') : null)),
  ...respelled('with a percent-encoded letter', (request, weakness) => other(request, weakness, decoded(request.path))),
  ...respelled('with a slash at the end', (request, weakness) =>
    other(request, weakness, request.path.replace(/\/$/, '')),
  ),
  ...respelled('after a single dot', ({ path }) => (path.includes('/./') ? path.replace('/./', '/') : null)),
  shut('with a query', ({ query, path }) => (query === '' ? null : path)),
  answered(
    'shut for GET, open for HEAD',
    'hidden',
    (weakness, request) => (request.method === 'HEAD' ? weakness.weak(request) : NOT_FOUND),
    { on: isFile },
  ),
  answered(
    'shut for GET and HEAD, open for POST',
    'known limit',
    (weakness, request) => (/^(?:GET|HEAD)$/.test(request.method) ? NOT_FOUND : weakness.weak(request)),
    { on: isFile, limit: 'methods' },
  ),
  {
    ...shut('with a double percent-encoding', ({ path }) => (path.includes('%25') ? decoded(decoded(path)) : null)),
    truth: 'known limit',
    limit: 'methods',
  },
];
