import { APACHE_NOT_FOUND, errorPage, FRONT, library, NEW_FRONT, notice, OWN_NOT_FOUND } from './library-site';
import { answered, everywhere, isFile, isPage, type WebState } from './web-state';
import type { SiteRequest, SiteResponse } from './web-messages';
import { type Weakness, withFields } from './web-weaknesses';

type Change = (response: SiteResponse, request: SiteRequest, weakness: Weakness) => SiteResponse;

const repaired = (name: string, change: Change, on?: WebState['on']): WebState =>
  everywhere(`repaired: ${name}`, 'fixed', change, { isFix: true, ...(on && { on }) });

const denied = (name: string, response: SiteResponse): WebState =>
  answered(`repaired: ${name}`, 'fixed', () => response, { isFix: true, on: isFile });

const isMissing = ({ status }: SiteResponse): boolean => status === 404;

/** The front page, missing paths and all responses, as far as they change. */
const changed =
  ({ front, missing, server }: { front?: string; missing?: Partial<SiteResponse>; server?: string | null }): Change =>
  (response, { path }) => ({
    ...response,
    ...(path === '/' && front !== undefined && { body: front }),
    ...(isMissing(response) && missing),
    ...(server !== undefined && { server }),
  });

const NEW_TEXT = FRONT.replace(
  /<h1>[^]*<\/main>/,
  '<h1>Summer reading</h1><p>Collect a stamp for every book between June and August. Nine stamps win a canvas bag, designed by pupils of the art school.</p></main>',
);
const IN_GERMAN = FRONT.replace('lang="en"', 'lang="de"').replace(
  /<h1>[^]*<\/main>/,
  '<h1>Lesen, leihen, treffen</h1><p>Romane, Karten, Spiele und Instrumente gibt es mit einem einzigen Ausweis. Zurückgeben kann man sie in jeder Zweigstelle, auch nachts.</p></main>',
);
const WITH_BANNER = FRONT.replace(
  '</body>',
  '<div id="consent" class="banner"><p>We use cookies.</p><button>Accept</button></div><script src="/statistics.js"></script></body>',
);
const WITH_SIGN_IN = FRONT.replace(
  '</main>',
  '<form action="/session"><input type="password" name="pin"></form></main>',
);
const STRICT = {
  'Content-Security-Policy': "default-src 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Strict-Transport-Security': 'max-age=31536000',
};

