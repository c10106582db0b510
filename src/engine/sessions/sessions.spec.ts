import { transportTo } from '../active/testing/injectable-shop';
import type { SessionBaseline } from '../baseline';
import { CHECKS } from '../checks';
import type { Retested } from '../retest';
import { CHECK_OF_SESSION, type SessionKind } from '../session-record';
import { openSession, type AccountSession } from '../signed-in/account-session';
import { MemoryBook } from '../testing/members-site';
import { SessionSite } from '../testing/session-site';
import { SOUND, type SessionTraits } from '../testing/session-traits';
import { retestSession } from './retest-session';
import { scanSession } from './scan-session';

type SessionScan = Awaited<ReturnType<typeof scanSession>>;

let site: SessionSite;
let book: MemoryBook;
beforeEach(async () => {
  site = await SessionSite.start();
  book = new MemoryBook();
});
afterEach(() => site.stop());

const via = { signal: new AbortController().signal };
const checks = CHECKS.filter(({ id }) => Object.values(CHECK_OF_SESSION).includes(id));
const isAllowed = (path: string): boolean => !path.startsWith('/delete');

const PAUSE_MS = 20;
const open = (): Promise<AccountSession> =>
  openSession(site.account(), { transport: transportTo(site.port), via, book, checkedAfter: 5 });

async function scanned(traits: Partial<SessionTraits>, writeRefusal: string | null = null): Promise<SessionScan> {
  site.traits = { ...SOUND, ...traits };
  return scanSession({
    target: { scheme: 'http', host: '127.0.0.1', port: site.port, path: '/shop' },
    checks,
    session: await open(),
    paths: ['/news'],
    isAllowed,
    pauseMs: PAUSE_MS,
    writeRefusal: () => writeRefusal,
  });
}

const outcomesOf = ({ coverage }: SessionScan): Record<string, string> =>
  Object.fromEntries(coverage.map(({ check, outcome }) => [check, outcome]));

const outcome = async (kind: SessionKind, traits: Partial<SessionTraits>): Promise<readonly [string, string]> => {
  const { coverage } = await scanned(traits);
  const found = coverage.find(({ check }) => check === CHECK_OF_SESSION[kind]);
  return [found?.outcome ?? '', found?.reason ?? ''];
};

const HEADER = { session: 'jwt in a header' } as const;
const COOKIE = { session: 'jwt in a cookie' } as const;

it('finds nothing in a sound application', async () => {
  expect(outcomesOf(await scanned({}))).toEqual({
    'unverified-jwt': 'not_applicable',
    'session-id-in-url': 'not_vulnerable',
    'session-fixation': 'not_vulnerable',
    'session-after-sign-out': 'not_vulnerable',
  });
  expect(outcomesOf(await scanned(HEADER))).toMatchObject({ 'unverified-jwt': 'not_vulnerable' });
  expect(outcomesOf(await scanned(COOKIE))).toMatchObject({ 'unverified-jwt': 'not_vulnerable' });
});

it.each<[SessionKind, Partial<SessionTraits>]>([
  ['token', { ...HEADER, accepts: 'alg none' }],
  ['token', { ...HEADER, accepts: 'alg NONE' }],
  ['token', { ...HEADER, accepts: 'no signature' }],
  ['token', { ...HEADER, accepts: 'any signature' }],
  ['token', { ...HEADER, accepts: 'any signature', noise: 'other pages' }],
  ['token', { ...COOKIE, accepts: 'alg none' }],
  ['token', { ...COOKIE, accepts: 'any signature' }],
  ['url', { takesIdFromUrl: 'query' }],
  ['url', { takesIdFromUrl: 'path' }],
  ['fixation', { renews: 'no' }],
  ['fixation', { renews: 'adopts' }],
  ['fixation', { renews: 'adopts', startsSession: 'at the sign-in' }],
  ['sign_out', { signOut: 'clears the cookie' }],
  ['sign_out', { signOut: 'clears the cookie', signOutBy: 'form' }],
  ['sign_out', { ...COOKIE }],
  ['sign_out', { signOut: 'clears the cookie', noise: 'renews on each page' }],
  ['url', { takesIdFromUrl: 'redirect' }],
])('finds the planted weakness (%s) of %j', async (kind, traits) => {
  const { sightings } = await scanned(traits);
  expect(sightings.map(({ check }) => check)).toContain(CHECK_OF_SESSION[kind]);
});

