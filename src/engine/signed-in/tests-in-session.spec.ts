import { activeScan } from '../active/active-scan';
import type { ActiveScan } from '../active/active-scan-request';
import { JOB_SUBMISSIONS, Submissions } from '../active/forms/submissions';
import { transportTo } from '../active/testing/injectable-shop';
import { missingNosniff } from '../checks/missing-nosniff';
import { storedXss } from '../checks/stored-xss';
import { openRedirect } from '../checks/open-redirect';
import type { WebCheck } from '../check';
import { detect } from '../detect';
import { retest } from '../retest';
import { scan } from '../scan';
import { calculated, checkWith, page } from '../testing/active-scans';
import { MemoryInventory } from '../testing/memory-inventory';
import { MembersSite, MemoryBook, PASSWORD } from '../testing/members-site';
import { type AccountSession, openSession } from './account-session';

let site: MembersSite;
let book: MemoryBook;
let inventory: MemoryInventory;
const ended: string[] = [];
beforeEach(async () => {
  site = await MembersSite.start();
  book = new MemoryBook();
  inventory = new MemoryInventory();
  ended.length = 0;
});
afterEach(() => site.stop());

const via = { signal: new AbortController().signal };
const otherWww = async (): Promise<null> => null;
const target = (path = '/') => ({ scheme: 'http', host: '127.0.0.1', port: site.port, path }) as const;
const open = (): Promise<AccountSession> =>
  openSession(site.account(), {
    transport: transportTo(site.port),
    via,
    book,
    observer: { endsSession: (request) => void ended.push(request.path) },
  });

const MENU = ['/a?x=1', '/b?x=1', '/kill?y=1', '/logout', '/account/password'];

/** Pages of members whose parameters are weak, with a link that ends the session. */
function weakForMembers(): void {
  site.answer = ({ path, session }) => {
    const url = new URL(path, site.origin);
    if (session === null || url.pathname === '/account') return null;
    if (url.pathname === '/') return page(`${MENU.map((one) => `<a href="${one}">x</a>`).join('')} Sign out`);
    if (url.pathname === '/kill') site.living.clear();
    const csrf = site.issue();
    return page(
      `<input type="hidden" name="csrf" value="${csrf}">${csrf} ${encodeURIComponent(session)} ${calculated(url.searchParams.get('x'))}`,
    );
  };
}

const active = async (
  session?: AccountSession,
  checks: readonly WebCheck[] = [checkWith()],
  submissions?: Submissions,
): Promise<ActiveScan> =>
  activeScan({
    target: target(),
    checks,
    transport: transportTo(site.port),
    via: { ...via, session, submissions },
    otherWww,
    seeds: [],
    inventory,
    limits: { ms: 60_000, requests: 2_000 },
  });

const locations = (): string[] =>
  inventory.results
    .flatMap(({ sighting }) => (sighting === null ? [] : [new URL(sighting.location).pathname]))
    .toSorted();

/** As a database, evidence or a log would keep it. */
function expectNoSecrets(kept: unknown): void {
  const text = JSON.stringify(kept);
  const spellings = [PASSWORD, ...site.issued].flatMap((one) => [
    one,
    encodeURIComponent(one),
    Buffer.from(one).toString('base64').replace(/=+$/, '').slice(0, -1),
  ]);
  expect(spellings.filter((one) => text.includes(one))).toEqual([]);
}

describe('an active scan in a session', () => {
  it('tests the points that only members see, requests nothing that ends the session again, and keeps no secret', async () => {
    weakForMembers();
    const result = await active(await open());
    expect(result).toMatchObject({ end: 'complete', reason: null });
    expect(locations()).toEqual(['/a', '/b']);
    expect(ended).toEqual(['/kill?y=1']);
    expect(site.received.filter(({ path }) => path.startsWith('/logout') || path === '/account/password')).toEqual([]);
    expect(inventory.leftOut.get('GET /account/password')).toMatchObject({
      leftOut: { by: 'word', isAllowable: false },
    });
    expectNoSecrets([inventory.pages, [...inventory.points], inventory.results, [...inventory.leftOut]]);
  });

  it('ends with an error when each session dies during a point, and reports nothing of it', async () => {
    weakForMembers();
    const session = await open();
    const weak = site.answer;
    site.answer = (request) => {
      if (request.path.includes('calculate')) site.living.clear();
      return weak(request);
    };
    const result = await active(session);
    expect(result).toMatchObject({ end: 'unproved', reason: expect.stringContaining('has ended twice') });
    expect(inventory.results).toEqual([]);
  });
});

