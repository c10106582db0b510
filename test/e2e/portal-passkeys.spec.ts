import { asOperator } from '../../src/apps/cli/run-in-domain';
import { Clock } from '../../src/kernel/clock';
import { IdentityService, SecondFactorService } from '../../src/modules/identity';
import { stepAt, totpCode } from '../../src/kernel/totp';
import { useApi } from '../support/api';
import { base32Bytes } from '../support/base32';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person } from '../support/factories';
import { Browser, PASSWORD, type PortalAnswer, usePortal, withPassword } from '../support/portal';
import { SoftwareAuthenticator } from '../support/software-authenticator';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const SECURITY = '/settings/security';
const PASSKEYS = `${SECURITY}/passkeys`;
const MINUTE = 60_000;

/** Browsers have passkeys for a name. */
const local = {
  get url() {
    return portal.url.replace('127.0.0.1', 'localhost');
  },
};

let now = Date.now();
beforeAll(() => {
  // A challenge is newer than the one before, also within a millisecond.
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => new Date(now++));
});
afterAll(() => jest.restoreAllMocks());

interface Account extends Person {
  readonly email: string;
  readonly browser: Browser;
  readonly device: SoftwareAuthenticator;
}

const locationOf = ({ headers }: PortalAnswer): string | null => headers.get('location');
const textOf = ({ text }: PortalAnswer): string => text.replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');

const codesIn = ({ text }: PortalAnswer): string[] => text.match(/[a-z2-7]{4}(-[a-z2-7]{4}){3}/g) ?? [];

const optionsOf = async (browser: Browser, path: string) => JSON.parse((await browser.get(path)).text);

async function signedIn(email: string): Promise<Browser> {
  const browser = new Browser(local);
  const answer = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD });
  expect([answer.status, locationOf(answer)]).toEqual([303, '/']);
  return browser;
}

async function account(role: 'owner' | 'member' = 'owner'): Promise<Account> {
  const person = await (await make.organization()).as(role);
  const email = await withPassword(api, person);
  return { ...person, email, browser: await signedIn(email), device: new SoftwareAuthenticator(local.url) };
}

/** Adds a passkey, after the user has confirmed it with these fields. */
async function add({ browser, device }: Account, name = 'Phone', fields = { current: PASSWORD }) {
  const begun = await browser.submit(SECURITY, `${PASSKEYS}/begin`, fields);
  expect([textOf(begun), begun.status, locationOf(begun)]).toEqual([expect.anything(), 303, `${PASSKEYS}/new`]);
  const response = device.create(await optionsOf(browser, `${PASSKEYS}/new/options`));
  return browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name, response });
}

async function withPasskey(role?: 'owner' | 'member'): Promise<Account & { recoveryCodes: string[] }> {
  const one = await account(role);
  const added = await add(one);
  expect([added.status, added.text]).toEqual([200, expect.stringContaining('The passkey was added.')]);
  return { ...one, recoveryCodes: codesIn(added) };
}

/** A browser that has given the password. */
async function halfSignedIn({ email }: Account): Promise<Browser> {
  const browser = new Browser(local);
  const answer = await browser.post('/sign-in', { email, password: PASSWORD });
  expect([answer.status, locationOf(answer)]).toEqual([303, '/sign-in/code?next=%2F']);
  return browser;
}

const send = (browser: Browser, action: '/sign-in/passkey' | '/sign-in/code/passkey', response: string) =>
  browser.submit(action === '/sign-in/passkey' ? '/sign-in' : '/sign-in/code', action, { response });

const sessionsOf = ({ userId }: Person) => query('SELECT id FROM sessions WHERE user_id = $1', [userId]);

const reasonsOf = async ({ userId }: Person): Promise<string[]> =>
  (
    await query<{ reason: string }>(
      `SELECT metadata ->> 'problem' AS reason FROM audit_logs
       WHERE actor_id = $1 AND operation = 'session.create' AND metadata ? 'problem' ORDER BY id`,
      [String(userId)],
    )
  ).map(({ reason }) => reason);

