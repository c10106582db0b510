import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stepOfCode } from '../../kernel/totp';
import type { Account, SignInBook, SignInRecipe, SignInResult } from '../signed-in/account';
import { type Reply, send } from './target-server';

export const USER = 'alice';
export const PASSWORD = 'p&ss "wörd"/1';

const page = (title: string, text: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${text}</body></html>`;

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  readonly session: string | null;
}

/** A site with a sign-in on loopback, whose behavior tests change. */
export class MembersSite {
  readonly received: Received[] = [];
  /** The session ids that it has issued, and all CSRF values and tokens. */
  readonly issued: string[] = [];
  readonly living = new Set<string>();
  /** Their passwords. */
  readonly users = new Map([[USER, PASSWORD]]);
  /** Whose sessions those of the form are. */
  readonly userOf = new Map<string, string>();
  /** Each session ends after so many requests. */
  livesFor = Infinity;
  seed: Buffer | null = null;
  /** Answers instead of the pages; `user` is null without a session. */
  answer: (request: Received) => Reply | string | null = () => null;
  /** Whether pages are the same for everyone. */
  isBlind = false;
  private readonly uses = new Map<string, number>();
  private readonly csrf = new Set<string>();
  private readonly half = new Set<string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const reply = this.reply(request, Buffer.concat(chunks).toString());
        send(response, typeof reply === 'string' ? { body: reply } : reply);
      });
    });
  }

  static async start(): Promise<MembersSite> {
    const site = new MembersSite();
    await new Promise<void>((resolve) => void site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }

  issue(): string {
    const value = randomBytes(12).toString('base64');
    this.issued.push(value);
    return value;
  }

  account(recipe: SignInRecipe | null = null, more: Partial<Account> = {}): Account {
    return {
      id: 'account-1',
      name: 'customer A',
      recipe: recipe ?? { kind: 'form', page: `${this.origin}/login`, userName: USER },
      secrets: { password: PASSWORD },
      origins: [{ scheme: 'http', host: '127.0.0.1', port: this.port }],
      proof: { url: `${this.origin}/account`, text: 'Sign out', isOnly: 'in' },
      ...more,
    };
  }

  private sessionOf({ headers }: IncomingMessage): string | null {
    const id = decodeURIComponent(/(?:^|; )sid=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '');
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const isBasic = headers.authorization === `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    return (
      [id, token, headers['x-key'], isBasic ? 'basic' : '']
        .flat()
        .find((one) => one !== undefined && this.living.has(one)) ?? null
    );
  }

  private reply(request: IncomingMessage, body: string): Reply | string {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const id = this.sessionOf(request);
    const received = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      body,
      headers: request.headers,
      session: id,
    };
    this.received.push(received);
    if (id !== null) {
      const uses = (this.uses.get(id) ?? 0) + 1;
      this.uses.set(id, uses);
      if (uses >= this.livesFor) this.living.delete(id);
    }
    const given = this.answer(received);
    if (given !== null) return given;
    if (path === '/login') return this.login(request, body);
    if (path === '/code') return this.code(new URLSearchParams(body));
    if (path === '/api/login') return this.apiLogin(body);
    if (path === '/api/me')
      return id === null
        ? { status: 401 }
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ user: USER }) };
    if (this.isBlind) return page('Account', 'Sign out');
    if (path === '/account' || path === '/')
      return id === null ? this.loginPage() : page('Account', `<p>Hello ${USER}</p><a href="/logout">Sign out</a>`);
    if (id === null) return { status: 302, headers: { location: '/login' } };
    return page(path, `<p>A page for members ${query.slice(0, 0)}</p><a href="/logout">Sign out</a>`);
  }

  private loginPage(): string {
    const csrf = this.issue();
    this.csrf.add(csrf);
    return page(
      'Welcome',
      `<form action="/search"><input name="q"></form><form method="post" action="/login"><input type="hidden" name="csrf_token" value="${csrf}">
       <label for="u">User name</label><input id="u" name="login"><input type="password" name="pw"><button name="go" value="1">Sign in</button></form>`,
    );
  }

  private signedIn(location: string, user = USER): Reply {
    const id = this.issue();
    this.living.add(id);
    this.userOf.set(id, user);
    return {
      status: 302,
      headers: { location, 'set-cookie': [`sid=${encodeURIComponent(id)}; Path=/; HttpOnly`, 'theme=dark'] },
    };
  }

  private login({ method }: IncomingMessage, body: string): Reply | string {
    const form = new URLSearchParams(body);
    const user = form.get('login') ?? '';
    const isRight = this.users.get(user) === form.get('pw') && form.get('go') === '1';
    if (method !== 'POST' || !isRight || !this.csrf.delete(form.get('csrf_token') ?? '')) return this.loginPage();
    if (this.seed === null) return this.signedIn('/account', user);
    const half = this.issue();
    this.half.add(half);
    return page(
      'Second factor',
      `<form method="post" action="/code"><input type="hidden" name="half" value="${half}"><input name="otp"><button>Verify</button></form>`,
    );
  }

  private code(form: URLSearchParams): Reply | string {
    const isRight = this.seed !== null && stepOfCode(this.seed, form.get('otp') ?? '', new Date()) !== undefined;
    return isRight && this.half.has(form.get('half') ?? '') ? this.signedIn('/account') : page('Wrong', '');
  }

  private apiLogin(body: string): Reply {
    const sent = JSON.parse(body) as { user?: { name?: string; password?: string } };
    if (sent.user?.name !== USER || sent.user.password !== PASSWORD) return { status: 401 };
    const token = this.issue();
    this.living.add(token);
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data: { access_token: token } }) };
  }
}

/** Counts sign-ins in memory. */
export class MemoryBook implements SignInBook {
  readonly results: SignInResult[] = [];
  begun = 0;
  most = 60;

  async begin(): Promise<string | null> {
    if (this.begun >= this.most) return 'the account has signed in 60 times within an hour';
    this.begun += 1;
    return null;
  }

  async ended(result: SignInResult): Promise<void> {
    this.results.push(result);
  }
}
