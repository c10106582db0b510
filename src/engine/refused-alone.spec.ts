import { randomBytes, randomUUID } from 'node:crypto';
import { exposedEnv } from './checks/exposed-env';
import { withConfirmedRefusal } from './retest';
import { said, siteTests } from './testing/site-tests';
import { MISSING, type Reply, type Site } from './testing/target-server';
import { siteSetup } from './testing/target-states';
import type { Refusal } from './refusal';
import type { Retested } from './retest';

const { baselineOf, retest, paths } = siteTests();

const ENV: Site = {
  pages: { '/.env': { headers: { 'content-type': 'text/plain' }, body: 'DB_PASSWORD=hush\nA=b\n' } },
};
const FORBIDDEN: Reply = { status: 403, body: '<h1>Forbidden</h1>' };

/** A site that answers this path with this reply, whatever its query. */
const refusing = (reply: Reply, more: Site = {}): Site => ({ ...more, pages: { ...more.pages, '/.env': reply } });

const at = async (site: Site, rules = {}): Promise<Retested> =>
  retest(exposedEnv, await baselineOf(exposedEnv, ENV), () => siteSetup(site), '/', rules);

async function refusalAt(site: Site): Promise<Refusal> {
  const { verdict } = await at(site);
  if (verdict.refusal === undefined) throw new Error(`${verdict.result}: ${verdict.reason}`);
  return verdict.refusal;
}

describe('a file that is refused alone', () => {
  it('is blocked, and the reason says how often, when, and what its twin got', async () => {
    const { verdict } = await at(refusing(FORBIDDEN));
    expect(verdict).toEqual({
      result: 'blocked',
      reason: expect.stringMatching(
        /^16 of 16 requests to \/\.env got 403 at \d\d:\d\d UTC, and \/\.env-nothing-[\da-f]{12} beside it got 404: .* does not show that the weakness is gone$/,
      ),
      refusal: expect.objectContaining({ path: 'GET /.env', status: 403, twinStatus: 404, isOwn: true }),
    });
    expect(verdict.refusal?.twin).toMatch(/^GET \/\.env-nothing-/);
    expect(paths().filter((path) => path.startsWith('/.env-nothing-')).length).toBeLessThanOrEqual(4);
  });

  it('keeps its refusal once in the probes', async () => {
    const { probes } = await at(refusing(FORBIDDEN));
    const blocked = probes.flatMap(({ observation }) => (observation.state === 'blocked' ? [observation] : []));
    expect(blocked.length).toBeGreaterThanOrEqual(16);
    expect(blocked.filter(({ refusal }) => refusal !== undefined)).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['403 of another server', { status: 403, headers: { server: 'edge' }, body: 'no' }],
    ['a firewall', { status: 403, body: 'Sorry, you have been blocked' }],
    ['a limit', { status: 429, body: 'slow down' }],
    ['a failure', { status: 503, body: 'back soon' }],
    ['a login', { status: 302, headers: { location: '/login' } }],
    ['a time to come back', { ...FORBIDDEN, headers: { 'retry-after': '60' } }],
  ])('is not refused by the site itself: %s', async (_what, reply) => {
    expect(await refusalAt(refusing(reply))).toMatchObject({ isOwn: false });
  });

  it('is fixed where everything like it is refused too', async () => {
    const answer: Site['answer'] = ({ url = '' }) => (url.startsWith('/.') ? FORBIDDEN : null);
    expect(said(await at({ answer }))).toMatch(/^fixed: 16 of 16 requests to \/\.env got 403 at /);
  });

  it('is inconclusive where what refuses everything like it may be the edge', async () => {
    const edge = { headers: { server: 'cloudflare' } };
    const answer: Site['answer'] = ({ url = '' }) => (url.startsWith('/.') ? FORBIDDEN : null);
    const before = await baselineOf(exposedEnv, { ...ENV, ...edge });
    expect(said(await retest(exposedEnv, before, () => siteSetup({ ...edge, answer })))).toBe(
      'inconclusive: /.env returns 403, but nothing shows that the response comes from the target',
    );
  });

  it('is inconclusive where everything like it is redirected, which the reason names', async () => {
    const home: Reply = { status: 301, headers: { location: '/' } };
    const answer: Site['answer'] = ({ url = '' }) => (url.startsWith('/.') ? home : null);
    expect(said(await at({ answer }))).toMatch(/^inconclusive: \/\.env redirects to \S+\/, but missing paths do not/);
  });

  it('is inconclusive where the name beside it is limited', async () => {
    const answer: Site['answer'] = ({ url = '' }) =>
      url.startsWith('/.env-') ? { status: 429, body: 'slow down' } : url.startsWith('/.env') ? FORBIDDEN : null;
    expect(said(await at({ answer }))).toMatch(
      /^inconclusive: \/\.env-nothing-\S+ beside it: it limits the request rate/,
    );
  });

  it('is fixed by a setting if the site itself refuses it, and only then', async () => {
    const rules = { refusalsCountAsFixed: true };
    expect((await at(refusing(FORBIDDEN), rules)).verdict).toMatchObject({ result: 'fixed', byRefusal: 'setting' });
    const limited = refusing({ status: 429, body: 'slow down' });
    expect((await at(limited, rules)).verdict).toMatchObject({
      result: 'blocked',
      reason: expect.stringContaining('The organization counts only refusals of the site itself as fixed'),
    });
    expect((await at(limited)).verdict.reason).not.toContain('The organization counts');
  });
});