describe('a passkey', () => {
  it('is added after the password, ends other sessions, and is shown with its name and its last use', async () => {
    const one = await account();
    const other = await signedIn(one.email);
    const before = one.browser.cookie('assay');
    const refused = await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: 'a wrong password' });
    expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('current password is wrong')]);
    expect((await add(one, 'Phone <b>')).text).toContain('The passkey was added.');
    expect(one.browser.cookie('assay')).not.toBe(before);
    expect((await other.get(SECURITY)).status).toBe(303);
    const page = await one.browser.get(SECURITY);
    expect(page.text).toContain('Phone &lt;b>');
    expect(page.text).toContain('never');
  });

  it('completes a sign-in after the password, for which the password alone is not enough', async () => {
    const one = await withPasskey();
    const browser = await halfSignedIn(one);
    expect((await browser.get(SECURITY)).status).toBe(303);
    const page = await browser.get('/sign-in/code');
    expect(page.text).toContain('Use your passkey');
    const options = await optionsOf(browser, '/sign-in/code/options');
    expect(options.allowCredentials).toHaveLength(1);
    const done = await send(browser, '/sign-in/code/passkey', one.device.get(options, { isVerified: false }));
    expect([done.status, locationOf(done)]).toEqual([303, '/']);
    expect((await browser.get(SECURITY)).status).toBe(200);
    expect((await browser.get(SECURITY)).text).not.toContain('never');
  });

  it('signs in instead of the password, to the page that was asked for, with a new token', async () => {
    const one = await withPasskey();
    const planted = one.browser.cookie('assay') ?? '';
    const options = await optionsOf(one.browser, '/sign-in/passkey/options');
    expect([options.allowCredentials, options.userVerification]).toEqual([[], 'required']);
    const done = await one.browser.submit('/sign-in?next=%2Fsettings%2Fsessions', '/sign-in/passkey', {
      response: one.device.get(options),
    });
    expect([done.status, locationOf(done)]).toEqual([303, '/settings/sessions']);
    expect(one.browser.cookie('assay')).not.toBe(planted);
    expect(await sessionsOf(one)).toHaveLength(2);
  });

  it('confirms a further passkey and its own removal, with the password', async () => {
    const one = await withPasskey();
    const { browser, device } = one;
    const alone = await browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    expect([alone.status, textOf(alone)]).toEqual([422, expect.stringContaining('Confirm with one of your passkeys')]);
    await add(one, 'Key', await confirmed(one));
    const [{ id } = { id: 0 }] = await query<{ id: number }>('SELECT id FROM passkeys WHERE user_id = $1 ORDER BY id', [
      one.userId,
    ]);
    expect(locationOf(await browser.submit(SECURITY, `${PASSKEYS}/${id}/rename`, { name: 'Old phone' }))).toBe(
      SECURITY,
    );
    expect((await browser.get(SECURITY)).text).toContain('Old phone');
    const removed = await browser.submit(SECURITY, `${PASSKEYS}/${id}/remove`, await confirmed(one));
    expect([removed.status, locationOf(removed)]).toEqual([303, SECURITY]);
    expect((await browser.get(SECURITY)).text).not.toContain('Old phone');
    const stranger = new Browser(local);
    const options = await optionsOf(stranger, '/sign-in/passkey/options');
    expect((await send(stranger, '/sign-in/passkey', device.get(options))).status).toBe(401);
  });

  it('is added once for each permission, however many requests add one', async () => {
    const one = await account();
    await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    const options = await optionsOf(one.browser, `${PASSKEYS}/new/options`);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await one.browser.get(`${PASSKEYS}/new`)).text)?.[1] ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        one.browser.post(PASSKEYS, { csrf, name: 'Phone', response: one.device.create(options) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [one.userId])).toHaveLength(10);
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [one.userId])).toHaveLength(1);
  });

  it('with an id that is longer than those of authenticators is not added', async () => {
    const one = await account();
    await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    const options = await optionsOf(one.browser, `${PASSKEYS}/new/options`);
    for (const [idBytes, status] of [
      [1_024, 422],
      [3_000, 422],
      [1_023, 200],
    ] as const) {
      const fields = { name: 'Phone', response: one.device.create(options, { idBytes }) };
      expect((await one.browser.submit(`${PASSKEYS}/new`, PASSKEYS, fields)).status).toBe(status);
    }
  });

  it('of another user is neither renamed nor removed', async () => {
    const [one, other] = [await withPasskey(), await account()];
    const [{ id } = { id: 0 }] = await query<{ id: number }>('SELECT id FROM passkeys WHERE user_id = $1', [
      one.userId,
    ]);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await other.browser.get(SECURITY)).text)?.[1] ?? '';
    for (const action of ['rename', 'remove'])
      expect(
        (await other.browser.post(`${PASSKEYS}/${id}/${action}`, { csrf, name: 'x', current: PASSWORD })).status,
      ).toBe(404);
    expect(await query('SELECT name FROM passkeys WHERE id = $1', [id])).toEqual([{ name: 'Phone' }]);
  });

  it('that is the only way to sign in stays', async () => {
    const one = await withPasskey();
    await query('UPDATE users SET password_hash = NULL WHERE id = $1', [one.userId]);
    const response = one.device.get(await optionsOf(one.browser, `${PASSKEYS}/confirm`));
    const [{ id } = { id: 0 }] = await query<{ id: number }>('SELECT id FROM passkeys WHERE user_id = $1', [
      one.userId,
    ]);
    const refused = await one.browser.submit(SECURITY, `${PASSKEYS}/${id}/remove`, { response });
    expect([refused.status, textOf(refused)]).toEqual([409, expect.stringContaining('the only way in which you')]);
    const unverified = one.device.get(await optionsOf(one.browser, `${PASSKEYS}/confirm`), { isVerified: false });
    expect((await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, { response: unverified })).status).toBe(422);
  });

  it('is not offered by a portal at an address, and the sentence says why', async () => {
    const { browser } = await account();
    const person = await (await make.organization()).as('member');
    const elsewhere = new Browser(portal);
    await elsewhere.post('/sign-in', { email: await withPassword(api, person), password: PASSWORD });
    const refused = await elsewhere.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    expect([refused.status, textOf(refused)]).toEqual([409, expect.stringContaining('Passkeys need https')]);
    expect((await elsewhere.get('/sign-in/passkey/options')).status).toBe(409);
    expect((await browser.get('/sign-in/passkey/options')).status).toBe(200);
  });

  it('ends with a reset by an owner or the operator, and with the user', async () => {
    const organization = await make.organization();
    const [owner, member] = [await organization.as('owner'), await organization.as('member')];
    const email = await withPassword(api, member);
    const one = { ...member, email, browser: await signedIn(email), device: new SoftwareAuthenticator(local.url) };
    await add(one);
    const ownerBrowser = await signedIn(await withPassword(api, owner));
    const members = `/o/${organization.id}/settings/members`;
    const reset = await ownerBrowser.submit(members, `${members}/${member.userId}/totp-reset`);
    expect([reset.status, await sessionsOf(one)]).toEqual([303, []]);
    const again = { ...one, browser: await signedIn(email) };
    await add(again);
    await asOperator(api.app, { operation: 'second_factor.remove', resourceType: 'second_factor' }, () =>
      api.app.get(SecondFactorService).reset(one.userId),
    );
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [one.userId])).toEqual([]);
    await add({ ...one, browser: await signedIn(email) });
    await asOperator(api.app, { operation: 'user.erase', resourceType: 'user', organizationId: null }, () =>
      api.app.get(IdentityService).eraseUser(one.userId),
    );
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [one.userId])).toEqual([]);
  });

  it('that was added while the address was not proved ends with the proof, and others stay', async () => {
    const [unproved, proved] = [await account(), await withPasskey()];
    await query('DELETE FROM address_proofs WHERE user_id = $1', [unproved.userId]);
    await add(unproved);
    await query('DELETE FROM address_proofs WHERE user_id = $1', [proved.userId]);
    for (const { userId } of [unproved, proved])
      await asOperator(api.app, { operation: 'user.prove_address', resourceType: 'user' }, () =>
        api.app.get(IdentityService).proveAddress(userId),
      );
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [unproved.userId])).toEqual([]);
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [proved.userId])).toHaveLength(1);
  });
});

