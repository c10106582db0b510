import { inTurns } from '../kernel/in-turns';
import { parseUrl } from '../kernel/parse-url';
import { hasCaptcha } from './firewall-pages';
import type { Page } from './page';
import { attribute, type Element, elementsOf, optionOf, parsed, partsOf, textOf } from './html-elements';

const SEARCHED_CHARACTERS = 300_000;
const MOST_FORMS = 8;
/** The longest form: each is parsed at once. */
const LONGEST_FORM = 30_000;
const MOST_FIELDS = 100;

export interface FormField {
  readonly name: string;
  /** Lower case: `hidden`, `password`, `text`, `submit` … */
  readonly type: string;
  readonly value: string;
  /** Texts that say what it is for: name, id, `autocomplete`, placeholder, label. */
  readonly about: string;
}

export interface PageForm {
  readonly action: URL;
  readonly method: string;
  /** What the form sends, with its first button, if nothing is entered. */
  readonly fields: readonly FormField[];
  /** Its address and its texts. */
  readonly about: string;
  /** The texts of what sends it, of its headings, and its names, each on a line. */
  readonly labels: string;
  /** Lower case; empty for the usual one. */
  readonly encoding: string;
  /** Whether it has a field for files. */
  readonly takesFiles: boolean;
  /** The boxes that a submission leaves out. A consent is one of them. */
  readonly unticked: readonly UntickedBox[];
}

export interface UntickedBox {
  readonly name: string;
  readonly isRequired: boolean;
}

const TOKEN = /csrf|xsrf|token|nonce|authenticity|verif|viewstate|eventvalidation|__rv|^_?t$|captcha|timestamp/i;
/** Sixteen or more characters that no person has chosen. */
const RANDOM = /^(?=[\w+/=.:-]{16,}$)(?=.*\d)(?=.*[a-z])/i;

/** Hidden values that the page makes for each visitor. */
export const isFresh = ({ name, type, value }: FormField): boolean =>
  type === 'hidden' && (TOKEN.test(name) || RANDOM.test(value));

const NOT_SENT = new Set(['reset', 'image', 'file', 'button']);
const HEADINGS = new Set(['legend', 'h1', 'h2', 'h3', 'h4']);
const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);

function withoutComments(html: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = html.indexOf('<!--'); at >= 0; at = html.indexOf('<!--', from)) {
    parts.push(html.slice(from, at));
    const end = html.indexOf('-->', at);
    from = end < 0 ? html.length : end + 3;
  }
  return parts.join('') + html.slice(from);
}

/** From its tag to its end, or to the next form. */
function formTexts(html: string): string[] {
  const starts = [...html.matchAll(/<form\b/gi)].slice(0, MOST_FORMS).map(({ index }) => index);
  return starts.map((start, at) => {
    const text = html.slice(start, Math.min(starts[at + 1] ?? html.length, start + LONGEST_FORM));
    const end = text.search(/<\/form\b/i);
    return end < 0 ? text : text.slice(0, end);
  });
}

function fieldOf(control: Element, labels: ReadonlyMap<string, string>): FormField {
  const { tagName } = control;
  const type = (attribute(control, 'type') ?? (tagName === 'button' ? 'submit' : 'text')).toLowerCase();
  const stated =
    tagName === 'select' ? optionOf(control) : tagName === 'textarea' ? textOf(control) : attribute(control, 'value');
  const [id, ...others] = ['id', 'name', 'autocomplete', 'placeholder', 'aria-label'].map(
    (name) => attribute(control, name) ?? '',
  );
  return {
    name: attribute(control, 'name') ?? '',
    type: tagName === 'input' || tagName === 'button' ? type : tagName,
    value: stated ?? (type === 'checkbox' || type === 'radio' ? 'on' : ''),
    about: [id, ...others, labels.get(id ?? '') ?? ''].join(' '),
  };
}