it.each<[SessionKind, Partial<SessionTraits>, string, RegExp]>([
  ['token', { noise: 'csrf token', accepts: 'any signature' }, 'not_applicable', /its JWT alone opens nothing/],
  ['token', { noise: 'encrypted token' }, 'not_applicable', /no request of the session has a signed JWT/],
  ['token', { ...HEADER, accepts: 'any token' }, 'inconclusive', /what is made up is taken as well/],
  ['token', { ...COOKIE, accepts: 'alg none', noise: 'firewall' }, 'blocked', /refused otherwise than a made-up one/],
  ['token', { ...COOKIE, noise: 'fails' }, 'not_vulnerable', /like a made-up one/],
  ['token', { ...HEADER, noise: 'one node' }, 'not_vulnerable', /like a made-up one/],
  ['token', { ...HEADER, noise: 'other pages' }, 'not_vulnerable', /like a made-up one/],
  ['token', { ...COOKIE, noise: 'guest pages' }, 'inconclusive', /has the sign of a session, but is not its page/],
  ['url', HEADER, 'not_applicable', /no single cookie/],
  ['fixation', HEADER, 'not_applicable', /no single cookie/],
  ['fixation', { startsSession: 'at the sign-in' }, 'not_vulnerable', /like a made-up one/],
  ['sign_out', { signOutBy: 'form' }, 'not_vulnerable', /like a made-up one/],
  ['sign_out', { noise: 'one session' }, 'not_vulnerable', /like a made-up one/],
  ['sign_out', { noise: 'one session', signOut: 'clears the cookie' }, 'inconclusive', /until the next sign-in/],
  ['sign_out', { noise: 'one session, then busy', signOut: 'clears the cookie' }, 'inconclusive', /after the sign-out/],
  ['sign_out', { signOut: 'ends late' }, 'not_vulnerable', /like a made-up one/],
  ['sign_out', { signOut: 'ends all' }, 'not_vulnerable', /like a made-up one/],
  ['sign_out', { signOut: 'does nothing' }, 'not_applicable', /\/logout did not sign out/],
  ['sign_out', { signOutBy: 'script' }, 'not_applicable', /no link and no form that signs out/],
])('is not misled (%s) by %j', async (kind, traits, expected, reason) => {
  const [found, because] = await outcome(kind, traits);
  expect([found, because]).toEqual([expected, expect.stringMatching(reason)]);
});

it('takes the page that a cache gives to everyone for nothing', async () => {
  site.traits = { ...SOUND, ...HEADER, accepts: 'any signature' };
  const session = await open();
  site.traits = { ...site.traits, noise: 'cache' };
  const target = { scheme: 'http', host: '127.0.0.1', port: site.port, path: '/' } as const;
  const { sightings, coverage } = await scanSession({
    target,
    checks,
    session,
    paths: [],
    isAllowed,
    writeRefusal: () => null,
  });
  expect(sightings).toEqual([]);
  expect(coverage[0]).toMatchObject({ outcome: 'inconclusive', reason: 'a visitor without a session gets the same' });
});

it('is incomplete for what opens once and not again', async () => {
  let taken = 0;
  site.asked = (url) => {
    if (!site.issued.some((id) => url.includes(`?sid=${id}`))) return;
    taken += 1;
    if (taken === 2) site.traits = SOUND;
  };
  const { sightings, coverage } = await scanned({ takesIdFromUrl: 'query' });
  expect(sightings).toEqual([]);
  expect(coverage[1]).toMatchObject({ outcome: 'inconclusive', reason: expect.stringMatching(/opens/) });
});

