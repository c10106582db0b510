import type { IncomingMessage } from 'node:http';
import type { TcpCheck } from './check';
import { checkFromYaml } from './templates/check-from-yaml';
import { checkById, CHECKS } from './checks';
import { type Scan, scan } from './scan';
import type { Coverage, ScanRequest } from './scan-request';
import type { Target } from './target';
import { serviceSetup, siteSetup } from './testing/target-states';
import { HOST, type TargetSetup, TestTarget } from './testing/test-target';
import type { Reply, Site } from './testing/target-server';

const VULNERABLE: Site = { pages: { '/.git/HEAD': 'ref: refs/heads/main\n' } };
const FIXED: Site = { headers: { 'strict-transport-security': 'max-age=31536000' } };
const PROBE_POLICY = { probes: 2, spreadMs: 4 };

describe('scan', () => {
  let testTarget: TestTarget;
  beforeEach(async () => {
    testTarget = await TestTarget.open();
  });
  afterEach(() => testTarget.close());

  const run = (
    setup: TargetSetup,
    more: Partial<ScanRequest> & { scheme?: 'http' | 'https'; exchangeMs?: number } = {},
  ): Promise<Scan> => {
    const { scheme = 'https', exchangeMs = 4_000, ...request } = more;
    return scan({
      target: { scheme, host: HOST, port: testTarget.server.port, path: '/shop' },
      checks: CHECKS.filter(({ id }) => ['missing-hsts', 'exposed-git', 'open-redis'].includes(id)),
      transport: testTarget.transport(exchangeMs, () => setup),
      via: { signal: new AbortController().signal },
      otherWww: async () => null,
      policy: PROBE_POLICY,
      ...request,
    });
  };
  const isNotOfFolder = ({ location }: Coverage): boolean => !location.endsWith('/shop/');
  const outcomes = ({ coverage }: Scan): Record<string, string> =>
    Object.fromEntries(coverage.filter(isNotOfFolder).map(({ check, outcome }) => [check, outcome]));

  it('reports weaknesses with their location and baseline', async () => {
    const result = await run(siteSetup(VULNERABLE));
    expect(result).toMatchObject({ end: 'complete', reason: null });
    const origin = `https://${HOST}:${testTarget.server.port}`;
    expect(Object.fromEntries(result.sightings.map(({ check, location }) => [check, location]))).toEqual({
      'exposed-git': `${origin}/`,
      'missing-hsts': `${origin}/shop`,
    });
    expect(result.sightings[0]?.exchanges.length).toBeGreaterThan(0);
    expect(outcomes(result)).toEqual({
      'missing-hsts': 'vulnerable',
      'exposed-git': 'vulnerable',
      'open-redis': 'not_applicable',
    });
    expect(result.sightings.map(({ baseline }) => baseline?.on)).toEqual(['web', 'web']);
  });

  it('requests a page once for all checks, and for what it shows of its port', async () => {
    const hsts = checkById('missing-hsts');
    if (hsts === null) throw new Error('no such check');
    const site = { headers: { ...FIXED.headers, server: 'nginx/1.28.0' } };
    const { look } = await run(siteSetup(site), {
      checks: [hsts, { ...hsts, id: 'another' }, { ...hsts, id: 'a-third' }],
    });
    // And once more at the end, to test whether it still responds as before.
    expect(testTarget.server.paths).toEqual(['/shop', '/shop']);
    const { port } = testTarget.server;
    const technologies = [
      { name: 'nginx', version: '1.28.0', source: `server header of https://${HOST}:${port}/shop` },
    ];
    expect(look).toMatchObject({ ports: [{ port, state: 'open', service: 'https', security: 'tls', technologies }] });
    expect(look?.ports[0]?.certificate?.names).toContain(HOST);
  });

  it('is incomplete when a check could not be completed, or when no check applied', async () => {
    const walled = await run(siteSetup(FIXED, (_request, response) => response.writeHead(503).end().writableEnded));
    expect(walled).toMatchObject({ end: 'incomplete', sightings: [] });
    expect(await run(siteSetup(FIXED), { checks: [] })).toMatchObject({ end: 'incomplete' });
    expect(walled.look).toBeNull();
    const down = await run(({ server }) => server.stop());
    expect(down).toMatchObject({ end: 'incomplete' });
    expect(down.reason).toMatch(/^nothing could be tested: https:\S+: the connection was refused$/);
  });

  describe('with a template whose second request needs a value of the first response', () => {
    const check = checkFromYaml(String.raw`id: waits
info: {name: Waits}
http:
  - raw: ["GET /one HTTP/1.1\n\n", "GET /two?n={{nonce}} HTTP/1.1\n\n"]
    extractors: [{type: regex, internal: true, name: nonce, regex: ["n=[0-9]+"]}]
    matchers: [{type: word, words: [absent]}]`);
    const outcomeOn = async (site: Site, more: Partial<ScanRequest> = {}): Promise<unknown> => {
      const { coverage } = await run(siteSetup(site), { checks: [check], ...more });
      return coverage.map(({ outcome, reason }) => [outcome, reason]);
    };
    const absent = 'http[0].raw[1] was not sent: nonce has no value, because no earlier response contains it';

    it('has nothing to test where the value is absent', async () => {
      expect(await outcomeOn({ pages: { '/shop/one': 'nothing' } })).toEqual([['not_applicable', absent]]);
    });

    it('could not be completed where a firewall answers, or where the weakness was seen before', async () => {
      const blocked = {
        status: 503,
        body: '<title>Attention Required! | Cloudflare</title>',
        headers: { 'cf-ray': '1' },
      };
      expect(await outcomeOn({ pages: { '/shop/one': blocked } })).toEqual([
        ['blocked', expect.stringContaining('/shop/one')],
      ]);
      const location = `https://${HOST}:${testTarget.server.port}/shop`;
      const previousFindings = [{ check: check.id, location, baseline: null }];
      expect(await outcomeOn({ pages: { '/shop/one': 'nothing' } }, { previousFindings })).toEqual([
        ['inconclusive', absent],
      ]);
    });
  });

  it('covers what was asked for and does not run, with the reason', async () => {
    const skipped = [
      { check: 'http:a', outcome: 'not_applicable' as const, reason: 'it sends POST' },
      { check: 'http:b', outcome: 'inconclusive' as const, reason: 'this version does not run it' },
    ];
    const result = await run(siteSetup(FIXED), { skipped });
    expect(outcomes(result)).toMatchObject({ 'http:a': 'not_applicable', 'http:b': 'inconclusive' });
    expect(result).toMatchObject({ end: 'partial', reason: expect.stringContaining('http:b') });
  });

  it('probes for services only where no web server responds', async () => {
    const redis = serviceSetup((socket) => {
      socket.on('data', (data) =>
        socket.write(data.toString() === 'PING\r\n' ? '+PONG\r\n' : '-ERR unknown command\r\n'),
      );
    });
    const result = await run(redis, { scheme: 'http', exchangeMs: 500 });
    expect(outcomes(result)).toEqual({
      'missing-hsts': 'not_applicable',
      'exposed-git': 'not_applicable',
      'open-redis': 'vulnerable',
    });
    expect(result.end).toBe('complete');
    const unreachable = await run(
      serviceSetup((socket) => socket.end('220 who is there\r\n')),
      { scheme: 'http' },
    );
    expect(unreachable.end).toBe('incomplete');
  });

  const REDIS_COMMAND = /^(?:PING|INFO|DBSIZE|GET|TTL|SCAN|LASTSAVE|CLIENT|CONFIG|EVAL)\b/;

  /** Does not respond to unknown commands, so clients that send them wait. */
  const redis = (heard: string[] = []): TargetSetup =>
    serviceSetup((socket) => {
      socket.on('data', (data) => {
        heard.push(data.toString('latin1'));
        const said = data.toString();
        if (said.includes('HTTP/')) socket.end('-ERR unknown command\r\n');
        else if (said === 'PING\r\n') socket.write('+PONG\r\n');
        else if (REDIS_COMMAND.test(said)) socket.write('-ERR unknown command\r\n');
      });
    });
  const services = CHECKS.filter((check): check is TcpCheck => check.on === 'tcp');

  it('stops probing for other services when one is identified', async () => {
    // If it waited, the test would time out.
    const anywhere = await run(redis(), { scheme: 'http', exchangeMs: 600_000, checks: services });
    expect(anywhere).toMatchObject({ end: 'complete', sightings: [{ check: 'open-redis' }] });
    const others = anywhere.coverage.filter(({ check }) => check !== 'open-redis');
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(['not_applicable']));
    expect(others.map(({ reason }) => reason)).toContain('another service responds on this port (open-redis)');
  });

  it('probes first for the usual service of the port', async () => {
    const heard: string[] = [];
    const checks = services.map((check) => ({
      ...check,
      ports: check.id === 'open-redis' ? [testTarget.server.port] : check.ports,
    }));
    expect(await run(redis(heard), { scheme: 'http', checks })).toMatchObject({ end: 'complete' });
    const [page, ...commands] = heard;
    expect(page).toMatch(/^GET \/shop HTTP/);
    expect(commands[0]).toBe('PING\r\n');
    expect(commands.filter((said) => !REDIS_COMMAND.test(said))).toEqual([]);
  });

  it('verifies a known finding with several probes, and other checks with one', async () => {
    const before = await run(siteSetup(VULNERABLE));
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    const after = await run(siteSetup(FIXED), { previousFindings });
    const verdicts = after.coverage.filter(isNotOfFolder).map(({ check, verdict }) => [check, verdict?.result ?? null]);
    expect(Object.fromEntries(verdicts)).toEqual({
      'missing-hsts': 'fixed',
      'exposed-git': 'fixed',
      'open-redis': null,
    });
    const moved = await run(siteSetup({ ...FIXED, pages: { '/': 'Bakery', '/shop': 'Rolls and bread' } }), {
      previousFindings,
    });
    expect(moved.coverage.map(({ verdict }) => verdict?.result)).not.toContain('fixed');
    const elsewhere = previousFindings.map(({ check, baseline }) => ({
      check,
      baseline,
      location: 'https://other.test/',
    }));
    expect(
      (await run(siteSetup(FIXED), { previousFindings: elsewhere })).coverage.every(({ verdict }) => verdict === null),
    ).toBe(true);
  });

  it('looks for files in the folder of the target too, which has its own findings', async () => {
    const checks = CHECKS.filter(({ id }) => ['exposed-git', 'exposed-archive', 'exposed-metrics'].includes(id));
    const origin = `https://${HOST}:${testTarget.server.port}`;
    const site = { ...FIXED, pages: { ...FIXED.pages, '/shop/.git/HEAD': 'ref: refs/heads/main\n' } };
    const before = await run(siteSetup(site), { checks });
    expect(before.end).toBe('complete');
    expect(before.coverage.map(({ check, location, outcome }) => `${check} ${location} ${outcome}`).sort()).toEqual([
      `exposed-archive ${origin}/ not_vulnerable`,
      `exposed-archive ${origin}/shop/ not_vulnerable`,
      `exposed-git ${origin}/ not_vulnerable`,
      `exposed-git ${origin}/shop/ vulnerable`,
      `exposed-metrics ${origin}/ not_vulnerable`,
    ]);
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    const after = await run(siteSetup(FIXED), { checks, previousFindings });
    const verdicts = after.coverage.flatMap(({ location, verdict }) => (verdict ? [[location, verdict.result]] : []));
    expect(verdicts).toEqual([[`${origin}/shop/`, 'fixed']]);
  });

  it('does not treat a program with a query as a folder, because it may fail without its parameters', async () => {
    const checks = CHECKS.filter(({ id }) => id === 'directory-listing');
    const site: Site = {
      answer: ({ url = '' }) => {
        if (!/^\/notes\/?(?:\?|$)/.test(url)) return null;
        return url === '/notes?id=1'
          ? { body: '<title>A note</title>' }
          : { status: 500, body: 'There is no such note' };
      },
      pages: { '/shop': '<title>Notes</title><a href="/notes?id=1">A note</a>' },
    };
    const { coverage } = await run(siteSetup(site), { checks });
    expect(coverage.map(({ outcome }) => outcome)).toEqual(['not_vulnerable']);
  });

  it('tests what the site links to, on at most twenty pages, and tests that again', async () => {
    const checks = CHECKS.filter(({ id }) => ['directory-listing', 'open-redirect', 'reflected-input'].includes(id));
    const links = Array.from({ length: 30 }, (_none, at) => `<a href="/p${at}">page ${at}</a>`).join('');
    const listing = '<title>Index of /media/old/</title><h1>Index of /media/old/</h1><a href="a.jpg">a</a>';
    const home = `<title>Shop</title><a href="/admin/a">admin</a>${links}<form action="/order"><input name="item"></form><a href="/cart/delete?id=1">x</a>`;
    const linked = {
      '/p3': '<img src="/media/old/a.jpg"><a href="/go?to=/p1">out</a><a href="https://other.test/a?b=c">other</a>',
      '/p4': '<a href="/find?term=x">find</a>',
    };
    const site = (isFixed: boolean, isLinked = true): Site => ({
      answer: ({ url = '' }) => {
        const { pathname, searchParams } = new URL(url, 'http://target.test');
        const to = searchParams.get('to') ?? '/';
        if (pathname === '/go') return { status: 302, headers: { location: isFixed ? '/' : to } };
        if (pathname === '/find') return { body: isFixed ? 'nothing' : `No ${searchParams.get('term')}` };
        if (pathname === '/media/old/a.jpg') return { body: 'JPEG' };
        if (pathname === '/media/old/') return isFixed ? { status: 403 } : { body: listing };
        return null;
      },
      pages: {
        '/shop': home,
        ...(isLinked ? linked : {}),
      },
    });
    const isInScope = ({ path }: Target): boolean => !path.startsWith('/admin');
    const before = await run(siteSetup(site(false)), { checks, isInScope });
    expect(before.end).toBe('complete');
    expect(Object.fromEntries(before.sightings.map(({ check, detail }) => [check, detail]))).toEqual({
      'directory-listing': 'The server lists the files of /media/old/.',
      'open-redirect': '/go redirects to the address in its query.',
      'reflected-input': '/find (parameter term) repeats its input as HTML.',
    });
    const { paths } = testTarget.server;
    expect(new Set(paths.filter((path) => /^\/p\d+$/.test(path))).size).toBe(20);
    expect(paths.filter((path) => /^\/(?:order|cart|admin)/.test(path))).toEqual([]);
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    const again = await run(siteSetup(site(false)), { checks, previousFindings });
    expect(again.sightings).toHaveLength(3);
    // A place that no page links to any more is not gone.
    const unlinked = await run(siteSetup(site(false, false)), { checks, previousFindings });
    expect(unlinked.sightings).toHaveLength(3);
    const after = await run(siteSetup(site(true)), { checks, previousFindings });
    expect(after.sightings).toEqual([]);
    const results = Object.fromEntries(after.coverage.map(({ check, verdict }) => [check, verdict?.result]));
    expect(results).toMatchObject({ 'directory-listing': 'fixed', 'open-redirect': 'fixed' });
  });

  it('tests a parameter against the front page where the page of the parameter fails without it', async () => {
    const checks = CHECKS.filter(({ id }) => id === 'reflected-input');
    const site = (show: (term: string) => string): Site => ({
      answer: ({ url = '' }) => {
        const { pathname, searchParams } = new URL(url, 'http://target.test');
        const term = searchParams.get('term');
        if (pathname !== '/find') return null;
        return term === null ? { status: 500, body: 'Error' } : { body: `<p>No results for ${show(term)}</p>` };
      },
      pages: { '/shop': '<title>Shop</title><a href="/find?term=x">find</a>' },
    });
    const before = await run(siteSetup(site((term) => term)), { checks });
    expect(before.sightings.map(({ location }) => new URL(location).search)).toEqual(['?term']);
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    const after = await run(siteSetup(site((term) => term.replaceAll('<', '&lt;'))), { checks, previousFindings });
    expect(after.coverage.flatMap(({ verdict }) => verdict ?? [])).toMatchObject([{ result: 'fixed' }]);
  });

  const escape = (text: string): string => encodeURIComponent(text).replaceAll(/[!'()~]/g, '%20');
  it.each<[string, (term: string) => string, string[]]>([
    ['the name of an element, without its signs', (term) => `<${escape(term)}>`, []],
    ['the code of a script, without its signs', (term) => `<script>var a = ${escape(term)}</script>`, []],
    ['the name of an element, with its signs', (term) => `<${term}>`, ['?term']],
  ])('decides as active tests do where a parameter becomes %s', async (_what, show, found) => {
    const site: Site = {
      answer: ({ url = '' }) => {
        const { pathname, searchParams } = new URL(url, 'http://target.test');
        return pathname === '/find' ? { body: `<title>Find</title>${show(searchParams.get('term') ?? '')}` } : null;
      },
      pages: { '/shop': '<title>Shop</title><a href="/find?term=x">find</a>' },
    };
    const { sightings } = await run(siteSetup(site), { checks: CHECKS.filter(({ id }) => id === 'reflected-input') });
    expect(sightings.map(({ location }) => new URL(location).search)).toEqual(found);
  });

  it('tests each template of pages before many pages of one, and says what it leaves out', async () => {
    const checks = CHECKS.filter(({ id }) => id === 'reflected-input');
    const products = Array.from({ length: 200 }, (_none, at) => `<a href="/product/${at}?tab=a">x</a>`).join('');
    const pages = { '/shop': `<title>Shop</title>${products}<a href="/find?term=x">find</a>` };
    const requested: string[] = [];
    const answer = ({ url = '' }: IncomingMessage): null => {
      if (/[?](?:tab|term)=assay-input/.test(url)) requested.push(url);
      return null;
    };
    const { coverage, end } = await run(siteSetup({ pages, answer }), { checks });
    expect(requested).toHaveLength(150);
    expect(requested.some((url) => url.startsWith('/find?term='))).toBe(true);
    expect(end).toBe('partial');
    expect(coverage.map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
      'not_vulnerable: no other tested page repeats its input as HTML',
      'inconclusive: 51 parameters were not tested, because a job tests 150',
    ]);
  });

  it('does not test the pages that a finding lists again when one of them was excluded since', async () => {
    const checks = CHECKS.filter(({ id }) => id === 'reflected-input');
    const links = Array.from({ length: 21 }, (_none, at) => `<a href="/product/${at}?tab=a">x</a>`).join('');
    const requested: string[] = [];
    const answer = ({ url = '' }: IncomingMessage): Reply | null => {
      requested.push(url);
      const { pathname, searchParams } = new URL(url, 'http://target.test');
      return pathname.startsWith('/product/') ? { body: `<p>None of ${searchParams.get('tab')}</p>` } : null;
    };
    const before = await run(siteSetup({ answer, pages: { '/shop': links } }), { checks });
    expect(before.sightings.map(({ location }) => new URL(location).pathname)).toEqual(['/product/*']);
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    requested.length = 0;
    const isInScope = ({ path }: Target): boolean => path !== '/product/7';
    await run(siteSetup({ answer, pages: { '/shop': '<title>Shop</title>' } }), {
      checks,
      previousFindings,
      isInScope,
    });
    expect(requested.filter((url) => url.startsWith('/product/7'))).toEqual([]);
  });

  it('tests the fixes of at most twenty parameters in one job, and names the others', async () => {
    const checks = CHECKS.filter(({ id }) => id === 'reflected-input');
    const names = Array.from({ length: 25 }, (_none, at) => `/p${String.fromCharCode(97 + at)}`);
    const site = (isFixed: boolean): Site => ({
      answer: ({ url = '' }) => {
        const { pathname, searchParams } = new URL(url, 'http://target.test');
        const term = searchParams.get('q') ?? '';
        return names.includes(pathname)
          ? { body: `<p>None of ${isFixed ? term.replaceAll('<', '&lt;') : term}</p>` }
          : null;
      },
      pages: { '/shop': `<title>Shop</title>${names.map((name) => `<a href="${name}?q=1">x</a>`).join('')}` },
    });
    const before = await run(siteSetup(site(false)), { checks });
    expect(before.sightings).toHaveLength(25);
    const previousFindings = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
    const after = await run(siteSetup(site(true)), { checks, previousFindings });
    expect(after.coverage.filter(({ verdict }) => verdict?.result === 'fixed')).toHaveLength(20);
    const open = after.coverage.filter(({ outcome }) => outcome === 'inconclusive');
    expect(open).toHaveLength(5);
    expect(open[0]?.reason).toContain('20 other earlier findings of this check');
  });

  describe('with an application that shows its errors', () => {
    const checks = CHECKS.filter(({ id }) =>
      ['debug-error-pages', 'reflected-input', 'graphql-introspection'].includes(id),
    );
    const answering = (reply: (url: URL, method: string) => Reply | null): Site => ({
      answer: ({ url = '', method = 'GET' }) => reply(new URL(url, 'http://target.test'), method),
      pages: { '/shop': '<title>Shop</title><h1>Our shop</h1><a href="/item?id=1">One</a>' },
    });
    const item = '<title>Item</title><h1>An item of our shop</h1><p>It costs a lot.</p>';
    const ofItem = (error: (id: string) => Reply | null): Site =>
      answering(({ pathname, searchParams }) => {
        if (pathname !== '/item') return null;
        const isWrong = /\D/.test(searchParams.get('id') ?? '');
        return (isWrong ? error(searchParams.get('id') ?? '') : null) ?? { body: item };
      });
    const SQL_ERROR = "<class 'sqlite3.OperationalError'>: unrecognized token";
    const findingIn = async (site: Site): Promise<Scan['sightings']> =>
      (await run(siteSetup(site), { checks })).sightings.filter(({ check }) => check === 'debug-error-pages');

    it.each<[string, Site, RegExp]>([
      ['500', ofItem(() => ({ status: 500, body: SQL_ERROR })), /^GET \/item\?id=assay\S+ shows an error of SQLite\.$/],
      ['200', ofItem(() => ({ body: SQL_ERROR })), /^GET \/item\?id=\S+ shows an error of SQLite\.$/],
      [
        '500 to a POST',
        answering(({ pathname }, method) =>
          pathname === '/graphql' && method === 'POST'
            ? { status: 500, body: 'TypeError: x\n at f (/srv/a.js:1:2)\n at g (/srv/b.js:3:4)' }
            : null,
        ),
        /^POST \/graphql shows a stack trace of Node\.js\.$/,
      ],
    ])(
      'reports one that a request of another check provokes with %s, and tests it again',
      async (_how, site, detail) => {
        const [seen, ...others] = await findingIn(site);
        expect(others).toEqual([]);
        expect(seen?.detail).toMatch(detail);
        if (seen === undefined) return;
        const { check, location, baseline } = seen;
        const previousFindings = [{ check, location, baseline }];
        const onlyCheck = { checks: checks.filter(({ id }) => id === check), previousFindings };
        const again = await run(siteSetup(site), onlyCheck);
        expect(again.sightings.map((one) => one.detail)).toEqual([seen.detail]);
        const fixed = await run(
          siteSetup(answering(({ pathname }) => (pathname === '/item' ? { body: item } : null))),
          onlyCheck,
        );
        expect(fixed.coverage.flatMap(({ verdict }) => verdict?.result ?? [])).toEqual(['fixed']);
      },
    );

    it.each<[string, Site]>([
      [
        'a page that writes about errors',
        answering(({ pathname }) => (pathname === '/item' ? { body: SQL_ERROR } : null)),
      ],
      ['an error without details', ofItem(() => ({ status: 500, body: 'Internal Server Error' }))],
      [
        'an error that is not shown again',
        (() => {
          let shown = 0;
          return ofItem(() => (shown++ === 0 ? { status: 500, body: SQL_ERROR } : null));
        })(),
      ],
    ])('does not report %s', async (_what, site) => {
      expect(await findingIn(site)).toEqual([]);
    });

    it('does not repeat requests that may change the target', async () => {
      const site = answering((_url, method) =>
        method === 'POST' ? { status: 500, body: 'at f (/srv/a.js:1:2)\n at g (/srv/b.js:3:4)' } : null,
      );
      const graphql = CHECKS.find(({ id }) => id === 'graphql-introspection');
      if (graphql === undefined) throw new Error('no such check');
      const changing = { ...graphql, mayChangeTarget: true } as typeof graphql;
      const result = await run(siteSetup(site), {
        checks: [changing, ...checks.filter(({ id }) => id !== graphql.id)],
      });
      expect(result.sightings).toEqual([]);
    });
  });

  it('follows what robots.txt, sitemaps and linked pages name, within twenty pages', async () => {
    const checks = CHECKS.filter(({ id }) => ['directory-listing', 'reflected-input'].includes(id));
    const listingOf = (path: string, link: string): string =>
      `<title>Index of ${path}</title><h1>Index of ${path}</h1><a href="${link}">x</a>`;
    const text = { 'content-type': 'text/plain' };
    const xml = { 'content-type': 'application/xml' };
    const origin = `https://${HOST}:${testTarget.server.port}`;
    const seenAt = async (pages: Site['pages'], isInScope = (_place: Target): boolean => true): Promise<string[]> => {
      const { sightings } = await run(siteSetup({ pages: { '/shop': '<title>Shop</title>', ...pages } }), {
        checks,
        isInScope,
      });
      return sightings.map(({ detail }) => detail);
    };
    const robots =
      'User-agent: *\nDisallow: /ftp # old\nDisallow: /*.php$\nAllow: /delete-all\nDisallow: //other.test/x';
    const ftp = { '/robots.txt': { headers: text, body: robots }, '/ftp/': listingOf('/ftp/', 'a.md') };
    expect(await seenAt(ftp)).toEqual(['The server lists the files of /ftp/.']);
    expect(testTarget.server.paths.filter((path) => /delete|\*|php|^\/x/.test(path))).toEqual([]);
    expect(await seenAt({ ...ftp, '/robots.txt': robots })).toEqual([]);
    testTarget.server.paths.length = 0;
    expect(await seenAt(ftp, ({ path }) => path.startsWith('/shop'))).toEqual([]);
    expect(testTarget.server.paths.filter((path) => /robots|sitemap|ftp/.test(path))).toEqual([]);

    const index = `<sitemapindex><sitemap><loc>${origin}/posts.xml</loc></sitemap></sitemapindex>`;
    const posts = `<urlset><url><loc>${origin}/old/a.html</loc></url><url><loc>https://other.test/b/c.html</loc></url></urlset>`;
    expect(
      await seenAt({
        '/robots.txt': { headers: text, body: `Sitemap: ${origin}/index.xml` },
        '/index.xml': { headers: xml, body: index },
        '/posts.xml': { headers: xml, body: posts },
        '/old/': listingOf('/old/', 'a.html'),
      }),
    ).toEqual(['The server lists the files of /old/.']);

    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_none, at) => [`/page${at}.html`, `<a href="/page${at + 1}.html">next</a>`]),
    );
    const deep = {
      ...chain,
      '/shop': '<a href="/page0.html">first</a>',
      '/page9.html': '<a href="/deep/er/">files</a>',
      '/deep/er/': listingOf('/deep/er/', 'x.txt'),
    };
    expect(await seenAt(deep)).toEqual(['The server lists the files of /deep/er/.']);
  });

  it('leaves out what is not in scope, with the reason', async () => {
    const isInScope = ({ path }: Target): boolean => path.startsWith('/shop');
    const checks = CHECKS.filter(({ id }) => ['missing-hsts', 'exposed-git'].includes(id));
    const { coverage } = await run(siteSetup(VULNERABLE), { checks, isInScope });
    expect(testTarget.server.paths.filter((path) => path.startsWith('/.git'))).toEqual([]);
    const leftOut = coverage.filter(({ outcome }) => outcome === 'not_applicable');
    expect(leftOut).toEqual([
      {
        check: 'exposed-git',
        location: `https://${HOST}:${testTarget.server.port}/`,
        outcome: 'not_applicable',
        reason: 'what it addresses is not in the scope of the event',
        controlFailure: null,
        verdict: null,
      },
    ]);
  });

  it('stops at once when its signal is aborted or its time is over, and keeps its results', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 40);
    const silent = siteSetup(FIXED, () => true);
    const aborted = await run(silent, { exchangeMs: 600_000, via: { signal: stop.signal } });
    expect(aborted).toMatchObject({ end: 'aborted', sightings: [] });
    expect(await run(silent, { exchangeMs: 600_000, limitMs: 40 })).toMatchObject({ end: 'timed_out' });
  });
});
