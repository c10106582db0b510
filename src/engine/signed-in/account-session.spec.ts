import { transportTo } from '../active/testing/injectable-shop';
import { ExchangeFailed } from '../transport/exchange';
import type { ViaSession } from '../transport/via-session';
import { MembersSite, MemoryBook } from '../testing/members-site';
import type { Account, EndingRequest } from './account';
import { type AccountSession, openSession } from './account-session';

let site: MembersSite;
let book: MemoryBook;
const seen: string[] = [];
beforeEach(async () => {
  site = await MembersSite.start();
  book = new MemoryBook();
  seen.length = 0;
});
afterEach(() => site.stop());

const via = { signal: new AbortController().signal };
const open = (account: Account = site.account(), endingRequests: EndingRequest[] = []): Promise<AccountSession> =>
  openSession(account, {
    transport: transportTo(site.port),
    via,
    book,
    endingRequests,
    observer: {
      proved: () => void seen.push('proved'),
      lost: () => void seen.push('lost'),
      endsSession: ({ path }) => void seen.push(`ends ${path}`),
    },
  });

const get = async (session: ViaSession, path: string, headers: [string, string][] = []): Promise<number> => {
  const request = { scheme: 'http', host: '127.0.0.1', port: site.port, path, headers } as const;
  return (await transportTo(site.port).http(request, { ...via, session })).value.status;
};
const times = async (count: number, session: ViaSession): Promise<void> => {
  for (let sent = 0; sent < count; sent += 1) await get(session, `/item/${sent}`);
};
/** As whom the requests of work were received. */
const sessionsAt = (path: string): (string | null)[] =>
  site.received.filter((one) => one.path === path).map(({ session }) => session);

describe('before a test', () => {
  it('three checks with the session and three without, in random order, prove it', async () => {
    await open();
    const checks = site.received
      .slice(3)
      .filter(({ path }) => path === '/account')
      .map(({ session }) => session !== null);
    // The first ends the sign-in.
    expect(checks.slice(1).toSorted()).toEqual([false, false, false, true, true, true]);
    expect(seen).toEqual(['proved', 'proved']);
  });

  it.each<[string, (site: MembersSite) => void, string, RegExp]>([
    [
      'the same answer comes with and without it',
      (one) => (one.isBlind = true),
      'unverifiable',
      /the same answer comes with and without it/,
    ],
    [
      'visitors are limited',
      (one) => (one.answer = ({ path, session }) => (path === '/account' && session === null ? { status: 429 } : null)),
      'unproved',
      /limits the request rate/,
    ],
    [
      'the page fails',
      (one) => (one.answer = ({ path }) => (path === '/account' ? { status: 503 } : null)),
      'unproved',
      /503/,
    ],
  ])('nothing is tested when %s', async (_what, set, end, message) => {
    set(site);
    if (site.isBlind) site.answer = ({ path }) => (path === '/account' ? 'Sign out' : null);
    await expect(open()).rejects.toMatchObject({ end, message: expect.stringMatching(message) });
  });

  it('takes 403 as signed out only where all visitors without a session get it', async () => {
    site.answer = ({ path, session }) => (path === '/account' && session === null ? { status: 403 } : null);
    const session = await open();
    await get(session, '/a');
    site.living.clear();
    expect(await session.attempt((one) => get(one, '/a'))).toBeNull();
    expect(seen.at(-1)).toBe('lost');
  });

  it('two failed sign-ins in a row stop the account', async () => {
    const account = site.account(null, { secrets: { password: 'wrong' } });
    await expect(open(account)).rejects.toMatchObject({
      end: 'stopped',
      message: expect.stringContaining('check the user name and the password'),
    });
    expect(book.results).toEqual(['failed', 'failed']);
    expect(site.received.some(({ session }) => session !== null)).toBe(false);
  });

  it('needs a proof', async () => {
    await expect(open(site.account(null, { proof: null }))).rejects.toMatchObject({ end: 'unverifiable' });
    expect(site.received).toEqual([]);
  });
});

