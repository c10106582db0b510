import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Check } from './check';
import { directoryListing } from './checks/directory-listing';
import { exposedEnv } from './checks/exposed-env';
import { exposedGit } from './checks/exposed-git';
import { missingFrameProtection } from './checks/missing-frame-protection';
import { missingNosniff } from './checks/missing-nosniff';
import { checkFromYaml } from './templates/check-from-yaml';
import { inTurns } from './testing/fault-scenarios';
import { SeededRandom } from './testing/seeded-random';
import { siteSetup } from './testing/target-states';
import { type Reply, type Site } from './testing/target-server';
import { HOST, sharedTestTarget, type TargetSetup } from './testing/test-target';
import { refute, type Refutation } from './refute';
import type { SeenTarget } from './seen-target';

const ENV = 'DB_HOST=localhost\nDB_PASSWORD=hunter2-and-more\n';
const NOSNIFF = { 'x-content-type-options': 'nosniff' };

const testTarget = sharedTestTarget();

async function refutation(
  check: Check,
  setup: TargetSetup,
  path: string | null = null,
  location = '/',
  seen: SeenTarget | null = null,
): Promise<Refutation> {
  const random = new SeededRandom(7);
  const policy = { probes: 3, spreadMs: 0, randomBelow: (limit: number) => random.below(limit) };
  const place = { scheme: 'http', host: HOST, port: testTarget().server.port, path: location } as const;
  const via = { signal: new AbortController().signal };
  return refute(
    check,
    place,
    testTarget().transport(4_000, () => setup),
    via,
    policy,
    { path, seen },
  );
}

const at = (check: Check, site: Site, path?: string): Promise<Refutation> => refutation(check, siteSetup(site), path);

const timesAsked = (path: string): number => testTarget().server.paths.filter((one) => one === path).length;

describe('a refutation', () => {
  it('repeats the path that a report names sixteen times and the others four times, and says so', async () => {
    const { result, reason } = await at(exposedEnv, {}, '/.env.local');
    expect(result).toBe('refuted');
    expect(reason).toContain('GET /.env.local 16 times; GET /.env, GET /.env.production,');
    expect(reason).toContain('GET /.env.swp 4 times.');
    expect(timesAsked('/.env.local')).toBeGreaterThanOrEqual(16);
    expect(timesAsked('/.env.swp')).toBeLessThan(16);
    expect(testTarget().server.paths.length).toBeLessThanOrEqual(80);
  });

  it('repeats each path when nothing says which of them showed the weakness, with at most 160 requests', async () => {
    const { result, reason } = await at(exposedEnv, {});
    expect(result).toBe('refuted');
    expect(reason).toMatch(/: GET \/\.env, GET \/\.env\.local, .*, GET \/\.env\.swp 15 times\./);
    expect(testTarget().server.paths.length).toBeLessThanOrEqual(160);
    expect(timesAsked('/.env')).toBeGreaterThanOrEqual(16);
  });

  it.each([null, '/.env'])('sees the weakness at one of two servers in turns (the named path: %s)', async (path) => {
    const nodes = inTurns<Site>([{}, { pages: { '/.env': ENV } }]);
    const setup: TargetSetup = (target) => {
      siteSetup({})(target);
      target.server.balance = nodes;
    };
    expect(await refutation(exposedEnv, setup, path)).toMatchObject({ result: 'vulnerable' });
  });

  it('sees the file under another spelling of its path', async () => {
    const site: Site = { answer: ({ url }) => (url === '/.ENV' ? { body: ENV } : null) };
    expect(await at(exposedEnv, site, '/.env')).toMatchObject({
      result: 'vulnerable',
      reason: '/.env is reachable as /.ENV: it sets DB_PASSWORD.',
    });
  });

  it.each(['/.env.prod', '/api/.env', '/.env.keys'])('sees the file under its usual other name %s', async (name) => {
    expect(await at(exposedEnv, { pages: { [name]: ENV } }, '/.env')).toEqual(
      expect.objectContaining({ result: 'vulnerable', reason: `/.env is reachable as ${name}: it sets DB_PASSWORD.` }),
    );
  });

  it.each([
    ['h3=":443"; ma=86400', true],
    ['h2=":443"', false],
  ])('says whether HTTP/3 was left out where Alt-Svc is %s', async (offer, isNamed) => {
    const { result, reason } = await at(exposedEnv, { headers: { 'alt-svc': offer } }, '/.env');
    expect(result).toBe('refuted');
    expect(reason.includes('HTTP/3, which Alt-Svc offers, was not tested.')).toBe(isNamed);
  });

  it('is inconclusive for a check with more requests than it may repeat', async () => {
    const names = Array.from({ length: 20 }, (_none, index) => `a${index}`);
    const check = checkFromYaml(`id: many
info: { name: Many paths, severity: low }
http:
  - path: ["{{BaseURL}}/{{name}}.txt", "{{BaseURL}}/{{name}}.bak"]
    payloads: { name: [${names.join(', ')}] }
    matchers: [{ type: word, words: ["the secret of this test"] }]`);
    expect(await at(check, {})).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('the check sends 40 requests, too many to repeat each of them'),
    });
  });

  it('sends nothing for a check that may change the target', async () => {
    const check = { ...YAML, mayChangeTarget: true } as Check;
    expect(await at(check, {})).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('the check may change the target, so it is not repeated often enough'),
    });
    expect(testTarget().server.paths).toEqual([]);
  });

  const hidden: Record<string, Reply> = {
    'in base64': { headers: { 'content-type': 'text/plain' }, body: Buffer.from(ENV).toString('base64') },
    'in a text of JSON': { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ file: ENV }) },
    'in a page': { body: `<!doctype html><title>File</title><pre>${ENV}</pre>` },
    'behind a script': { body: '<!doctype html><title>Wait</title><script>location.reload()</script><p>A moment</p>' },
  };
  it.each(Object.entries(hidden))(
    'is inconclusive when a path returns 200 with the content %s',
    async (_how, reply) => {
      expect(await at(exposedEnv, { pages: { '/.env': reply } }, '/.env.local')).toMatchObject({
        result: 'inconclusive',
        reason: expect.stringContaining('/.env returns 200 with another page than missing paths do'),
      });
    },
  );

  it.each([
    ['UTF-16', Buffer.from(ENV, 'utf16le')],
    ['gzip without a Content-Encoding', gzipSync(ENV)],
  ])('is inconclusive when a path returns 200 with bytes in %s', async (_how, bytes) => {
    const setup = siteSetup({}, ({ url = '' }: IncomingMessage, response) => {
      if (url.split('?', 1)[0] !== '/.env') return false;
      response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
        .end(bytes);
      return true;
    });
    expect(await refutation(exposedEnv, setup)).toMatchObject({ result: 'inconclusive' });
  });
});

