import type { IncomingMessage } from 'node:http';
import type { Check } from './check';
import { exposedGit } from './checks/exposed-git';
import { missingNosniff } from './checks/missing-nosniff';
import { detect } from './detect';
import { ProbeSessions } from './probe-session';
import { SeededRandom } from './testing/seeded-random';
import { siteSetup } from './testing/target-states';
import { HOME, MISSING, type Site } from './testing/target-server';
import { BROWSER, HOST, sharedTestTarget } from './testing/test-target';
import { Transport, type Via } from './transport/transport';
import { type Verdict, verify } from './verdict';

const testTarget = sharedTestTarget();
const FILE = { '/.git/HEAD': 'ref: refs/heads/main\n' };
const CONTACT = 'engine-tests (security@example.test)';

type Request = Pick<IncomingMessage, 'url' | 'headers'>;

/** The verdict about a site that had the file, and the requests of its verification. */
async function verified(
  fixed: Site,
  {
    browserUserAgent = BROWSER,
    check = exposedGit,
    ...more
  }: Partial<Via> & { browserUserAgent?: string | null; check?: Check } = {},
): Promise<Verdict & { requests: readonly Request[] }> {
  const { server, names } = testTarget();
  const requests: Request[] = [];
  const place = { scheme: 'http', host: HOST, port: server.port, path: '/' } as const;
  const via = { signal: new AbortController().signal };
  const before = await detect(
    check,
    place,
    testTarget().transport(4_000, () => siteSetup({ pages: FILE })),
    via,
  );
  siteSetup(fixed, ({ url, headers }) => {
    requests.push({ url, headers });
    return false;
  })(testTarget());
  names.zone = { ...names.zone, ...zone };
  const transport = new Transport({
    userAgent: CONTACT,
    browserUserAgent,
    egressAllow: [{ address: '127.0.0.1', port: server.port }],
    dnsServers: [names.address],
    limits: { perSecond: 10_000 },
  });
  const random = new SeededRandom(3);
  const policy = { probes: 3, spreadMs: 0, randomBelow: (limit: number) => random.below(limit) };
  const { verdict } = await verify(
    check,
    place,
    before?.baseline ?? null,
    transport,
    { ...via, ...more },
    async () => null,
    policy,
  );
  return { ...verdict, requests };
}

let zone: Record<string, Record<string, string[]>> = {};
beforeEach(() => {
  zone = {};
});

const isOwn: Via['isOwn'] = async ({ host }) => host.endsWith('target.test');
const isBrowser = ({ headers }: Request): boolean => headers['upgrade-insecure-requests'] !== undefined;
const isDecisive = ({ url = '' }: Request): boolean => url.split('?', 1)[0] === '/.git/HEAD';
const namesNobody = (request: Request): boolean =>
  (isBrowser(request) || request.headers['user-agent']?.startsWith('curl') === true) &&
  request.headers.from === undefined;

const treating = (pattern: RegExp, site: Site['answer']): Site => ({
  answer: (request) => (pattern.test(request.headers['user-agent'] ?? '') ? (site?.(request) ?? null) : null),
});