describe('the time line of a session', () => {
  it('counts work that a check has proved after it', async () => {
    const session = await open();
    expect(await session.attempt((one) => get(one, '/a'))).toEqual({ value: 200 });
    expect(site.received.slice(-2).map(({ path }) => path)).toEqual(['/a', '/account']);
  });

  it('repeats work once after a new sign-in, when the session dies silently', async () => {
    const session = await open();
    let done = 0;
    const result = await session.proved(async (one) => {
      done += 1;
      await get(one, '/a');
      if (done === 1) site.living.clear();
      await get(one, '/b');
      return done;
    });
    expect(result).toBe(2);
    expect(sessionsAt('/b').map((id) => id !== null)).toEqual([false, true]);
    expect(book.results).toEqual(['signed_in', 'signed_in']);
  });

  it('ends with an error when the session dies twice during the same work, and sends nothing more', async () => {
    const session = await open();
    const work = async (one: ViaSession): Promise<number> => {
      site.living.clear();
      return get(one, '/a');
    };
    await expect(session.proved(work)).rejects.toMatchObject({ name: 'SessionEnded', end: 'unproved' });
    const before = site.received.length;
    await expect(session.attempt((one) => get(one, '/a'))).rejects.toMatchObject({ end: 'unproved' });
    expect(site.received.length).toBe(before);
  });

  it('is checked after fifty requests, and sends nothing more of work whose session is over', async () => {
    const session = await open();
    const work = async (one: ViaSession): Promise<void> => {
      await times(10, one);
      site.living.clear();
      await times(200, one);
    };
    expect(await session.attempt(work)).toBeNull();
    expect(site.received.filter(({ path }) => path.startsWith('/item/')).length).toBe(50);
  });

  it('proves concurrent work with one check, which begins when all of it has ended', async () => {
    const session = await open();
    const before = site.received.length;
    await Promise.all(['/a', '/b', '/c'].map((path) => session.attempt((one) => get(one, path))));
    const paths = site.received.slice(before).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['/a', '/account', '/b', '/c']);
    expect(paths.at(-1)).toBe('/account');
  });

  it('is not proved by an answer that says nothing', async () => {
    const session = await open();
    site.answer = ({ path }) => (path === '/account' ? { status: 503 } : null);
    await expect(session.attempt((one) => get(one, '/a'))).rejects.toMatchObject({
      end: 'unproved',
      message: expect.stringContaining('503'),
    });
    expect(book.results).toEqual(['signed_in']);
  });

  it('ends when the book allows no other sign-in', async () => {
    book.most = 1;
    const session = await open();
    site.living.clear();
    await expect(session.proved((one) => get(one, '/a'))).rejects.toMatchObject({
      end: 'unproved',
      message: expect.stringContaining('60 times'),
    });
  });
});

describe('a request in a session', () => {
  it.each<[string, [string, string][], string]>([
    ['of its own cookies', [['Cookie', 'theme=<x>; a=b']], 'theme=<x>; a=b; sid='],
    ['without cookies', [], 'sid='],
  ])('keeps what a check states, %s', async (_what, headers, start) => {
    const session = await open();
    await get(session, '/a', headers);
    expect(site.received.at(-1)).toMatchObject({
      session: expect.any(String),
      headers: { cookie: expect.stringContaining(start) },
    });
    expect(site.received.at(-1)?.headers.cookie?.match(/theme=/g)).toHaveLength(1);
  });

  it('keeps an Authorization field of a check', async () => {
    const account = site.account({ kind: 'basic', userName: 'alice' });
    site.living.add('basic');
    const session = await open({ ...account, proof: { url: `${site.origin}/api/me`, text: 'alice', isOnly: 'in' } });
    await get(session, '/a', [['Authorization', 'Bearer x']]);
    expect(site.received.at(-1)?.headers.authorization).toBe('Bearer x');
  });

  it.each([
    '/logout',
    '/abmelden',
    '/user/sign_out?x=1',
    '/%d8%aa%d8%b3%d8%ac%d9%8a%d9%84-%d8%a7%d9%84%d8%ae%d8%b1%d9%88%d8%ac',
    '/index.php?action=logout',
    '/remembered',
  ])('is not sent to %s', async (path) => {
    const session = await open(undefined, [{ path: '/remembered' }]);
    await expect(get(session, path)).rejects.toBeInstanceOf(ExchangeFailed);
    expect(site.received.some((one) => one.path === path)).toBe(false);
  });

  it('is refused when three requests in a row have ended it', async () => {
    const session = await open();
    session.leaveOut({ path: '/a' });
    session.leaveOut({ path: '/b' });
    expect(seen.slice(-2)).toEqual(['ends /a', 'ends /b']);
    expect(() => session.leaveOut({ path: '/c' })).toThrow('ends after each request');
  });
});
