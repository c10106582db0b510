import type { IncomingMessage } from 'node:http';
import { CHECKS } from './checks';
import { type Scan, scan } from './scan';
import type { PreviousFinding } from './scan-request';
import { siteSetup } from './testing/target-states';
import { HOST, TestTarget } from './testing/test-target';
import type { Reply, Site } from './testing/target-server';
import type { ProbePolicy } from './verdict';

/** One check of each kind: by page, origin, missing path, beginning of a file, header of ours, handshake and zone. */
const SOME = new Set([
  'exposed-git',
  'exposed-server-status',
  'exposed-profiler',
  'exposed-archive',
  'directory-listing',
  'debug-error-pages',
  'cors-with-credentials',
  'missing-nosniff',
  'cookie-without-secure',
  'weak-tls-protocol',
  'missing-caa',
  'exposed-credentials',
  'graphql-introspection',
  'open-redirect',
  'reflected-input',
]);

const PROBE_POLICY = { probes: 2, spreadMs: 4 };
const LOGIN = '<!doctype html><title>Sign in</title><form><input name="user"><input type="password" name="p"></form>';

const isEncrypted = ({ socket }: IncomingMessage): boolean => 'encrypted' in socket;
const to = (location: string, status = 302): Reply => ({ status, headers: { location } });
const answering = (answer: NonNullable<Site['answer']>): Site => ({ answer });
const pathOf = ({ url = '/' }: IncomingMessage): string => url;
const allBut = (path: string, reply: (request: IncomingMessage) => Reply): Site =>
  answering((request) => (pathOf(request) === path ? null : reply(request)));

