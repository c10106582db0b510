import { randomBytes } from 'node:crypto';
import type { OpenWeaknesses } from './weaknesses';

/** A user of the shop of the demo target. */
interface User {
  readonly password: string;
  readonly mail: string;
  readonly order: string;
}

/** All of it is fake. */
export const USERS: Readonly<Record<string, User>> = {
  ada: { password: 'not-a-password-of-ada', mail: 'ada@shop.example', order: '1017' },
  bob: { password: 'not-a-password-of-bob', mail: 'bob@shop.example', order: '2044' },
};

/** What a page of the shop answers. */
export interface ShopAnswer {
  readonly status: number;
  readonly title: string;
  /** HTML of a page; a sentence of a refusal. */
  readonly body: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A unique name, because browsers share cookies between all ports of a host. */
const COOKIE = 'assay_demo_user';
/** The oldest end: the demo target runs for days. */
const MAX_SESSIONS = 500;

const form = `<form method="post" action="/login"><label>User <input name="user"></label>
<label>Password <input name="password" type="password"></label> <button>Sign in</button></form>
<p>${Object.entries(USERS)
  .map(([name, { password }]) => `${name}: ${password}`)
  .join(', ')}</p>`;

const signInPage = (status: number): ShopAnswer => ({ status, title: 'Sign in', body: form });
const seeLogin: ShopAnswer = {
  status: 303,
  title: 'Sign in',
  body: 'See the page at /login.',
  fields: { location: '/login' },
};

/** A shop behind a sign-in, with two users. */
export class Members {
  private readonly sessions = new Map<string, string>();

  /** Undefined if it is no page of the shop. */
  answer(path: string, cookies: string | undefined, open: OpenWeaknesses): ShopAnswer | undefined {
    if (path === '/login') return signInPage(200);
    const [, id] = /^\/orders\/(\d+)$/.exec(path) ?? [];
    if (path !== '/account' && path !== '/orders' && id === undefined) return undefined;
    const name = this.sessions.get(new RegExp(`(?:^|; )${COOKIE}=([0-9a-f]+)`).exec(cookies ?? '')?.[1] ?? '');
    const user = USERS[name ?? ''];
    if (user === undefined) return seeLogin;
    const page = (title: string, body: string): ShopAnswer => ({
      status: 200,
      title,
      body: `<p>Signed in as ${name}. <a href="/account">Account</a> <a href="/orders">Orders</a></p>${body}`,
    });
    if (path === '/account') return page('Account', `<p>Your mail address is ${user.mail}.</p>`);
    if (path === '/orders') return page('Orders', `<a href="/orders/${user.order}">Number ${user.order}</a>`);
    const owner = Object.values(USERS).find(({ order }) => order === id);
    if (owner === undefined) return { status: 404, title: 'Order', body: 'There is no such order.' };
    if (owner !== user && !open.has('object-access'))
      return { status: 403, title: 'Order', body: 'This is an order of somebody else.' };
    return page(`Order ${id}`, `<p>One lamp, sent to ${owner.mail}.</p>`);
  }

  signIn(fields: URLSearchParams): ShopAnswer {
    const name = fields.get('user') ?? '';
    const user = Object.hasOwn(USERS, name) ? USERS[name] : undefined;
    if (user === undefined || user.password !== fields.get('password')) return signInPage(403);
    const session = randomBytes(16).toString('hex');
    this.sessions.set(session, name);
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= MAX_SESSIONS) break;
      this.sessions.delete(oldest);
    }
    const cookie = `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax`;
    return {
      status: 303,
      title: 'Account',
      body: 'See /account.',
      fields: { location: '/account', 'set-cookie': cookie },
    };
  }
}
