import type { SecretValues } from '../transport/secret-values';
import { SecretValues as Secrets } from '../transport/secret-values';
import { Headers } from '../transport/headers';
import type { HttpRequest } from '../transport/http';
import type { Transport, Via } from '../transport/transport';
import type { ViaSession } from '../transport/via-session';
import { SessionEnded } from '../signed-in/account';
import { inTwoAttempts } from '../signed-in/in-session';

export type Person = 'ada' | 'bob';
type Visitor = Person | null;

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an application of two users is like. */
export interface AccessTraits {
  readonly ids: 'numbers' | 'random' | 'encrypted' | 'names';
  readonly form: 'html' | 'json';
  /** Who gets an object besides its owner. */
  readonly control: 'owner' | 'member' | 'anyone';
  /** What the objects are: only those that are private can be a finding. */
  readonly nature: 'private' | 'shared' | 'public' | 'suggested' | 'unsteady';
  readonly cache: 'none' | 'by address' | 'by path';
  /** Whether the other user has objects too. */
  readonly hasTwin: boolean;
  /** Missing objects get a page with 200. */
  readonly isSoft: boolean;
}

export const MAIL: Readonly<Record<Person, string>> = { ada: 'ada@people.test', bob: 'bob@people.test' };
const CODES: Readonly<Record<Person, string>> = { ada: 'INV-77310042', bob: 'INV-55120938' };
const NUMBERS: Readonly<Record<Person, readonly string[]>> = { ada: ['1017', '1018'], bob: ['2044', '2045'] };
const RANDOM: Readonly<Record<Person, readonly string[]>> = {
  ada: ['6f1d2c3b-9a87-4c55-b1aa-0f3e2d4c5b6a', '7a1d2c3b-9a87-4c55-b1aa-0f3e2d4c5b6b'],
  bob: ['8b1d2c3b-9a87-4c55-b1aa-0f3e2d4c5b6c', '9c1d2c3b-9a87-4c55-b1aa-0f3e2d4c5b6d'],
};
const NAMES: Readonly<Record<Person, readonly string[]>> = { ada: ['blue-teapot'], bob: ['green-kettle'] };

/** An application in memory with the objects of two users. */
export class AccessApplication {
  readonly asked: string[] = [];
  /** Who gets something else than by the traits: a rule of a firewall, an outage. */
  before: (visitor: Visitor, path: string) => Reply | null = () => null;
  /** Changes the form of all pages. */
  rewrite: (body: string) => string = (body) => body;
  private readonly stored = new Map<string, Reply>();
  private turn = 0;

  constructor(public traits: AccessTraits) {}

  private idsOf(person: Person): readonly string[] {
    const { ids, hasTwin } = this.traits;
    if (person === 'bob' && !hasTwin) return [];
    if (ids === 'names') return NAMES[person];
    return ids === 'numbers' ? NUMBERS[person] : RANDOM[person];
  }

  /** As the pages of a visitor name it: encrypted ids are others in each session. */
  private shownId(id: string, visitor: Visitor): string {
    return this.traits.ids === 'encrypted' ? Buffer.from(`${visitor ?? 'nobody'} ${id}`).toString('hex') : id;
  }

  private readId(shown: string, visitor: Visitor): string | null {
    if (this.traits.ids !== 'encrypted') return shown;
    const [whose, id = null] = Buffer.from(shown, 'hex').toString().split(' ');
    return whose === (visitor ?? 'nobody') ? id : null;
  }

  /** As a crawl finds them. */
  pathsOf(visitor: Visitor): string[] {
    const list = (person: Person): string[] => this.idsOf(person).map((id) => `/items/${this.shownId(id, visitor)}`);
    const { nature, form } = this.traits;
    const isForAll = nature === 'shared';
    if (visitor === null) return ['/'];
    const linked = isForAll ? [...list('ada'), ...list('bob')] : list(visitor);
    return ['/', '/account', '/items', ...(form === 'json' ? [] : linked)];
  }

  reply(visitor: Visitor, target: string): Reply {
    this.asked.push(`${visitor ?? 'nobody'} ${target}`);
    const [path = '/'] = target.split('?', 1);
    const key = this.traits.cache === 'by path' ? path : target;
    const isStored = this.traits.cache !== 'none' && path !== '/';
    const known = isStored ? this.stored.get(key) : undefined;
    const reply = this.before(visitor, target) ?? known ?? this.own(visitor, path);
    if (isStored && reply.status === 200) this.stored.set(key, reply);
    return { ...reply, body: this.rewrite(reply.body) };
  }

  empty(): void {
    this.stored.clear();
  }