describe('a standard scan in a session', () => {
  const standard = async (session: AccountSession, covered: string[], check: WebCheck = missingNosniff) =>
    scan({
      target: target('/account'),
      checks: [check],
      transport: transportTo(site.port),
      via: { ...via, session },
      otherWww,
      observer: { planned: () => {}, started: () => {}, covered: ({ outcome }) => void covered.push(outcome) },
    });

  it('tests the page that members see, and notes the account', async () => {
    const covered: string[] = [];
    const { end, sightings } = await standard(await open(), covered);
    expect([end, covered]).toEqual(['complete', ['vulnerable']]);
    expect(sightings[0]?.baseline).toMatchObject({ account: 'account-1', page: { title: 'Account' } });
  });

  it('follows no link that changes the password or closes the account', async () => {
    const paths = ['/account/password', '/account/close', '/email/change', '/orders'];
    site.answer = ({ path, session }) =>
      path !== '/account' || session === null
        ? null
        : page(`Hello alice Sign out ${paths.map((one) => `<a href="${one}">x</a>`).join('')}`);
    const { end } = await standard(await open(), [], openRedirect);
    expect(end).toBe('complete');
    expect(paths.filter((one) => site.received.some(({ path }) => path === one))).toEqual(['/orders']);
  });

  it('reports nothing, and ends with an error, when the session dies after each check', async () => {
    const covered: string[] = [];
    const session = await open();
    site.livesFor = 3;
    const { end, sightings } = await standard(session, covered);
    expect([end, sightings, covered]).toEqual(['unproved', [], ['inconclusive']]);
  });
});

describe('a retest in a session', () => {
  const policy = { probes: 2, spreadMs: 0 };
  const again = async (before: Awaited<ReturnType<typeof detect>>, session?: AccountSession) =>
    retest(
      missingNosniff,
      target('/account'),
      before?.baseline ?? null,
      transportTo(site.port),
      { ...via, session },
      otherWww,
      policy,
    );
  const fix = (): void => {
    site.answer = ({ path, session }) =>
      path.split('?', 1)[0] !== '/account' || session === null
        ? null
        : {
            headers: { 'x-content-type-options': 'nosniff' },
            body: page('<p>Hello alice</p><a href="/logout">Sign out</a>'),
          };
  };

  it('shows no secret in the probes that it reports while it runs', async () => {
    const session = await open();
    const quoting: WebCheck = {
      ...missingNosniff,
      observe: async (given) => ({
        ...(await missingNosniff.observe(given)),
        detail: `the page says ${given.page.text} ${site.issued.at(-1)}`,
      }),
    };
    const before = await detect(quoting, target('/account'), transportTo(site.port), { ...via, session });
    const reported: unknown[] = [];
    const onProbe = (probe: unknown): void => void reported.push(probe);
    const through = [transportTo(site.port), { ...via, session }, otherWww, { ...policy, onProbe }] as const;
    await retest(quoting, target('/account'), before?.baseline ?? null, ...through);
    expect(JSON.stringify(reported)).toContain('the page says');
    expectNoSecrets(reported);
  });

  it('is fixed for the account that saw the weakness, while its session is proved', async () => {
    const session = await open();
    const before = await detect(missingNosniff, target('/account'), transportTo(site.port), { ...via, session });
    fix();
    const { verdict, probes } = await again(before, session);
    expect(verdict).toMatchObject({ result: 'fixed' });
    expect(site.received.at(-1)).toMatchObject({ path: '/account', session: expect.any(String) });
    expectNoSecrets([verdict, probes]);
  });

  it.each<[string, (session: AccountSession) => AccountSession | undefined, RegExp]>([
    ['nobody', () => undefined, /must be tested in one of that account/],
    [
      'an account whose session dies each time',
      (session) => {
        site.livesFor = 4;
        return session;
      },
      /was not tested in a proved session, because .* has ended twice/,
    ],
  ])('is inconclusive as %s', async (_what, as, reason) => {
    const session = await open();
    const before = await detect(missingNosniff, target('/account'), transportTo(site.port), { ...via, session });
    expect(before?.baseline).toMatchObject({ account: 'account-1' });
    fix();
    const { verdict } = await again(before, as(session));
    expect(verdict).toMatchObject({ result: 'inconclusive', reason: expect.stringMatching(reason) });
  });
});

/** Members write with a form; `readers` says who is given what they wrote. */
function guestbook(readers: 'everyone' | 'members'): void {
  const entries: string[] = [];
  site.answer = ({ method, path, body, session }) => {
    const { pathname } = new URL(path, site.origin);
    if (pathname === '/book' && (readers === 'everyone' || session !== null))
      return page(entries.slice(-9).join('<br>'));
    if (session === null) return null;
    if (pathname === '/')
      return page('<a href="/book">Book</a><form method="post" action="/sign"><input name="text"></form> Sign out');
    if (method !== 'POST' || pathname !== '/sign') return null;
    entries.push(new URLSearchParams(body).get('text') ?? '');
    return { status: 302, headers: { location: '/book' } };
  };
}

it.each([
  ['finds stored XSS that visitors without a session read', 'everyone', ['/sign']],
  ['does not take what only the session reads for stored XSS', 'members', []],
] as const)('%s', async (_what, readers, found) => {
  guestbook(readers);
  const submissions = new Submissions({ limits: JOB_SUBMISSIONS, refusal: () => null });
  expect(await active(await open(), [storedXss], submissions)).toMatchObject({ end: 'complete' });
  expect(submissions.list.some((one) => one.submissions > 3)).toBe(true);
  expect(locations()).toEqual(found);
  const reasons = inventory.results.map(({ coverage }) => coverage.reason);
  if (readers === 'members') expect(reasons).toContainEqual(expect.stringContaining('without a session'));
});
