import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { IdentityService } from '../../src/modules/identity';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';
import { Browser, usePortal } from '../support/portal';
import { expectWaitingForLocks, removePassword } from '../support/row-locks';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const PASSWORD = 'correct horse battery staple';

interface Account {
  readonly userId: number;
  readonly email: string;
}

async function account(password = PASSWORD): Promise<Account> {
  const { userId } = await (await make.organization()).as('member');
  const description = { operation: 'user.password_change', resourceType: 'user' } as const;
  await asOperator(api.app, description, () => api.app.get(IdentityService).changePassword(userId, password));
  const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  return { userId, email: user?.email ?? '' };
}

async function signedIn(one: Account): Promise<Browser> {
  const browser = new Browser(portal);
  const answer = await browser.submit('/sign-in', '/sign-in', { email: one.email, password: PASSWORD });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  return browser;
}

const sessionsOf = ({ userId }: Account) =>
  query<{ id: number }>('SELECT id FROM sessions WHERE user_id = $1', [userId]);

describe('signing in to the portal', () => {
  it('shows the form again with the reason when a field is too long, without the password', async () => {
    const email = 'x'.repeat(400);
    const refused = await new Browser(portal).submit('/sign-in', '/sign-in', { email, password: 'a secret password' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('E-mail address must be')]);
    expect(refused.text).toContain(`value="${email}"`);
    expect(refused.text).not.toContain('a secret password');
  });

  it('ends the oldest of more than 100 sessions of a user', async () => {
    const one = await account();
    await query(
      `INSERT INTO sessions (token_hash, user_id) SELECT decode(md5(random()::text), 'hex'), $1 FROM generate_series(1, 120)`,
      [one.userId],
    );
    const browser = await signedIn(one);
    expect(await sessionsOf(one)).toHaveLength(100);
    expect((await browser.get('/settings/sessions')).status).toBe(200);
  });

  it('leads to the page that was asked for, and the session works until the sign-out', async () => {
    const one = await account();
    const browser = new Browser(portal);
    const asked = await browser.get('/settings/sessions?x=1');
    expect(asked.headers.get('location')).toBe('/sign-in?next=%2Fsettings%2Fsessions%3Fx%3D1');
    const next = await browser.submit('/sign-in?next=%2Fsettings%2Fsessions', '/sign-in', {
      email: `  ${one.email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect([next.status, next.headers.get('location')]).toEqual([303, '/settings/sessions']);
    expect(next.headers.getSetCookie()[0]).toMatch(/^assay=[\w-]{43}; .*HttpOnly; SameSite=Lax/);
    const page = await browser.get('/settings/sessions');
    expect(page.status).toBe(200);
    expect(page.text).toContain('this session');
    const token = browser.cookie('assay') ?? '';
    expect((await browser.submit('/settings/sessions', '/sign-out')).headers.get('location')).toBe('/sign-in');
    browser.setCookie('assay', token);
    expect((await browser.get('/settings/sessions')).status).toBe(303);
  });

  it('has the same answer for an unknown address, a wrong password and a user without a password', async () => {
    const { email } = await account();
    const { userId } = await (await make.organization()).as('member');
    const [keyOnly] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
    const answers = [];
    for (const address of [email, 'nobody@example.com', keyOnly?.email ?? '']) {
      const answer = await new Browser(portal).submit('/sign-in', '/sign-in', {
        email: address,
        password: 'wrong one',
      });
      answers.push([answer.status, answer.text.replaceAll(address, 'ADDRESS')]);
    }
    expect(answers[0]?.[1]).toContain('The e-mail address or the password is wrong.');
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('limits guesses from one address', async () => {
    const one = await account();
    const statuses = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push(
        (await new Browser(portal).post('/sign-in', { email: one.email, password: `wrong ${guess}` })).status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const late = await new Browser(portal).post('/sign-in', { email: one.email, password: PASSWORD });
    expect([late.status, late.text]).toEqual([429, expect.stringContaining('Too many attempts to sign in.')]);
  });

  it('writes an audit entry for a sign-in, a rejected one and a sign-out', async () => {
    const one = await account();
    const browser = await signedIn(one);
    await new Browser(portal).post('/sign-in', { email: one.email, password: 'wrong one' });
    await browser.submit('/settings/sessions', '/sign-out');
    const entries = await query<{ operation: string; status: string }>(
      `SELECT operation, status FROM audit_logs WHERE actor_id = $1 AND operation LIKE 'session.%' ORDER BY id`,
      [String(one.userId)],
    );
    expect(entries.map(({ operation, status }) => `${operation} ${status}`).sort()).toEqual([
      'session.create failure',
      'session.create success',
      'session.end success',
    ]);
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/%09/evil.example',
    'javascript:alert(1)',
    '/a/..//evil.example',
    '/a/../\\evil.example',
    '/a/%2e%2e//evil.example',
  ])('never redirects to another site: %s', async (next) => {
    const { email } = await account();
    const answer = await new Browser(portal).post('/sign-in', { email, password: PASSWORD, next });
    expect(answer.status).toBe(303);
    const target = new URL(answer.headers.get('location') ?? '', portal.url);
    expect(target.origin).toBe(portal.url);
  });

  it('gives a new token to a browser that already has a session', async () => {
    const one = await account();
    const browser = await signedIn(one);
    const before = browser.cookie('assay');
    await browser.submit('/sign-in', '/sign-in', { email: one.email, password: PASSWORD });
    expect(browser.cookie('assay')).not.toBe(before);
  });
});

describe('a session', () => {
  it('ends when it was not used for 12 hours, and 7 days after the sign-in', async () => {
    for (const change of ["last_used = now() - interval '12 hours 1 second'", "created = now() - interval '7 days'"]) {
      const one = await account();
      const browser = await signedIn(one);
      expect((await browser.get('/settings/sessions')).status).toBe(200);
      await query(`UPDATE sessions SET ${change} WHERE user_id = $1`, [one.userId]);
      expect((await browser.get('/settings/sessions')).status).toBe(303);
    }
  });

  it('can be ended in another browser of the user, and by no other user', async () => {
    const one = await account();
    const [browser, other] = [await signedIn(one), await signedIn(one)];
    const [first] = await sessionsOf(one);
    const stranger = await signedIn(await account());
    const csrf = /name="csrf" value="([^"]*)"/.exec((await stranger.get('/settings/sessions')).text)?.[1] ?? '';
    expect((await stranger.post(`/settings/sessions/${first?.id}/end`, { csrf })).status).toBe(404);
    const ended = await other.submit('/settings/sessions', `/settings/sessions/${first?.id}/end`);
    expect(ended.status).toBe(303);
    expect((await browser.get('/settings/sessions')).status).toBe(303);
    expect((await other.get('/settings/sessions')).status).toBe(200);
  });
});

describe('a sign-in', () => {
  it('is refused when the password changes after it was checked', async () => {
    const one = await account();
    const change = await removePassword(one.userId);
    const answer = new Browser(portal).post('/sign-in', { email: one.email, password: PASSWORD });
    try {
      await expectWaitingForLocks(1);
    } finally {
      await change();
    }
    expect((await answer).status).toBe(401);
    expect(await sessionsOf(one)).toEqual([]);
  });
});

describe('a form that another site sends', () => {
  it.each([
    ['with the origin of the other site', { origin: 'https://evil.example' }],
    ['without an origin', { origin: '' }],
    ['with the origin null', { origin: 'null' }],
  ])('is refused %s, and changes nothing', async (_name, headers) => {
    const one = await account();
    const browser = await signedIn(one);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/settings/sessions')).text)?.[1] ?? '';
    expect((await browser.post('/sign-out', { csrf }, headers)).status).toBe(403);
    expect(await sessionsOf(one)).toHaveLength(1);
    expect((await browser.post('/sign-in', { email: one.email, password: PASSWORD }, headers)).status).toBe(403);
  });

  it.each([
    ['without the token', {}],
    ['with a wrong token', { csrf: 'x'.repeat(43) }],
  ])('is refused %s', async (_name, fields) => {
    const one = await account();
    const browser = await signedIn(one);
    const answer = await browser.post('/sign-out', fields);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('nothing was changed')]);
    expect(await sessionsOf(one)).toHaveLength(1);
  });

  it('is refused with the token of another session', async () => {
    const [one, attacker] = [await signedIn(await account()), await signedIn(await account())];
    const csrf = /name="csrf" value="([^"]*)"/.exec((await attacker.get('/settings/sessions')).text)?.[1] ?? '';
    expect((await one.post('/sign-out', { csrf })).status).toBe(403);
  });
});

describe('every page', () => {
  it('forbids inline scripts and styles, and frames', async () => {
    const { headers } = await new Browser(portal).get('/sign-in');
    const policy = headers.get('content-security-policy');
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  it('has these headers also when the request has no host', async () => {
    const { hostname, port } = new URL(portal.url);
    const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('X-Frame-Options: DENY');
    expect(answer).toContain("Content-Security-Policy: default-src 'none'");
  });

  it('has these headers also when the request is not valid HTTP', async () => {
    const { hostname, port } = new URL(portal.url);
    for (const [request, status] of [
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET / HTTP/1.1\r\nHost: x\r\nExpect: everything\r\nConnection: close\r\n\r\n', 417],
      ['no HTTP\r\n\r\n', 400],
    ] as const) {
      const socket = connect(Number(port), hostname, () => socket.write(request));
      const answer = await text(socket);
      expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      for (const header of [
        "Content-Security-Policy: default-src 'none'",
        'X-Frame-Options: DENY',
        'X-Content-Type-Options: nosniff',
        'Referrer-Policy: same-origin',
        'Cross-Origin-Resource-Policy: same-origin',
        'Permissions-Policy: camera=()',
      ])
        expect(answer).toContain(header);
      expect(answer.match(/X-Content-Type-Options/g)).toHaveLength(1);
    }
  });

  it('is shown in UTC if the cookie of the time zone is damaged', async () => {
    const browser = new Browser(portal);
    browser.setCookie('time-zone', '%');
    expect((await browser.get('/sign-in')).status).toBe(200);
    expect((await browser.get('/unknown')).status).toBe(404);
  });

  it('of an error has no link to another site', async () => {
    for (const referer of ['http://evil.example/', 'javascript:alert(1)']) {
      const { status, text } = await new Browser(portal).post('/unknown', {}, { referer });
      expect([status, text.includes(`href="${referer}"`)]).toEqual([404, false]);
      expect(text).toContain('Start page');
    }
  });

  it('shows stored text as text', async () => {
    const one = await account();
    await signedIn(one);
    await query(`UPDATE sessions SET user_agent = $2 WHERE user_id = $1`, [one.userId, '<script>alert(1)</script>']);
    const { text } = await (await signedIn(one)).get('/settings/sessions');
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).not.toContain('<script>alert');
  });

  it('that does not exist is an error page with the request id and a way out', async () => {
    const answer = await new Browser(portal).get(`/${unique('x').replace(' ', '-')}`);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('This page does not exist');
    expect(answer.text).toContain(answer.headers.get('x-request-id'));
    expect(answer.text).toContain('href="/"');
  });
});