  private own(visitor: Visitor, path: string): Reply {
    if (path === '/') return this.page('Welcome to the shop', []);
    if (path === '/account' && visitor !== null) return this.page('Account', [`Mail: ${MAIL[visitor]}`]);
    if (path === '/items' && visitor !== null) return this.listFor(visitor);
    if (path.startsWith('/items/')) return this.item(visitor, path.slice('/items/'.length));
    return visitor === null ? { status: 302, body: '', headers: { location: '/login' } } : this.missing();
  }

  private missing(): Reply {
    return this.traits.isSoft ? this.page('There is nothing here', []) : { status: 404, body: 'Not found' };
  }

  private listFor(visitor: Person): Reply {
    const owners: Person[] = this.traits.nature === 'shared' ? ['ada', 'bob'] : [visitor];
    const rows = owners.flatMap((owner) =>
      this.idsOf(owner).map((id) => ({ id: this.shownId(id, visitor), code: CODES[owner] })),
    );
    if (this.traits.form === 'json') return this.json({ items: rows });
    return this.page(
      'Your items',
      rows.map(({ id, code }) => `<a href="/items/${id}">${code}</a>`),
    );
  }

  private item(visitor: Visitor, shown: string): Reply {
    const id = this.readId(shown, visitor);
    const owner = (['ada', 'bob'] as const).find((person) => id !== null && this.idsOf(person).includes(id));
    if (owner === undefined) return this.missing();
    const { nature, control, form } = this.traits;
    const isForMembers = nature === 'shared' || nature === 'suggested';
    const isAllowed =
      visitor === owner ||
      nature === 'public' ||
      control === 'anyone' ||
      (visitor !== null && (isForMembers || control === 'member'));
    if (!isAllowed)
      return visitor === null
        ? { status: 302, body: '', headers: { location: '/login' } }
        : { status: 403, body: 'Forbidden' };
    this.turn += 1;
    const code = nature === 'unsteady' ? `INV-${90_000_000 + this.turn}` : CODES[owner];
    // What is for all names nobody by the address of the mail.
    const mail = nature === 'private' || nature === 'shared' ? MAIL[owner] : null;
    if (form === 'json') return this.json({ id: shown, code, owner: mail });
    return this.page('Item', [
      `Number ${code}`,
      mail === null ? '' : `of &#x${mail.charCodeAt(0).toString(16)};${mail.slice(1)}`,
    ]);
  }

  private json(value: object): Reply {
    return { status: 200, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
  }

  private page(title: string, rows: readonly string[]): Reply {
    const text = rows.map((row) => `<p>${row}</p>`).join('');
    return {
      status: 200,
      body: `<!doctype html><title>${title}</title><h1>${title}</h1>${text}`,
      headers: { 'content-type': 'text/html' },
    };
  }

  transport(): Transport {
    const http = async (request: HttpRequest, { session }: Via) => {
      const visitor = session?.account === 'account-ada' ? 'ada' : session?.account === 'account-bob' ? 'bob' : null;
      const sent = (await session?.dressed(request)) ?? request;
      const isAlive = sent.headers?.some(([name]) => name === 'X-Session') === true;
      const { status, body, headers = {} } = this.reply(isAlive ? visitor : null, request.path);
      const url = `${request.scheme}://${request.host}:${request.port}${request.path}`;
      return {
        value: {
          url,
          status,
          headers: new Headers(Object.entries(headers)),
          body: Buffer.from(body),
          text: body,
          tls: null,
        },
        exchange: {} as never,
      };
    };
    return { http, now: () => new Date('2026-01-31T12:00:00Z') } as unknown as Transport;
  }
}

/** Sessions that end after so many requests, as an application ends them: without a word. */
export class MemorySession implements ViaSession {
  readonly account: string;
  readonly secrets: SecretValues = new Secrets();
  private left = this.livesFor();

  constructor(
    person: Person,
    private readonly livesFor: () => number = () => Infinity,
  ) {
    this.account = `account-${person}`;
  }

  async dressed(request: HttpRequest): Promise<HttpRequest> {
    this.left -= 1;
    return this.left < 0 ? request : { ...request, headers: [...(request.headers ?? []), ['X-Session', this.account]] };
  }

  answered(): void {}

  async attempt<T>(work: (session: ViaSession) => Promise<T>): Promise<{ readonly value: T } | null> {
    if (this.left <= 0) this.left = this.livesFor();
    const value = await work(this);
    return this.left >= 0 ? { value } : null;
  }

  async proved<T>(work: (session: ViaSession) => Promise<T>): Promise<T> {
    const done = await inTwoAttempts(() => this.attempt(work));
    if (done === null) throw new SessionEnded('unproved', `the session of "${this.account}" has ended twice`);
    return done.value;
  }
}
