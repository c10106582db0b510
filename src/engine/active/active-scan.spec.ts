import { openRedirect } from '../checks/open-redirect';
import { reflectedInput } from '../checks/reflected-input';
import { activeTests, calculated, checkWith, page, type Router } from '../testing/active-scans';
import { MemoryInventory } from '../testing/memory-inventory';
import type { ActiveScanRequest } from './active-scan-request';
import type { Oracle } from './experiment';

const { scan, inventory, requested, testTarget } = activeTests();

const pathOf = (location: string): string => location.replace(/^http:\/\/target\.test(?::\d+)?/, '');

/** The points at which a weakness was found. */
const found = (): string[] =>
  inventory()
    .results.flatMap(({ sighting }) => (sighting === null ? [] : [pathOf(sighting.location)]))
    .sort();

const outcomes = (): Record<string, string> =>
  Object.fromEntries(inventory().results.map(({ coverage }) => [pathOf(coverage.location), coverage.outcome]));

const reasons = (): string[] => [...new Set(inventory().results.map(({ coverage }) => coverage.reason))];

/** A page for each name, with a weak parameter. */
const pagesNamed =
  (...names: readonly string[]): Router =>
  ({ pathname, searchParams }) => {
    if (pathname === '/') return page(names.map((name) => `<a href="/${name}?a=1">${name}</a>`).join(' '));
    return names.includes(pathname.slice(1)) ? page(calculated(searchParams.get('a'))) : null;
  };

/** Pages that link to all of them, each with a weak parameter. */
const linked =
  (paths: ReadonlySet<string>): Router =>
  ({ pathname, searchParams }) =>
    paths.has(pathname)
      ? page(`${[...paths].map((path) => `<a href="${path}?a=1">x</a>`).join('')}${calculated(searchParams.get('a'))}`)
      : null;

const isQuery = ({ key }: { readonly key: string }): boolean => key.includes(' query ');
const NAMES = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];

