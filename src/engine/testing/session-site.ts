import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from '../signed-in/account';
import { SOUND, type SessionTraits } from './session-traits';
import { type Reply, send } from './target-server';

export const SITE_PASSWORD = 'correct horse battery';
/** With a number that loses its last digits where it is read and written again. */
const CLAIMS = '{"sub":"ada","id":12345678901234567890}';
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = ''): Record<string, unknown> | null => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
};
const ID_IN_QUERY = /[?&]sid=([\w-]+)/;
/** Less than the looks of a test take, and more than one request. */
const LATE_MS = 60;
const page = (text: string): string =>
  `<!doctype html><html><head><title>Shop</title></head><body>${text}</body></html>`;

/** A shop on loopback with one user, whose sessions tests make weak. */
export class SessionSite {
  traits: SessionTraits = SOUND;
  readonly received: string[] = [];
  /** Called before each answer. */
  asked: (url: string) => void = () => {};
  /** By their paths. */
  readonly files = new Map<string, string>();
  readonly issued: string[] = [];
  private readonly key = randomBytes(32);
  private readonly visitors = new Set<string>();
  private readonly living = new Set<string>();
  /** The ids before others. */
  private readonly before = new Map<string, string>();
  private busy = '';
  private cached: Reply | null = null;
  private requests = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => send(response, this.reply(request, Buffer.concat(chunks).toString())));
    });
  }

  static async start(): Promise<SessionSite> {
    const site = new SessionSite();
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

  account(): Account {
    const { origin } = this;
    const isApi = this.traits.session === 'jwt in a header';
    return {
      id: '7',
      name: 'customer A',
      origins: [{ scheme: 'http', host: '127.0.0.1', port: this.port }],
      secrets: { password: SITE_PASSWORD },
      proof: { url: `${origin}/account`, text: 'Orders of ada', isOnly: 'in' },
      recipe: isApi
        ? {
            kind: 'request',
            userName: 'ada',
            request: {
              method: 'POST',
              url: `${origin}/api/login`,
              format: 'json',
              fields: [['password', { from: 'password' }]],
            },
          }
        : { kind: 'form', page: `${origin}/login`, userName: 'ada' },
    };
  }

  private jwt(): string {
    const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${Buffer.from(CLAIMS).toString('base64url')}`;
    const token = `${text}.${this.signature(text)}`;
    this.issued.push(token);
    return token;
  }

  private signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }

  private isValid(token: string): boolean {
    const { accepts, noise } = this.traits;
    const [header = '', claims = '', signature] = token.split('.');
    const { alg } = read(header) ?? {};
    const isOwn = signature === this.signature(`${header}.${claims}`);
    const isRead = Buffer.from(claims, 'base64url').toString().startsWith(CLAIMS.slice(0, -1));
    if (noise === 'one node' && this.requests % 2 === 0) return isOwn;
    if (accepts === 'any token') return token !== '';
    if (accepts === 'any signature') return isRead;
    if (accepts === 'no signature' && signature === '') return isRead;
    if (accepts === 'alg none' && alg === 'none') return isRead;
    if (accepts === 'alg NONE' && alg === 'NONE') return isRead;
    return isOwn;
  }

  private idOf({ url = '', headers: { cookie = '' } }: IncomingMessage): string {
    const { takesIdFromUrl } = this.traits;
    const ofUrl = { no: null, query: ID_IN_QUERY, path: /;sid=([\w-]+)/, redirect: null }[takesIdFromUrl];
    return ofUrl?.exec(url)?.[1] ?? /(?:^|; )sid=([\w.-]+)/.exec(cookie)?.[1] ?? '';
  }

  private isSignedIn(request: IncomingMessage): boolean {
    const { session, noise } = this.traits;
    const { authorization = '' } = request.headers;
    if (session === 'jwt in a header') return this.isValid(authorization.replace(/^Bearer /, ''));
    const id = this.idOf(request);
    if (session === 'jwt in a cookie') return this.isValid(id);
    const csrf = /csrf=([\w.-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    return this.living.has(id) && (noise !== 'csrf token' || this.isValid(csrf));
  }

  private id(): string {
    const id = randomBytes(16).toString('hex');
    this.issued.push(id);
    return id;
  }

  private signIn(request: IncomingMessage): string[] {
    const { session, renews, noise } = this.traits;
    if (session === 'jwt in a cookie') return [`sid=${this.jwt()}; Path=/; HttpOnly`];
    const known = this.idOf(request);
    const isKept = known !== '' && (renews === 'adopts' || (renews === 'no' && this.visitors.has(known)));
    const id = isKept ? known : this.id();
    if (noise.startsWith('one session')) this.living.clear();
    this.living.add(id);
    return [
      `sid=${id}; Path=/; HttpOnly`,
      ...(noise === 'csrf token' ? [`csrf=${this.jwt()}; Path=/`] : []),
      ...(noise === 'encrypted token'
        ? [`data=${part({ alg: 'dir', enc: 'A256GCM' })}..${'a'.repeat(16)}.b.c; Path=/`]
        : []),
    ];
  }

  private signOut(request: IncomingMessage): Reply {
    const { signOut } = this.traits;
    const id = this.idOf(request);
    if (signOut === 'ends') this.living.delete(id);
    if (signOut === 'ends late') setTimeout(() => this.living.delete(id), LATE_MS);
    if (this.traits.noise === 'one session, then busy') this.busy = id;
    if (signOut === 'ends all') this.living.clear();
    const cookie = signOut === 'does nothing' ? [] : ['sid=; Max-Age=0; Path=/'];
    return { status: 302, headers: { location: '/login', 'set-cookie': cookie } };
  }

  private reply(request: IncomingMessage, body: string): Reply {
    const { method = 'GET', url = '/' } = request;
    this.requests += 1;
    this.received.push(`${method} ${url}`);
    this.asked(url);
    const [path = '/'] = url.split(/[;?]/, 1);
    const file = this.files.get(path);
    if (file !== undefined) return { body: file };
    const given = this.traits.takesIdFromUrl === 'redirect' ? ID_IN_QUERY.exec(url)?.[1] : undefined;
    if (given !== undefined)
      return { status: 302, headers: { location: path, 'set-cookie': [`sid=${given}; Path=/`] } };
    const isIn = this.isSignedIn(request);
    const id = this.idOf(request);
    if (this.busy !== '' && this.busy === id) {
      this.busy = '';
      return { status: 503, body: 'Busy' };
    }
    this.living.delete(this.before.get(id) ?? '');
    if (path === '/api/login' && body.includes(SITE_PASSWORD))
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ access_token: this.jwt() }) };
    if (path === '/login' && method === 'POST')
      return new URLSearchParams(body).get('pw') === SITE_PASSWORD
        ? { status: 302, headers: { location: '/account', 'set-cookie': this.signIn(request) } }
        : this.welcome(request);
    if (path === '/logout' && (this.traits.signOutBy === 'link' || body.includes('csrf=yes')))
      return this.signOut(request);
    return path === '/account' || path === '/' ? this.shown(request, isIn) : this.welcome(request);
  }

  private shown(request: IncomingMessage, isIn: boolean): Reply {
    const { noise, signOutBy } = this.traits;
    const sent = `${request.headers.authorization ?? ''}${request.headers.cookie ?? ''}`;
    if (noise === 'cache' && this.cached !== null) return this.cached;
    const header = read(/([\w-]+)\.[\w-]+\.[\w-]*$/.exec(sent)?.[1]);
    if (noise === 'firewall' && /none/i.test(String(header?.['alg'])))
      return { status: 403, body: page('Not acceptable!') };
    if (!isIn && noise === 'fails' && sent !== '') return { status: 500, body: 'Error: invalid token' };
    if (!isIn && noise === 'guest pages' && read(sent.split('.')[1]) !== null)
      return { body: page('<h1>Orders of ada</h1><p>No teapots</p><a href="/logout">Sign out</a>') };
    if (!isIn) return this.traits.session === 'jwt in a header' ? this.refusal(sent) : this.welcome(request);
    const ways = {
      link: '<a href="/logout">Sign out</a>',
      form: '<form method="post" action="/logout"><input type="hidden" name="csrf" value="yes"><button>Sign out</button></form>',
      script: '<button onclick="leave()">Sign out</button>',
    };
    const news = noise === 'other pages' ? randomBytes(8).toString('hex') : '';
    const next = noise === 'renews on each page' ? this.id() : '';
    if (next !== '') this.living.add(next);
    if (next !== '') this.before.set(next, this.idOf(request));
    const reply: Reply = {
      headers: next === '' ? {} : { 'set-cookie': [`sid=${next}; Path=/`] },
      body: page(
        `<h1>Orders of ada</h1><p>Two teapots ${news}</p>${ways[signOutBy]}<a href="/delete-account">Delete</a>`,
      ),
    };
    if (noise === 'cache') this.cached = reply;
    return reply;
  }

  private refusal(sent: string): Reply {
    const error = sent === '' ? 'no token' : sent.endsWith('.') ? 'the signature is required' : 'invalid signature';
    return { status: 401, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
  }

  private welcome(request: IncomingMessage): Reply {
    const { session, startsSession } = this.traits;
    const isNew = session === 'cookie' && startsSession === 'at the first visit' && this.idOf(request) === '';
    const id = isNew ? this.id() : '';
    if (isNew) this.visitors.add(id);
    return {
      headers: isNew ? { 'set-cookie': [`sid=${id}; Path=/; HttpOnly`] } : {},
      body: page(
        '<form method="post" action="/login"><input name="login"><input type="password" name="pw"><button>Sign in</button></form>',
      ),
    };
  }
}
