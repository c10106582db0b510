import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { probeSite } from '../testing/probe-site';
import { describeWithNginx, seenOnNginx } from '../testing/real-nginx';
import { directoryListing } from './directory-listing';

const listing = (title: string, rows = '<a href="../">../</a><a href="dump.sql">dump.sql</a>'): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1><hr><pre>${rows}</pre></body></html>`;
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
    'the home page has become another one': {
      pages: { ...VULNERABLE.pages, '/': '<title>New</title><main>Relaunch!</main>' },
    },
  },
  alsoFixed: {
    'the server itself refuses it': { pages: { '/uploads/': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: {
    'nothing is in it': at('/uploads/', listing('Index of /uploads/', 'empty')),
    'it is the listing of another directory': at('/uploads/', listing('Index of /downloads/')),
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
    ['not_vulnerable', 'off'],
  ])('is %s with autoindex %s', async (state, autoindex) => {
    const site = { directives: `autoindex ${autoindex};`, files: { 'uploads/dump.sql': '--' } };
    expect(await seenOnNginx(directoryListing, site)).toMatchObject({ state });
  });
});
