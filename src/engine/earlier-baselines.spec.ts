import type { Baseline } from './baseline';
import type { Check } from './check';
import { checkById } from './checks';
import { certificate } from './testing/certificate';
import { earlierBaselines } from './testing/earlier-baselines';
import { SeededRandom } from './testing/seeded-random';
import { serviceSetup, siteSetup, zoneSetup } from './testing/target-states';
import { HOST, sharedTestTarget, type TargetSetup } from './testing/test-target';
import { type Verdict, verify } from './verdict';

const testTarget = sharedTestTarget();

const HOME = `<!doctype html><title>Bakery</title><body class="home"><nav class="menu"><a href="/about">About</a><a href="/prices">Prices</a><a href="/logout">x</a></nav><h1 class="title">Bread every day</h1></body>`;
const GERMAN = `<!doctype html><title>Bäckerei</title><body class="start"><h2 class="titel">Jeden Tag frisches Brot</h2></body>`;
const NEW_HOME =
  '<!doctype html><title>Summer</title><main class="hero"><h2>Ice cream, until September only</h2></main>';
const LEAK = { '/.git/HEAD': 'ref: refs/heads/main\n' };
const LISTING = '<title>Index of /uploads/</title><a href="../">../</a><a href="dump.sql">dump.sql</a>';
const DAY = 86_400_000;
const certificateUntil = (ms: number) =>
  certificate({ names: [HOST], from: new Date(Date.now() - 400 * DAY), until: new Date(Date.now() + ms) });
const isBrowsers = ({ url, headers }: { url?: string; headers: { 'accept-language'?: string } }): boolean =>
  url?.split('?', 1)[0] === '/' && headers['accept-language'] !== undefined;
const german = {
  answer: (request: Parameters<typeof isBrowsers>[0]) => (isBrowsers(request) ? { body: GERMAN } : null),
};
const memcached = (text: string): TargetSetup =>
  serviceSetup((socket) => void socket.on('data', (data) => socket.write(data[0] === 0x80 ? 'ERROR\r\n' : text)));

interface Kind {
  readonly check: string;
  readonly scheme: 'http' | 'https' | 'dns' | 'tcp';
  readonly vulnerable: TargetSetup;
  readonly fixed: TargetSetup;
  /** The target when another site is in its place, or nothing. */
  readonly changed: TargetSetup;
}

const KINDS: Readonly<Record<keyof typeof earlierBaselines, Kind>> = {
  page: {
    check: 'missing-nosniff',
    scheme: 'http',
    vulnerable: siteSetup({ pages: { '/': HOME } }),
    fixed: siteSetup({ pages: { '/': HOME }, headers: { 'x-content-type-options': 'nosniff' } }),
    changed: siteSetup({ pages: { '/': NEW_HOME }, headers: { 'x-content-type-options': 'nosniff' } }),
  },
  request: {
    check: 'exposed-git',
    scheme: 'https',
    vulnerable: siteSetup({ pages: { '/': HOME, ...LEAK } }),
    fixed: siteSetup({ pages: { '/': HOME } }),
    changed: siteSetup({ pages: { '/': NEW_HOME } }),
  },
  browser: {
    check: 'exposed-git',
    scheme: 'https',
    vulnerable: siteSetup({ pages: { '/': HOME, ...LEAK }, ...german }),
    fixed: siteSetup({ pages: { '/': HOME }, ...german }),
    changed: siteSetup({ pages: { '/': NEW_HOME }, ...german }),
  },
  alive: {
    check: 'directory-listing',
    scheme: 'http',
    vulnerable: siteSetup({ pages: { '/': HOME, '/uploads/': LISTING } }),
    fixed: siteSetup({ pages: { '/': HOME } }),
    changed: siteSetup({ pages: { '/': NEW_HOME } }),
  },
  certificate: {
    check: 'expired-certificate',
    scheme: 'https',
    vulnerable: siteSetup({ pages: { '/': HOME }, tls: certificateUntil(-DAY) }),
    fixed: siteSetup({ pages: { '/': HOME }, tls: certificateUntil(90 * DAY) }),
    changed: siteSetup({ pages: { '/': NEW_HOME }, tls: certificateUntil(90 * DAY) }),
  },
  zone: {
    check: 'missing-spf',
    scheme: 'dns',
    vulnerable: zoneSetup({}),
    fixed: zoneSetup({ [HOST]: { TXT: ['v=spf1 -all'] } }),
    changed: zoneSetup({ [HOST]: { TXT: ['v=spf1 -all'], SOA: ['ns.other.test hostmaster.other.test 1'] } }),
  },
  conversation: {
    check: 'open-memcached',
    scheme: 'tcp',
    vulnerable: memcached('VERSION 1.6.18\r\n'),
    fixed: memcached('CLIENT_ERROR unauthenticated\r\n'),
    changed: memcached('-ERR upstream failure\r\n'),
  },
};

async function retest({ check: id, scheme }: Kind, before: unknown, setup: TargetSetup): Promise<Verdict['result']> {
  const check = checkById(id) as Check;
  const port = scheme === 'dns' ? 53 : testTarget().server.port;
  const random = new SeededRandom(3);
  const policy = { probes: 3, spreadMs: 4, randomBelow: (limit: number) => random.below(limit) };
  const target = { scheme, host: HOST, port, path: '/' };
  const { signal } = new AbortController();
  const transport = testTarget().transport(4_000, () => setup);
  const { verdict } = await verify(check, target, before as Baseline, transport, { signal }, async () => null, policy);
  return verdict.result;
}

describe.each(Object.entries(KINDS))('a baseline of an earlier version (%s)', (name, kind) => {
  const before = Object.entries(earlierBaselines).find(([one]) => one === name)?.[1];

  it('shows that the weakness is still there', async () => {
    expect(await retest(kind, before, kind.vulnerable)).toBe('still_vulnerable');
  });

  it('shows that the weakness is fixed', async () => {
    expect(await retest(kind, before, kind.fixed)).toBe('fixed');
  });

  it('shows that another target answers', async () => {
    expect(await retest(kind, before, kind.changed)).toBe('inconclusive');
  });
});
