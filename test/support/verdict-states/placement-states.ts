import { errorPage, library, NOT_FOUND, notice, OWN_NOT_FOUND } from './library-site';
import { answered, counting, field, isFile, isPage, shownIf, type WebState } from './web-state';
import { withFields } from './web-weaknesses';

const isVersion6 = ({ address }: { address: string }): boolean => address.includes(':');

/** Where the weakness is: at another address, behind another ingress, in another place of the site. */
export const PLACEMENT_STATES: readonly WebState[] = [
  shownIf('weak at its IPv6 address alone', isVersion6, { hasVersion6: true }),
  shownIf('weak at its IPv4 address alone', (request) => !isVersion6(request), { hasVersion6: true }),
  shownIf(
    'weak at IPv6 for browsers alone',
    (request) => isVersion6(request) && field(request, 'user-agent').includes('Mozilla'),
    { hasVersion6: true },
  ),
  {
    name: 'its IPv6 address drops connections',
    truth: 'unknowable',
    hasVersion6: true,
    begin: (weakness) => (request) => (isVersion6(request) ? 'reset' : weakness.fixed(request)),
  },
  {
    name: 'its IPv6 address leads to another site',
    truth: 'unknowable',
    hasVersion6: true,
    begin: (weakness) => (request) =>
      isVersion6(request)
        ? { status: 200, body: notice('Coming soon', 'This server was installed.') }
        : weakness.fixed(request),
  },
  {
    name: 'moved behind a CDN for browsers, the old server for all others',
    truth: 'hidden',
    begin: (weakness) => (request) =>
      field(request, 'user-agent').includes('Mozilla')
        ? withFields({ ...weakness.fixed(request), server: 'cloudflare' }, { 'CF-RAY': '8f1' })
        : weakness.weak(request),
  },
  {
    name: 'a new ingress with own missing pages, whose old one still gets each third connection',
    truth: 'hidden',
    begin: (weakness) => (request) => {
      if (request.connection % 3 === 2) return weakness.weak(request);
      const response = weakness.fixed(request);
      return response.status === 404 ? { ...response, body: OWN_NOT_FOUND } : response;
    },
  },
  {
    name: 'a redesign that hides the old site from all but mobile browsers',
    truth: 'hidden',
    begin: (weakness) => (request) => {
      if (/Mobile/.test(field(request, 'user-agent'))) return weakness.weak(request);
      const response = weakness.fixed(request);
      return response.status === 404 ? { status: 404, body: '{"error":"none"}', type: 'application/json' } : response;
    },
  },
  {
    name: 'a redesign while a rule shuts all dotted paths for the known clients',
    truth: 'hidden',
    on: ({ check }) => check === 'exposed-env' || check === 'exposed-git',
    begin: (weakness) => (request) => {
      const isKnown = /Assay|curl|Chrome/.test(field(request, 'user-agent'));
      if (weakness.concerns(request) && !isKnown) return weakness.weak(request);
      return request.path.startsWith('/.') ? { status: 403, body: errorPage('403 Forbidden') } : library(request);
    },
  },
  answered(
    'a canary behind a header, and a missing page for all others',
    'known limit',
    (weakness, request) => (request.fields.has('x-canary') ? weakness.weak(request) : weakness.fixed(request)),
    { limit: 'otherClients' },
  ),
  answered('404 outside of the office network', 'known limit', () => NOT_FOUND, { on: isFile, limit: 'ownAddress' }),
  counting('weak while few requests come (load shedding to a static copy)', (weakness) => {
    let last = 0;
    return (request) => {
      if (!weakness.concerns(request)) return false;
      const pause = Date.now() - last;
      last = Date.now();
      return pause > 5;
    };
  }),
  answered(
    '404 at two of three source ports',
    'hidden',
    (weakness, request) => (request.port % 3 === 0 ? weakness.weak(request) : NOT_FOUND),
    { on: isFile },
  ),
  {
    name: 'the page without the field, behind a splash page that has it',
    truth: 'another target',
    on: isPage,
    begin: (weakness) => (request) =>
      request.path === '/'
        ? { ...weakness.fixed(request), body: notice('Welcome', '<a href="/start">Enter the library</a>') }
        : weakness.weak(request),
  },
];
