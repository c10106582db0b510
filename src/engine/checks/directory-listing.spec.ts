import { siteTests } from '../testing/site-tests';
import type { Reply, Site } from '../testing/target-server';
import { siteSetup } from '../testing/target-states';
import { truthTable } from '../testing/truth-table';
import { probeSite } from '../testing/probe-site';
import { describeWithNginx, seenOnNginx } from '../testing/real-nginx';
import { directoryListing } from './directory-listing';

const listing = (title: string, rows = '<a href="../">../</a><a href="dump.sql">dump.sql</a>'): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1><hr><pre>${rows}</pre></body></html>`;
/** Simplified: with fewer icons and styles. */
const caddy = (heading: string, entries: string): string =>
  `<!DOCTYPE html>
<html><head><title>uploads</title></head><body onload="initPage()"><header><div class="wrapper">
<div class="breadcrumbs">Folder Path</div><h1>
  ${heading}
</h1></div></header><div class="wrapper"><main><div class="meta"><div id="summary">
<span class="meta-item">
  <b>0</b> directories
</span><span class="meta-item">
  <b>1</b> file
</span></div></div><div class='listing'><table aria-describedby="summary"><tbody>
<tr class="file"><td><a href="./dump.sql"><span class="name">${entries}</span></a></td></tr></tbody></table></div></main></div>
<footer>Served with <a rel="noopener noreferrer" href="https://caddyserver.com">Caddy</a></footer></body></html>`;
const at = (path: string, page: string): Site => ({ pages: { [path]: page } });

const VULNERABLE = at('/uploads/', listing('Index of /uploads/'));

truthTable(directoryListing, {
  scheme: 'http',
  vulnerable: VULNERABLE,
  fixed: {},
  alsoVulnerable: {
    'it lists it with 403': { pages: { '/files/': { status: 403, body: listing('Index of /files/') } } },
    'Apache lists its root': at('/', listing('Index of /')),
    'Apache leaves out the last slash': at('/files/', listing('Index of /files')),
    'Python lists it': at('/images/', listing('Directory listing for /images/')),
    'Tomcat lists it': at('/assets/', listing('Directory Listing For [/assets/]')),
    'Jetty lists it': at('/static/', listing('Directory: /static/')),
    'IIS lists it': at('/backup/', listing('target.test - /backup/', '<A HREF="/">[To Parent Directory]</A>')),
    'IIS lists it under an internal name': at('/files/', listing('WEB01.corp.local - /files/')),
    'Caddy lists it': at('/uploads/', caddy('<a href="/">/</a><a href="/uploads/">uploads</a>/', 'dump.sql')),
    'nginx lists it in JSON': at(
      '/files/',
      '[\n{ "name":"dump.sql", "type":"file", "mtime":"Sat, 28 Nov 2026 09:00:00 GMT", "size":2 }\n]',
    ),
    'the home page has become another one': {
      pages: { ...VULNERABLE.pages, '/': '<title>New</title><main>Relaunch!</main>' },
    },
  },
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/uploads/': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: {
    'nothing is in it': at('/uploads/', listing('Index of /uploads/', 'empty')),
    'it is the listing of another directory': at('/uploads/', listing('Index of /downloads/')),
    'Caddy lists another directory': at('/uploads/', caddy('<a href="/">/</a>', 'dump.sql')),
    'it is data about another thing': at('/uploads/', '[\n{ "name":"Acme", "type":"company", "mtime":"2026" }\n]'),
    'IIS lists another directory': at('/uploads/', listing('WEB01.corp.local - /images/')),
    'it is the index of something else': at('/uploads/', listing('Index of prices')),
    'it is missing, but HEAD finds it': {
      answer: ({ url, method }) => (method === 'HEAD' && url === '/uploads/' ? { body: '' } : null),
    },
    'there is an index page': at('/uploads/', '<title>Uploads</title><a href="/">Home</a>'),
    'it leads to another page': {
      answer: ({ url }) => (url === '/uploads/' ? { status: 302, headers: { location: '/a' } } : null),
    },
  },
});

describe('a folder whose listing is refused', () => {
  const { baselineOf, retest } = siteTests();
  const LISTED: Site = {
    pages: {
      '/uploads/': listing('Index of /uploads/', '<a href="dump.sql">dump.sql</a><a href="a.png">a.png</a>'),
      '/uploads/a.png': { headers: { 'content-type': 'image/png' }, body: 'PNG' },
      '/uploads/dump.sql': '--',
    },
  };
  const REFUSED: Reply = { status: 403, body: 'Forbidden' };
  const result = async (site: Site): Promise<string> =>
    (await retest(directoryListing, await baselineOf(directoryListing, LISTED), () => siteSetup(site))).verdict.result;

  it('is fixed while a file that it has named is still served', async () => {
    expect(await result({ pages: { ...LISTED.pages, '/uploads/': REFUSED } })).toBe('fixed');
  });

  it('is blocked where the files are refused as well', async () => {
    expect(await result({ answer: ({ url = '' }) => (url.startsWith('/uploads/') ? REFUSED : null) })).toBe('blocked');
  });

  it('is fixed where a folder that the site loads files from is refused in the same way', async () => {
    const front = '<!doctype html><title>The target</title><script src="/static/a.js"></script><h1>Welcome</h1>';
    const pages = { '/': front, '/uploads/': REFUSED, '/static/': REFUSED, '/static/a.js': ';', '/images/': REFUSED };
    const before = await baselineOf(directoryListing, { pages: { ...LISTED.pages, '/': front } });
    expect((await retest(directoryListing, before, () => siteSetup({ pages }))).verdict.result).toBe('fixed');
  });
});

describe('directory-listing', () => {
  it.each([
    ['/shop/photos/summer.html', 'vulnerable'],
    ['/shop/photos/', 'vulnerable'],
    ['/shop/photos', 'not_vulnerable'],
  ])('given %s, looks at its directory: %s', async (path, state) => {
    const site = at('/shop/photos/', listing('Index of /shop/photos/'));
    expect(await probeSite(directoryListing, site, path)).toBe(state);
  });
});

describeWithNginx('directory-listing on a real nginx', () => {
  it.each([
    ['vulnerable', 'on'],
    ['blocked', 'off'],
  ])('is %s with autoindex %s', async (state, autoindex) => {
    const site = { directives: `autoindex ${autoindex};`, files: { 'uploads/dump.sql': '--' } };
    expect(await seenOnNginx(directoryListing, site)).toMatchObject({ state });
  });

  it.each(['json', 'jsonp', 'xml'])('sees a listing in %s', async (format) => {
    const site = { directives: `autoindex on; autoindex_format ${format};`, files: { 'uploads/dump.sql': '--' } };
    expect(await seenOnNginx(directoryListing, site)).toMatchObject({ state: 'vulnerable' });
  });

  it.each(['json', 'xml'])('sees nothing in an empty listing in %s', async (format) => {
    const directives = `autoindex on; autoindex_format ${format};`;
    expect(await seenOnNginx(directoryListing, { directives, files: {} })).toMatchObject({ state: 'not_vulnerable' });
  });
});
