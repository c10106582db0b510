import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { transportTo } from '../active/testing/injectable-shop';
import { base32, newTotpSecret } from '../../kernel/totp';
import { MembersSite, MemoryBook, PASSWORD, USER } from '../testing/members-site';
import { Transport } from '../transport/transport';
import type { Account, SignInRecipe } from './account';
import { openSession } from './account-session';
import { accountProblems, signInNow } from './sign-in-now';
import type { SignInReport } from './sign-in-report';

let site: MembersSite;
let book: MemoryBook;
beforeEach(async () => {
  site = await MembersSite.start();
  book = new MemoryBook();
});
afterEach(() => site.stop());

const via = { signal: new AbortController().signal };
const signIn = (account: Account): Promise<SignInReport> =>
  signInNow(account, { transport: transportTo(site.port), via, book });

const apiRecipe = (): SignInRecipe => ({
  kind: 'request',
  userName: USER,
  request: {
    method: 'POST',
    url: `${site.origin}/api/login`,
    format: 'json',
    fields: [
      ['user.name', { from: 'user_name' }],
      ['user.password', { from: 'password' }],
    ],
  },
});
const apiProof = (): Account['proof'] => ({ url: `${site.origin}/api/me`, text: '"alice"', isOnly: 'in' });

describe('a sign-in', () => {
  it('fills in the form with the password, keeps its CSRF token, and proposes how to know the session', async () => {
    const report = await signIn(site.account(null, { proof: null }));
    expect(report).toMatchObject({
      result: 'signed_in',
      reason: expect.stringContaining('confirm one of the proposed proofs'),
    });
    expect(report.steps.map(({ request, status }) => `${request.replace(site.origin, '')} ${status}`)).toEqual([
      'GET /login 200',
      'POST /login 302',
      'GET /account 200',
    ]);
    expect(report.steps[1]?.recognised).toBe('a form with the fields login, pw');
    expect(report.proposals[0]).toEqual({
      proof: { url: `${site.origin}/`, text: 'Sign out', isOnly: 'in' },
      reason: '"Sign out" is in / with the session (2 of 2 visits), and not without it (0 of 2)',
    });
    expect([report.pagesIn[0]?.title, report.pagesOut[0]?.title]).toEqual(['Account', 'Welcome']);
    expect(book.results).toEqual(['signed_in']);
  });

  it('asks for a code on a second page where the account has a seed', async () => {
    site.seed = newTotpSecret();
    const account = site.account();
    const totpSeed = base32(site.seed);
    expect(await signIn({ ...account, secrets: { ...account.secrets, totpSeed } })).toMatchObject({
      result: 'signed_in',
    });
    expect(await signIn(account)).toMatchObject({
      result: 'failed',
      reason: expect.stringContaining('add the TOTP seed'),
    });
  });

  it('takes the token of a JSON answer, and says where it was', async () => {
    const report = await signIn(site.account(apiRecipe(), { proof: apiProof() }));
    expect(report).toMatchObject({ result: 'signed_in' });
    expect(report.steps[0]?.recognised).toContain('a token at data.access_token, which is sent as Authorization');
  });

  it('takes a CSRF token from the page that is read first', async () => {
    const fields = [
      ['csrf_token', { from: 'page', name: 'csrf_token' }],
      ['login', { from: 'user_name' }],
      ['pw', { from: 'password' }],
      ['go', { from: 'text', text: '1' }],
    ] as const;
    const request = { method: 'POST', url: `${site.origin}/login`, format: 'form', fields } as const;
    const report = await signIn(
      site.account({ kind: 'request', userName: USER, page: `${site.origin}/login`, request }),
    );
    expect(report).toMatchObject({ result: 'signed_in' });
  });

  it.each<[string, SignInRecipe, Account['secrets'], string]>([
    ['HTTP Basic', { kind: 'basic', userName: USER }, { password: PASSWORD }, 'basic'],
    ['a header', { kind: 'header', name: 'X-Key' }, { value: 'a-long-key-1' }, 'a-long-key-1'],
    ['a cookie', { kind: 'cookie' }, { value: 'a=b; sid=a-long-key-2' }, 'a-long-key-2'],
  ])('uses %s where nothing has to be sent first', async (_what, recipe, secrets, id) => {
    const account = site.account(recipe, { secrets, proof: apiProof() });
    expect(await signIn(account)).toMatchObject({ result: 'failed' });
    site.living.add(id);
    expect(await signIn(account)).toMatchObject({ result: 'signed_in' });
  });

  it('says what is wrong with a password, and counts it', async () => {
    const report = await signIn(site.account(null, { secrets: { password: 'wrong' }, proof: null }));
    expect(report).toMatchObject({
      result: 'failed',
      reason: 'the form was shown again: check the user name and the password',
    });
    expect(book.results).toEqual(['failed']);
  });

  it.each([
    [
      'a captcha',
      '<form method="post"><input type="password" name="p"><div class="g-recaptcha"></div></form>',
      'captcha',
    ],
    ['a passkey', '<script>navigator.credentials.get({})</script>', 'passkey'],
    ['no form', '<p>Hello</p>', 'has no form with a password field'],
    ['a form in a comment', '<!-- <form method="post"><input type="password" name="p"></form> -->', 'has no form'],
    [
      'a form that would put the password in an address',
      '<form><input name="u"><input type="password" name="p"></form>',
      'in an address',
    ],
  ])('sends no password to a page with %s', async (_what, body, reason) => {
    site.answer = ({ path }) => (path === '/login' ? body : null);
    expect(await signIn(site.account())).toMatchObject({
      result: 'not_possible',
      reason: expect.stringContaining(reason),
    });
    expect(site.received.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('stops when the book allows no sign-in', async () => {
    book.most = 0;
    expect(await signIn(site.account())).toMatchObject({
      result: 'not_possible',
      reason: expect.stringContaining('60 times'),
    });
    expect(site.received).toEqual([]);
  });

  it('says what is wrong with an account before anything is sent', () => {
    const account = site.account(null, {
      secrets: { password: 'ab', totpSeed: '1' },
      proof: { url: 'http://other.test/', text: 'x', isOnly: 'in' },
    });
    expect(accountProblems(account)).toEqual([
      "http://other.test/ is at none of the account's origins.",
      'The password has fewer than 3 characters, so that it cannot be kept out of evidence.',
      'The totpSeed has fewer than 3 characters, so that it cannot be kept out of evidence.',
      'The TOTP seed is not in base32.',
    ]);
    expect(accountProblems(site.account())).toEqual([]);
  });
});

describe('the origins of an account', () => {
  /** Another site, which keeps all that it gets. */
  async function elsewhere(
    use: (origin: string, transport: Transport, received: string[]) => Promise<void>,
  ): Promise<void> {
    const received: string[] = [];
    const other = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push(
          `${request.method} ${request.url} ${request.headers.cookie ?? ''}${request.headers.authorization ?? ''} ${body}`,
        );
        response.end('<form method="post"><input name="login"><input type="password" name="pw"></form>');
      });
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const egressAllow = [port, site.port].map((one) => ({ address: '127.0.0.1', port: one }));
    const transport = new Transport({
      userAgent: 'engine-tests (security@example.test)',
      egressAllow,
      limits: { perSecond: 10_000 },
    });
    try {
      await use(`http://127.0.0.1:${port}`, transport, received);
    } finally {
      await new Promise((resolve) => void other.close(resolve));
    }
  }

  it.each<[string, (origin: string) => { readonly path: string; readonly body?: string; readonly location?: string }]>([
    [
      'a form that sends to another origin',
      (origin) => ({
        path: '/login',
        body: `<form method="post" action="${origin}/x"><input name="login"><input type="password" name="pw"></form>`,
      }),
    ],
    [
      'a base of another origin',
      (origin) => ({
        path: '/login',
        body: `<base href="${origin}/"><form method="post" action="x"><input name="login"><input type="password" name="pw"></form>`,
      }),
    ],
    ['a page that redirects to another origin', (origin) => ({ path: '/login', location: `${origin}/login` })],
  ])('get the password alone, with %s', async (_what, answer) => {
    await elsewhere(async (origin, transport, received) => {
      const { path, body, location } = answer(origin);
      site.answer = (request) =>
        request.path !== path ? null : location === undefined ? (body ?? '') : { status: 302, headers: { location } };
      expect(await signInNow(site.account(), { transport, via, book })).toMatchObject({ result: 'not_possible' });
      expect(received).toEqual([]);
      expect(site.received.every(({ method }) => method === 'GET')).toBe(true);
    });
  });

  it('are the only ones that get the password when the sign-in redirects with its body', async () => {
    await elsewhere(async (origin, transport, received) => {
      site.answer = ({ method, path }) =>
        method === 'POST' && path === '/login' ? { status: 307, headers: { location: `${origin}/steal` } } : null;
      expect(await signInNow(site.account(), { transport, via, book })).toMatchObject({ result: 'failed' });
      expect(received).toEqual([]);
    });
  });

  it('are the only ones that get the session', async () => {
    await elsewhere(async (origin, transport, received) => {
      const session = await openSession(site.account(), { transport, via, book });
      const { host, port } = { host: '127.0.0.1', port: Number(new URL(origin).port) };
      await transport.http({ scheme: 'http', host, port, path: '/there' }, { ...via, session });
      await transport.http({ scheme: 'http', host, port: site.port, path: '/here' }, { ...via, session });
      expect(received).toEqual(['GET /there  ']);
      expect(site.received.at(-1)).toMatchObject({ path: '/here', session: expect.any(String) });
    });
  });
});
