import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { everyAnswer } from '../page';
import { MAX_FILE_REDIRECTS } from '../protocols/http/exposed-file';
import { withoutTags } from '../response-similarity';

/** Common directories without an index page, for a target without a path. */
const USUAL = ['/', '/uploads/', '/images/', '/files/', '/backup/', '/assets/', '/static/'];

const directoriesFor = (path: string): readonly string[] =>
  path === '/' ? USUAL : [path.slice(0, path.lastIndexOf('/') + 1)];

const MAX_LINKED_FOLDERS = 20;

/**
 * The folders that the site links to, their parent folders, and linked paths that may be a folder without a trailing slash. A
 * link with a query is a program, which may fail without its parameters.
 */
function foldersOf(links: readonly URL[]): string[] {
  const paths = links.map(({ pathname }) => pathname);
  const above = paths.flatMap((path) =>
    path.split('/').flatMap((_segment, at, segments) => (at === 0 ? [] : [`${segments.slice(0, at).join('/')}/`])),
  );
  const withoutSlash = links
    .filter(({ pathname, search }) => search === '' && /\/[^/.]+$/.test(pathname))
    .map(({ pathname }) => `${pathname}/`);
  const folders = [...paths.filter((path) => path.endsWith('/')), ...above, ...withoutSlash];
  return [...new Set(folders)].filter((folder) => folder !== '/' && !folder.includes('//'));
}

/** Headings of listings: Apache, nginx and lighttpd, Python and Tomcat, Jetty, Node. */
const HEADINGS: readonly ((directory: string) => string)[] = [
  (directory) => `Index of ${directory}`,
  (directory) => `Directory listing for ${directory}`,
  (directory) => `Directory: ${directory}`,
  (directory) => `listing directory ${directory}`,
];
/** IIS puts the host name before it, which may be an internal name. */
const IIS_HEADING = /^\s*[\w.:-]{1,253} - (\/(?:[^<]{0,999}[^<\s])?)\s*$/;
/** Caddy counts the entries, and its heading links to each parent folder. */
const CADDY_COUNT = /<span class="meta-item">\s{0,20}<b>\d{1,9}<\/b> director(?:y|ies)\s/;
const CADDY_HEADING = /<h1>((?:(?!<h1>)[^]){1,5000}?)<\/h1>/;
/** Autoindex of nginx in JSON and in XML, which names no directory. */
const AUTOINDEX_DATA =
  /^\s{0,20}(?:\[\s{0,20}\{ ?"name":"[^"]{1,1000}", ?"type":"(?:file|directory|other)", ?"mtime":"|<\?xml version="1\.0"\?>\s{0,20}<list>\s{0,20}<(?:file|directory|other) mtime=")/;

/** Some servers omit the last slash or put the directory in brackets. */
const bare = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[[\]]/g, '')
    .trim()
    .replace(/\s?\/$/, '');

const LOOKED_AT = 65_536;

/** The heading must name the requested directory, and the page must have a link. */
function isListing(text: string, directory: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  if (AUTOINDEX_DATA.test(start)) return true;
  const title = /<(?:title|h1)>([^<]{1,1000})</i.exec(start)?.[1] ?? '';
  const isHeading =
    HEADINGS.some((heading) => bare(heading(directory)) === bare(title)) ||
    IIS_HEADING.exec(title)?.[1] === directory ||
    (CADDY_COUNT.test(start) &&
      withoutTags(CADDY_HEADING.exec(start)?.[1] ?? '').replace(/\s/g, '') === directory.replace(/\s/g, ''));
  return isHeading && /<a\s[^<>]{0,500}href\s?=/i.test(start);
}

export const directoryListing: WebCheck = {
  id: 'directory-listing',
  title: 'Directory listing: the server shows the files of a folder',
  severity: 'medium',
  cwe: [548],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CONF-04'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: [
    'https://nginx.org/en/docs/http/ngx_http_autoindex_module.html',
    'https://httpd.apache.org/docs/2.4/mod/mod_autoindex.html',
  ],
  decides:
    'Requests the directory of the target, or common directories if the target has no path, and up to 20 folders that the site links to. It is vulnerable if a response has the heading of a generated listing with the name of that directory, and links. It is fixed when no directory is listed.',
  text: `For a directory without an index page, the server lists all files, including files that no page links to:
backups, uploads of others, drafts, configuration.

**How to fix it.** Turn the listing off: in nginx \`autoindex off;\`, in Apache \`Options -Indexes\`, in Tomcat the
parameter \`listings\` of the default servlet. Then review the listed files: move files that are not meant to be public
outside the root of the site.`,
  on: 'page',
  control: 'missing',
  selfEvident: true,
  async observe({ target: { path }, probe, links, seen }) {
    const usual = directoriesFor(path);
    const linked = foldersOf(await links()).filter((folder) => !usual.includes(folder));
    const directories = new Set([...usual, ...(seen === null ? [] : [seen]), ...linked.slice(0, MAX_LINKED_FOLDERS)]);
    for (const directory of directories) {
      const page = await probe.http({ path: directory, hops: MAX_FILE_REDIRECTS, reach: 'origin' });
      if (everyAnswer(page).some(({ text }) => isListing(text, directory)))
        return vulnerable(`The server lists the files of ${directory}.`);
    }
    return notVulnerable(`no listing of ${[...directories].join(', ')}`);
  },
};