describe('an active scan', () => {
  it('finds weak parameters of links and of GET forms', async () => {
    const result = await scan(({ pathname, searchParams }) => {
      if (pathname === '/')
        return page(`<a href="/item?id=3">An item</a>
          <form action="/search"><input name="q"><select name="in"><option value="all">All<option>Names</select>
          <button name="go" value="Find">Find</button></form>`);
      if (pathname === '/item') return page(calculated(searchParams.get('id')));
      if (pathname === '/search')
        return page(searchParams.get('go') === 'Find' ? calculated(searchParams.get('q')) : '');
      return null;
    });
    expect(result).toMatchObject({ end: 'complete', reason: null });
    expect(found()).toEqual(['/item?id', '/search?q']);
    expect(result.tested).toBe(result.points);
  });

  it('finds weak segments, cookies and headers', async () => {
    await scan(({ pathname }, { headers }) => {
      if (pathname.startsWith('/user/')) return page(calculated(decodeURIComponent(pathname.slice(6))));
      if (pathname !== '/') return null;
      const theme = /theme=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';
      return {
        headers: { 'set-cookie': 'theme=dark' },
        body: page(`<a href="/user/17">x</a>${calculated(theme)}${calculated(headers.referer ?? '')}`),
      };
    });
    expect(found()).toEqual(['/#cookie=theme', '/#header=Referer', '/user/17#segment=2']);
    expect(outcomes()['/#header=User-Agent']).toBe('not_applicable');
  });

  it.each<[string, (cookie: string) => string]>([
    ['nothing is decoded', (cookie) => cookie],
    ['it is decoded', decodeURIComponent],
  ])('tests a cookie with a quote where %s', async (_what, read) => {
    const quoting: Oracle['observe'] = async (experiment) => {
      const { text } = await experiment.send('a",b', { expects: 'the value' });
      return text.includes('[a",b]')
        ? { state: 'proved', detail: 'It arrives.', certainty: 'certain', variant: 'quote' }
        : { state: 'sound', detail: 'It does not arrive.' };
    };
    const site: Router = (_url, { headers }) => ({
      headers: { 'set-cookie': 'theme=dark' },
      body: page(`<a href="/?x=1">x</a>[${read(/theme=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '')}]`),
    });
    await scan(site, { checks: [checkWith({ observe: quoting })] });
    expect(found()).toEqual(['/#cookie=theme']);
  });

  it('tests a page of two addresses once, and says so', async () => {
    const pages = new Set(['/', '/index.php', '/shop/', '/shop/default.aspx', '/about', '/about/']);
    const result = await scan(linked(pages));
    expect(result.tested).toBe(result.points);
    expect(found()).toEqual(['/?a', '/about?a', '/shop/?a']);
    expect(inventory().notes.toSorted()).toEqual([
      '/about/ and /about are one page; what both have was tested at /about alone',
      '/index.php and / are one page; what both have was tested at / alone',
      '/shop/default.aspx and /shop/ are one page; what both have was tested at /shop/ alone',
    ]);
  });

  it.each<[string, (path: string, a: string | null) => string]>([
    ['what they say', (path, a) => `${path === '/' ? 'Welcome' : 'Shop'} ${calculated(a)}`],
    ['what another value makes of them', (path, a) => (path === '/' || a === '1' ? 'Shop' : calculated(a))],
    ['how they are built', (path, a) => `${path === '/' ? '<p class="home">' : '<p>'}${calculated(a)}`],
  ])('tests two pages of one folder that differ in %s', async (_what, text) => {
    await scan(({ pathname, searchParams }) =>
      pathname === '/' || pathname === '/index.php'
        ? page(`<a href="/?a=1">A</a><a href="/index.php?a=1">B</a>${text(pathname, searchParams.get('a'))}`)
        : null,
    );
    expect(found()).toContain('/index.php?a');
  });

  it('continues after a lost worker, and tests no point twice', async () => {
    const first = await scan(pagesNamed(...NAMES), { limits: { ms: 60_000, requests: 140 } });
    expect(first).toMatchObject({ end: 'complete', reason: 'the requests of the job (140) were used up' });
    expect(first.tested).toBeGreaterThan(0);
    expect(first.tested).toBeLessThan(first.points);
    const kept = inventory();
    const done = kept.results.length;
    const second = await scan(pagesNamed(...NAMES), { inventory: kept });
    expect(second).toMatchObject({ end: 'complete', reason: null, points: first.points, tested: first.points });
    expect(kept.results.length).toBe(first.points);
    expect(done).toBe(first.tested);
    expect(requested().filter((path) => path.endsWith('.txt'))).toEqual([]);
    expect(found()).toEqual(NAMES.map((name) => `/${name}?a`));
  });

  it('tests the most promising points while pages are still read', async () => {
    const names = Array.from(
      { length: 60 },
      (_none, at) => `item-${'abcdefghij'[at % 10]}${'klmnop'[Math.trunc(at / 10)]}`,
    );
    await scan(pagesNamed(...names), { limits: { ms: 60_000, requests: 5_000 } });
    const isPayload = (path: string): boolean => path.includes('calculate');
    const firstPayload = requested().findIndex(isPayload);
    const lastPage = requested().indexOf(`/${names.at(-1)}?a=1`);
    expect(firstPayload).toBeGreaterThan(0);
    expect(firstPayload).toBeLessThan(lastPage);
    const tested = inventory().results.map(({ coverage }) => pathOf(coverage.location));
    expect(tested.slice(0, 6).every((location) => location.includes('?a'))).toBe(true);
  });

  it('begins the next job with the points whose test is the longest ago, and knows their requests', async () => {
    await scan(pagesNamed('ant', 'bee'));
    const kept = inventory();
    for (const [key, point] of kept.points)
      kept.points.set(key, { ...point, testedAt: new Date(key.includes('bee') ? 1_000 : 2_000) });
    kept.beginJob();
    await scan(pagesNamed('ant', 'bee', 'cat'), { inventory: kept });
    expect(kept.results.map(({ coverage }) => pathOf(coverage.location)).filter((one) => one.includes('?'))).toEqual([
      '/cat?a',
      '/bee?a',
      '/ant?a',
    ]);
  });

  it('sends no more requests than its limit', async () => {
    await scan(pagesNamed(...NAMES), { limits: { ms: 60_000, requests: 40 } });
    expect(requested().length).toBeLessThanOrEqual(40);
  });

  it.each<[string, () => Partial<ActiveScanRequest>, object]>([
    [
      'its time',
      () => ({ limits: { ms: 2_000, requests: 99_999 } }),
      { end: 'complete', reason: 'the time of the job (2 seconds) was used up' },
    ],
    [
      'an interruption',
      () => ({ interruption: { inMs: 300, reason: 'the window closed' } }),
      { end: 'interrupted', reason: 'the window closed' },
    ],
    [
      'its caller',
      () => ({ via: { signal: AbortSignal.timeout(300) } }),
      { end: 'aborted', reason: 'the job was stopped' },
    ],
  ])('is ended by %s', async (_name, request, expected) => {
    const endless = checkWith({
      observe: async (experiment) => {
        for (;;) await experiment.send('x', { expects: 'nothing' });
      },
    });
    const result = await scan(pagesNamed('ant'), { checks: [endless], ...request() });
    expect(result).toMatchObject(expected);
    expect(inventory().results.filter(({ coverage }) => coverage.outcome !== 'not_applicable')).toEqual([]);
  });

  it('tests no point that is out of scope now, or whose request may change something', async () => {
    await scan(pagesNamed('ant', 'bee'));
    const kept = inventory();
    kept.beginJob();
    await kept.addPoints([{ request: { path: '/logout?a=1' }, kind: 'query', name: 'a', value: '1' }]);
    const isInScope: ActiveScanRequest['isInScope'] = ({ path }) => !path.startsWith('/bee');
    const result = await scan(pagesNamed('ant', 'bee'), { inventory: kept, isInScope });
    expect(requested().filter((path) => /^\/(?:bee|logout)/.test(path))).toEqual([]);
    expect(found()).toEqual(['/ant?a']);
    expect(result.tested).toBe(result.points);
  });

  it('leaves out checks that see nothing at a point, unless they have a finding there', async () => {
    const appliesTo = ({ reflected, changes }: { reflected: boolean; changes: boolean }): boolean =>
      reflected && !changes;
    const site: Router = ({ pathname, searchParams }) => {
      if (pathname === '/') return page('<a href="/echo?a=1">x</a><a href="/deaf?a=1">x</a><a href="/else?a=1">x</a>');
      if (pathname === '/echo') return page(`You said ${searchParams.get('a')}`);
      if (pathname === '/else') return page(searchParams.get('a') === '1' ? 'One' : `Two ${searchParams.get('a')}`);
      return pathname === '/deaf' ? page('Silence') : null;
    };
    await scan(site, { checks: [checkWith({ appliesTo })] });
    const { '/echo?a': echo, '/deaf?a': deaf, '/else?a': other } = outcomes();
    expect({ echo, deaf, other }).toEqual({ echo: 'not_vulnerable', deaf: 'not_applicable', other: 'not_applicable' });
    const location = `http://target.test:${testTarget().server.port}/deaf?a`;
    const previousFindings = [{ check: 'calculating', location, baseline: null }];
    await scan(site, { checks: [checkWith({ appliesTo })], previousFindings });
    expect(outcomes()['/deaf?a']).toBe('not_vulnerable');
  });

  it('asks for the value and for a word only once at a point', async () => {
    const observe: Oracle['observe'] = async (experiment) => {
      const [{ text }, { value, answer }] = [await experiment.firstOriginal(), await experiment.word()];
      return { state: 'sound', detail: `${text.includes('said 1')} ${answer.text.includes(`said ${value}`)}` };
    };
    const site: Router = ({ pathname, searchParams }) => {
      if (pathname === '/') return page('<a href="/echo?a=1">x</a>');
      return pathname === '/echo' ? page(`You said ${searchParams.get('a')}`) : null;
    };
    await scan(site, { checks: [checkWith({ observe }, 'one'), checkWith({ observe }, 'other')] });
    const ofPoint = inventory().results.filter(({ coverage }) => coverage.location.endsWith('/echo?a'));
    expect(ofPoint.map(({ coverage }) => coverage.reason)).toEqual(['true true', 'true true']);
    expect(requested().filter((path) => /^\/echo\?a=[a-z]{9}$/.test(path))).toHaveLength(1);
  });

  it('finds redirects and markup only where a link carries the value, and known ones everywhere', async () => {
    const site: Router = ({ pathname, searchParams }, { headers }) => {
      if (pathname === '/') return page('<a href="/lang/de">x</a><a href="/go?to=/">x</a><a href="/agent?a=1">x</a>');
      if (pathname.startsWith('/lang/')) return { status: 302, headers: { location: headers.referer ?? '/' } };
      if (pathname === '/go') return { status: 302, headers: { location: searchParams.get('to') ?? '/' } };
      return pathname === '/agent' ? page(`${headers['user-agent']} ${searchParams.get('a')}`) : null;
    };
    const checks = [openRedirect, reflectedInput];
    const inHeader = '/lang/de#header=Referer';
    await scan(site, { checks });
    expect(found()).toEqual(['/agent?a', '/go?to']);
    expect(outcomes()[inHeader]).toBe('not_applicable');
    expect(reasons()).toContainEqual(expect.stringContaining('no link carries it'));
    const location = `http://target.test:${testTarget().server.port}${inHeader}`;
    await scan(site, { checks, previousFindings: [{ check: 'open-redirect', location, baseline: null }] });
    expect(found()).toContain(inHeader);
  });

  it('finds a known weakness again, and verifies that it is fixed, also where nothing leads to it', async () => {
    await scan(pagesNamed('ant', 'bee'));
    const previousFindings = inventory().results.flatMap(({ sighting }) =>
      sighting === null ? [] : [{ check: sighting.check, location: sighting.location, baseline: sighting.baseline }],
    );
    expect(previousFindings).toHaveLength(2);
    const policy = { probes: 3, spreadMs: 4 };
    const weak = pagesNamed('ant', 'bee');
    const halfFixed: Router = (url, incoming) =>
      url.pathname === '/bee' ? page(`[${url.searchParams.get('a')}]`) : weak(url, incoming);
    await scan(halfFixed, { previousFindings, policy });
    expect(found()).toEqual(['/ant?a']);
    const bee = inventory().results.find(({ coverage }) => coverage.location.endsWith('/bee?a'));
    expect(bee?.coverage.verdict).toMatchObject({ result: 'fixed' });
    await scan(() => null, { previousFindings, policy });
    expect(Object.keys(outcomes())).toEqual(expect.arrayContaining(['/ant?a', '/bee?a']));
  });

  it('tests the other points where a finding names a segment that its path does not have', async () => {
    const location = `http://target.test:${testTarget().server.port}/ant#segment=5`;
    const previousFindings = [{ check: 'calculating', location, baseline: null }];
    const result = await scan(pagesNamed('ant', 'bee'), { previousFindings });
    expect(result).toMatchObject({ end: 'complete', tested: result.points });
    expect(found()).toEqual(['/ant?a', '/bee?a']);
  });

  it('leaves a point that provokes a storm of errors, and tests the others', async () => {
    const stubborn = checkWith({
      observe: async (experiment) => {
        for (let time = 0; time < 100; time += 1) await experiment.send('bad', { expects: 'an error' });
        return { state: 'sound', detail: 'It was tested.' };
      },
    });
    const site: Router = ({ pathname, searchParams }) => {
      if (pathname === '/')
        return page('<a href="/frail?a=1">x</a><a href="/firm?a=1">x</a><a href="/picky?a=1">x</a>');
      // Harmless words get the same answer.
      if (pathname === '/picky' && searchParams.get('a') !== '1') return { status: 500, body: 'Error' };
      if (pathname === '/frail' && searchParams.get('a') === 'bad') return { status: 500, body: 'Error' };
      return ['/frail', '/firm', '/picky'].includes(pathname) ? page(`${searchParams.get('a')}`) : null;
    };
    await scan(site, { checks: [stubborn] });
    expect(outcomes()).toMatchObject({ '/frail?a': 'inconclusive', '/firm?a': 'not_vulnerable' });
    expect(reasons()).toContainEqual(expect.stringContaining('more than 90 requests to it were answered with errors'));
    expect(requested().filter((path) => path === '/frail?a=bad').length).toBeLessThan(100);
    expect(requested().filter((path) => path === '/picky?a=bad').length).toBeGreaterThanOrEqual(100);
  });

  it('tests each check where another one has provoked a storm', async () => {
    const observe: Oracle['observe'] = async (experiment) => {
      for (let time = 0; time < 100; time += 1) await experiment.send('bad', { expects: 'an error' });
      return { state: 'sound', detail: 'It was tested.' };
    };
    const site: Router = ({ pathname, searchParams }) => {
      if (pathname === '/') return page('<a href="/frail?a=1">x</a>');
      if (searchParams.get('a') === 'bad') return { status: 500, body: 'Error' };
      return pathname === '/frail' ? page(`${searchParams.get('a')}`) : null;
    };
    await scan(site, { checks: [checkWith({ observe }, 'stormy'), checkWith()] });
    const seen = inventory().results.filter(({ coverage }) => coverage.location.endsWith('/frail?a'));
    expect(seen.map(({ coverage }) => [coverage.check, coverage.outcome])).toEqual([
      ['stormy', 'inconclusive'],
      ['calculating', 'not_vulnerable'],
    ]);
  });

  it('does not treat a captcha that every page below the target shows as an obstacle to its checks', async () => {
    const wall = page('<form><div class="g-recaptcha"></div></form>');
    await scan(({ pathname }) =>
      pathname === '/' ? page('<a href="/in/?a=1">x</a>') : pathname.startsWith('/in/') ? wall : null,
    );
    const seen = inventory().results.find(({ coverage }) => coverage.location.endsWith('/in/?a'));
    expect(seen?.coverage).toMatchObject({ outcome: 'not_applicable', reason: expect.stringContaining('captcha') });
  });

  it.each([503, 429])(
    'stops within a minute when the target begins to answer %i, and counts no point as tested',
    async (status) => {
      let answers = 0;
      const site = pagesNamed(...NAMES);
      const result = await scan((url, incoming) => {
        answers += 1;
        return answers > 60 ? { status, body: 'down' } : site(url, incoming);
      });
      expect(result).toMatchObject({
        end: 'stopped',
        reason: expect.stringMatching(new RegExp(`began to fail: .* responds with ${status}`)),
      });
      expect(result.tested).toBeLessThan(result.points);
      expect(answers).toBeLessThan(90);
    },
    30_000,
  );

  it('tests nothing on a target that fails from the beginning', async () => {
    await scan(pagesNamed('ant'));
    const kept = inventory();
    kept.beginJob();
    const result = await scan(() => ({ status: 503 }), { inventory: kept });
    expect(result).toMatchObject({ end: 'stopped', tested: 0 });
  });

  it('tests nothing else while a check measures time', async () => {
    let running = 0;
    const together: Record<string, number> = { quick: 0, timed: 0 };
    const counting = (id: string, measuresTime: boolean) =>
      checkWith(
        {
          measuresTime,
          observe: async (experiment) => {
            running += 1;
            for (let time = 0; time < 5; time += 1) {
              together[id] = Math.max(together[id] ?? 0, running);
              await experiment.send('x', { expects: 'an answer' });
            }
            running -= 1;
            return { state: 'sound', detail: 'It was tested.' };
          },
        },
        id,
      );
    const site: Router = ({ pathname }) => page(pathname === '/' ? '<a href="/ant?a=1&amp;b=2">x</a>' : 'An ant');
    await scan(site, { checks: [counting('timed', true), counting('quick', false)] });
    expect(together).toEqual({ quick: 2, timed: 1 });
  });

  it('sends nothing more when it may no longer run', async () => {
    let answered = 0;
    const refusal = (): Promise<string | null> => Promise.resolve(answered > 0 ? 'The consent was withdrawn.' : null);
    const real = performance.now.bind(performance);
    // Each answer takes a minute, so that `refusal` is called before each request.
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + answered * 60_000);
    try {
      const result = await scan(
        (url, request) => {
          answered += 1;
          return pagesNamed(...NAMES)(url, request);
        },
        { refusal, limits: { ms: 86_400_000, requests: 5_000 } },
      );
      expect(result).toMatchObject({ end: 'stopped', reason: 'The consent was withdrawn.' });
      expect(requested()).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  it('skips pages that the rules close while it runs, and continues with the others', async () => {
    let isOpen = true;
    const isInScope: ActiveScanRequest['isInScope'] = ({ path }) => isOpen || path !== '/fox';
    const open = NAMES.slice(0, -1).map((name) => `/${name}?a`);
    const closedAfter = async (close: (path: string) => boolean): Promise<string[]> => {
      isOpen = true;
      await scan(
        (url, request) => {
          if (close(url.pathname + url.search)) isOpen = false;
          return pagesNamed(...NAMES)(url, request);
        },
        { isInScope },
      );
      const answered = requested();
      return answered.slice(answered.findIndex(close) + 1).filter((path) => path.startsWith('/fox'));
    };
    expect(await closedAfter((path) => path.startsWith('/ant'))).toEqual([]);
    expect(found()).toEqual(open);
    const isExperiment = (path: string): boolean => path.startsWith('/fox') && path.includes('calculate');
    expect(await closedAfter(isExperiment)).toEqual([]);
    expect(found()).toEqual(open);
    expect(reasons()).toContain(
      'the point was left, because the scope or the consent no longer allows to test its page',
    );
  });

  it('skips the verification of a known finding whose page the rules close, and continues with the others', async () => {
    await scan(pagesNamed('ant', 'bee'));
    const previousFindings = inventory().results.flatMap(({ sighting }) =>
      sighting === null ? [] : [{ check: sighting.check, location: sighting.location, baseline: sighting.baseline }],
    );
    const fixed: Router = ({ pathname, searchParams }) =>
      pathname === '/' || pathname === '/ant' || pathname === '/bee' ? page(`[${searchParams.get('a')}]`) : null;
    const closedAfter = async (experiments: number): Promise<string[]> => {
      let left = experiments;
      const isInScope: ActiveScanRequest['isInScope'] = ({ path }) => left > 0 || path !== '/bee';
      const late: string[] = [];
      await scan(
        (url, request) => {
          if (left === 0) late.push(url.pathname + url.search);
          if (left > 0 && url.pathname === '/bee' && url.search.includes('calculate')) left -= 1;
          return fixed(url, request);
        },
        { previousFindings, isInScope, policy: { probes: 3, spreadMs: 4 } },
      );
      return late.filter((path) => path.startsWith('/bee'));
    };
    for (const experiments of [2, 3]) {
      expect(await closedAfter(experiments)).toEqual([]);
      expect(outcomes()).toMatchObject({ '/ant?a': 'not_vulnerable', '/bee?a': 'inconclusive' });
      expect(inventory().results.find(({ coverage }) => coverage.location.endsWith('/ant?a'))?.coverage).toMatchObject({
        verdict: { result: 'fixed' },
      });
    }
  });

  it('counts pages, shapes and points', async () => {
    const result = await scan(pagesNamed('ant', 'bee'));
    expect(result).toMatchObject({ pages: 3, shapes: 3, points: inventory().points.size });
    expect([...inventory().points.values()].filter(isQuery)).toHaveLength(2);
  });

  it('never has the requests of many points in memory, and tests all of them', async () => {
    const kept = new MemoryInventory();
    const points = Array.from({ length: 120 }, (_, number) => ({
      request: { path: `/find?p${number}=1`, headers: [['X-Long', 'x'.repeat(10_000)]] as const },
      kind: 'query' as const,
      name: `p${number}`,
      value: '1',
    }));
    await kept.addPoints(points);
    await kept.endCrawl([], null);
    const load = jest.spyOn(kept, 'load');
    const list = jest.spyOn(kept, 'listPoints');
    const read = jest.spyOn(kept, 'readPoints');
    const checks = [checkWith({ appliesTo: () => false })];
    const result = await scan(() => page('A page'), { inventory: kept, checks });
    expect(result).toMatchObject({ end: 'complete', reason: null, points: 120, tested: 120 });
    for (const answer of [...load.mock.results, ...list.mock.results])
      expect(JSON.stringify(await answer.value).length).toBeLessThan(100 * 120);
    const keys = read.mock.calls.flatMap(([some]) => some);
    expect(keys).toHaveLength(120);
    expect(Math.max(...read.mock.calls.map(([some]) => some.length))).toBeLessThanOrEqual(50);
  });
});