describe('the clients of a verification', () => {
  it('are a tool, curl, and three browsers, half of which prefer English', async () => {
    const { result, requests } = await verified({}, { isOwn });
    expect(result).toBe('fixed');
    const browsers = requests.filter(isDecisive).filter(isBrowser);
    expect(browsers.length).toBeGreaterThanOrEqual(8);
    const count = (pattern: RegExp): number =>
      requests.filter(isDecisive).filter(({ headers }) => pattern.test(headers['user-agent'] ?? '')).length;
    expect([count(/ Mobile /), count(/Firefox/), count(/^curl/)]).toEqual([2, 4, 2]);
    expect(browsers.filter(({ headers }) => headers['accept-language']?.startsWith('de')).length).toBe(4);
    // Those are for TLS alone.
    for (const { headers } of browsers) expect(Object.keys(headers).join()).not.toMatch(/sec-(?:ch|fetch)/);
  });

  it.each([
    ['without knowing whose the site is', {}, {}, 0],
    ['where the name is no alias', { isOwn }, {}, 4],
    ['where the name is an alias of another own name', { isOwn }, { [HOST]: ['www.target.test'] }, 4],
    ['where the name is an alias of a name of someone else', { isOwn }, { [HOST]: ['customer.cdn.test'] }, 0],
    [
      'where an alias of an alias is a name of someone else',
      { isOwn },
      { [HOST]: ['www.target.test'], 'www.target.test': ['customer.cdn.test'] },
      0,
    ],
  ])('leave out the contact in few requests, and only on an own site: %s', async (_where, via, aliases, count) => {
    zone = Object.fromEntries(
      Object.entries(aliases).map(([name, CNAME]) => [name, { A: ['127.0.0.1'], CNAME: [...CNAME] }]),
    );
    const { result, requests } = await verified({}, via);
    expect(result).toBe('fixed');
    expect(requests.filter(namesNobody)).toHaveLength(count);
    expect(requests.filter(namesNobody).every(isDecisive)).toBe(true);
  });

  it('never take the turn of a probe, which would then behave as another one', async () => {
    const transport = testTarget().transport(4_000, () => siteSetup({}));
    const place = { scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' } as const;
    const via = { signal: new AbortController().signal };
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = new SeededRandom(seed);
      const sessions = new ProbeSessions(transport, via, (limit) => random.below(limit));
      const all = await Promise.all(
        Array.from({ length: 16 }, (_none, turn) => sessions.asClient(undefined, turn, place)),
      );
      const clients = all.map(({ behavior }) => behavior.client);
      expect(clients.slice(0, 3)).toEqual(['assay', 'desktop', 'assay']);
      expect(clients.slice(3).sort().join(' ')).toBe(
        'assay assay assay assay curl curl desktop firefox firefox firefox firefox mobile mobile',
      );
    }
  });

  it('have all the name of Assay when the operator allows no other', async () => {
    const { result, requests } = await verified({}, { isOwn, browserUserAgent: null });
    expect(result).toBe('fixed');
    expect(requests.map(({ headers }) => headers['user-agent'])).toEqual(requests.map(() => CONTACT));
  });

  it('are named and replaced when the site refuses them', async () => {
    const site = treating(/^curl/, () => ({ status: 403, body: 'No' }));
    const { result, reason, requests } = await verified(site);
    expect(result).toBe('fixed');
    expect(reason).toContain(
      'not counted, because the site treats them differently: curl (/: it responds with 403 instead of 200). The decisive request was sent 16 times',
    );
    const others = requests
      .filter(isDecisive)
      .filter(({ headers }) => headers['user-agent']?.startsWith('curl') !== true);
    expect(others.length).toBeGreaterThanOrEqual(16);
  });

  it('show the weakness also where the site refuses them elsewhere', async () => {
    const site = treating(/Firefox/, ({ url = '' }) =>
      url.startsWith('/.git/HEAD') ? { body: FILE['/.git/HEAD'] } : { status: 403, body: 'No' },
    );
    expect(await verified(site)).toMatchObject({ result: 'still_vulnerable' });
  });

  const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' };
  const GERMAN = '<html lang="de"><title>Seite</title><form><input type="password"></form>';

  it.each([
    ['make the verdict inconclusive', 'inconclusive', false],
    ['show nothing, if missing paths get it too,', 'fixed', true],
  ])('%s where they get another page that has the weakness', async (_what, result, isEverywhere) => {
    const site: Site = {
      answer: ({ url = '', headers }) => {
        const isFront = url.split('?', 1)[0] === '/';
        if (/Firefox/.test(headers['user-agent'] ?? '')) return isFront || isEverywhere ? { body: GERMAN } : MISSING;
        return isFront ? { body: HOME, headers: NOSNIFF } : MISSING;
      },
    };
    expect(await verified(site, { check: missingNosniff })).toMatchObject({ result });
  });

  it('count where the site treats them differently at the decisive path alone', async () => {
    const site = treating(/ Mobile /, ({ url = '' }) =>
      url.startsWith('/.git/') ? { ...MISSING, status: 410 } : null,
    );
    expect(await verified(site)).toEqual(
      expect.objectContaining({
        result: 'inconclusive',
        reason: expect.stringContaining('answered with 404 and with 410'),
      }),
    );
  });
});
