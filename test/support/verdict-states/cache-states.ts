import { everywhere, field, isBrowser, isFile, marked, type WebState } from './web-state';
import { type Weakness, withFields } from './web-weaknesses';
import type { Handler, SiteResponse } from './web-messages';

const before = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toUTCString();

/** A copy of the fixed page, with fields of the cache that has it. */
const copy = (name: string, fields: SiteResponse['fields']): WebState =>
  marked(`a copy: ${name}`, 'hidden', () => fields);

/** The origin is weak. A cache has filled itself from a fixed server, and keeps a copy for each of these keys. */
const filled = (name: string, keyOf: (request: Parameters<Handler>[0]) => string | null): WebState => ({
  name,
  truth: 'hidden',
  begin: (weakness: Weakness) => {
    const copies = new Map<string, SiteResponse>();
    return (request) => {
      const key = keyOf(request);
      if (key === null || !weakness.concerns(request)) return weakness.weak(request);
      const stored = copies.get(key) ?? (copies.size === 0 ? weakness.fixed(request) : weakness.weak(request));
      copies.set(key, stored);
      return stored;
    };
  },
});

/** Between the site and its clients is a cache with copies from a fixed server. */
export const CACHE_STATES: readonly WebState[] = [
  filled('a cache without fields that has the query in its key', ({ target }) => target),
  filled('a cache without fields that honors no-cache', (request) =>
    field(request, 'cache-control') === '' ? request.path : null,
  ),
  filled('a cache without fields that honors Pragma alone', (request) =>
    field(request, 'pragma') === '' ? request.path : null,
  ),
  filled('a cache that passes queries on', ({ query, path }) => (query === '' ? path : null)),
  copy('Age 40', { Age: 40 }),
  copy('X-Cache HIT', { 'X-Cache': 'HIT' }),
  copy('Akamai TCP_MEM_HIT', { 'X-Cache': 'TCP_MEM_HIT from a92-1 (AkamaiGHost)' }),
  copy('Vercel STALE', { 'x-vercel-cache': 'STALE' }),
  copy('Vercel PRERENDER', { 'x-vercel-cache': 'PRERENDER' }),
  copy('Next.js STALE', { 'x-nextjs-cache': 'STALE' }),
  copy('Cloudflare REVALIDATED', { 'CF-Cache-Status': 'REVALIDATED' }),
  copy('Cloudflare UPDATING', { 'CF-Cache-Status': 'UPDATING' }),
  copy('Cache-Status hit', { 'Cache-Status': 'edge; hit; ttl=25' }),
  copy('Warning 110', { Warning: '110 - "Response is Stale"' }),
  copy('Fastly hits', { 'X-Cache-Hits': '4', 'X-Served-By': 'cache-ams21-AMS' }),
  copy('Varnish with two transaction ids', { 'X-Varnish': '32770 65541' }),
  copy('LiteSpeed hit', { 'X-LiteSpeed-Cache': 'hit' }),
  copy('a proxy cache that serves while it updates', { 'X-Proxy-Cache': 'UPDATING' }),
  // Of a page, whose missing paths are not asked for, it would be a wrong clock.
  marked('a copy: Date of five minutes ago', 'hidden', () => ({ Date: before(300) }), { on: isFile }),
  {
    name: 'a copy: X-Cache MISS and Age 0, with the Date of the first one',
    truth: 'hidden',
    needsSeconds: true,
    begin: (weakness) => {
      const since = new Date().toUTCString();
      return (request) => {
        const fields = { Age: 0, 'X-Cache': 'MISS', ...(weakness.concerns(request) && { Date: since }) };
        return withFields(weakness.fixed(request), fields);
      };
    },
  },
  {
    name: 'a copy without fields of a cache, with the Date of the first one',
    truth: 'hidden',
    needsSeconds: true,
    begin: (weakness) => {
      const since = new Date().toUTCString();
      return (request) => withFields(weakness.fixed(request), weakness.concerns(request) ? { Date: since } : {});
    },
  },
  {
    name: 'a cache by User-Agent, where browsers get the old page',
    truth: 'hidden',
    begin: (weakness) => (request) =>
      withFields(isBrowser(request) ? weakness.weak(request) : weakness.fixed(request), { Vary: 'User-Agent' }),
  },
  {
    name: 'a cache that serves the weak page six times, and then a fresh one',
    truth: 'weak',
    begin: (weakness) => {
      let count = 0;
      return (request) => withFields(count++ < 6 ? weakness.weak(request) : weakness.fixed(request), { Age: 0 });
    },
  },
  everywhere('a cache that ignores queries and no-cache, without fields', 'known limit', (response) => response, {
    limit: 'cache',
  }),
  marked('a copy whose Date was rewritten, with X-Cache MISS', 'known limit', () => ({ Age: 0, 'X-Cache': 'MISS' }), {
    limit: 'cache',
  }),
  marked('an expired copy that was fetched again', 'another target', () => ({ 'X-Proxy-Cache': 'EXPIRED' })),
  marked('a forwarded request that was joined with others', 'another target', () => ({
    'Cache-Status': 'edge; fwd=miss; collapsed',
  })),
];