function isSent(control: Element, { name, type }: FormField): boolean {
  if (name === '' || NOT_SENT.has(type) || attribute(control, 'disabled') !== null) return false;
  return (type !== 'checkbox' && type !== 'radio') || attribute(control, 'checked') !== null;
}

function untickedBox(control: Element): UntickedBox[] {
  const has = (name: string): boolean => attribute(control, name) !== null;
  const isBox = control.tagName === 'input' && /^(?:checkbox|radio)$/.test(typeOf(control));
  const name = attribute(control, 'name') ?? '';
  return isBox && name !== '' && !has('checked') && !has('disabled') ? [{ name, isRequired: has('required') }] : [];
}

const typeOf = (one: Element): string => (attribute(one, 'type') ?? '').trim().toLowerCase();

/** Whether a click on it sends the form, with or without a name. */
const sends = (one: Element): boolean =>
  one.tagName === 'button'
    ? !['button', 'reset'].includes(typeOf(one))
    : one.tagName === 'input' && ['submit', 'image'].includes(typeOf(one));

const SAYING = ['id', 'name', 'value', 'aria-label', 'title', 'alt'];

/** All that a button says, also by an image in it. */
const saidBy = (button: Element): string[] => [
  textOf(button),
  ...elementsOf(button).flatMap((one) => SAYING.flatMap((name) => attribute(one, name) ?? [])),
];

function formIn(text: string, base: string): PageForm | null {
  const elements = parsed(partsOf(text)[0] ?? '');
  const form = elements.find(({ tagName }) => tagName === 'form');
  const action = form && parseUrl(attribute(form, 'action')?.trim() || base, base);
  if (form === undefined || action == null) return null;
  action.hash = '';
  const labels = new Map(
    elements.filter(({ tagName }) => tagName === 'label').map((one) => [attribute(one, 'for') ?? '', textOf(one)]),
  );
  const controls = elements.filter(({ tagName }) => CONTROLS.has(tagName)).slice(0, MOST_FIELDS);
  const fields = controls.flatMap((control) => {
    const field = fieldOf(control, labels);
    return isSent(control, field) ? [field] : [];
  });
  const button = fields.find(({ type }) => type === 'submit');
  const buttons = elements.filter(({ tagName }) => tagName === 'button').map(textOf);
  const headings = elements.filter(({ tagName }) => HEADINGS.has(tagName)).map(textOf);
  const named = ['id', 'name', 'aria-label'].map((name) => attribute(form, name) ?? '');
  return {
    action,
    method: (attribute(form, 'method') ?? 'get').trim().toUpperCase(),
    fields: fields.filter((field) => field.type !== 'submit' || field === button),
    about: [action.pathname, attribute(form, 'id'), attribute(form, 'name'), attribute(form, 'class'), ...buttons].join(
      ' ',
    ),
    labels: [...named, ...headings, ...elements.filter(sends).flatMap(saidBy)].join('\n'),
    encoding: (attribute(form, 'enctype') ?? '').trim().toLowerCase(),
    takesFiles: controls.some((one) => one.tagName === 'input' && typeOf(one) === 'file'),
    unticked: elements.flatMap(untickedBox).slice(0, MOST_FIELDS),
  };
}