/** Fixes as people make them: often with another change of the site. */
export const REPAIR_STATES: readonly WebState[] = [
  repaired('nothing else changed', (response) => response),
  denied('a rule answers 403', { status: 403, body: errorPage('403 Forbidden') }),
  denied('a rule answers 410', { status: 410, body: errorPage('410 Gone') }),
  denied('a rule answers 404 with a word', { status: 404, body: 'no' }),
  denied('a rule redirects to the front page', { status: 302, fields: { Location: '/' } }),
  repaired('a new look', changed({ front: NEW_FRONT })),
  repaired('a new page for missing paths', changed({ missing: { body: OWN_NOT_FOUND } })),
  repaired(
    'a new look and a new page for missing paths',
    changed({ front: NEW_FRONT, missing: { body: OWN_NOT_FOUND } }),
  ),
  repaired('a new text in the same frame', changed({ front: NEW_TEXT })),
  repaired('another language', changed({ front: IN_GERMAN })),
  repaired('a cookie banner', changed({ front: WITH_BANNER })),
  repaired('a sign-in on the front page', changed({ front: WITH_SIGN_IN }), isFile),
  repaired(
    'nginx without its version',
    changed({ missing: { body: errorPage('404 Not Found', 'nginx') }, server: 'nginx' }),
  ),
  repaired(
    'nginx 1.26',
    changed({ missing: { body: errorPage('404 Not Found', 'nginx/1.26.2') }, server: 'nginx/1.26.2' }),
  ),
  repaired('no Server field', changed({ server: null })),
  repaired(
    'Apache instead of nginx',
    changed({ missing: { body: APACHE_NOT_FOUND }, server: 'Apache/2.4.57 (Debian)' }),
  ),
  repaired('Caddy instead of nginx', changed({ missing: { body: '' }, server: 'Caddy' })),
  repaired(
    'another server and an own page for missing paths',
    changed({ missing: { body: OWN_NOT_FOUND }, server: 'Caddy' }),
  ),
  repaired('behind Cloudflare', (response) =>
    withFields(
      { ...response, server: 'cloudflare' },
      { 'CF-RAY': `8f${Math.random().toString(16).slice(2)}`, 'cf-cache-status': 'DYNAMIC' },
    ),
  ),
  repaired('behind CloudFront', (response) =>
    withFields(response, {
      'X-Cache': `${isMissing(response) ? 'Error' : 'Miss'} from cloudfront`,
      Via: '1.1 d1.cloudfront.net',
      'X-Amz-Cf-Id': 'q',
    }),
  ),
  repaired(
    'behind CloudFront, with the front page in its cache',
    (response, { path }) =>
      withFields(response, {
        'X-Cache': path === '/' ? 'Hit from cloudfront' : `${isMissing(response) ? 'Error' : 'Miss'} from cloudfront`,
        Via: '1.1 d1.cloudfront.net',
        ...(path === '/' && { Age: 77 }),
      }),
    isFile,
  ),
  repaired(
    'behind Vercel, with the front page in its cache',
    (response, { path }) =>
      withFields(
        { ...response, server: 'Vercel' },
        { 'x-vercel-cache': path === '/' ? 'HIT' : 'MISS', 'x-vercel-id': 'fra1::q', ...(path === '/' && { Age: 77 }) },
      ),
    isFile,
  ),
  repaired('missing paths get 200', (response) =>
    isMissing(response) ? { status: 200, body: OWN_NOT_FOUND } : response,
  ),
  repaired('missing paths get the front page', (response) =>
    isMissing(response) ? { status: 200, body: FRONT } : response,
  ),
  repaired('missing paths redirect to the front page', (response) =>
    isMissing(response) ? { status: 302, fields: { Location: '/' } } : response,
  ),
  repaired('missing paths get 410', (response) => (isMissing(response) ? { ...response, status: 410 } : response)),
  repaired('missing paths get JSON', (response) =>
    isMissing(response) ? { status: 404, body: '{"error":"not found"}', type: 'application/json' } : response,
  ),
  repaired('missing paths get suggestions that vary', (response, { path }) =>
    isMissing(response)
      ? { ...response, body: OWN_NOT_FOUND.replace('</p>', ` Did you mean ${path.length % 7}?</p>`) }
      : response,
  ),
  repaired(
    'the front page redirects to /en/',
    (response, { path }, weakness) => {
      if (path === '/') return withFields({ ...response, status: 302, body: '' }, { Location: '/en/' });
      return path === '/en/'
        ? { ...response, ...library({ path: '/' }), fields: weakness.kind === 'page' ? response.fields : {} }
        : response;
    },
    isFile,
  ),
  repaired('strict fields everywhere', (response) => withFields(response, STRICT)),
  repaired(
    'a page of news as the front page',
    changed({
      front: notice(
        'Closed on Monday',
        'The library moves a wall on Monday, and opens again on Tuesday morning with new shelves.',
      ),
    }),
  ),
  repaired('a request id in every response', (response) =>
    withFields(response, { 'X-Request-Id': Math.random().toString(36).slice(2) }),
  ),
  repaired(
    'all known pages under new names',
    (response, { path }) => (/^\/(?:visit|events)/.test(path) ? library({ path: '/missing' }) : response),
    isFile,
  ),
  repaired(
    'on the tested page alone',
    (response, request, weakness) => (request.path === '/' ? response : weakness.weak(request)),
    isPage,
  ),
];
