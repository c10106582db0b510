import { MADE_UP } from '../../../src/kernel/made-up-path';
import { errorPage, FRONT, library, NOT_FOUND, notice, OWN_NOT_FOUND } from './library-site';
import { answered, counting, everywhere, field, isBrowser, isFile, isPage, type WebState } from './web-state';
import type { Handler, SiteResponse } from './web-messages';
import { withFields } from './web-weaknesses';

const JSON_TYPE = 'application/json';
const text = (status: number, body: string, more: Partial<SiteResponse> = {}): SiteResponse => ({
  status,
  body,
  ...more,
});
const json = (status: number, body: unknown, more: Partial<SiteResponse> = {}): SiteResponse =>
  text(status, JSON.stringify(body), { type: JSON_TYPE, ...more });

/** Another system answers the requests that the weakness is about. */
const gate = (
  name: string,
  response: SiteResponse,
  truth: WebState['truth'] = 'unknowable',
  more: Partial<WebState> = {},
): WebState => answered(`instead of the file: ${name}`, truth, () => response, { on: isFile, ...more });

/** The file is refused, and names that do not exist beside it are not. An index is shut while its files are served. */
const alone = (name: string, response: SiteResponse): WebState => ({
  name: `the file alone is refused: ${name}`,
  truth: 'refused',
  on: ({ kind, check }) => kind === 'file' && check !== 'directory-listing',
  begin: (weakness) => (request) =>
    weakness.concerns(request) && !MADE_UP.test(request.path) ? response : weakness.fixed(request),
});

/** Another system answers everything. */
const whole = (name: string, response: SiteResponse, truth: WebState['truth'] = 'unknowable'): WebState =>
  everywhere(name, truth, () => response);

/** The site is fixed, and answers nobody after so many requests. */
const after = (name: string, limit: number, response: SiteResponse): WebState => ({
  name,
  truth: 'another target',
  begin: (weakness): Handler => {
    let count = 0;
    return (request) => (++count > limit ? response : weakness.fixed(request));
  },
});

const SLOW_DOWN = notice('Slow down', 'There were too many requests from your network. Come back in a minute.');
const BLOCKED = notice('Request blocked', 'Your request was blocked by our policy. Incident ID: 8f21-77c0.');
const PROTECTION = { 'X-Content-Type-Options': 'nosniff', 'Strict-Transport-Security': 'max-age=31536000' };
const CHALLENGE = `${notice('Just a moment', 'Checking that your browser is secure.')}<script>solve()</script>`;
const LOGIN = notice(
  'Sign in',
  '</p><form method="post" action="/session"><input type="password" name="pin"></form><p>',
);

