import type { Reply, Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { exposedGit } from './exposed-git';

const HEAD: Site = { pages: { '/.git/HEAD': 'ref: refs/heads/main\n' } };
const LOG = `${'0'.repeat(40)} ${'0123456789'.repeat(4)} Jane Doe <jane@example.test> 1764000000 +0100\tclone: from a\n`;
const repository = (status: number, headers = {}): Site => ({
  answer: ({ url = '' }) => (url.startsWith('/.git') ? { status, headers, body: `status ${status}` } : null),
});
const toHome = { location: '/' };
const whereNothingIs =
  (reply: Reply): Site['answer'] =>
  ({ url }) =>
    url === '/' || url === '/.git/HEAD' ? null : reply;

const inTheirLanguage: Site['answer'] = ({ url, headers }) =>
  url === '/' && headers['accept-language'] !== undefined ? { status: 302, headers: { location: '/en/' } } : null;

truthTable(exposedGit, {
  vulnerable: HEAD,
  fixed: {},
  alsoVulnerable: {
    ...Object.fromEntries(
      [302, 401, 403, 404, 410, 500].map((status) => [
        `the status is ${status}, but the file is there`,
        { pages: { '/.git/HEAD': { status, headers: { location: '/' }, body: 'ref: refs/heads/main\n' } } },
      ]),
    ),
    'HEAD is detached': { pages: { '/.git/HEAD': `${'0123456789'.repeat(4)}\n` } },
    'only the configuration is public': {
      pages: { '/.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n' },
    },
    'only the index is public': { pages: { '/.git/index': `DIRC\0\0\0\x02\0\0\0\x01${'\0'.repeat(40)}index.php` } },
    'only the log is public': { pages: { '/.git/logs/HEAD': LOG } },
    'the home page has become another one': {
      pages: { ...HEAD.pages, '/': '<title>New</title><main>Relaunch!</main>' },
    },
  },
  alsoFixed: {
    'the server itself refuses the folder': repository(403),
  },
  alsoBlocked: {
    'the server itself refuses the file': { pages: { '/.git/HEAD': { status: 403, body: 'Forbidden' } } },
  },
  otherTargets: {
    'every missing page is the home page': {
      vulnerable: { ...HEAD, answer: whereNothingIs({ body: '<title>App</title><p>Loading the app</p>' }) },
      fixed: { answer: ({ url }) => (url === '/' ? null : { body: '<title>App</title><p>Loading the app</p>' }) },
    },
    'the home page is chosen by the language of browsers': {
      vulnerable: { ...HEAD, answer: inTheirLanguage },
      fixed: { answer: inTheirLanguage },
    },
    'every missing page leads home': {
      vulnerable: { ...HEAD, answer: whereNothingIs({ status: 302, headers: toHome }) },
      fixed: { answer: ({ url }) => (url === '/' ? null : { status: 302, headers: toHome }) },
    },
  },
  lookalikes: {
    'what refuses it may be the edge, which answers everything': {
      ...repository(403),
      headers: { server: 'cloudflare' },
    },
    'it alone leads home': repository(302, toHome),
    'it leads to another port': repository(302, { location: 'https://target.test:1/' }),
    'the home page is another one, and nothing else is there': {
      pages: { '/': '<title>New</title><main>Relaunch!</main>' },
    },
  },
});
