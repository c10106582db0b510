import { Clock } from '../../src/kernel/clock';
import { SecondFactorsRepository } from '../../src/modules/identity/data/second-factors.repository';
import { stepAt, totpCode } from '../../src/kernel/totp';
import { useApi } from '../support/api';
import { base32Bytes } from '../support/base32';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { Browser, PASSWORD, signedInAs, usePortal, withPassword } from '../support/portal';
import { expectWaitingForLocks, endSignIns } from '../support/row-locks';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const SECURITY = '/settings/security';
/** In the middle of a time step, and for the whole file, so that no code expires during a test. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);

beforeAll(() => {
  jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(NOW);
});
afterAll(() => jest.restoreAllMocks());

const codeOf = (secret: Buffer, drift = 0): string => totpCode(secret, stepAt(NOW) + drift);

async function account() {
  const { id: organizationId, as } = await make.organization();
  const person = await as('owner');
  return {
    organizationId,
    ...person,
    browser: await signedInAs(api, portal, person),
    email: await withPassword(api, person),
  };
}

/** Sets an app up as far as its first code. */
async function begin(browser: Browser): Promise<Buffer> {
  await browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: PASSWORD });
  const { text } = await browser.get(`${SECURITY}/totp`);
  return base32Bytes(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? '');
}

async function enroll(browser: Browser) {
  const secret = await begin(browser);
  const fields = { code: codeOf(secret, -1) };
  const { text } = await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, fields);
  return { secret, recoveryCodes: text.match(/[a-z2-7]{4}(-[a-z2-7]{4}){3}/g) ?? [] };
}

async function halfSignedIn(email: string): Promise<Browser> {
  const browser = new Browser(portal);
  await browser.post('/sign-in', { email, password: PASSWORD });
  expect(browser.cookie('assay-sign-in')).toBeDefined();
  return browser;
}

const send = async (browser: Browser, code = ''): Promise<number> =>
  (await browser.post('/sign-in/code', { code })).status;

const INVITED = { email: 'thief@example.com', role: 'owner' };
/** The pages with their forms, and the fields. */
const CHANGES = [
  ['a password', SECURITY, `${SECURITY}/password`, { current: PASSWORD, password: 'of the thief, and long enough' }],
  ['an API key', '/settings/api', '/settings/api', { label: 'of the thief', read: 'true' }],
  ['an app that waits for its first code', SECURITY, `${SECURITY}/totp/begin`, { current: PASSWORD }],
  ['an invitation', 'settings/members', 'settings/members/invitations', INVITED],
] as const;

describe('a session that ends during a request', () => {
  it.each(CHANGES)('leaves no way in: %s', async (_name, page, action, fields) => {
    const { browser, email, userId, organizationId } = await account();
    const at = (path: string): string => new URL(path, `${portal.url}/o/${organizationId}/`).pathname;
    const waysOf = () =>
      query(
        `SELECT id FROM api_keys WHERE user_id = $1 UNION ALL SELECT id FROM invitations WHERE invited_by = $1
         UNION ALL SELECT user_id FROM second_factors WHERE user_id = $1`,
        [userId],
      );
    const ways = await waysOf();
    const commit = await endSignIns(userId);
    const answer = browser.submit(at(page), at(action), fields);
    await Promise.race([answer, expectWaitingForLocks(1)]);
    await commit();
    expect((await answer).status).toBe(401);
    expect(await query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
    expect(await waysOf()).toEqual(ways);
    const signedIn = await new Browser(portal).post('/sign-in', { email, password: PASSWORD });
    expect(signedIn.status).toBe(303);
  });
});

describe('the second step of a sign-in', () => {
  it('accepts a recovery code once, however many sign-ins send it', async () => {
    const { browser, email } = await account();
    const [code] = (await enroll(browser)).recoveryCodes;
    const waiting = [];
    for (let n = 0; n < 20; n++) waiting.push(await halfSignedIn(email));
    const statuses = await Promise.all(waiting.map((one) => send(one, code)));
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });

  it('accepts no code of another user, of a replaced app or of replaced recovery codes', async () => {
    const [one, other] = [await account(), await account()];
    const [old, foreign] = [await enroll(one.browser), await enroll(other.browser)];
    await one.browser.submit(SECURITY, `${SECURITY}/totp/off`, { current: PASSWORD, code: codeOf(old.secret) });
    const { secret } = await enroll(one.browser);
    const waiting = await halfSignedIn(one.email);
    const codes = [codeOf(foreign.secret), foreign.recoveryCodes[0], codeOf(old.secret, 1), old.recoveryCodes[0]];
    const statuses = [];
    for (const code of codes) statuses.push(await send(waiting, code));
    expect(statuses).toEqual([422, 422, 422, 422]);
    expect(await send(waiting, codeOf(secret))).toBe(303);
  });

  it('confirms only the app whose code it is, also when that one is replaced meanwhile', async () => {
    const { browser, email, userId } = await account();
    const other = new Browser(portal);
    await other.submit('/sign-in', '/sign-in', { email, password: PASSWORD });
    const secret = await begin(browser);
    // The code is checked, and its app is confirmed after the other app has replaced it.
    const confirming = jest.spyOn(api.app.get(SecondFactorsRepository, { strict: false }), 'confirm');
    const confirm = confirming.getMockImplementation() ?? SecondFactorsRepository.prototype.confirm;
    confirming.mockImplementationOnce(async function (this: SecondFactorsRepository, ...args) {
      await query(`UPDATE second_factors SET secret = 'another' WHERE user_id = $1`, [userId]);
      return confirm.apply(this, args);
    });
    const fields = { code: codeOf(secret) };
    expect((await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, fields)).status).not.toBe(200);
    expect(await query('SELECT confirmed FROM second_factors WHERE user_id = $1', [userId])).toEqual([
      { confirmed: null },
    ]);
  });

  it('accepts no code of an app that waits for its first code', async () => {
    const { browser, email, userId } = await account();
    const secret = await begin(browser);
    await query(
      `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, last_challenge)
       VALUES ($1, 'Phone', decode(md5(random()::text), 'hex'), '', 0, '{}', now())`,
      [userId],
    );
    expect(await send(await halfSignedIn(email), codeOf(secret))).toBe(422);
  });

  it('begins no session that outlives the end of all sessions at the same time', async () => {
    const { browser, email, userId } = await account();
    const { secret } = await enroll(browser);
    const waiting = await halfSignedIn(email);
    const commit = await endSignIns(userId);
    const answer = send(waiting, codeOf(secret));
    await Promise.race([answer, expectWaitingForLocks(1)]);
    await commit();
    expect(await answer).toBe(401);
    expect(await query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
  });
});
