import { randomBytes } from 'node:crypto';
import type { Account } from '../signed-in/account';
import { type FormSite, type Posted, servedBy } from './form-site';
import type { Disturbance, Reply } from './target-server';

/** How an application protects the notes of its users. */
export interface ForgeryTraits {
  readonly sameSite:
    '' | 'SameSite=None; Secure' | 'SameSite=None' | 'SameSite=Lax; Secure' | 'SameSite=Strict; Secure';
  readonly token: 'none' | 'checked' | 'checked if present' | 'in the address' | 'double submit' | 'unnamed';
  readonly refuses:
    'nothing' | 'foreign origins' | 'foreign referers' | 'missing referers' | 'other sites' | 'no header';
  /** How it refuses. */
  readonly refusal:
    'status' | 'page with the value' | 'message' | 'list of refused values' | 'firewall' | 'failure' | 'sign-out';
  readonly stores: 'own' | 'of anybody' | 'nothing' | 'own for a second';
  readonly list: 'page' | 'cached page' | 'fields' | 'rows with noise';
  readonly encoding: '' | 'multipart/form-data';
  readonly isSlow?: boolean;
  /** Whether the form was removed. */
  readonly isGone?: boolean;
}

export const WEAK: ForgeryTraits = {
  sameSite: 'SameSite=None; Secure',
  token: 'none',
  refuses: 'nothing',
  refusal: 'status',
  stores: 'own',
  list: 'page',
  encoding: '',
};

export const SITE_PASSWORD = 'p-4711-x';

const page = (text: string): string =>
  `<!doctype html><html><head><title>Notes</title></head><body><h1>Notes</h1>${text}</body></html>`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

interface Session {
  readonly token: string;
  message: string;
}

/** An application in which the user `ada` writes notes. */
export class ForgerySite {
  traits: ForgeryTraits = WEAK;
  readonly posts: Posted[] = [];
  signIns = 0;
  isClosed = false;
  readonly files = new Map<string, string>();
  private readonly sessions = new Map<string, Session>();
  private notes: { readonly text: string; readonly at: number }[] = [];
  private refused: string[] = [];
  private cached: { readonly at: number; readonly reply: string } | null = null;

  get disturbance(): Disturbance {
    return servedBy(this.answer);
  }

  account(origin: { readonly scheme: 'http' | 'https'; readonly host: string; readonly port: number }): Account {
    const base = `${origin.scheme}://${origin.host}:${origin.port}`;
    return {
      id: 'account-1',
      name: 'customer A',
      recipe: { kind: 'form', page: `${base}/login`, userName: 'ada' },
      secrets: { password: SITE_PASSWORD },
      origins: [origin],
      proof: { url: `${base}/account`, text: 'Signed in as ada', isOnly: 'in' },
    };
  }

  readonly answer: FormSite = async (request) => {
    const { method, path, fields, cookies, headers } = request;
    const file = this.files.get(path);
    if (file !== undefined) return { headers: { 'content-type': 'text/plain' }, body: file };
    if (this.traits.isSlow === true) await wait(15);
    if (path === '/login') return this.login(method, fields);
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const session = this.sessions.get(bearer ?? cookies['sid'] ?? '') ?? null;
    if (path === '/notes' && method === 'POST') return this.post(request, session);
    if (path === '/notes' && session !== null) return this.listed();
    if (session === null) return { status: 302, headers: { location: '/login' } };
    const { message } = session;
    session.message = '';
    if (path === '/account') return page('<p>Signed in as ada</p>');
    if (path !== '/') return null;
    const token = cookies['csrf'] ?? randomBytes(9).toString('hex');
    return {
      headers: { 'set-cookie': `csrf=${token}; Path=/; SameSite=None; Secure` },
      body: page(
        `<p>Signed in as ada</p><a href="/notes">All</a><p>${escaped(message)}</p>${this.form(session, token)}`,
      ),
    };
  };

  /** Begins a session whose id is sent in a header. */
  begin(): string {
    const id = randomBytes(12).toString('hex');
    this.sessions.set(id, { token: randomBytes(12).toString('hex'), message: '' });
    return id;
  }

  /** Ends all sessions, and signs nobody in any more. */
  close(): void {
    this.sessions.clear();
    this.isClosed = true;
  }