const everywhere = (reply: Reply): Site => ({ answer: () => reply });
const YAML = checkFromYaml(`id: backup
info: { name: A backup, severity: high }
http: [{ path: ["{{BaseURL}}/backup.txt"], matchers: [{ type: word, words: ["the secret of this test"] }] }]`);
const ERROR: Reply = {
  headers: { 'content-type': 'application/json', ...NOSNIFF },
  body: '{"status":"error","code":1015}',
};
const CHECKING: Reply = {
  headers: NOSNIFF,
  body: '<!doctype html><title>Checking</title><p>Checking your browser</p>',
};

describe('a refutation of a site that answers every path alike', () => {
  it.each<[string, Check, Reply]>([
    ['an error in JSON, for a check of headers', missingNosniff, ERROR],
    ['an error in JSON, for a check of files', exposedGit, ERROR],
    ['an error in JSON, for a template', YAML, ERROR],
    ['a page that checks the browser', missingNosniff, CHECKING],
    ['a page that checks the browser, for a template', YAML, CHECKING],
  ])('is inconclusive: %s', async (_what, check, reply) => {
    expect(await at(check, everywhere(reply))).toMatchObject({ result: 'inconclusive' });
  });

  const shell =
    '<!doctype html><title>The app</title><script type="module" src="/assets/app.js"></script><div id="app"></div>';
  const app = (script: Reply): Site => ({
    answer: ({ url }) => (url === '/assets/app.js' ? script : { headers: NOSNIFF, body: shell }),
  });
  it('is possible when it is an application whose script answers as a script', async () => {
    const script = { headers: { 'content-type': 'text/javascript' }, body: 'start()' };
    expect(await at(missingNosniff, app(script))).toMatchObject({ result: 'refuted' });
    expect(await at(exposedGit, app(script))).toMatchObject({ result: 'refuted' });
  });

  it('is inconclusive when the script of the page is that page again', async () => {
    expect(await at(missingNosniff, app({ headers: NOSNIFF, body: shell }))).toEqual({
      result: 'inconclusive',
      reason: expect.stringContaining('loads no script or style of its site'),
    });
  });
});

