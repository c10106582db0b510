import { Clock } from '../../src/kernel/clock';
import { runCommand } from '../../src/apps/cli/run-command';
import { stepAt, totpCode } from '../../src/kernel/totp';
import { DatabasePool } from '../../src/platform/database/database-pool';
import { useApi } from '../support/api';
import { base32Bytes } from '../support/base32';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person } from '../support/factories';
import { Browser, PASSWORD, signedInAs, usePortal, withPassword } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const SECURITY = '/settings/security';
const KEYS = '/settings/api';
/** In the middle of a time step, and for the whole file, so that no code expires during a test. */
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);

beforeAll(() => {
  jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(NOW);
});

afterAll(() => jest.restoreAllMocks());

const NEW_PASSWORD = 'a new battery for the horse';

const owner = async (): Promise<Person & { email: string; browser: Browser }> => {
  const person = await (await make.organization()).as('owner');
  const browser = await signedInAs(api, portal, person);
  return { ...person, email: await withPassword(api, person), browser };
};

const locationOf = ({ headers }: { headers: Headers }): string | null => headers.get('location');

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const secretIn = (html: string): string =>
  textOf(/<pre id="(?:secret|recovery-codes)"[^>]*>([^]*?)<\/pre>/.exec(html)?.[1] ?? '');

/** The code that an app shows; `drift` steps later, so that a test has several codes without waiting. */
const codeOf = (secret: Buffer, drift = 0): string => totpCode(secret, stepAt(NOW) + drift);

async function enrolled() {
  const person = await owner();
  const begun = await person.browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: PASSWORD });
  expect([begun.status, locationOf(begun)]).toEqual([303, `${SECURITY}/totp`]);
  const { text } = await person.browser.get(`${SECURITY}/totp`);
  const secret = base32Bytes(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? '');
  const confirmed = await person.browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, {
    code: codeOf(secret, -1),
  });
  expect([confirmed.status, confirmed.text]).toEqual([200, expect.stringContaining('The app is set up.')]);
  return { ...person, secret, recoveryCodes: secretIn(confirmed.text).trim().split('\n') };
}

/** A browser that has given the password, and is asked for the code. */
async function halfSignedIn(email: string, next = '/settings/api'): Promise<Browser> {
  const browser = new Browser(portal);
  const answer = await browser.post('/sign-in', { email, password: PASSWORD, next });
  expect([answer.status, locationOf(answer)]).toEqual([303, `/sign-in/code?next=${encodeURIComponent(next)}`]);
  return browser;
}

const operations = async (userId: number): Promise<string[]> => {
  const rows = await query<{ operation: string }>(
    `SELECT operation || ' ' || status AS operation FROM audit_logs WHERE actor_id = $1 ORDER BY id`,
    [String(userId)],
  );
  return rows.map(({ operation }) => operation);
};