const usual = MISSING.body ?? '';

/** A 404 whose text or headers say that it does not mean "not found". */
const LIMITED: Readonly<Record<string, Reply>> = {
  'an outage': { status: 404, body: '<h1>Service Unavailable</h1><p>The shop is not available right now.</p>' },
  'a limit': { status: 404, body: 'Too many requests. Slow down.' },
  maintenance: { status: 404, body: '<p>We are doing maintenance. Back at 5 pm.</p>' },
  'a proxy': { status: 404, body: 'upstream connect error or disconnect/reset before headers. reset reason: overflow' },
  'a time to come back': { status: 404, headers: { 'retry-after': '60' }, body: usual },
  'a used-up limit': { status: 404, headers: { 'x-ratelimit-remaining': '0' }, body: usual },
  'another country': { status: 403, body: '<p>This content is not available in your country</p>' },
};

describe('an error that says it is none of the path', () => {
  it.each(Object.entries(LIMITED))('is a refusal of something else, on the path alone: %s', async (_what, reply) => {
    expect(await refusalAt(refusing(reply))).toMatchObject({ isOwn: false, twinStatus: 404 });
  });

  it.each(Object.entries(LIMITED))('is inconclusive where every missing path gets it: %s', async (_what, reply) => {
    const before = await baselineOf(exposedEnv, {
      ...ENV,
      answer: ({ url }) => (url === '/' || url === '/.env' ? null : reply),
    });
    const { verdict } = await retest(exposedEnv, before, () =>
      siteSetup({ answer: ({ url }) => (url === '/' ? null : reply) }),
    );
    expect(verdict.result).toBe('inconclusive');
  });

  it('is no page of a site that has such words among others', async () => {
    const body = `${usual}<nav><a href="/help">Rate limits</a></nav><p>Too many requests? Ask us.</p>`;
    expect(said(await at({ answer: ({ url = '' }) => (url === '/' ? null : { status: 404, body }) }))).toMatch(
      /^(?:fixed|inconclusive: .* has changed)/,
    );
  });
});

const SECRET = Buffer.from('DB_PASSWORD=hush-hush-hush\nA=b\n');
const each = (write: (code: number) => string): string => [...SECRET].map(write).join('');