/** Firewalls, gateways, limits, logins and outages. */
export const GATE_STATES: readonly WebState[] = [
  after('200 "slow down" for everything after eight requests', 8, text(200, SLOW_DOWN)),
  after('403 of a firewall for everything after twelve requests', 12, text(403, BLOCKED)),
  after('429 for everything after thirty requests', 30, text(429, SLOW_DOWN, { fields: { 'Retry-After': 60 } })),
  counting(
    'a ban after three such requests',
    (weakness) => {
      let count = 0;
      return (request) => !weakness.concerns(request) || ++count <= 3;
    },
    { truth: 'weak' },
  ),
  whole('a JSON error with 200 for everything', json(200, { status: 'error', code: 1015 })),
  whole('a challenge with 200 for everything', text(200, CHALLENGE, { fields: PROTECTION })),
  whole('maintenance with 503', text(503, notice('Maintenance', 'Back soon.'), { fields: PROTECTION })),
  whole('maintenance with 200', text(200, notice('Maintenance', 'Back soon.'), { fields: PROTECTION })),
  whole(
    'a parked domain',
    text(200, notice('millbrook-library is for sale', 'Buy this domain. Related searches: books.'), {
      server: 'openresty',
      fields: PROTECTION,
    }),
  ),
  whole(
    'the default page of a new server',
    text(200, notice('Welcome to nginx!', 'If you see this page, the web server is installed.'), {
      fields: PROTECTION,
    }),
  ),
  whole('an empty response with 200 for everything', text(200, '', { fields: PROTECTION })),
  everywhere('503 for bots, the fixed site for browsers', 'unknowable', (response, request) =>
    isBrowser(request) ? response : text(503, notice('Maintenance', 'Back soon.')),
  ),
  {
    name: 'maintenance for bots, the weak site for browsers',
    truth: 'hidden',
    begin: (weakness) => (request) =>
      isBrowser(request) ? weakness.weak(request) : text(200, notice('Maintenance', 'Back soon.')),
  },
  {
    name: 'a challenge for browsers, the weak site for curl',
    truth: 'hidden',
    begin: (weakness) => (request) =>
      field(request, 'user-agent').startsWith('curl') ? weakness.weak(request) : text(403, CHALLENGE),
  },
  answered('connections reset for such paths', 'unknowable', () => 'reset', { on: isFile }),
  answered('connections closed for such paths', 'unknowable', () => 'close', { on: isFile }),
  gate('a page of a rate limit', text(200, SLOW_DOWN)),
  gate('429', text(429, 'wait', { fields: { 'Retry-After': 30 } })),
  gate(
    'AWS API Gateway',
    json(
      403,
      { message: 'Missing Authentication Token' },
      { server: null, fields: { 'x-amzn-ErrorType': 'MissingAuthenticationTokenException' } },
    ),
  ),
  gate('Kong', json(404, { message: 'no Route matched with those values' }, { server: 'kong/3.6.1' })),
  gate('Traefik', text(404, '404 page not found\n', { type: 'text/plain', server: null })),
  gate('Envoy', text(404, '', { server: 'envoy' })),
  gate(
    'Spring Cloud Gateway',
    json(404, { timestamp: '2026-11-21T09:00:00Z', path: '/', status: 404, error: 'Not Found' }, { server: null }),
  ),
  gate('the default backend of an ingress', text(404, 'default backend - 404', { type: 'text/plain' })),
  gate('the ingress itself', text(404, errorPage('404 Not Found', 'nginx'), { server: 'nginx' })),
  gate(
    'HAProxy',
    text(503, '<html><body><h1>503 Service Unavailable</h1>\nNo server is available.\n</body></html>\n', {
      server: null,
    }),
  ),
  gate('Varnish', text(503, notice('503 Backend fetch failed', 'Guru Meditation: XID: 32770'), { server: 'Varnish' })),
  gate('Cloudflare 522', text(522, notice('522', 'Connection timed out'), { server: 'cloudflare' })),
  gate(
    'a bucket of S3',
    text(403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', {
      type: 'application/xml',
      server: 'AmazonS3',
    }),
  ),
  gate('a firewall with 403', text(403, BLOCKED)),
  gate('a firewall with 404', text(404, BLOCKED)),
  gate('a firewall with 200', text(200, BLOCKED)),
  gate('a redirect to a sign-in', text(302, '', { fields: { Location: '/login' } })),
  gate('a redirect to a captcha', text(302, '', { fields: { Location: '/challenge?back=1' } })),
  gate('202 with a promise', text(202, 'accepted')),
  gate('a server error of the site', text(500, errorPage('500 Internal Server Error'))),
  gate('a missing page with another Date clock and Age', withFields(NOT_FOUND, { Age: 30 }), 'hidden'),
  gate('a page for missing paths, with 200', text(200, OWN_NOT_FOUND), 'another target'),
  gate('the front page', text(200, FRONT), 'another target'),
  gate(
    'a login of the site (Basic)',
    text(401, errorPage('401 Authorization Required'), { fields: { 'WWW-Authenticate': 'Basic realm="staff"' } }),
    'another target',
  ),
  alone('403 of the site', text(403, errorPage('403 Forbidden'))),
  alone('410 of the site', text(410, errorPage('410 Gone'))),
  alone('a sign-in (Basic)', text(401, errorPage('401'), { fields: { 'WWW-Authenticate': 'Basic realm="staff"' } })),
  alone('404 with another page', text(404, notice('Not found', 'This shelf is empty.'))),
  alone('404 in another language', text(404, notice('Zugriff verweigert', 'Ihre Anfrage wurde abgelehnt.'))),
  alone('403 without an id', text(403, notice('Forbidden', 'Not here.'))),
  gate('a missing page with Retry-After', withFields(NOT_FOUND, { 'Retry-After': 120 })),
  gate('a missing page with a used up limit', withFields(NOT_FOUND, { 'X-RateLimit-Remaining': 0 })),
  gate('404 that names too many requests', text(404, notice('Not now', 'Too many requests. Try again later.'))),
  gate('404 of a proxy without its upstream', text(404, notice('Error', 'upstream connect error or disconnect'))),
  gate('404 for a country', text(404, notice('Sorry', 'This content is not available in your country.'))),
  gate('a gateway with the Server field of the site', NOT_FOUND, 'known limit', { limit: 'gateway' }),
  gate(
    'a firewall with 404 in another language',
    text(404, notice('Zugriff verweigert', 'Ihre Anfrage wurde abgelehnt.')),
    'known limit',
    { limit: 'wall' },
  ),
  gate('a firewall with 403 and without an id', text(403, notice('Forbidden', 'Not here.')), 'known limit', {
    limit: 'wall',
  }),
  {
    name: 'only the front page, from the edge; 404 for all else',
    truth: 'known limit',
    limit: 'gateway',
    on: isFile,
    begin: () => (request) => (request.path === '/' ? library(request) : NOT_FOUND),
  },
  everywhere('an error page with the right fields', 'unknowable', (response) => ({ ...response, status: 500 }), {
    on: isPage,
  }),
  everywhere(
    'a redirect to a sign-in with the right fields',
    'unknowable',
    (response, { path }) =>
      path === '/' ? text(302, '', { fields: { ...PROTECTION, Location: '/login' } }) : response,
    { on: isPage },
  ),
  everywhere(
    'a sign-in with the right fields',
    'unknowable',
    (response, { path }) => (path === '/' ? text(200, LOGIN, { fields: PROTECTION }) : response),
    { on: ({ check }) => check.startsWith('missing') },
  ),
  everywhere('the site is gone (410)', 'another target', () => text(410, notice('Gone', 'This library has closed.')), {
    on: isFile,
  }),
  everywhere(
    'the whole site behind a login (Basic)',
    'another target',
    () => text(401, notice('401', 'Authorization required'), { fields: { 'WWW-Authenticate': 'Basic realm="site"' } }),
    { on: isFile },
  ),
  everywhere(
    'the whole site on HTTPS',
    'another target',
    (_response, request) =>
      text(301, '', { fields: { Location: `https://${field(request, 'host')}${request.target}` } }),
    { on: isFile },
  ),
];