it('signs in once and never out without the consent to full tests', async () => {
  const scan = await scanned({ renews: 'no', signOut: 'clears the cookie' }, 'No consent.');
  expect(outcomesOf(scan)).toMatchObject({
    'session-fixation': 'not_applicable',
    'session-after-sign-out': 'not_applicable',
  });
  expect(book.begun).toBe(1);
  expect(site.received.filter((one) => one.includes('/logout'))).toEqual([]);
});

it('is incomplete for a check that the job names, where it cannot run', async () => {
  site.traits = { ...SOUND, signOutBy: 'script' };
  const target = { scheme: 'http', host: '127.0.0.1', port: site.port, path: '/' } as const;
  const request = { target, checks, session: await open(), paths: [], isAllowed, writeRefusal: () => null };
  const { coverage } = await scanSession({ ...request, selected: ['session-after-sign-out', 'unverified-jwt'] });
  expect(coverage.map(({ outcome: one }) => one)).toEqual([
    'not_applicable',
    'not_vulnerable',
    'not_vulnerable',
    'inconclusive',
  ]);
});

it('signs out only where it may, and requests nothing that deletes', async () => {
  site.traits = { ...SOUND, signOut: 'clears the cookie' };
  const target = { scheme: 'http', host: '127.0.0.1', port: site.port, path: '/' } as const;
  const request = { target, checks, session: await open(), paths: ['/news'], writeRefusal: () => null };
  const { coverage } = await scanSession({ ...request, isAllowed: (path) => path !== '/logout' });
  expect(coverage.at(-1)).toMatchObject({ check: 'session-after-sign-out', outcome: 'not_applicable' });
  expect(site.received.filter((one) => /logout|delete/.test(one))).toEqual([]);
});

it('needs a proof at the tested origin and in scope', async () => {
  site.traits = SOUND;
  const target = { scheme: 'http', host: '127.0.0.1', port: site.port, path: '/' } as const;
  const request = { checks, session: await open(), paths: [], isAllowed, writeRefusal: () => null };
  const elsewhere = await scanSession({ ...request, target: { ...target, host: 'other.test' } });
  expect(new Set(elsewhere.coverage.map(({ reason }) => reason))).toEqual(
    new Set(['the proof of the account is at another origin, or out of scope']),
  );
  const outside = await scanSession({ ...request, target, isAllowed: () => false });
  expect(new Set(outside.coverage.map(({ reason }) => reason))).toEqual(
    new Set(['the proof of the account is at another origin, or out of scope']),
  );
});

it('stops at a failed sign-in, so that it does not stop the account', async () => {
  book.most = 1;
  const { coverage } = await scanned({});
  expect(coverage.slice(-2)).toMatchObject([
    { outcome: 'inconclusive', reason: expect.stringMatching(/a further sign-in was not possible: .*60 times/) },
    { outcome: 'inconclusive' },
  ]);
});

it('keeps no token and no id of a session, and asks a bounded number of requests', async () => {
  for (const traits of [
    { ...COOKIE, accepts: 'any signature' },
    { ...HEADER, accepts: 'alg none' },
    { takesIdFromUrl: 'query', renews: 'no', signOut: 'clears the cookie' },
  ] as const) {
    site.received.length = 0;
    const scan = JSON.stringify(await scanned(traits));
    for (const secret of site.issued) expect(scan).not.toContain(secret);
    expect(scan).not.toMatch(/eyJ/);
    expect(site.received.length).toBeLessThan(130);
  }
});

/** What a scan of the weak application keeps, and a retest of the changed one. */
async function retested(
  kind: SessionKind,
  weak: Partial<SessionTraits>,
  change: () => void,
): Promise<Retested & { before: SessionBaseline }> {
  const { sightings } = await scanned(weak);
  const before = sightings.find(({ check }) => check === CHECK_OF_SESSION[kind])?.baseline;
  if (before?.on !== 'session') throw new Error('nothing was found');
  const session = await open();
  change();
  return { ...(await retestSession({ session, before, isAllowed, pauseMs: PAUSE_MS })), before };
}

