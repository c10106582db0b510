import { asksForPassword } from '../snapshot';
import { hasCaptcha } from '../firewall-pages';
import { parseUrl } from '../../kernel/parse-url';
import type { Page } from '../page';
import type { HttpRequest } from '../transport/http';
import type { Transport, Via } from '../transport/transport';
import type { Account, FieldValue, RequestField, SignInRequest, TokenPlace } from './account';
import { placeAt } from './account-origin';
import { codeFormIn, formsOf, noFormReason, type PageForm, signInFormIn, userFormIn } from '../page-forms';
import type { SessionState } from './session-state';
import { SignInExchanges, SignInStopped } from './sign-in-exchanges';
import type { SignInStep } from './sign-in-report';
import { bodyOf, sendsCredential, tokenIn, valueInPages } from './sign-in-values';
import type { TotpCodes } from './totp-codes';

const MOST_FORMS = 4;

type Texts = readonly (readonly [name: string, value: string])[];

interface FormToSend {
  readonly form: PageForm;
  readonly values: Texts;
  readonly what: string;
  readonly hasCredential: boolean;
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none';

const impossible = (reason: string): SignInStopped => new SignInStopped('not_possible', reason);
const failed = (reason: string): SignInStopped => new SignInStopped('failed', reason);

/** One sign-in. Throws `SignInStopped`. */
export class SignInRun {
  private readonly exchanges: SignInExchanges;
  private hasSentUser = false;
  private hasSentPassword = false;
  private hasSentCode = false;

  constructor(
    private readonly account: Account,
    transport: Transport,
    private readonly via: Via,
    private readonly state: SessionState,
    private readonly codes: TotpCodes | null,
  ) {
    this.exchanges = new SignInExchanges(account.origins, transport, { ...via, session: state });
  }

  get steps(): readonly SignInStep[] {
    return this.exchanges.steps;
  }

  /** What was recognised at the end. */
  async run(): Promise<string> {
    const { recipe, origins, name } = this.account;
    switch (recipe.kind) {
      case 'form':
        await this.submitForms(await this.read(recipe.page), true);
        return 'the form was sent, and another page followed';
      case 'request': {
        if (recipe.page !== undefined) await this.read(recipe.page);
        return this.sendSteps([recipe.request], recipe.token);
      }
      case 'steps':
        return this.sendSteps(recipe.steps, recipe.token);
      default: {
        const [first] = origins;
        if (first === undefined) throw impossible(`the account "${name}" names no origin`);
        this.state.withTypedFields();
        const page = await this.exchanges.send({ ...first, path: '/' }, 'the front page, with what was typed');
        if (page.status === 401) throw failed('the front page answers 401: check what was typed');
        return 'what was typed is sent with each request';
      }
    }
  }

  private async sendSteps(steps: readonly SignInRequest[], place: TokenPlace | undefined): Promise<string> {
    let last: Page | null = null;
    for (const step of steps) {
      last = await this.sendStep(step);
      const token = this.hasSentPassword ? tokenIn(last, place) : null;
      if (token !== null) {
        this.state.add(token.header, token.value);
        this.exchanges.recognised(`a token at ${token.path}, which is sent as ${token.header}`);
      }
    }
    if (place !== undefined && (last === null || tokenIn(last, place) === null))
      throw failed(`the answer has no token at ${place.path}: check the path, the user name and the password`);
    if (last !== null && last.status >= 400)
      throw failed(`the sign-in was answered with ${last.status}: check the user name and the password`);
    if (last !== null) await this.submitForms(last, false);
    return 'the requests were sent, and answered';
  }

  private async sendStep(step: SignInRequest): Promise<Page> {
    const fields = await this.filled(step.fields, step.url);
    const headers = await this.filled(step.headers ?? [], step.url);
    const sent = bodyOf(step.method === 'GET' ? 'none' : step.format, fields);
    const request: HttpRequest = {
      ...this.placeOf(step.url),
      method: step.method,
      headers: [...this.headersTo(step.url, sent?.type), ...headers],
      body: sent?.body,
    };
    this.hasSentPassword ||= sendsCredential(step);
    return this.exchanges.send(
      request,
      `a ${step.format === 'none' ? '' : `${step.format} `}request with the fields ${listed(fields.map(([name]) => name))}`,
    );
  }

  private async filled(fields: readonly RequestField[], url: string): Promise<Texts> {
    const filled: [string, string][] = [];
    for (const [name, value] of fields) filled.push([name, await this.valueOf(value, url)]);
    return filled;
  }

  private async valueOf(value: FieldValue, url: string): Promise<string> {
    const { recipe, secrets } = this.account;
    switch (value.from) {
      case 'text':
        return value.text;
      case 'user_name':
        return 'userName' in recipe ? recipe.userName : '';
      case 'password':
        return secrets.password ?? '';
      case 'totp':
        return this.code();
      default:
        return this.earlier(value.name, url);
    }
  }