describe('the page of API keys', () => {
  it('creates a key whose secret is shown once, and shows when it was used', async () => {
    const { browser } = await owner();
    const label = '<script>alert(1)</script>';
    const created = await browser.submit(KEYS, KEYS, { label, read: 'true', expires: '2099-01-31' });
    expect([created.status, created.text]).toEqual([200, expect.stringContaining('&lt;script>alert(1)&lt;/script>')]);
    expect(created.text).not.toContain('<script>alert');
    const accessKey = /ak_\w{20}/.exec(created.text)?.[0] ?? '';
    const secret = secretIn(created.text).trim();
    expect(textOf(created.text)).toContain(`curl -u '${accessKey}:${secret}' 'http://127.0.0.1:`);
    const client = make.withCredentials({ accessKey, secret });
    expect((await client.get('/v1/me')).status).toBe(200);
    await eventually(async () => {
      const [key] = (await client.get('/v1/api-keys/')).body.api_keys;
      expect(key).toMatchObject({ access_key: accessKey, last_used: expect.any(String), created_by: null });
    });
    const { text } = await browser.get(KEYS);
    expect(text).not.toContain(secret);
    expect(text).toContain('31 Jan 2099');
  });

  it('opens the form of a new key as a program proposes it, and creates nothing by itself', async () => {
    const tenant = await make.organization();
    const browser = await signedInAs(api, portal, await tenant.as('owner'));
    const proposal = `scope=ci&label=${encodeURIComponent('assay on "host"')}&organization=${tenant.id}`;
    const { text } = await browser.get(`${KEYS}?${proposal}`);
    expect(text).toMatch(/<details id="new" class="panel" open/);
    expect(text).toMatch(/name="ci"[^>]* checked/);
    expect(text).not.toMatch(/name="(read|write)"[^>]* checked/);
    expect(text).toContain('value="assay on &quot;host&quot;"');
    expect(text).toMatch(
      new RegExp(`<option[^>]*(?:selected[^>]*value="${tenant.id}"|value="${tenant.id}"[^>]*selected)`),
    );
    expect((await browser.get(KEYS)).text).not.toMatch(/<details id="new" class="panel" open/);
    expect((await browser.get(`${KEYS}?scope=admin`)).status).toBe(400);
  });

  it('shows a refused form again with what was typed', async () => {
    const { browser } = await owner();
    const refused = await browser.submit(KEYS, KEYS, { label: 'Pipeline "A"', expires: '2020-01-01', ci: 'true' });
    expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining('is in the past')]);
    expect(refused.text).toContain('value="Pipeline &quot;A&quot;"');
    expect(refused.text).toMatch(/name="ci"[^>]* checked/);
    const none = await browser.submit(KEYS, KEYS, { label: 'x' });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Choose at least one scope.')]);
  });

  it('offers to narrow a key to the scopes that it used, which ends the others at once', async () => {
    const { browser, userId } = await owner();
    const credentials = await make.key(userId, { scopes: ['write'] });
    const client = make.withCredentials(credentials);
    expect((await browser.get(KEYS)).text).not.toContain('it needed only');
    await client.get('/v1/findings/1');
    await eventually(async () => expect((await browser.get(KEYS)).text).toContain('it needed only read'));
    const [key] = (await client.get('/v1/api-keys/')).body.api_keys;
    const { id } = key;
    expect(key.suggested_scopes).toEqual(['read']);
    expect(locationOf(await browser.submit(KEYS, `${KEYS}/${id}/narrow`, { read: 'true' }))).toBe(KEYS);
    expect((await client.get('/v1/api-keys/')).body.api_keys[0]).toMatchObject({
      scopes: ['read'],
      suggested_scopes: null,
    });
    expect((await client.post('/v1/api-keys/', { label: 'x', scopes: ['read'] })).status).toBe(403);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(KEYS)).text)?.[1] ?? '';
    const wider = await browser.post(`${KEYS}/${id}/narrow`, { csrf, write: 'true' });
    expect([wider.status, wider.text]).toEqual([422, expect.stringContaining('can only become fewer')]);
  });

  it('rotates and revokes, and changes no key of another user', async () => {
    const { browser, client, credentials } = await owner();
    const { id } = (await client.get('/v1/api-keys/')).body.api_keys[0];
    const rotated = await browser.submit(KEYS, `${KEYS}/${id}/rotate`, { overlap_hours: '0' });
    expect((await client.get('/v1/me')).status).toBe(401);
    const fresh = make.withCredentials({ ...credentials, secret: secretIn(rotated.text).trim() });
    expect((await fresh.get('/v1/me')).status).toBe(200);
    const stranger = (await owner()).browser;
    const csrf = /name="csrf" value="([^"]*)"/.exec((await stranger.get(KEYS)).text)?.[1] ?? '';
    for (const action of ['rotate', 'revoke', 'narrow']) {
      const answer = await stranger.post(`${KEYS}/${id}/${action}`, { csrf, overlap_hours: '0', read: 'true' });
      expect([answer.status, action]).toEqual([404, action]);
    }
    expect(locationOf(await browser.submit(KEYS, `${KEYS}/${id}/revoke`))).toBe(KEYS);
    expect((await fresh.get('/v1/me')).status).toBe(401);
  });

  it('is not reachable with an API key', async () => {
    const { credentials } = await owner();
    const authorization = `Basic ${Buffer.from(`${credentials.accessKey}:${credentials.secret}`).toString('base64')}`;
    for (const path of [KEYS, SECURITY]) {
      const answer = await fetch(portal.url + path, { headers: { authorization }, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/sign-in?next=${encodeURIComponent(path)}`,
      ]);
    }
  });
});

const alertsIn = (html: string): string[] =>
  [...html.matchAll(/<p class="form-error" role="alert">([^<]*)</g)].map(([, reason = '']) => reason);

describe('a refused form', () => {
  const create = { label: 'Pipeline', expires: '2020-01-01', ci: 'true' };

  it('shows its reason once, in its open panel, and leaves one audit entry', async () => {
    const { browser, userId } = await owner();
    const { text } = await browser.submit(KEYS, KEYS, create);
    expect(alertsIn(text)).toEqual([expect.stringContaining('is in the past')]);
    expect(text).toMatch(/<details id="new" class="panel" open><summary class="primary">New key[^]*?role="alert"/);
    expect((await operations(userId)).filter((entry) => entry.startsWith('api_key.create'))).toHaveLength(1);
  });

  it('is shown again as often as it is refused, with its page and what was typed', async () => {
    const { browser } = await owner();
    const page = `${KEYS}?page=1`;
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';
    const { text } = await browser.submit(page, KEYS, create);
    expect(text).toContain(`name="form_page" value="${page}"`);
    const [id] = await query<{ id: number }>('SELECT max(id)::int AS id FROM api_keys');
    const rotate = `${KEYS}/${(id?.id ?? 0) + 1000}/rotate`;
    // The browser shows the answer under the URL of the form, which is no page.
    const fields = { csrf, form_page: page, overlap_hours: '24' };
    const again = await browser.post(rotate, fields, { referer: portal.url + rotate });
    expect([again.status, alertsIn(again.text).length]).toEqual([404, 1]);
    expect(again.text).toContain('<h2 id="api-keys-title">API keys</h2>');
  });

  it('never shows a page that a foreign Referer or field names, and shows the error page without a Referer', async () => {
    const { browser } = await owner();
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(KEYS)).text)?.[1] ?? '';
    const fields = { csrf, ...create };
    for (const referer of [undefined, 'https://foreign.example/settings/api', 'no URL']) {
      const answer = await browser.post(KEYS, { ...fields, form_page: KEYS }, referer === undefined ? {} : { referer });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('This request was refused')]);
      expect(answer.text).not.toContain('foreign.example');
      expect(answer.text).not.toContain('api-keys-title');
    }
    for (const named of ['https://foreign.example/', '//foreign.example/', '/\\foreign.example/']) {
      const answer = await browser.post(KEYS, { ...fields, form_page: named }, { referer: portal.url + KEYS });
      expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining('foreign.example')]);
    }
  });

  it('is shown again with a new token when its own is outdated, and changes nothing', async () => {
    const { browser, userId } = await owner();
    const answer = await browser.submit(SECURITY, `${SECURITY}/name`, { csrf: 'outdated', name: 'New name' });
    expect([answer.status, alertsIn(answer.text)]).toEqual([403, [expect.stringContaining('nothing was changed')]]);
    expect(answer.text).toContain('value="New name"');
    expect(await operations(userId)).not.toContainEqual(expect.stringContaining('user.name_change'));
  });

  it('with passwords and codes does not repeat them, and says when to try again', async () => {
    const { browser } = await owner();
    const guess = { current: 'a wrong password', password: 'another password' };
    let answer = await browser.submit(SECURITY, `${SECURITY}/password`, guess);
    for (let more = 0; more < 10; more++) answer = await browser.submit(SECURITY, `${SECURITY}/password`, guess);
    expect([answer.status, alertsIn(answer.text).length]).toEqual([429, 1]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/a wrong password|another password/);
    const person = await owner();
    await person.browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: PASSWORD });
    const code = await person.browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code: '000000x' });
    expect([code.status, code.text]).toEqual([422, expect.stringContaining('Set up your authenticator app')]);
    expect(code.text).not.toContain('000000x');
  });

  it('whose page now redirects shows its reason on the target page', async () => {
    const { browser } = await owner();
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(SECURITY)).text)?.[1] ?? '';
    const referer = `${portal.url}${SECURITY}/totp`;
    const answer = await browser.post(`${SECURITY}/totp/confirm`, { csrf, code: '123456' }, { referer });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, SECURITY]);
    expect((await browser.get(SECURITY)).text).toContain('class="notice-line"');
  });
});

describe('a change of the password', () => {
  it('needs the current one, ends all other sessions, and gives this browser a new token', async () => {
    const { browser, email, userId } = await owner();
    const other = new Browser(portal);
    await other.post('/sign-in', { email, password: PASSWORD });
    const wrong = await browser.submit(SECURITY, `${SECURITY}/password`, { current: 'wrong', password: NEW_PASSWORD });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The current password is wrong.')]);
    const short = await browser.submit(SECURITY, `${SECURITY}/password`, { current: PASSWORD, password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('at least 12 characters')]);
    const before = browser.cookie('assay') ?? '';
    const changed = await browser.submit(SECURITY, `${SECURITY}/password`, {
      current: PASSWORD,
      password: NEW_PASSWORD,
    });
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('The password was changed')]);
    expect(browser.cookie('assay')).not.toBe(before);
    expect((await other.get(SECURITY)).status).toBe(303);
    expect((await browser.submit(SECURITY, `${SECURITY}/name`, { name: '<b>Olga</b>' })).status).toBe(303);
    expect((await browser.get(SECURITY)).text).toContain('value="&lt;b>Olga&lt;/b>"');
    browser.setCookie('assay', before);
    expect((await browser.get(SECURITY)).status).toBe(303);
    expect((await new Browser(portal).post('/sign-in', { email, password: PASSWORD })).status).toBe(401);
    expect((await new Browser(portal).post('/sign-in', { email, password: NEW_PASSWORD })).status).toBe(303);
    expect(await operations(userId)).toEqual(
      expect.arrayContaining([
        'user.password_change failure',
        'user.password_change success',
        'user.name_change success',
      ]),
    );
  });

  it('shows the page after the change with forms of the new session', async () => {
    const { browser } = await owner();
    const { text } = await browser.submit(SECURITY, `${SECURITY}/password`, {
      current: PASSWORD,
      password: NEW_PASSWORD,
    });
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await browser.post('/sign-out', { csrf })).status).toBe(303);
  });

  it('limits guesses of the current password', async () => {
    const { browser } = await owner();
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(SECURITY)).text)?.[1] ?? '';
    const statuses = [];
    for (let guess = 0; guess < 11; guess++) {
      const fields = { csrf, current: `wrong ${guess}`, password: NEW_PASSWORD };
      statuses.push((await browser.post(`${SECURITY}/password`, fields)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });
});

describe('an authenticator app', () => {
  it('needs the password to begin and a code to be turned on, and is asked for at the sign-in', async () => {
    const person = await owner();
    const refused = await person.browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: 'wrong' });
    expect(refused.status).toBe(422);
    await person.browser.submit(SECURITY, `${SECURITY}/totp/begin`, { current: PASSWORD });
    const page = await person.browser.get(`${SECURITY}/totp`);
    expect(page.text).toMatch(/<svg class="qr"[^>]*><rect [^>]*><\/rect><path d="M[^"]+"/);
    const wrong = await person.browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code: '000000x' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This code is wrong')]);
    // Not turned on without a code: the password alone signs in.
    const answer = await new Browser(portal).post('/sign-in', { email: person.email, password: PASSWORD });
    expect(locationOf(answer)).toBe('/');
  });

  it('completes a sign-in, which has no session before', async () => {
    const { email, secret, userId } = await enrolled();
    const browser = await halfSignedIn(email, '/settings/sessions');
    expect(browser.cookie('assay')).toBeUndefined();
    expect(locationOf(await browser.get('/settings/sessions'))).toContain('/sign-in');
    const half = browser.cookie('assay-sign-in') ?? '';
    const thief = new Browser(portal);
    thief.setCookie('assay', half);
    expect((await thief.get('/settings/sessions')).status).toBe(303);
    const asked = '/sign-in/code?next=%2Fsettings%2Fsessions';
    const done = await browser.submit(asked, '/sign-in/code', { code: codeOf(secret) });
    expect([done.status, locationOf(done)]).toEqual([303, '/settings/sessions']);
    expect(browser.cookie('assay')).not.toBe(half);
    expect(browser.cookie('assay-sign-in')).toBeUndefined();
    expect((await browser.get('/settings/sessions')).status).toBe(200);
    const again = new Browser(portal);
    again.setCookie('assay-sign-in', half);
    expect((await again.post('/sign-in/code', { code: codeOf(secret, 1) })).status).toBe(401);
    expect(await operations(userId)).toEqual(
      expect.arrayContaining(['second_factor.confirm success', 'session.challenge success', 'session.create success']),
    );
  });

  it('accepts each code once, and the answers to a wrong and a used one are the same', async () => {
    const { email, secret } = await enrolled();
    const [first, second] = [await halfSignedIn(email), await halfSignedIn(email)];
    const code = codeOf(secret);
    expect((await first.submit('/sign-in/code', '/sign-in/code', { code })).status).toBe(303);
    const used = await second.submit('/sign-in/code', '/sign-in/code', { code });
    const wrong = await second.submit('/sign-in/code', '/sign-in/code', { code: '12345' });
    expect([used.status, used.text]).toEqual([422, expect.stringContaining('This code is wrong')]);
    expect([wrong.status, wrong.text]).toEqual([used.status, used.text]);
    const [one, two] = [await halfSignedIn(email), await halfSignedIn(email)];
    const next = codeOf(secret, 1);
    const raced = await Promise.all([one, two].map((browser) => browser.post('/sign-in/code', { code: next })));
    expect(raced.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  it('limits guesses of the code, also of concurrent ones and with new sign-ins', async () => {
    const { email, secret } = await enrolled();
    const [first, second] = [await halfSignedIn(email), await halfSignedIn(email)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, guess) =>
        (guess % 2 === 0 ? first : second).post('/sign-in/code', { code: `00000${guess}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    const right = await (await halfSignedIn(email)).post('/sign-in/code', { code: codeOf(secret) });
    expect([right.status, right.text]).toEqual([429, expect.stringContaining('Too many wrong codes')]);
    expect(right.headers.get('retry-after')).toBe('3600');
  });

  it('counts wrong codes also in forms of the settings, whose changes are rolled back', async () => {
    const { browser } = await enrolled();
    const statuses = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push(
        (await browser.submit(SECURITY, `${SECURITY}/totp/codes`, { current: PASSWORD, code: `x${guess}` })).status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it('is checked with one connection at a time, so that requests of a tenant do not wait for each other', async () => {
    const { browser } = await enrolled();
    const pool = api.app.get(DatabasePool);
    let [held, most] = [0, 0];
    const acquired = (): void => void (most = Math.max(most, ++held));
    // A connection that was acquired before may be released now.
    const released = (): void => void (held = Math.max(0, held - 1));
    pool.on('acquire', acquired).on('release', released);
    const highest: number[] = [];
    for (const form of ['codes', 'off', 'codes', 'off']) {
      most = held;
      const { status } = await browser.submit(SECURITY, `${SECURITY}/totp/${form}`, {
        current: PASSWORD,
        code: 'wrong',
      });
      expect(status).toBe(422);
      highest.push(most);
    }
    pool.off('acquire', acquired).off('release', released);
    // The process itself may use another one at times.
    expect([
      Math.min(...highest.filter((_, at) => at % 2 === 0)),
      Math.min(...highest.filter((_, at) => at % 2 === 1)),
    ]).toEqual([1, 1]);
  });

  it('has recovery codes that work once each, and are stored as hashes', async () => {
    const { email, userId, recoveryCodes, browser, secret } = await enrolled();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = '', other = ''] = recoveryCodes;
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const first = await halfSignedIn(email);
    expect((await first.post('/sign-in/code', { code: ` ${code.toUpperCase()} ` })).status).toBe(303);
    const again = await (await halfSignedIn(email)).post('/sign-in/code', { code });
    expect(again.status).toBe(422);
    expect((await browser.get(SECURITY)).text).toContain('9 unused recovery codes');
    const renewed = await browser.submit(SECURITY, `${SECURITY}/totp/codes`, {
      current: PASSWORD,
      code: codeOf(secret),
    });
    const [fresh = ''] = secretIn(renewed.text).trim().split('\n');
    expect((await (await halfSignedIn(email)).post('/sign-in/code', { code: other })).status).toBe(422);
    const [raceOne, raceTwo] = [await halfSignedIn(email), await halfSignedIn(email)];
    const raced = await Promise.all([raceOne, raceTwo].map((one) => one.post('/sign-in/code', { code: fresh })));
    expect(raced.map(({ status }) => status).sort()).toEqual([303, 422]);
    const stored = await query<{ hash: string; secret: string }>(
      `SELECT encode(code_hash, 'hex') AS hash FROM recovery_codes WHERE user_id = $1`,
      [userId],
    );
    expect(stored).toHaveLength(9);
    const [factor] = await query<{ secret: Buffer }>('SELECT secret FROM second_factors WHERE user_id = $1', [userId]);
    expect(factor?.secret.includes(secret)).toBe(false);
  });

  it('leads only to pages of the portal after the code', async () => {
    const { email, secret } = await enrolled();
    const browser = await halfSignedIn(email);
    const answer = await browser.post('/sign-in/code', { code: codeOf(secret), next: '//evil.example' });
    expect(locationOf(answer)).toBe('/');
  });

  it('is needed also in a browser that has signed in before, which counts only after the code', async () => {
    const { browser, email, secret } = await enrolled();
    expect(browser.cookie('assay-browser')).toBeDefined();
    const again = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD });
    expect(locationOf(again)).toMatch(/^\/sign-in\/code/);
    const other = await halfSignedIn(email);
    expect(other.cookie('assay-browser')).toBeUndefined();
    expect((await other.post('/sign-in/code', { code: codeOf(secret) })).status).toBe(303);
    expect(other.cookie('assay-browser')).toBeDefined();
  });

  it('keeps the newest 20 sign-ins of a user that wait for a code', async () => {
    const { email, secret, userId } = await enrolled();
    await query(
      `INSERT INTO sign_in_challenges (token_hash, user_id, expires)
       SELECT decode(md5(random()::text), 'hex'), $1, now() + n * interval '1 second' FROM generate_series(1, 40) n`,
      [userId],
    );
    const browser = await halfSignedIn(email);
    expect(await query('SELECT 1 FROM sign_in_challenges WHERE user_id = $1', [userId])).toHaveLength(20);
    expect(locationOf(await browser.post('/sign-in/code', { code: codeOf(secret) }))).toBe('/');
  });

  it('does not complete a sign-in that began with a password that was changed since', async () => {
    const { browser, email, secret } = await enrolled();
    const waiting = await halfSignedIn(email);
    const changed = await browser.submit(SECURITY, `${SECURITY}/password`, {
      current: PASSWORD,
      password: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    const late = await waiting.post('/sign-in/code', { code: codeOf(secret) });
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('This sign-in has ended.')]);
  });

  it('asks for the password again when the sign-in is older than ten minutes', async () => {
    const { email, secret, userId } = await enrolled();
    const browser = await halfSignedIn(email);
    await query("UPDATE sign_in_challenges SET expires = '2000-01-01' WHERE user_id = $1", [userId]);
    const late = await browser.post('/sign-in/code', { code: codeOf(secret) });
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('This sign-in has ended.')]);
    expect((await new Browser(portal).post('/sign-in/code', { code: codeOf(secret) })).status).toBe(401);
  });

  it('is turned off with the password and a code, and by the operator', async () => {
    const { browser, email, secret, userId } = await enrolled();
    const off = `${SECURITY}/totp/off`;
    expect((await browser.submit(SECURITY, off, { current: PASSWORD, code: '1' })).status).toBe(422);
    expect((await browser.submit(SECURITY, off, { current: 'wrong', code: codeOf(secret) })).status).toBe(422);
    const before = browser.cookie('assay');
    expect((await browser.submit(SECURITY, off, { current: PASSWORD, code: codeOf(secret) })).status).toBe(200);
    expect(browser.cookie('assay')).not.toBe(before);
    expect(locationOf(await new Browser(portal).post('/sign-in', { email, password: PASSWORD }))).toBe('/');
    expect(await query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [userId])).toEqual([]);

    const second = await enrolled();
    const environment = process.env;
    process.env = { ...environment, DATABASE_URL: (await testDatabase()).appUrl };
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await runCommand(['reset-second-factors', second.email])).toBe(0);
    write.mockRestore();
    process.env = environment;
    expect((await second.browser.get(SECURITY)).status).toBe(303);
    expect(locationOf(await new Browser(portal).post('/sign-in', { email: second.email, password: PASSWORD }))).toBe(
      '/',
    );
  });

  it('is turned off by an owner only for a member who belongs to the organization alone', async () => {
    const tenant = await make.organization();
    const [boss, member] = [await tenant.as('owner'), await enrolled()];
    await make.membership(member.userId, tenant.id, 'member');
    const members = `/o/${tenant.id}/settings/members`;
    const browser = await signedInAs(api, portal, boss);
    const elsewhere = await browser.submit(members, `${members}/${member.userId}/totp-reset`);
    expect([elsewhere.status, elsewhere.text]).toEqual([409, expect.stringContaining('your organization alone')]);
    await query('DELETE FROM memberships WHERE user_id = $1 AND organization_id <> $2', [member.userId, tenant.id]);
    const admin = await signedInAs(api, portal, await tenant.as('admin'));
    const csrf = /name="csrf" value="([^"]*)"/.exec((await admin.get(members)).text)?.[1] ?? '';
    expect((await admin.post(`${members}/${member.userId}/totp-reset`, { csrf })).status).toBe(403);
    expect((await browser.submit(members, `${members}/${member.userId}/totp-reset`)).status).toBe(303);
    expect((await member.browser.get(SECURITY)).status).toBe(303);
    expect(locationOf(await new Browser(portal).post('/sign-in', { email: member.email, password: PASSWORD }))).toBe(
      '/',
    );
  });

  it('is still asked for after a new password by a link', async () => {
    const tenant = await make.organization();
    const [boss, member] = [await tenant.as('owner'), await enrolled()];
    await query('DELETE FROM memberships WHERE user_id = $1', [member.userId]);
    await make.membership(member.userId, tenant.id, 'member');
    const members = `/o/${tenant.id}/settings/members`;
    const browser = await signedInAs(api, portal, boss);
    const { text } = await browser.submit(members, `${members}/${member.userId}/password-link`);
    const path = /\/password-resets\/[\w-]+/.exec(text)?.[0] ?? '';
    const set = await new Browser(portal).submit(path, path, { password: NEW_PASSWORD });
    expect([set.status, set.headers.getSetCookie().join()]).toEqual([
      200,
      expect.not.stringMatching(/assay=[\w-]{43}/),
    ]);
    expect((await member.browser.get(SECURITY)).status).toBe(303);
    const next = await new Browser(portal).post('/sign-in', { email: member.email, password: NEW_PASSWORD });
    expect(locationOf(next)).toContain('/sign-in/code');
  });
});
