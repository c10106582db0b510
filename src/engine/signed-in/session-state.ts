import { parseUrl } from '../../kernel/parse-url';
import { CookieJar } from '../cookie-jar';
import { percentDecoded } from '../protocols/http/percent-decoded';
import type { Field } from '../transport/client-identity';
import { type HttpAnswer, type HttpRequest, originOf, urlOf } from '../transport/http';
import type { SecretValues } from '../transport/secret-values';
import type { ViaSession } from '../transport/via-session';
import type { Account } from './account';
import { isOwnOrigin } from './account-origin';
import { issuedIn } from './issued-secrets';
import type { TotpCodes } from './totp-codes';

const nameOf = (pair: string): string => pair.split('=', 1)[0]?.trim() ?? '';
const isCookie = ([name]: Field): boolean => name.toLowerCase() === 'cookie';
const pairsOf = (field: string): string[] =>
  field
    .split(';')
    .map((pair) => pair.trim())
    .filter(Boolean);

/** The cookies by origin, and the fields that sign in, of one visitor. A visitor without a session has cookies of its own. */
export class SessionState implements ViaSession {
  readonly account: string;
  private readonly jars: ReadonlyMap<string, { readonly host: string; readonly jar: CookieJar }>;
  private readonly fields: Field[] = [];
  private readonly typedCookies: string[] = [];

  constructor(
    private readonly of: Account,
    readonly secrets: SecretValues,
    private readonly codes: TotpCodes | null = null,
  ) {
    this.account = of.id;
    this.jars = new Map(
      of.origins.map((one) => [originOf(one), { host: new URL(originOf(one)).hostname, jar: new CookieJar() }]),
    );
  }

  /** A session of entered values: no request is needed to sign in. */
  withTypedFields(): this {
    const { recipe, secrets } = this.of;
    const { password = '', value = '' } = secrets;
    if (recipe.kind === 'basic')
      this.add('Authorization', `Basic ${Buffer.from(`${recipe.userName}:${password}`).toString('base64')}`);
    if (recipe.kind === 'header') this.add(recipe.name, value);
    if (recipe.kind === 'cookie') this.typedCookies.push(...pairsOf(value));
    return this;
  }

  /** Adds a field to each later request. */
  add(name: string, value: string): void {
    this.fields.push([name, value]);
    for (const secret of [value, value.replace(/^\w+ /, '')]) this.secrets.add(secret);
  }

  /** A cookie that the application has not set. If it sets one of that name, it replaces this one. */
  plant(pair: string): void {
    this.typedCookies.push(pair);
  }

  cookie(name: string, url: string): string | null {
    const field = this.jars.get(new URL(url).origin)?.jar.fieldFor(url) ?? '';
    const pair = pairsOf(field).find((one) => nameOf(one) === name);
    return pair === undefined ? null : percentDecoded(pair.slice(pair.indexOf('=') + 1));
  }

  /** Fields that a request states itself are kept: a check may test just that field, or a cookie of that name. */
  async dressed(request: HttpRequest): Promise<HttpRequest> {
    if (!isOwnOrigin(this.of.origins, request)) return request;
    const own = request.headers ?? [];
    if (request.isCrossSite === true) {
      const cookies = this.cookiesFor(request);
      return cookies.length === 0 ? request : { ...request, headers: [...own, ['Cookie', cookies.join('; ')]] };
    }
    const isStated = (name: string): boolean => own.some(([other]) => other.toLowerCase() === name.toLowerCase());
    const fields = [...this.fields, ...(await this.codeField())].filter(([name]) => !isStated(name));
    const stated = own.filter(isCookie).map(([, value]) => value);
    const names = new Set(stated.flatMap(pairsOf).map(nameOf));
    const cookies = this.cookiesFor(request).filter((pair) => !names.has(nameOf(pair)));
    if (cookies.length === 0) return { ...request, headers: [...own, ...fields] };
    const cookie: Field = ['Cookie', [...stated, ...cookies].join('; ')];
    return { ...request, headers: [...own.filter((field) => !isCookie(field)), ...fields, cookie] };
  }

  answered(request: HttpRequest, answer: HttpAnswer): void {
    if (!isOwnOrigin(this.of.origins, request)) return;
    const { origin } = new URL(answer.url);
    for (const [other, { host, jar }] of this.jars)
      if (other === origin) jar.store(answer, undefined, request.isCrossSite);
      else if (host !== new URL(answer.url).hostname) jar.store(answer, host, request.isCrossSite);
    for (const secret of issuedIn(answer)) this.secrets.add(secret);
  }

  /** Runs the work without proving the session. */
  async attempt<T>(work: (session: ViaSession) => Promise<T>): Promise<{ readonly value: T }> {
    return { value: await work(this) };
  }

  proved<T>(work: (session: ViaSession) => Promise<T>): Promise<T> {
    return work(this);
  }

  private cookiesFor(request: HttpRequest): string[] {
    // A check may send a path that is not valid.
    const url = parseUrl(urlOf(request))?.href ?? `${originOf(request)}/`;
    const set = pairsOf(this.jars.get(originOf(request))?.jar.fieldFor(url, request.isCrossSite) ?? '');
    if (request.isCrossSite === true) return set;
    const names = new Set(set.map(nameOf));
    return [...set, ...this.typedCookies.filter((pair) => !names.has(nameOf(pair)))];
  }

  private async codeField(): Promise<Field[]> {
    const { kind, totp } = this.of.recipe;
    const isInField =
      this.fields.length + this.typedCookies.length > 0 && (kind === 'basic' || kind === 'header' || kind === 'cookie');
    return isInField && totp?.field !== undefined && this.codes !== null ? [[totp.field, this.codes.now()]] : [];
  }
}