const codesOf = ({ userId }: Person) => query('SELECT code_hash FROM recovery_codes WHERE user_id = $1', [userId]);

const sendCode = (browser: Browser, code = '') => browser.submit('/sign-in/code', '/sign-in/code', { code });

const confirmed = async ({ browser, device }: Account) => ({
  current: PASSWORD,
  response: device.get(await optionsOf(browser, `${PASSKEYS}/confirm`)),
});

/** Adds an app after the user has confirmed it with the fields, and returns the page and the key of the app. */
async function addApp({ browser }: Account, fields: Record<string, string>) {
  await browser.submit(SECURITY, `${SECURITY}/totp/begin`, fields);
  const { text } = await browser.get(`${SECURITY}/totp`);
  const secret = base32Bytes(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? '');
  const code = totpCode(secret, stepAt(new Date(now)));
  return { secret, page: await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code }) };
}

describe('recovery codes of a user with a passkey alone', () => {
  it('are shown once with the first passkey, and each completes one sign-in', async () => {
    const one = await withPasskey();
    const [code = '', ...others] = one.recoveryCodes;
    expect(others).toHaveLength(9);
    expect(codesIn(await one.browser.get(SECURITY))).toEqual([]);
    const browser = await halfSignedIn(one);
    expect((await browser.get('/sign-in/code')).text).toContain('Recovery code');
    const done = await sendCode(browser, code.toUpperCase());
    expect([done.status, locationOf(done)]).toEqual([303, '/']);
    expect((await browser.get(SECURITY)).text).toContain('9 unused recovery codes');
    expect((await sendCode(await halfSignedIn(one), code)).status).toBe(422);
  });

  it('replace a lost passkey: the password with one removes it, and they end with the last factor', async () => {
    const one = await withPasskey();
    const [{ id } = { id: 0 }] = await query<{ id: number }>('SELECT id FROM passkeys WHERE user_id = $1', [
      one.userId,
    ]);
    const remove = (fields: Record<string, string>) => one.browser.submit(SECURITY, `${PASSKEYS}/${id}/remove`, fields);
    const [first = '', second = ''] = one.recoveryCodes;
    expect((await remove({ current: PASSWORD, code: 'abcd-efgh-ijkl-mnop' })).status).toBe(422);
    expect((await remove({ current: 'a wrong password', code: first })).status).toBe(422);
    expect(await codesOf(one)).toHaveLength(10);
    expect((await remove({ current: PASSWORD, code: second })).status).toBe(303);
    expect(await codesOf(one)).toEqual([]);
    expect(locationOf(await new Browser(local).post('/sign-in', { email: one.email, password: PASSWORD }))).toBe('/');
  });

  it('stay when an app or another passkey is added, and until the last factor is removed', async () => {
    const one = await withPasskey();
    const before = await codesOf(one);
    expect(codesIn(await add(one, 'Key', await confirmed(one)))).toEqual([]);
    const { page, secret } = await addApp(one, await confirmed(one));
    expect([page.text, codesIn(page)]).toEqual([expect.stringContaining('The app is set up.'), []]);
    const ids = await query<{ id: number }>('SELECT id FROM passkeys WHERE user_id = $1', [one.userId]);
    for (const { id } of ids) await one.browser.submit(SECURITY, `${PASSKEYS}/${id}/remove`, await confirmed(one));
    expect(await query('SELECT 1 FROM passkeys WHERE user_id = $1', [one.userId])).toEqual([]);
    expect(await codesOf(one)).toEqual(before);
    now += MINUTE;
    const code = totpCode(secret, stepAt(new Date(now)));
    const off = await one.browser.submit(SECURITY, `${SECURITY}/totp/off`, { current: PASSWORD, code });
    expect([off.status, await codesOf(one)]).toEqual([200, []]);
  });

  it('are replaced after the password and the passkey, and not with one of them', async () => {
    const one = await withPasskey();
    const replace = (fields: Record<string, string>) => one.browser.submit(SECURITY, `${SECURITY}/totp/codes`, fields);
    const { response } = await confirmed(one);
    expect((await replace({ current: PASSWORD })).status).toBe(422);
    expect((await replace({ response })).status).toBe(422);
    const renewed = codesIn(await replace(await confirmed(one)));
    expect(renewed).toHaveLength(10);
    expect((await sendCode(await halfSignedIn(one), one.recoveryCodes[0])).status).toBe(422);
    expect((await sendCode(await halfSignedIn(one), renewed[0])).status).toBe(303);
  });

  it('do not set up an app, whose first code shows that it works', async () => {
    const one = await withPasskey();
    await one.browser.submit(SECURITY, `${SECURITY}/totp/begin`, await confirmed(one));
    const fields = { code: one.recoveryCodes[0] ?? '' };
    expect((await one.browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, fields)).status).toBe(422);
    expect(await codesOf(one)).toHaveLength(10);
  });

  it('are guessed ten times an hour, in all sign-ins together, with one answer to all kinds of codes', async () => {
    const one = await withPasskey();
    const [first, second] = [await halfSignedIn(one), await halfSignedIn(one)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, guess) =>
        (guess % 2 === 0 ? first : second).post('/sign-in/code', {
          code: guess % 3 === 0 ? '123456' : 'abcd-efgh-ijkl-mnop',
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(10);
    const sentence = expect.stringContaining('This code is wrong, has expired or was already used.');
    expect(refused.map(textOf)).toEqual(Array.from({ length: 10 }, () => sentence));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await sendCode(await halfSignedIn(one), one.recoveryCodes[0])).status).toBe(429);
    // The passkey works, and neither it nor another app begins new attempts.
    await addApp(one, await confirmed(one));
    expect((await sendCode(await halfSignedIn(one), one.recoveryCodes[0])).status).toBe(429);
    now += 61 * MINUTE;
    expect((await sendCode(await halfSignedIn(one), one.recoveryCodes[0])).status).toBe(303);
  });

  it('end with a reset by the operator, which ends the wait too, and with the proof that ends the passkey', async () => {
    const [one, unproved] = [await withPasskey(), await account()];
    const waiting = await halfSignedIn(one);
    for (let guess = 0; guess < 10; guess++) await waiting.post('/sign-in/code', { code: '1' });
    await asOperator(api.app, { operation: 'second_factor.remove', resourceType: 'second_factor' }, () =>
      api.app.get(SecondFactorService).reset(one.userId),
    );
    expect(await codesOf(one)).toEqual([]);
    expect((await addApp({ ...one, browser: await signedIn(one.email) }, { current: PASSWORD })).page.status).toBe(200);
    await query('DELETE FROM address_proofs WHERE user_id = $1', [unproved.userId]);
    expect(codesIn(await add(unproved))).toHaveLength(10);
    await asOperator(api.app, { operation: 'user.prove_address', resourceType: 'user' }, () =>
      api.app.get(IdentityService).proveAddress(unproved.userId),
    );
    expect(await codesOf(unproved)).toEqual([]);
  });

  it('are announced to an owner without another, before the passkey is added', async () => {
    const organization = await make.organization();
    const owner = await organization.as('owner');
    const browser = await signedIn(await withPassword(api, owner));
    expect((await browser.get(SECURITY)).text).toContain('reset-second-factors');
    await organization.as('owner');
    expect((await browser.get(SECURITY)).text).not.toContain('reset-second-factors');
  });
});

