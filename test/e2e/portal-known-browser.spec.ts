import { asOperator } from '../../src/apps/cli/run-in-domain';
import { Clock } from '../../src/kernel/clock';
import { IdentityService, KNOWN_BROWSER_MS, KnownBrowsers } from '../../src/modules/identity';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, unique } from '../support/factories';
import { Browser, PASSWORD, type PortalAnswer, usePortal, withPassword } from '../support/portal';

const api = useApi();
const portal = usePortal(api, { TRUSTED_PROXIES: '127.0.0.1' });
const make = new Factories(api);

const COOKIE = 'assay-browser';
/** So that no attempt becomes free again during the tests. */
const NOW = new Date();

interface Account extends Person {
  readonly email: string;
  /** Has signed in before. */
  readonly known: Browser;
}

let attacked: Account;

const account = async (): Promise<Account> => {
  const person = await (await make.organization()).as('owner');
  const email = await withPassword(api, person);
  const known = new Browser(portal);
  await known.post('/sign-in', { email, password: PASSWORD });
  return { ...person, known, email };
};

const signIn = (browser: Browser, email: string, password: string, address: string): Promise<PortalAnswer> =>
  browser.post('/sign-in', { email, password }, { 'x-forwarded-for': address });

/** From an address that was not used before. */
let lastAddress = 0;
const statusOf = async (browser: Browser, { email }: Account, password = PASSWORD): Promise<number> =>
  (await signIn(browser, email, password, `203.0.113.${++lastAddress}`)).status;

const strangerWith = (cookie: string): Browser => {
  const browser = new Browser(portal);
  browser.setCookie(COOKIE, cookie);
  return browser;
};

beforeAll(async () => {
  jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(NOW);
  attacked = await account();
  for (let address = 0; address < 10; address++)
    for (let guess = 0; guess < 10; guess++)
      await signIn(new Browser(portal), attacked.email, `wrong ${guess}`, `198.51.100.${address}`);
});

afterAll(() => jest.restoreAllMocks());

describe('strangers with many addresses who guess the password of a user', () => {
  it('delay a sign-in in a new browser', async () => {
    expect(await statusOf(new Browser(portal), attacked)).toBe(429);
  });

  it('do not delay it in a browser in which the user has signed in before', async () => {
    expect((await attacked.known.submit('/settings/security', '/sign-out')).status).toBe(303);
    expect(await statusOf(attacked.known, attacked)).toBe(303);
  });

  it('do not delay changes in the settings that need the password', async () => {
    const page = '/settings/security';
    const answer = await attacked.known.submit(page, `${page}/totp/begin`, { current: PASSWORD });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${page}/totp`]);
  });

  it('gain nothing from the cookie of another user or from a forged one', async () => {
    const { known } = await account();
    const cookie = attacked.known.cookie(COOKIE) ?? '';
    const [userId, issued, signature] = cookie.split('.') as [string, string, string];
    const forged = [
      known.cookie(COOKIE) ?? '',
      `${userId}.${Number(issued) + 1}.${signature}`,
      `${Number(userId) + 1}.${issued}.${signature}`,
      `${userId}.${issued}.${'A'.repeat(43)}`,
      `${userId}.${issued}`,
      '',
    ];
    for (const value of forged) expect([value, await statusOf(strangerWith(value), attacked)]).toEqual([value, 429]);
  });
});

describe('the cookie of a browser that has signed in', () => {
  it('is for the browser alone, and lasts 90 days', async () => {
    const { email } = await account();
    const answer = await signIn(new Browser(portal), email, PASSWORD, '192.0.2.1');
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(`${COOKIE}=`));
    expect(cookie).toMatch(/; Max-Age=7776000; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const token = /=([^;]*)/.exec(cookie ?? '')?.[1];
    const known = api.app.get(KnownBrowsers);
    expect(await known.identify(token, email)).toMatch(/^[\w-]{43}$/);
    jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(new Date(NOW.getTime() + KNOWN_BROWSER_MS));
    expect(await known.identify(token, email)).toBeUndefined();
    jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(NOW);
  });

  it('allows ten guesses to somebody who stole it', async () => {
    const one = await account();
    const thief = strangerWith(one.known.cookie(COOKIE) ?? '');
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) statuses.push(await statusOf(thief, one, `wrong ${guess}`));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });

  it('ends with a new password', async () => {
    const one = await account();
    const token = one.known.cookie(COOKIE);
    const known = api.app.get(KnownBrowsers);
    expect(await known.identify(token, one.email)).toBeDefined();
    const description = { operation: 'user.password_change', resourceType: 'user' } as const;
    await asOperator(api.app, description, () =>
      api.app.get(IdentityService).changePassword(one.userId, 'a new battery for the horse'),
    );
    expect(await known.identify(token, one.email)).toBeUndefined();
  });

  it('is renewed by the browser that changes the password', async () => {
    const one = await account();
    const page = '/settings/security';
    const password = 'a new battery for the horse';
    await one.known.submit(page, `${page}/password`, { current: PASSWORD, password });
    expect(await api.app.get(KnownBrowsers).identify(one.known.cookie(COOKIE), one.email)).toBeDefined();
  });

  it('is not set for a wrong password', async () => {
    const browser = new Browser(portal);
    expect(await statusOf(browser, await account(), 'a wrong password')).toBe(401);
    expect(browser.cookie(COOKIE)).toBeUndefined();
  });
});

describe('a sign-in with an unknown address', () => {
  it('leaves an audit entry without the address, at most ten a minute', async () => {
    const agent = unique('Agent');
    for (let time = 0; time < 12; time++)
      await new Browser(portal).post(
        '/sign-in',
        { email: `my secret password ${time}`, password: 'x' },
        { 'user-agent': agent },
      );
    const entries = async () =>
      query(
        `SELECT operation, status, organization_id, actor_type, actor_id, metadata FROM audit_logs
         WHERE metadata->>'user_agent' = $1`,
        [agent],
      );
    await eventually(async () => expect(await entries()).toHaveLength(10));
    const [entry] = await entries();
    expect(entry).toEqual({
      operation: 'session.create',
      status: 'failure',
      organization_id: 0,
      actor_type: 'system',
      actor_id: 'system',
      metadata: expect.objectContaining({ ip: '127.0.0.1', reason: 'unauthenticated' }),
    });
    expect(JSON.stringify(await entries())).not.toContain('secret');
  });
});