const now = (traits: Partial<SessionTraits>) => (): void => void (site.traits = { ...SOUND, ...traits });

const WEAK: Readonly<Record<SessionKind, Partial<SessionTraits>>> = {
  token: { ...HEADER, accepts: 'alg none' },
  url: { takesIdFromUrl: 'query' },
  fixation: { renews: 'no' },
  sign_out: { signOut: 'clears the cookie' },
};

it.each<[SessionKind, string, Partial<SessionTraits>, string, RegExp]>([
  ['token', 'is as it was', WEAK.token, 'still_vulnerable', /alg none.* opened what only a signed-in user sees/],
  ['token', 'is repaired', HEADER, 'fixed', /in 6 of 6 turns/],
  ['token', 'is repaired for one spelling', { ...HEADER, accepts: 'alg NONE' }, 'still_vulnerable', /opened/],
  ['token', 'takes any signature', { ...HEADER, accepts: 'any signature' }, 'still_vulnerable', /opened/],
  ['token', 'takes anything', { ...HEADER, accepts: 'any token' }, 'inconclusive', /made up is taken/],
  ['token', 'is behind a filter', { ...WEAK.token, noise: 'firewall' }, 'blocked', /A filter may refuse/],
  ['token', 'is behind a cache', { ...HEADER, noise: 'cache' }, 'inconclusive', /without a session gets the same/],
  ['url', 'is as it was', WEAK.url, 'still_vulnerable', /in the query/],
  ['url', 'is repaired', {}, 'fixed', /in 6 of 6 turns/],
  ['url', 'takes the id elsewhere in the URL', { takesIdFromUrl: 'path' }, 'still_vulnerable', /opened/],
  ['url', 'moves the id to a cookie', { takesIdFromUrl: 'redirect' }, 'still_vulnerable', /opened/],
  ['fixation', 'is as it was', WEAK.fixation, 'still_vulnerable', /from before the sign-in/],
  ['fixation', 'is repaired', {}, 'fixed', /in 6 of 6 turns/],
  ['fixation', 'begins sessions at the sign-in', { startsSession: 'at the sign-in' }, 'fixed', /in 6 of 6/],
  [
    'fixation',
    'begins sessions at the sign-in, with any id',
    { startsSession: 'at the sign-in', renews: 'adopts' },
    'still_vulnerable',
    /opened/,
  ],
  ['sign_out', 'is as it was', WEAK.sign_out, 'still_vulnerable', /a session that was signed out/],
  ['sign_out', 'is repaired', {}, 'fixed', /in 6 of 6 turns/],
  ['sign_out', 'ends all sessions', { signOut: 'ends all' }, 'fixed', /in 6 of 6 turns/],
  ['sign_out', 'signs out by a script', { signOutBy: 'script' }, 'inconclusive', /no link and no form/],
  ['sign_out', 'does nothing at the sign-out', { signOut: 'does nothing' }, 'inconclusive', /did not sign out/],
])('a retest (%s) of an application that %s', async (kind, _what, traits, result, reason) => {
  const { verdict, probes, baseline, before } = await retested(kind, WEAK[kind], now(traits));
  expect([verdict.result, verdict.reason]).toEqual([result, expect.stringMatching(reason)]);
  expect(baseline).toEqual(result === 'still_vulnerable' ? before : null);
  const kept = JSON.stringify(probes);
  for (const secret of site.issued) expect(kept).not.toContain(secret);
  expect(kept).not.toMatch(/eyJ/);
});

it('a retest says nothing if the session has no JWT any more', async () => {
  const { verdict } = await retested('token', { ...COOKIE, accepts: 'alg none' }, now({}));
  expect(verdict).toMatchObject({ result: 'inconclusive' });
});

it('a retest says nothing if its sign-ins fail', async () => {
  const { verdict } = await retested('fixation', WEAK.fixation, () => void (book.most = book.begun));
  expect(verdict).toMatchObject({ result: 'inconclusive', reason: expect.stringContaining('60 times') });
});