describe('an attacker', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }, 'origin'],
    ['for another site', { rpId: 'evil.example' }, 'RP ID'],
    ['with another challenge', { challenge: 'A'.repeat(43) }, 'challenge'],
    ['without a verified user', { isVerified: false }, 'verification required'],
    ['with the handle of another user', { userHandle: 'dXNlciAx' }, 'handle of another user'],
  ])('does not sign in with a passkey %s, and the audit log says why', async (_name, differences, reason) => {
    const one = await withPasskey();
    const browser = new Browser(local);
    const options = await optionsOf(browser, '/sign-in/passkey/options');
    const answer = await send(browser, '/sign-in/passkey', one.device.get(options, differences));
    expect([answer.status, textOf(answer)]).toEqual([401, expect.stringContaining('The passkey was not accepted.')]);
    expect(browser.cookie('assay')).toBeUndefined();
    await eventually(async () => expect(await reasonsOf(one)).toEqual([expect.stringContaining(reason)]));
  });

  it('does not sign in with an answer that was used before, or with a challenge that is older than the last one', async () => {
    const one = await withPasskey();
    const [browser, late] = [new Browser(local), new Browser(local)];
    const older = await optionsOf(late, '/sign-in/passkey/options');
    const options = await optionsOf(browser, '/sign-in/passkey/options');
    const response = one.device.get(options);
    const cookie = browser.cookie('assay-passkey') ?? '';
    expect((await send(browser, '/sign-in/passkey', response)).status).toBe(303);
    const thief = new Browser(local);
    thief.setCookie('assay-passkey', cookie);
    expect((await send(thief, '/sign-in/passkey', response)).status).toBe(401);
    expect((await send(thief, '/sign-in/passkey', one.device.get(options))).status).toBe(401);
    expect((await send(late, '/sign-in/passkey', one.device.get(older))).status).toBe(401);
    expect(await sessionsOf(one)).toHaveLength(2);
  });

  it('uses one answer once, however many requests send it', async () => {
    const one = await withPasskey();
    const browser = new Browser(local);
    const response = one.device.get(await optionsOf(browser, '/sign-in/passkey/options'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/sign-in/passkey', { response })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await sessionsOf(one)).toHaveLength(2);
  });

  it('does not sign in with a copy of a passkey that has counted less', async () => {
    const one = await withPasskey();
    const browser = new Browser(local);
    const get = async (counter: number) =>
      send(
        browser,
        '/sign-in/passkey',
        one.device.get(await optionsOf(browser, '/sign-in/passkey/options'), { counter }),
      );
    expect((await get(7)).status).toBe(303);
    for (const counter of [7, 6, 0]) expect((await get(counter)).status).toBe(401);
    await eventually(async () => expect((await reasonsOf(one)).join()).toContain('lower than expected 7'));
    expect((await get(8)).status).toBe(303);
  });

  it('does not use a challenge of another session, of another sign-in, for something else, or after five minutes', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const add = (browser: Browser, response: string) =>
      browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name: 'x', response });
    await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, await confirmed(one));
    const creation = one.device.create(await optionsOf(one.browser, `${PASSKEYS}/new/options`));
    other.browser.setCookie('assay-passkey', one.browser.cookie('assay-passkey') ?? '');
    expect((await add(other.browser, creation)).status).toBe(422);

    // The challenge of the sign-in page is no permission to add a passkey.
    const stolen = await account();
    const options = await optionsOf(stolen.browser, '/sign-in/passkey/options');
    const planted = stolen.device.create({ ...options, rp: { id: 'localhost' }, user: { id: 'dXNlciAx' } });
    expect((await add(stolen.browser, planted)).status).toBe(422);
    // Neither is a challenge that confirms something, which needs no password.
    expect((await stolen.browser.get(`${PASSKEYS}/confirm`)).status).toBe(200);
    expect((await stolen.browser.get(`${PASSKEYS}/new/options`)).status).toBe(422);

    const [first, second] = [await halfSignedIn(one), await halfSignedIn(one)];
    const forFirst = one.device.get(await optionsOf(first, '/sign-in/code/options'));
    second.setCookie('assay-passkey', first.cookie('assay-passkey') ?? '');
    expect((await send(second, '/sign-in/code/passkey', forFirst)).status).toBe(422);

    const late = one.device.get(await optionsOf(first, '/sign-in/code/options'));
    now += 5 * MINUTE;
    expect((await send(first, '/sign-in/code/passkey', late)).status).toBe(422);
    expect(await query('SELECT 1 FROM passkeys WHERE name = $1', ['x'])).toEqual([]);
  });

  it('who knows the password does not complete the sign-in with a passkey of their own', async () => {
    const [victim, attacker] = [await withPasskey(), await withPasskey()];
    const browser = await halfSignedIn(victim);
    const { allowCredentials: _victims, ...options } = await optionsOf(browser, '/sign-in/code/options');
    const answer = await send(browser, '/sign-in/code/passkey', attacker.device.get(options));
    expect([answer.status, browser.cookie('assay')]).toEqual([401, undefined]);
    expect(await sessionsOf(victim)).toHaveLength(1);
  });

  it('with a stolen session confirms nothing with a passkey of another user', async () => {
    const [victim, attacker] = [await withPasskey(), await withPasskey()];
    const { allowCredentials: _victims, ...options } = await optionsOf(victim.browser, `${PASSKEYS}/confirm`);
    const response = attacker.device.get(options);
    const answer = await victim.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD, response });
    expect(answer.status).toBe(422);
  });

  it('cannot register the passkey of another user as their own', async () => {
    const [victim, attacker] = [await account(), await account()];
    await victim.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    const created = victim.device.create(await optionsOf(victim.browser, `${PASSKEYS}/new/options`));
    await victim.browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name: 'Phone', response: created });
    await attacker.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
    const { challenge } = await optionsOf(attacker.browser, `${PASSKEYS}/new/options`);
    const clientDataJSON = Buffer.from(
      JSON.stringify({ type: 'webauthn.create', challenge, origin: local.url, crossOrigin: false }),
    ).toString('base64url');
    const copied = JSON.parse(created);
    const response = JSON.stringify({ ...copied, response: { ...copied.response, clientDataJSON } });
    const answer = await attacker.browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name: 'Copy', response });
    expect([answer.status, textOf(answer)]).toEqual([409, expect.stringContaining('This passkey exists already.')]);
  });

  it.each(['', '{}', 'null', '[1]', 'no JSON', '{"id":5}', '{"id":"","response":null}'])(
    'gets a clear refusal for a damaged answer: %s',
    async (response) => {
      const browser = new Browser(local);
      await browser.get('/sign-in/passkey/options');
      expect([400, 401]).toContain((await send(browser, '/sign-in/passkey', response)).status);
      const one = await account();
      await one.browser.submit(SECURITY, `${PASSKEYS}/begin`, { current: PASSWORD });
      const added = await one.browser.submit(`${PASSKEYS}/new`, PASSKEYS, { name: 'x', response });
      expect([400, 422]).toContain(added.status);
    },
  );
});

describe('an organization that requires its provider', () => {
  it('refuses a passkey instead of the password and after it', async () => {
    const one = await withPasskey('member');
    const waiting = await halfSignedIn(one);
    await query(
      `INSERT INTO provider_requirements (organization_id, since)
       SELECT organization_id, now() FROM memberships WHERE user_id = $1`,
      [one.userId],
    );
    const alone = new Browser(local);
    const answers = [
      await send(alone, '/sign-in/passkey', one.device.get(await optionsOf(alone, '/sign-in/passkey/options'))),
      await send(waiting, '/sign-in/code/passkey', one.device.get(await optionsOf(waiting, '/sign-in/code/options'))),
    ];
    for (const answer of answers)
      expect([answer.status, textOf(answer)]).toEqual([403, expect.stringContaining('through its identity provider')]);
    expect((await alone.get('/settings/security')).status).toBe(303);
  });
});