it('a refutation of a check of HTML pages is inconclusive where the page is data', async () => {
  const site: Site = { pages: { '/': { headers: { 'content-type': 'application/json' }, body: '{"name":"An API"}' } } };
  expect(await at(missingNosniff, site)).toEqual({
    result: 'inconclusive',
    reason: 'the tested page is not HTML, so nothing shows what its pages are like',
  });
});

describe('a refutation of the listing of a folder', () => {
  const listing = (folder: Site, front: Reply = { body: '<title>Shop</title><p>Welcome to the shop</p>' }) => ({
    ...folder,
    pages: { '/': front, ...folder.pages },
  });
  const refuteListing = (site: Site): Promise<Refutation> =>
    refutation(directoryListing, siteSetup(site), null, '/scans/');

  it('says that anonymous clients do not see the content of a refused folder', async () => {
    const refused = listing({ pages: { '/scans/': { status: 403, body: 'Forbidden' } } });
    expect(await refuteListing(refused)).toEqual({
      result: 'inconclusive',
      reason: 'anonymous clients do not see whether it is there: /scans/ is refused with 403',
    });
  });

  it.each<[string, Site, string]>([
    ['refuted where the folder is missing', listing({}), 'refuted'],
    ['inconclusive where the front page is missing', listing({}, { status: 404, body: 'Nothing' }), 'inconclusive'],
    [
      'inconclusive where the front page asks to sign in',
      listing({}, { body: '<title>Sign in</title><input type="password">' }),
      'inconclusive',
    ],
  ])('is %s', async (_state, site, result) => {
    expect(await refuteListing(site)).toMatchObject({ result });
  });
});

describe('a refutation of what a scanner saw', () => {
  const SEEN: SeenTarget = { server: 'nginx', title: 'The shop', address: '127.0.0.1', isSignedIn: false };
  const withSite = (server: string, title: string): Site => ({
    headers: { server, 'x-frame-options': 'DENY' },
    pages: { '/': { headers: NOSNIFF, body: `<!doctype html><title>${title}</title><h1>${title}</h1><p>Welcome</p>` } },
  });
  const shop = withSite('nginx/1.28', 'The shop');
  const parked: Site = {
    pages: {
      '/': { body: '<title>shop.test</title><h1>This domain is for sale</h1><script src="/parking.js"></script>' },
      '/parking.js': { headers: { 'content-type': 'text/javascript' }, body: 'show()' },
    },
  };
  it.each<[string, Check, Site, Partial<SeenTarget>, string, string]>([
    ['refuted where the server, the title and the address are those', exposedGit, shop, {}, 'refuted', ''],
    [
      'refuted where the file has no response',
      exposedGit,
      shop,
      { server: null, title: null, address: null },
      'refuted',
      '',
    ],
    [
      'refuted at another address of a proxy with many',
      exposedGit,
      withSite('cloudflare', 'The shop'),
      { server: 'cloudflare', address: '192.0.2.7' },
      'refuted',
      '',
    ],
    [
      'inconclusive where a new owner has another server',
      exposedGit,
      withSite('Apache', 'News'),
      {},
      'inconclusive',
      'from the server nginx, and now apache',
    ],
    [
      'inconclusive where a new owner has another address',
      exposedGit,
      shop,
      { address: '192.0.2.7' },
      'inconclusive',
      'saw it at 192.0.2.7, and now the name leads to 127.0.0.1',
    ],
    [
      'inconclusive where another application has the page',
      missingFrameProtection,
      withSite('nginx', 'The forum'),
      {},
      'inconclusive',
      'had the title "The shop"',
    ],
    [
      'inconclusive where the scanner was signed in',
      exposedGit,
      shop,
      { isSignedIn: true },
      'inconclusive',
      'the test is not signed in',
    ],
    [
      'inconclusive where the domain is parked',
      exposedGit,
      parked,
      { server: null, title: null, address: null },
      'inconclusive',
      'parked or for sale',
    ],
  ])('is %s', async (_what, check, site, seen, result, reason) => {
    const refuted = await refutation(check, siteSetup(site), null, '/', { ...SEEN, ...seen });
    expect(refuted).toMatchObject({ result, reason: expect.stringContaining(reason) });
  });
});