  private earlier(name: string, url: string): string {
    const found = valueInPages(this.exchanges.pages, name) ?? this.state.cookie(name, url);
    if (found === null) throw impossible(`no earlier answer has a field, key or cookie named ${name}`);
    return found;
  }

  private async code(): Promise<string> {
    if (this.codes === null) throw failed('a one-time code is asked for: add the TOTP seed of the account');
    this.hasSentCode = true;
    return this.codes.unused(this.via.signal);
  }

  private async read(url: string): Promise<Page> {
    const page = await this.exchanges.send(
      { ...this.placeOf(url), headers: [['Accept', 'text/html,*/*;q=0.8']] },
      'the page of the sign-in',
    );
    if (page.status >= 400) throw impossible(`the page of the sign-in answers ${page.status}: check its address`);
    return page;
  }

  /** Fills in forms until none asks for anything that the account has. */
  private async submitForms(first: Page, mustFind: boolean): Promise<void> {
    let page = first;
    for (let sent = 0; sent < MOST_FORMS; sent += 1) {
      const next = await this.nextForm(page, mustFind && sent === 0);
      if (next === null) break;
      page = await this.submit(page, next);
    }
    if (asksForPassword(page) && this.hasSentPassword)
      throw failed('the form was shown again: check the user name and the password');
  }

  private async nextForm(page: Page, mustFind: boolean): Promise<FormToSend | null> {
    const next = await this.chosenForm(await formsOf(page));
    if (next !== null && hasCaptcha(page)) throw impossible(noFormReason(page));
    if (next === null && (mustFind || (this.hasSentUser && !this.hasSentPassword)))
      throw impossible(noFormReason(page));
    return next;
  }

  private async chosenForm(forms: readonly PageForm[]): Promise<FormToSend | null> {
    const { recipe, secrets } = this.account;
    const given = recipe.kind === 'form' ? recipe : null;
    const coded = codeFormIn(forms, recipe.totp?.field);
    if (this.hasSentPassword) {
      if (coded === null || this.hasSentCode || !(coded.isCertain || forms.length === 1)) return null;
      const values: Texts = [[coded.code, await this.code()]];
      return { form: coded.form, values, what: `a form that asks for a code in ${coded.code}`, hasCredential: true };
    }
    const asked = signInFormIn(forms, given ?? {});
    const userName = 'userName' in recipe ? recipe.userName : '';
    if (asked !== null) {
      const { form, user, password } = asked;
      const isBeside = coded?.form === form && coded.code !== password && coded.code !== user;
      const code: Texts = this.codes !== null && isBeside ? [[coded.code, await this.code()]] : [];
      const values: Texts = [
        ...(user === null ? [] : [[user, userName] as const]),
        [password, secrets.password ?? ''],
        ...code,
      ];
      return {
        form,
        values,
        what: `a form with the fields ${listed(values.map(([one]) => one))}`,
        hasCredential: true,
      };
    }
    const named = this.hasSentUser || given === null ? null : userFormIn(forms, given.userField);
    if (named === null) return null;
    this.hasSentUser = true;
    const values: Texts = [[named.user, userName]];
    return { form: named.form, values, what: `a form that asks for ${named.user} first`, hasCredential: false };
  }

  private async submit(page: Page, { form, values, what, hasCredential }: FormToSend): Promise<Page> {
    const place = placeAt(this.account.origins, form.action);
    const { origin, pathname } = form.action;
    if (place === null)
      throw impossible(`the form sends to ${origin}, which the account does not name: nothing was sent there`);
    if (form.method !== 'POST')
      throw impossible(`the form at ${pathname} would send the password in an address: use another kind of sign-in`);
    const filled = form.fields.map(
      ({ name, value }) => [name, values.find(([other]) => other === name)?.[1] ?? value] as const,
    );
    const sent = bodyOf('form', filled);
    this.hasSentPassword ||= hasCredential;
    return this.exchanges.send(
      { ...place, method: 'POST', headers: this.headersTo(form.action.href, sent?.type, page.url), body: sent?.body },
      what,
    );
  }

  private headersTo(url: string, type: string | undefined, from?: string): Texts {
    const { origin } = new URL(url);
    const isFrom = from !== undefined && new URL(from).origin === origin;
    return type === undefined
      ? []
      : [
          ['Content-Type', type],
          ['Accept', '*/*'],
          ['Origin', origin],
          ...(isFrom ? ([['Referer', from]] as const) : []),
        ];
  }

  private placeOf(url: string): Pick<HttpRequest, 'scheme' | 'host' | 'port' | 'path'> {
    const parsed = parseUrl(url);
    const place = parsed && placeAt(this.account.origins, parsed);
    if (place === null)
      throw impossible(`${parsed?.origin ?? 'the address'} is none of the account's origins: nothing was sent there`);
    return place;
  }
}