  private form(session: Session, cookie: string): string {
    const { token, encoding, isGone } = this.traits;
    if (isGone === true) return '';
    const field = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}">`;
    const hidden: Readonly<Record<ForgeryTraits['token'], string>> = {
      none: '',
      'in the address': '',
      checked: field('csrf', session.token),
      'checked if present': field('csrf', session.token),
      'double submit': field('csrf', cookie),
      unnamed: field('k', session.token.slice(0, 8)),
    };
    const action = token === 'in the address' ? `/notes?csrf=${session.token}` : '/notes';
    return `<form method="post" action="${action}" enctype="${encoding}">${field('kind', 'note')}${hidden[token]}
      <input name="text"><button>Save the note</button></form>`;
  }

  private login(method: string, fields: Posted['fields']): Reply | string {
    if (method !== 'POST' || fields['pw'] !== SITE_PASSWORD || this.isClosed)
      return page(
        '<form method="post" action="/login"><input name="user"><input type="password" name="pw"><button>Sign in</button></form>',
      );
    this.signIns += 1;
    const { sameSite } = this.traits;
    const attributes = sameSite === '' ? '' : `; ${sameSite}`;
    return {
      status: 302,
      headers: { location: '/account', 'set-cookie': `sid=${this.begin()}; Path=/; HttpOnly${attributes}` },
    };
  }

  private isRefused({ fields, query, cookies, headers }: Posted, session: Session | null): boolean {
    const { token, refuses } = this.traits;
    const { origin, referer } = headers;
    const isOwn = (url: string): boolean => URL.parse(url)?.host === headers.host;
    const sent = fields['csrf'] ?? query.get('csrf') ?? '';
    const isWrong: Readonly<Record<ForgeryTraits['token'], boolean>> = {
      none: false,
      checked: sent !== session?.token,
      'in the address': sent !== session?.token,
      'checked if present': 'csrf' in fields && sent !== session?.token,
      'double submit': sent === '' || sent !== cookies['csrf'],
      unnamed: fields['k'] !== session?.token.slice(0, 8),
    };
    const isForeign: Readonly<Record<ForgeryTraits['refuses'], boolean>> = {
      nothing: false,
      'foreign origins': origin !== undefined && !isOwn(origin),
      'foreign referers': referer !== undefined && !isOwn(referer),
      'missing referers': referer === undefined ? !isOwn(origin ?? '') : !isOwn(referer),
      'other sites': headers['sec-fetch-site'] === 'cross-site',
      'no header': headers['x-requested-with'] === undefined,
    };
    return isWrong[token] || isForeign[refuses];
  }

  private async post(request: Posted, session: Session | null): Promise<Reply | string> {
    this.posts.push(request);
    const { refusal, stores } = this.traits;
    const text = request.fields['text'] ?? '';
    if (session === null && stores !== 'of anybody')
      return { status: 302, headers: { location: '/login', 'set-cookie': 'sid=another; Path=/' } };
    if (this.isRefused(request, session)) {
      if (refusal === 'page with the value') return page(`<p>Not stored: ${escaped(text)}</p>`);
      if (refusal === 'list of refused values') this.refused.push(text);
      if (refusal === 'message' && session !== null) session.message = text;
      if (refusal === 'sign-out') this.sessions.clear();
      if (refusal === 'message') return { status: 302, headers: { location: '/' } };
      if (refusal === 'firewall') return { status: 403, body: page('<p>Sorry, you have been blocked</p>') };
      return { status: refusal === 'failure' ? 500 : 403, body: page('<p>Not allowed</p>') };
    }
    if (stores !== 'nothing') this.notes.push({ text, at: performance.now() });
    return stores === 'nothing'
      ? page(`<p>Thank you for ${escaped(text)}</p>`)
      : { status: 302, headers: { location: '/notes' } };
  }

  private listed(): string {
    const { list, stores } = this.traits;
    const now = performance.now();
    if (list === 'cached page' && this.cached !== null && now - this.cached.at < 5) return this.cached.reply;
    const kept = this.notes.filter(({ at }) => stores !== 'own for a second' || now - at < 2);
    const row = (text: string, at: number): string =>
      list === 'fields'
        ? `<input value="${escaped(text)}">`
        : list === 'rows with noise'
          ? `<tr class="row ${at % 2 === 0 ? 'even' : 'odd'}"><td>${at}</td><td>${escaped(text)}</td><td>${randomBytes(4).toString('hex')}</td></tr>`
          : `<li>${escaped(text)}</li>`;
    const rows = kept.slice(-20).map(({ text }, at) => row(text, at));
    const refused = this.refused.slice(-20).map((text) => `<li class="refused">${escaped(text)}</li>`);
    const inside = list === 'rows with noise' ? `<table>${rows.join('')}</table>` : `<ul>${rows.join('')}</ul>`;
    const reply = page(`<p>Signed in as ada</p>${inside}<ul>${refused.join('')}</ul>`);
    this.cached = { at: now, reply };
    return reply;
  }
}
