import type { IncomingMessage } from 'node:http';
import { detect } from '../detect';
import { decisivePath } from '../observe';
import { probeSite } from '../testing/probe-site';
import { siteSetup } from '../testing/target-states';
import type { Reply, Site } from '../testing/target-server';
import { HOST, TestTarget } from '../testing/test-target';
import { truthTable } from '../testing/truth-table';
import { openRedirect } from './open-redirect';

const HOME =
  '<!doctype html><title>Shop</title><h1>Shop</h1><a href="/go?url=%2Fnews&amp;from=home">News</a><p>Prices</p>';
const parametersOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URL(url, 'http://target.test').searchParams;
const to = (location: string): Reply => ({ status: 302, headers: { location } });
const at = (path: string, reply: (request: IncomingMessage) => Reply | null): Site => ({
  answer: (request) => (request.url?.split('?', 1)[0] === path ? reply(request) : null),
  pages: { '/': HOME },
});
const withNext = (given: URLSearchParams): Reply | null => {
  const next = given.get('next');
  return next === null ? null : to(next);
};
const named = (show: (address: string) => Reply): Site =>
  at('/go', (request) => show(parametersOf(request).get('url') ?? '/'));
const meta = (content: string, more = ''): Reply => ({
  body: `<!doctype html><title>News</title>${more}<meta http-equiv="Refresh" content="${content}"><p>You are on your way.</p>`,
});
const page = (more: string): Reply => ({
  body: `<!doctype html><title>Leaving</title>${more}<p>You leave us now.</p>`,
});
const go = (isAllowed: (address: string) => boolean): Site =>
  at('/go', (request) => {
    const address = parametersOf(request).get('url') ?? '/';
    return to(isAllowed(address) ? address : '/');
  });

truthTable(openRedirect, {
  scheme: 'http',
  vulnerable: go(() => true),
  fixed: go((address) => /^\/\w/.test(address)),
  alsoVulnerable: {
    'it refuses only addresses with a scheme': go((address) => address.startsWith('/')),
    'it refuses only schemes and two slashes': go((address) => /^\/(?!\/)/.test(address)),
    'it wants to begin with its own name': go((address) => address.startsWith('https://target.test')),
    'it looks for its own name': go((address) => address.includes('target.test')),
    'it refuses slashes behind a scheme': go((address) => !/^https?:\/\/|^\/[/\\]/i.test(address)),
    'no page links to it': at('/redirect', (request) => to(parametersOf(request).get('to') ?? '/')),
    'the page itself redirects': at('/', (request) => withNext(parametersOf(request))),
    'it does so with a meta tag': named((address) => meta(`0; url=${address}`)),
    'it does so with a meta tag and quotes': named((address) => meta(`5;URL='${address.replaceAll('/', '&#x2F;')}'`)),
    'it does so with Refresh': named((address) => ({ headers: { refresh: `0;url=${address}` }, body: '<p>Wait</p>' })),
    'it does so with a script': named((address) => page(`<script>location.href = "${address}next"</script>`)),
    'it redirects by way of another page': at('/go', (request) =>
      parametersOf(request).has('again') ? to('//assay-redirect.example/') : to(`${request.url}&again=1`),
    ),
  },
  otherTargets: {
    'it did so with a meta tag': {
      vulnerable: named((address) => meta(`0; url=${address}`)),
      fixed: named((address) => meta(`0; url=/`, `<p>We do not lead to ${address}</p>`)),
    },
  },
  alsoFixed: {
    'it refuses the address': at('/go', () => ({ status: 400, body: 'This is no address of ours.' })),
    'it repeats the address in one of its own': at('/go', ({ url = '' }) =>
      page(`<link rel="canonical" href="https://www.target.test${url}">`),
    ),
    'it names the address': at('/go', (request) => ({
      body: `<p>You leave us for ${parametersOf(request).get('url')}</p>`,
    })),
  },
  lookalikes: {
    'a script leads there under a condition': named((address) =>
      page(`<script>if (isReady()) { location.href = ${JSON.stringify(address).replaceAll('/', '\\/')} }</script>`),
    ),
    'it refuses only addresses with a scheme, and a script gets the others': named((address) =>
      address.startsWith('https:') ? to('/') : page(`<script>function go() { location = "${address}" }</script>`),
    ),
    'an attribute gives it to a script': named((address) =>
      page(`<p>You leave the shop</p><script src="/leave.js" data-to="${address}"></script>`),
    ),
    'data of the page have it': named((address) =>
      page(`<script type="application/json">${JSON.stringify({ next: address })}</script>`),
    ),
    'data have it': named((address) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ next: address }),
    })),
  },
});

describe('open-redirect', () => {
  it.each<[string, Site]>([
    [
      'a login elsewhere keeps the address',
      at('/go', ({ url }) => to(`https://sso.test/start?to=${encodeURIComponent(`${url}`)}`)),
    ],
    ['every address leads to a partner', at('/go', () => to('https://partner.test/offer'))],
    ['the site moved, with its query', { answer: ({ url }) => to(`https://www.target.test${url}`) }],
    ['the meta tag leads to a page of the site', named((address) => meta(`0; url=/leave?to=${address}`))],
    ['the meta tag is in a comment', named((address) => ({ body: `<!-- ${meta(`0; url=${address}`).body} -->` }))],
    [
      'the meta tag has another name',
      named((address) => ({ body: `<meta name="refresh" content="0; url=${address}">` })),
    ],
    [
      'the meta tag is in a text',
      named((address) => ({ headers: { 'content-type': 'text/plain' }, body: meta(`0; url=${address}`).body })),
    ],
    ['a firewall refuses such addresses', at('/go', () => ({ status: 403, body: 'Sorry, you have been blocked' }))],
  ])('is not vulnerable when %s', async (_what, site) => {
    expect(await probeSite(openRedirect, site)).toBe('not_vulnerable');
  });

  it.each<[string, Site, string]>([
    ['the one parameter of all usual ones', at('/', (request) => withNext(parametersOf(request))), '/?next'],
    [
      'all of them, where one alone does nothing',
      at('/', (request) => (parametersOf(request).has('url') ? withNext(parametersOf(request)) : null)),
      '/?next url',
    ],
  ])('is decided by %s', async (_what, site, decisive) => {
    const testTarget = await TestTarget.open();
    const transport = testTarget.transport(4_000, () => siteSetup(site));
    const target = { scheme: 'http', host: HOST, port: testTarget.server.port, path: '/' } as const;
    const seen = await detect(openRedirect, target, transport, { signal: new AbortController().signal });
    await testTarget.close();
    const [path = '', query] = decisivePath(seen?.baseline ?? null)?.split('?') ?? [];
    expect(`${path}?${[...new URLSearchParams(query).keys()].slice(0, 2).join(' ')}`).toBe(decisive);
  });

  it('is inconclusive when the rate is limited', async () => {
    expect(
      await probeSite(
        openRedirect,
        at('/go', () => ({ status: 429 })),
      ),
    ).toBe('inconclusive');
  });
});