const HELD: Readonly<Record<string, string>> = {
  'in base64': SECRET.toString('base64'),
  'in hexadecimal digits': SECRET.toString('hex'),
  'as entities': each((code) => `&#${code};`),
  'in the address of a link': `<a href="data:,${each((code) => `%${code.toString(16)}`)}">x</a>`,
  'as it is': SECRET.toString(),
};

describe('a page for missing paths', () => {
  const missing = (more: (path: string) => string): Site => ({
    answer: ({ url = '' }) =>
      url === '/' ? null : { ...MISSING, body: `${usual}${more(url.split('?', 1)[0] ?? '')}` },
  });

  it.each(Object.entries(HELD))('refutes nothing where it holds the file %s', async (_how, held) => {
    expect(said(await at(missing((path) => (path === '/.env' ? `<p>${held}</p>` : ''))))).toMatch(
      /^inconclusive: \/\.env gets 404 with a text that missing paths beside it do not get/,
    );
  });

  it('refutes nothing where it holds the file among nonces', async () => {
    const id = (): string => `<p>Request ${randomUUID()}</p>`;
    const site = missing((path) => `${id()}${path === '/.env' ? `<!--${HELD['in base64'] ?? ''}-->` : ''}`);
    expect(said(await at(site))).toMatch(/^inconclusive: \/\.env gets 404 with a text/);
  });

  let turn = 0;
  const QUOTES = ['All is well that ends well, they say here', 'Who seeks shall find something else instead'];

  it.each<[string, (path: string) => string]>([
    ['the path', (path) => `<p>${path}</p><a href="/login?next=${encodeURIComponent(path)}">in</a>${path.slice(1)}`],
    ['an id of the request', () => `<p>Request ${randomUUID()}</p>`],
    ['a time', () => `<p>${new Date().toISOString()}, in ${Math.random()} ms</p>`],
    [
      'nonces of several lengths',
      () => `<script nonce="${randomBytes(16 + (((turn += 1) * 7) % 24)).toString('base64')}"></script>`,
    ],
    ['other words each time', () => `<p>${QUOTES[(turn += 1) % 2] ?? ''} ${randomBytes(20).toString('base64')}</p>`],
  ])('refutes where it holds %s', async (_what, more) => {
    expect(said(await at(missing(more)))).toMatch(/^fixed: /);
  });
});

describe('a confirmed refusal', () => {
  async function later(site: Site, confirmed: Site = refusing(FORBIDDEN)): Promise<Retested['verdict']> {
    const before = await baselineOf(exposedEnv, ENV);
    const by = { by: 7, at: '2026-11-28T10:42:00.000Z' };
    const stored = withConfirmedRefusal(before, await refusalAt(confirmed), by);
    return (await retest(exposedEnv, JSON.parse(JSON.stringify(stored)), () => siteSetup(site))).verdict;
  }

  it('is fixed, and says who has confirmed it', async () => {
    expect(await later(refusing(FORBIDDEN))).toEqual({
      result: 'fixed',
      reason: expect.stringContaining('user 7 confirmed at 2026-11-28T10:42:00.000Z that this refusal is the fix'),
      byRefusal: 'confirmed',
    });
  });

  it.each<[string, Site]>([
    [
      'the page of the refusal is another one',
      refusing({ status: 403, body: '<p>Your activity is suspicious today</p>' }),
    ],
    ['the status is another one', refusing({ ...FORBIDDEN, status: 404 })],
    [
      'the name beside it is answered otherwise',
      refusing(FORBIDDEN, {
        answer: ({ url = '' }) => (url.startsWith('/.env-') ? { ...MISSING, status: 410 } : null),
      }),
    ],
  ])('is blocked again where %s', async (_what, site) => {
    expect(await later(site)).toMatchObject({ result: 'blocked' });
  });

  it('hides no weakness that is there again', async () => {
    expect(await later(ENV)).toMatchObject({ result: 'still_vulnerable' });
  });
});
