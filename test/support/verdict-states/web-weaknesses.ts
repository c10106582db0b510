import { errorPage, library, notice } from './library-site';
import type { SiteRequest, SiteResponse } from './web-messages';

/** A weakness of a site, how the site shows it, and how the site is once it is fixed. */
export interface Weakness {
  /** The id of a check, or of the YAML check below. */
  readonly check: string;
  readonly yaml?: string;
  readonly isHttps?: boolean;
  /** The path of the check's location. */
  readonly location: string;
  /** A file that must not be there, or a page that lacks something. */
  readonly kind: 'file' | 'page';
  /** The path that decides. */
  readonly path: string;
  /** The files of a weakness of this kind, by path. */
  readonly files: Readonly<Record<string, SiteResponse>>;
  /** The field whose absence is the weakness, with a right value and one that does not help. */
  readonly field?: { readonly name: string; readonly value: string; readonly useless: string };
  /** Whether a request asks for what the weakness is about. */
  readonly concerns: (request: SiteRequest) => boolean;
  readonly weak: (request: SiteRequest) => SiteResponse;
  readonly fixed: (request: SiteRequest) => SiteResponse;
}

const BINARY = 'application/octet-stream';
const file = (body: string, type = BINARY): SiteResponse => ({ status: 200, body, type });

const exposed = (check: string, path: string, files: Weakness['files'], more: Partial<Weakness> = {}): Weakness => ({
  check,
  location: '/',
  kind: 'file',
  path,
  files,
  concerns: (request) => request.path.startsWith(path.slice(0, path.indexOf('/', 1) + 1 || undefined)),
  weak: (request) => files[request.path] ?? library(request),
  fixed: library,
  ...more,
});

const GIT = exposed('exposed-git', '/.git/config', {
  '/.git/HEAD': file('ref: refs/heads/release\n'),
  '/.git/config': file(
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = git@code.library.example:site.git\n',
  ),
  '/.git/index': file('DIRC\0\0\0\u0002\0\0\0\u0001'),
  '/.git/logs/HEAD': file(
    `${'0'.repeat(40)} ${'4f'.repeat(20)} Ada <ada@library.example> 1700000000 +0100\tcommit (initial): start\n`,
  ),
});

const ENV = exposed(
  'exposed-env',
  '/.env',
  { '/.env': file('APP_ENV=production\nDB_HOST=10.1.1.8\nDB_USERNAME=library\nDB_PASSWORD=ninety-volumes-1874\n') },
  { concerns: ({ path }) => path.startsWith('/.env') },
);

const LISTING = '/scans/';
const listing = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html>
 <head>
  <title>Index of /scans</title>
 </head>
 <body>
<h1>Index of /scans</h1>
  <table>
   <tr><th>Name</th><th>Last modified</th></tr>
<tr><td><a href="/">Parent Directory</a></td></tr>
<tr><td><a href="card-0411.pdf">card-0411.pdf</a></td><td>2026-10-02 09:12</td></tr>
<tr><td><a href="passport-0412.jpg">passport-0412.jpg</a></td><td>2026-10-02 09:13</td></tr>
</table>
</body></html>
`;
const SCANS: Weakness['files'] = {
  '/scans/card-0411.pdf': file('%PDF-1.4', 'application/pdf'),
  '/scans/passport-0412.jpg': file('JFIF', 'image/jpeg'),
};

const DIRECTORY = exposed(
  'directory-listing',
  LISTING,
  { [LISTING]: file(listing, 'text/html'), ...SCANS },
  {
    location: LISTING,
    concerns: ({ path }) => path === LISTING,
    fixed: (request) =>
      request.path === LISTING
        ? { status: 403, body: errorPage('403 Forbidden') }
        : (SCANS[request.path] ?? library(request)),
  },
);

const YAML = exposed(
  'open-console',
  '/staff/console.html',
  { '/staff/console.html': file(notice('Loan console', 'Overdue: 14. Console key mb-console-5521.'), 'text/html') },
  {
    yaml: `id: open-console
info: { name: Open console, severity: high }
http:
  - path: ['{{BaseURL}}/staff/console.html']
    matchers-condition: and
    matchers:
      - { type: word, words: ['mb-console-5521'] }
      - { type: status, status: [200] }
`,
  },
);

export const withFields = (response: SiteResponse, fields: SiteResponse['fields']): SiteResponse => ({
  ...response,
  fields: { ...response.fields, ...fields },
});

const isFront = ({ path }: SiteRequest): boolean => path === '/';

const onPage = (
  check: string,
  weak: Weakness['weak'],
  fixed: Weakness['fixed'],
  more: Partial<Weakness> = {},
): Weakness => ({
  check,
  location: '/',
  kind: 'page',
  path: '/',
  files: {},
  concerns: isFront,
  weak,
  fixed,
  ...more,
});

const lacking = (check: string, field: NonNullable<Weakness['field']>, more: Partial<Weakness> = {}): Weakness =>
  onPage(check, library, (request) => withFields(library(request), { [field.name]: field.value }), { field, ...more });

const NOSNIFF = lacking('missing-nosniff', { name: 'X-Content-Type-Options', value: 'nosniff', useless: 'none' });

const HSTS = lacking(
  'missing-hsts',
  { name: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains', useless: 'max-age=0' },
  { isHttps: true },
);

const VERSION = onPage(
  'technology-version',
  (request) => withFields(library(request), { 'X-Powered-By': 'PHP/8.2.29' }),
  library,
);

const FORM =
  '<form method="post" action="/session"><input name="card"><input type="password" name="pin"></form></main>';

const LOGIN = onPage(
  'login-over-http',
  (request) => {
    const response = library(request);
    return isFront(request) ? { ...response, body: String(response.body).replace('</main>', FORM) } : response;
  },
  library,
);

export const WEAKNESSES: readonly Weakness[] = [GIT, ENV, DIRECTORY, YAML, NOSNIFF, VERSION, LOGIN, HSTS];