/** The forms of a page, without those in comments. */
export async function formsOf({ text, url }: Page): Promise<PageForm[]> {
  const html = withoutComments(text.slice(0, SEARCHED_CHARACTERS));
  const [, stated] = /<base\b[^<>]{0,500}\bhref\s?=\s?["']([^"'<>]{1,2000})/i.exec(html) ?? [];
  const base = (stated === undefined ? null : parseUrl(stated, url))?.href ?? url;
  const forms: PageForm[] = [];
  for await (const form of inTurns(formTexts(html))) forms.push(...[formIn(form, base) ?? []].flat());
  return forms;
}

const isVisible = ({ type }: FormField): boolean =>
  type !== 'hidden' && type !== 'submit' && type !== 'checkbox' && type !== 'radio';
const isPassword = ({ type }: FormField): boolean => type === 'password';

const SIGN_IN =
  /log[-_ ]?[io]n|sign[-_ ]?in|auth|session|anmeld|einlogg|connexion|connecter|acced|entrar|inlogg|zalog|giri|войти|вход/i;
const USER = /user|login|e?-?mail|name|account|ident|nutzer|benutzer|utilisateur|usuario|utente|gebruiker|log\b/i;
const FACTOR = /one-time|otp|2fa|mfa|two.?factor|verif|authenticat|challenge/i;
const CODE = new RegExp(`${FACTOR.source}|code|token|\\bpin\\b`, 'i');

export interface SignInForm {
  readonly form: PageForm;
  readonly password: string;
  /** Null where only the password is asked for. */
  readonly user: string | null;
}

/** The sign-in form: of several, the one with a single password and words of a sign-in. */
export function signInFormIn(
  forms: readonly PageForm[],
  { userField, passwordField }: { readonly userField?: string; readonly passwordField?: string } = {},
): SignInForm | null {
  const isWanted = (field: FormField): boolean =>
    passwordField === undefined ? isPassword(field) : field.name === passwordField;
  const rank = ({ fields, about }: PageForm): number =>
    (fields.filter(isPassword).length === 1 ? 0 : 2) + (SIGN_IN.test(about) ? 0 : 1);
  const [form] = forms.filter(({ fields }) => fields.some(isWanted)).sort((one, other) => rank(one) - rank(other));
  const password = form?.fields.findIndex(isWanted) ?? -1;
  const field = form?.fields[password];
  if (form === undefined || field === undefined) return null;
  const others = form.fields.filter((one) => isVisible(one) && !isPassword(one));
  const before = others.filter((one) => form.fields.indexOf(one) < password);
  const user =
    userField ??
    (before.findLast(({ about }) => USER.test(about)) ?? before.at(-1) ?? others.find(({ about }) => USER.test(about)))
      ?.name;
  return { form, password: field.name, user: user ?? null };
}

/** A form that asks for the user name alone. */
export function userFormIn(
  forms: readonly PageForm[],
  userField?: string,
): { readonly form: PageForm; readonly user: string } | null {
  for (const form of forms.filter(({ method }) => method === 'POST')) {
    const [first, ...others] = form.fields.filter(isVisible);
    const isNamed =
      first !== undefined && (first.name === userField || (USER.test(first.about) && SIGN_IN.test(form.about)));
    if (isNamed && others.length === 0) return { form, user: first.name };
  }
  return null;
}

export interface CodeForm {
  readonly form: PageForm;
  readonly code: string;
  /** Its words are about a second factor: `code` alone may be a voucher code. */
  readonly isCertain: boolean;
}

/** A form that asks for a one-time code, beside the password or on the next page. */
export function codeFormIn(forms: readonly PageForm[], codeField?: string): CodeForm | null {
  for (const form of forms.filter(({ method }) => method === 'POST')) {
    const field = form.fields.find(
      (one) => isVisible(one) && (codeField === undefined ? CODE.test(one.about) : one.name === codeField),
    );
    if (field !== undefined)
      return {
        form,
        code: field.name,
        isCertain: codeField !== undefined || FACTOR.test(`${field.about} ${form.about}`),
      };
  }
  return null;
}

/** Why a page is not a sign-in page. */
export function noFormReason(page: Page): string {
  const { text, url } = page;
  const start = text.slice(0, SEARCHED_CHARACTERS);
  const { pathname } = new URL(url);
  if (/navigator\.credentials|PublicKeyCredential|webauthn|passkey/i.test(start))
    return `${pathname} asks for a passkey, which no test has: use a header or a cookie of a session`;
  if (hasCaptcha({ text, url } as Page))
    return `${pathname} shows a captcha, which no test solves: use a header or a cookie of a session`;
  return `${pathname} has no form with a password field. If a script signs in, use a request or recorded steps`;
}