/** Sites that restrict anonymous clients. Each is tested without a baseline. */
describe('the first job on a site', () => {
  let testTarget: TestTarget;
  beforeEach(async () => {
    testTarget = await TestTarget.open();
  });
  afterEach(() => testTarget.close());

  async function run(
    site: Site,
    scheme: 'http' | 'https' = 'https',
    checks = CHECKS.filter(({ id }) => SOME.has(id)),
    previousFindings: readonly PreviousFinding[] = [],
    policy: ProbePolicy = PROBE_POLICY,
  ): Promise<Scan> {
    return scan({
      target: { scheme, host: HOST, port: testTarget.server.port, path: '/' },
      checks,
      transport: testTarget.transport(4_000, () => siteSetup(site)),
      via: { signal: new AbortController().signal },
      otherWww: async () => null,
      policy,
      previousFindings,
    });
  }

  const open = ({ coverage }: Scan): string[] =>
    coverage.filter(({ outcome }) => outcome === 'inconclusive').map(({ check, reason }) => `${check}: ${reason}`);
  const reasonOf = ({ coverage }: Scan, id: string): string =>
    coverage.find(({ check }) => check === id)?.reason ?? 'not covered';

  it.each<[string, Site, 'http' | 'https', string]>([
    ['with HSTS', { headers: { 'strict-transport-security': 'max-age=31536000' } }, 'https', 'not there'],
    [
      'that leads from HTTP to HTTPS, whatever the path',
      answering((request) => (isEncrypted(request) ? null : to(`https://${request.headers.host}${request.url}`, 301))),
      'http',
      'like missing paths',
    ],
    [
      'that leads to another host, whatever the path',
      answering(({ url }) => to(`https://www.target.test${url}`)),
      'https',
      'like missing paths',
    ],
    [
      'that sends everything to its login',
      answering((request) =>
        pathOf(request).startsWith('/login') ? { body: LOGIN } : to(`/login?next=${request.url}`),
      ),
      'https',
      'like missing paths',
    ],
    [
      'that sends everything to a login elsewhere',
      answering(({ url }) => to(`https://sso.test/oauth?state=${Math.random()}&to=${url}`)),
      'https',
      'like missing paths',
    ],
    ['that shows its login everywhere', answering(() => ({ body: LOGIN })), 'https', 'not there'],
    [
      'that shows its login everywhere but in front',
      allBut('/', () => ({ body: LOGIN })),
      'https',
      'like missing paths',
    ],
    [
      'that asks for credentials everywhere',
      answering(() => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="staging"' } })),
      'https',
      'like missing paths',
    ],
    [
      'that refuses everything but its front',
      allBut('/', () => ({ status: 403, body: 'no' })),
      'https',
      'like missing paths',
    ],
    [
      'that sends its front to a language',
      { pages: { '/': to('/en/'), '/en/': '<title>Welcome</title>' } },
      'https',
      'not there',
    ],
    [
      'that adds a slash to what it has',
      { pages: { '/status': to('/status/', 301), '/status/': 'all is well' } },
      'https',
      'not there',
    ],
    [
      'that has a login of its own for some paths',
      { pages: { '/elmah.axd': to('/sign-in?r=%2Felmah.axd'), '/sign-in': LOGIN } },
      'https',
      'not there',
    ],
  ])('%s is complete', async (_what, site, scheme, said) => {
    const result = await run(site, scheme);
    expect(open(result)).toEqual([]);
    expect(result).toMatchObject({ end: 'complete', reason: null });
    expect(reasonOf(result, 'exposed-git')).toContain(said);
    expect(result.sightings.map(({ check }) => check)).not.toContain('exposed-git');
  });

  const PARTLY_TESTED = new Set(['blocks us from all but its page', 'redirects one path to another host']);

  it.each<[string, Site, string]>([
    [
      'refuses everything, its page too',
      answering(() => ({ status: 403, body: 'no' })),
      'it refuses the tested page with 403',
    ],
    ['refuses its page alone', { pages: { '/': { status: 403, body: 'no' } } }, 'it refuses the tested page with 403'],
    [
      'leads to a page that it refuses',
      { pages: { '/': to('/home'), '/home': { status: 403 } } },
      'it refuses the tested page with 403',
    ],
    ['limits us', answering(() => ({ status: 429 })), 'it limits the request rate (429)'],
    ['fails', answering(() => ({ status: 503 })), 'it fails with 503'],
    [
      'blocks us',
      answering(() => ({ status: 403, body: 'Sorry, you have been blocked' })),
      'a firewall responds instead of the target (403)',
    ],
    [
      'blocks us from all but its page',
      allBut('/', () => ({ status: 403, body: 'Sorry, you have been blocked' })),
      'a firewall responds instead of the target (403)',
    ],
    ['is suspended', answering(() => ({ status: 402 })), 'it refuses the tested page with 402'],
    [
      'redirects one path to another host',
      { pages: { '/.git/HEAD': to('https://elsewhere.test/x') } },
      'but missing paths do not redirect there',
    ],
  ])('that %s is incomplete, and states the reason', async (what, site, reason) => {
    const result = await run(site);
    expect(result.end).toBe(PARTLY_TESTED.has(what) ? 'partial' : 'incomplete');
    expect(open(result).join('\n')).toContain(reason);
    expect(
      result.coverage.filter(({ check, outcome }) => check === 'exposed-git' && outcome === 'not_vulnerable'),
    ).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['refuses', { status: 403, body: 'no' }],
    ['sends to a login', to('https://sso.test/login')],
    ['asks for credentials', { status: 401 }],
  ])(
    'that %s us after the first questions is not complete, though all that is missing is answered alike',
    async (_what, ban) => {
      let asked = 0;
      const result = await run(answering(() => ((asked += 1) > 5 ? ban : null)));
      expect(result.end).toBe('incomplete');
      expect(open(result).join('\n')).toContain('the target changed its responses during the test');
    },
  );

  it('that allows no other method than GET is complete, and the check with POST finds nothing', async () => {
    const graphql = CHECKS.filter(({ id }) => id === 'graphql-introspection');
    const site = answering(({ method }) =>
      method === 'GET' ? null : { status: 405, headers: { allow: 'GET' }, body: '<h1>Method Not Allowed</h1>' },
    );
    const { end, coverage } = await run(site, 'https', graphql);
    expect([end, coverage.map(({ outcome }) => outcome)]).toEqual(['complete', ['not_vulnerable']]);
    const { coverage: ofGet } = await run(
      answering(({ method, url = '' }) => (method === 'GET' && url !== '/' ? { status: 405 } : null)),
      'https',
      CHECKS.filter(({ id }) => id === 'exposed-git'),
    );
    expect(ofGet.map(({ outcome }) => outcome)).toEqual(['not_vulnerable']);
  });

  const MAINTENANCE =
    '<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1><p>An update is running.</p></body></html>';
  const nosniff = CHECKS.filter(({ id }) => id === 'missing-nosniff');
  const safe = { 'x-content-type-options': 'nosniff' };

  it('that shows a maintenance page with 200 from some request on is not complete', async () => {
    let asked = 0;
    const site = answering(() => ((asked += 1) > 1 ? { body: MAINTENANCE } : null));
    const result = await run({ ...site, headers: safe }, 'https', nosniff);
    expect(result.end).toBe('incomplete');
    expect(open(result).join('\n')).toContain(
      'the target changed its responses during the test: it shows another page (Maintenance)',
    );
  });

  it('that shows two pages in turns is complete', async () => {
    let asked = 0;
    const site = answering(() => ((asked += 1) % 2 === 0 ? { body: MAINTENANCE } : null));
    expect((await run({ ...site, headers: safe }, 'https', nosniff)).end).toBe('complete');
  });

  it('finds a weakness although the site blocks its page', async () => {
    const site = allBut('/.git/HEAD', ({ url }) => to(`https://${HOST}:${testTarget.server.port}/login?next=${url}`));
    const result = await run({ ...site, pages: { '/.git/HEAD': 'ref: refs/heads/main\n' } });
    expect(result.sightings.map(({ check }) => check)).toContain('exposed-git');
    const moved = { '/status': to('/status/', 301), '/status/': 'pool: www\nprocess manager: dynamic\n' };
    expect((await run({ pages: moved })).sightings.map(({ check }) => check)).toContain('exposed-server-status');
  });

  describe('on a site with a captcha', () => {
    const form =
      '<title>Contact</title><form><input name="mail"><div class="g-recaptcha" data-sitekey="k"></div></form>';

    it.each<[string, Site]>([
      ['in the form of its page', { pages: { '/': form } }],
      [
        'on a page that it links to',
        { pages: { '/': '<a href="/mail/form">Contact</a>', '/mail/form': form, '/mail/': form } },
      ],
      ['of Turnstile', { pages: { '/': '<form><div class="cf-turnstile" data-sitekey="k"></div></form>' } }],
    ])('%s is complete', async (_where, site) => {
      const result = await run(site);
      expect(open(result)).toEqual([]);
      expect(result).toMatchObject({ end: 'complete', reason: null });
    });

    it('a finding on the page is confirmed as fixed', async () => {
      const checks = CHECKS.filter(({ id }) => id === 'missing-nosniff');
      const before = await run({ pages: { '/': form } }, 'https', checks);
      const known = before.sightings.map(({ check, location, baseline }) => ({ check, location, baseline }));
      const site = { pages: { '/': form }, headers: { 'x-content-type-options': 'nosniff' } };
      const after = await run(site, 'https', checks, known);
      expect(after.coverage.map(({ verdict }) => verdict?.result)).toEqual(['fixed']);
    });

    it.each<[string, Site, Scan['end']]>([
      ['everywhere', answering(() => ({ body: form })), 'incomplete'],
      ['everywhere but on its page', allBut('/', () => ({ body: form })), 'partial'],
      ['instead of its page', { pages: { '/': { status: 403, body: form } } }, 'incomplete'],
    ])('%s is incomplete', async (_where, site, end) => {
      const result = await run(site);
      expect(result.end).toBe(end);
      expect(reasonOf(result, 'exposed-git')).toMatch(/a captcha is shown|a firewall responds/);
    });
  });

  describe('on an application that fails for what it does not know', () => {
    const fails = (status: number, body = '<h1>Error: Unexpected path</h1><p>at handler</p>'): Reply => ({
      status,
      body,
    });
    const failsBelow = (folder: string, status: number): Site =>
      answering((request) => (pathOf(request).startsWith(folder) ? fails(status) : null));
    const gitIn = (folder: string): Site['pages'] => ({ [`${folder}.git/HEAD`]: 'ref: refs/heads/main\n' });

    it('a method that the server does not know is an answer', async () => {
      const site = answering(({ method }) => (method === 'GET' ? null : fails(501, 'Unsupported method')));
      const result = await run(site);
      expect(open(result)).toEqual([]);
      expect(reasonOf(result, 'graphql-introspection')).toContain('the server does not know the method POST (501)');
    });

    it.each([500, 501])('%i is how it says missing, where missing paths get the same', async (status) => {
      const result = await run(failsBelow('/.git/', status));
      expect(open(result)).toEqual([]);
      expect(result.end).toBe('complete');
      expect(reasonOf(result, 'exposed-git')).toContain(`fails with ${status}, like missing paths next to it`);
    });

    it.each([502, 503, 504, 520, 530])('%i is an outage', async (status) => {
      expect(open(await run(failsBelow('/.git/', status))).join()).toContain(`/.git/HEAD: it fails with ${status}`);
    });

    it('an error that missing paths do not get is one of this path', async () => {
      const one = await run({ pages: { '/.git/HEAD': fails(500) } });
      expect(one.coverage.find(({ check }) => check === 'exposed-git')).toMatchObject({
        outcome: 'blocked',
        reason: expect.stringMatching(/^\/\.git\/HEAD gets 500, and .* beside it gets 404/),
        refusal: { status: 500, twinStatus: 404, isOwn: false },
      });
      expect(one.end).toBe('complete');
      const another = answering((request) =>
        pathOf(request).startsWith('/.git/')
          ? fails(500, pathOf(request) === '/.git/HEAD' ? 'The disk is full' : '<h1>Error: Unexpected path</h1>')
          : null,
      );
      expect(open(await run(another)).join()).toContain('/.git/HEAD: it fails with 500');
    });

    it('a path that is refused alone is blocked, unless the organization counts refusals of the site as fixed', async () => {
      const site: Site = { pages: { '/.git/HEAD': { status: 403, body: 'Forbidden' } } };
      const of = ({ coverage }: Scan) => coverage.find(({ check }) => check === 'exposed-git');
      expect(of(await run(site))).toMatchObject({
        outcome: 'blocked',
        refusal: { path: 'GET /.git/HEAD', isOwn: true },
      });
      const policy = { ...PROBE_POLICY, refusalsCountAsFixed: true };
      expect(of(await run(site, 'https', undefined, [], policy))).toMatchObject({ outcome: 'not_vulnerable' });
    });

    it('the twins of all checks are few, whatever the site refuses', async () => {
      const passive = CHECKS.filter(({ on }) => on !== 'dns' && on !== 'tcp');
      const twinsOn = async (site: Site): Promise<number> => {
        await run(site, 'https', passive);
        const twins = testTarget.server.paths.filter((path) => /[^/]-nothing-/.test(path)).length;
        testTarget.server.paths.length = 0;
        return twins;
      };
      expect(await twinsOn({})).toBeLessThanOrEqual(4);
      const refusing = (isRefused: (path: string) => boolean): Site =>
        answering((request) => (isRefused(pathOf(request)) ? { status: 403, body: 'Forbidden' } : null));
      expect(await twinsOn(refusing((path) => path.startsWith('/.')))).toBeLessThanOrEqual(30);
      expect(await twinsOn(refusing((path) => path !== '/' && !path.includes('nothing-')))).toBeLessThanOrEqual(40);
    });

    it('errors everywhere but on the page are an outage', async () => {
      expect(open(await run(allBut('/', () => fails(500)))).join()).toContain('/.git/HEAD: it fails with 500');
    });

    it('an error of a path that showed the weakness stays one, with a baseline and without', async () => {
      const checks = CHECKS.filter(({ id }) => id === 'exposed-git');
      const before = await run({ pages: gitIn('/') }, 'https', checks);
      const [sighting] = before.sightings;
      expect(sighting?.check).toBe('exposed-git');
      const { location = '', baseline = null } = sighting ?? {};
      for (const known of [
        { check: 'exposed-git', location, baseline },
        { check: 'exposed-git', location, baseline: null },
      ]) {
        const after = await run(failsBelow('/.git/', 500), 'https', checks, [known]);
        expect(after.coverage.map(({ verdict }) => verdict?.result)).not.toContain('fixed');
        expect(open(after).join()).toContain('/.git/HEAD: it fails with 500');
      }
    });
  });
});
