import { counting, field, isBrowser, isOverHttps, shownIf, userAgent, type WebState } from './web-state';
import { withFields } from './web-weaknesses';
import type { SiteRequest } from './web-messages';

const has = (name: string) => (request: SiteRequest) => request.fields.has(name);
const speaks = (language: string) => (request: SiteRequest) => field(request, 'accept-language').startsWith(language);

/** The client, its address and its connection decide. */
export const CLIENT_STATES: readonly WebState[] = [
  shownIf('weak for tools, fixed for browsers', (request) => !isBrowser(request)),
  shownIf('weak for browsers, fixed for tools and crawlers', isBrowser),
  shownIf('weak for curl and wget', (request) => /curl|wget/i.test(userAgent(request))),
  shownIf('weak for Firefox', (request) => userAgent(request).includes('Firefox')),
  shownIf('weak for mobile browsers', (request) => /Mobile|iPhone/.test(userAgent(request))),
  shownIf('weak for desktop Chrome alone', (request) => /Chrome(?!.*Mobile)/.test(userAgent(request))),
  shownIf('weak for browsers on Android', (request) => userAgent(request).includes('Android')),
  shownIf('weak for Chrome', (request) => / Chrome\//.test(userAgent(request))),
  shownIf(
    'weak for other browsers than Chrome',
    (request) => isBrowser(request) && !/ Chrome\//.test(userAgent(request)),
  ),
  shownIf('weak without Accept-Encoding', (request) => !request.fields.has('accept-encoding')),
  shownIf('weak for German', speaks('de')),
  shownIf('weak for English', speaks('en')),
  shownIf('weak without Accept-Language', (request) => !request.fields.has('accept-language')),
  shownIf(
    'weak unless the request names a contact',
    (request) => !request.fields.has('from') && !/assay/i.test(userAgent(request)),
  ),
  shownIf('weak for navigations', has('upgrade-insecure-requests')),
  shownIf('weak for Accept: */*', (request) => field(request, 'accept') === '*/*'),
  shownIf('weak with a query', ({ query }) => query !== ''),
  shownIf('weak without a query', ({ query }) => query === ''),
  shownIf('weak with no-cache', has('cache-control')),
  shownIf('weak without no-cache', (request) => !request.fields.has('cache-control')),
  shownIf('weak at even source ports', ({ port }) => port % 2 === 0),
  shownIf('weak at odd source ports', ({ port }) => port % 2 === 1),
  shownIf('weak at every fourth source port', ({ port }) => port % 4 === 1),
  shownIf('weak at high source ports', ({ port }) => port > 46_000),
  shownIf('weak over HTTP/2', ({ version }) => version === 'HTTP/2', { on: isOverHttps, speaksHttp2: true }),
  shownIf('weak over HTTP/1.1, where HTTP/2 is offered', ({ version }) => version !== 'HTTP/2', {
    on: isOverHttps,
    speaksHttp2: true,
  }),
  {
    name: 'a server drawn at random, and kept by a cookie',
    truth: 'hidden',
    begin: (weakness) => (request) => {
      const node = /node=(\w)/.exec(field(request, 'cookie'))?.[1] ?? (Math.random() < 0.5 ? 'a' : 'b');
      const response = node === 'a' ? weakness.weak(request) : weakness.fixed(request);
      return withFields(response, { 'Set-Cookie': `node=${node}; Path=/` });
    },
  },
  {
    name: 'an experiment that draws a group for each response',
    truth: 'hidden',
    begin: (weakness) => (request) => {
      const response = Math.random() < 0.5 ? weakness.weak(request) : weakness.fixed(request);
      return withFields(response, { 'Set-Cookie': `experiment=${Math.random()}` });
    },
  },
  counting('weak for a client until it has a cookie', () => (request) => !request.fields.has('cookie')),
  shownIf('weak for Googlebot', (request) => userAgent(request).includes('Googlebot'), { limit: 'otherClients' }),
  shownIf('weak with a Referer', has('referer'), { limit: 'otherClients' }),
  shownIf('weak over HTTP/1.0', ({ version }) => version === 'HTTP/1.0', { limit: 'otherClients' }),
  shownIf('weak on kept connections', (request) => /keep-alive/i.test(field(request, 'connection')), {
    limit: 'otherClients',
  }),
  shownIf('weak for a Host with a final dot', (request) => field(request, 'host').endsWith('.'), {
    limit: 'otherClients',
  }),
  shownIf('weak for a Host in capitals', (request) => /[A-Z]/.test(field(request, 'host')), { limit: 'otherClients' }),
  shownIf('weak in a session', (request) => field(request, 'cookie').includes('session='), { limit: 'otherClients' }),
  shownIf('weak with a cookie of a feature flag', (request) => field(request, 'cookie').includes('beta=1'), {
    limit: 'otherClients',
  }),
  shownIf('weak for French', speaks('fr'), { limit: 'otherClients' }),
  shownIf('weak in another region (X-Forwarded-For)', has('x-forwarded-for'), { limit: 'region' }),
];
