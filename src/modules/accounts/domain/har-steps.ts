import type { AccountSecrets, FieldValue, RequestField, SignInRecipe, SignInRequest } from '../../../engine';
import { isNeverSent } from '../../../engine/signed-in/ending-words';
import { markedValues } from '../../../engine/signed-in/issued-secrets';
import { isOwnHeader } from '../../../engine/transport/reserved-headers';
import { percentDecoded } from '../../../engine/protocols/http/percent-decoded';
import { invalid } from '../../../kernel/domain-error';
import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { parseUrl } from '../../../kernel/parse-url';
import { isText } from '../../../kernel/plain-text';
import { hostOf, portOf } from '../../../kernel/web-url';
import { originText } from './account-origins';
import { presentedRecipe, recipeOf, requireAtOrigins, requireFitting } from './sign-in-recipe';

export type StepsRecipe = Extract<SignInRecipe, { kind: 'steps' }>;

/** A sign-in with its secrets, as it is sealed. */
export interface SealedSteps {
  readonly recipe: StepsRecipe;
  readonly secrets: AccountSecrets;
}

const MAX_ENTRIES = 500;
const MAX_STEPS = 20;
const MAX_URL = 2_048;
const MAX_FIELDS = 50;
/** Read of one request, of its headers, cookies or fields. */
const MAX_PAIRS = 100;
const MAX_DEPTH = 4;
const MAX_VALUE = 200;
/** Limits on what is searched for CSRF values. */
const SEARCHED_ANSWERS = 50;
const SEARCHED_CHARACTERS = 300_000;
const SEARCHED_TAGS = 2_000;
const SEARCHED_TAGS_OF_ALL = 10_000;
/** A browser stores no longer cookie. */
const LONGEST_COOKIE = 4_096;
/** Of a path: it may be a token. */
const LONG_SEGMENT = 24;

const PASSWORD = /pass(?!port|age)|^pwd?$|passwd|kennwort/i;
const USER = /user|login|mail|name|account|identifier/i;
const CODE = /otp|2fa|mfa|^code$|^pin$/i;
/** What a page states for the request after it. */
const ISSUED = /csrf|xsrf|token|nonce|authenticity|verification|^__|state$/i;
const NO_PAGE = /^(?:image|font|audio|video)\/|css|javascript/i;

/** Long, and without spaces: whoever recorded it does not know whether it is a secret. */
const isSecretLike = (value: string): boolean => value.length >= 16 && !/\s/.test(value) && /\d/.test(value);

type Fields = readonly (readonly [name: string, value: string])[];

interface Entry {
  readonly method: SignInRequest['method'];
  readonly url: URL;
  readonly format: SignInRequest['format'];
  readonly fields: Fields;
  readonly headers: Fields;
  readonly cookies: Fields;
  readonly answer: string;
}

const refused = (what: string): Error => invalid(`The file is no HAR of a sign-in: ${what}.`);

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const pairsIn = (list: unknown): Fields =>
  (Array.isArray(list) ? list : [])
    .slice(0, MAX_PAIRS)
    .filter(isRecord)
    .map(({ name, value }) => [textIn(name), textIn(value)] as const);

/** `user.name` is the field `name` of the object `user`. Null for what a step cannot send. */
function fieldsOfJson(value: unknown, prefix = '', depth = 0): Fields | null {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return [[prefix, String(value)]];
  if (value === null) return [];
  if (!isRecord(value) || depth >= MAX_DEPTH) return null;
  const fields: (readonly [string, string])[] = [];
  for (const [name, one] of Object.entries(value).slice(0, MAX_FIELDS + 1)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    // Names this long are never sent.
    const part = path.length > MAX_VALUE ? [] : fieldsOfJson(one, path, depth + 1);
    if (part === null) return null;
    fields.push(...part.slice(0, MAX_PAIRS - fields.length));
    if (fields.length === MAX_PAIRS) break;
  }
  return fields;
}

/** The first of a form. `split` ends at its limit, so that the others cost nothing. */
const fieldsOfForm = (text: string): Fields => [...new URLSearchParams(text.split('&', MAX_PAIRS).join('&'))];

function bodyIn({ postData }: JsonRecord): Pick<Entry, 'format' | 'fields'> | null {
  if (!isRecord(postData)) return { format: 'none', fields: [] };
  const [type, text] = [textIn(postData['mimeType']), textIn(postData['text'])];
  if (/x-www-form-urlencoded/i.test(type))
    return { format: 'form', fields: text === '' ? pairsIn(postData['params']) : fieldsOfForm(text) };
  if (!/json/i.test(type)) return null;
  try {
    const fields = fieldsOfJson(JSON.parse(text));
    return fields && { format: 'json', fields };
  } catch {
    return null;
  }
}

/** Null for what is no step of a sign-in, or is at another origin. */
function entryOf(stated: unknown, origins: readonly string[]): Entry | null {
  if (!isRecord(stated) || !isRecord(stated['request'])) return null;
  const { request, response } = stated;
  const content = isRecord(response) && isRecord(response['content']) ? response['content'] : {};
  const method = textIn(request['method']).toUpperCase();
  const [url, body] = [parseUrl(textIn(request['url']).slice(0, MAX_URL + 1)), bodyIn(request)];
  if ((method !== 'GET' && method !== 'POST' && method !== 'PUT') || url === null || body === null) return null;
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.href.length > MAX_URL) return null;
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  if (!origins.includes(originText({ scheme, host: hostOf(url), port: portOf(url) }))) return null;
  if (isNeverSent(url.pathname) || NO_PAGE.test(textIn(content['mimeType']))) return null;
  if (url.pathname.split('/').some((segment) => segment.length >= LONG_SEGMENT && isSecretLike(segment))) return null;
  url.hash = '';
  if ([...url.searchParams.values()].some(isSecretLike)) url.search = '';
  const answer = content['encoding'] === 'base64' ? '' : textIn(content['text']).slice(0, SEARCHED_CHARACTERS);
  return { method, url, ...body, headers: pairsIn(request['headers']), cookies: pairsIn(request['cookies']), answer };
}

function entriesOf(content: Buffer, origins: readonly string[]): Entry[] {
  let har: unknown;
  try {
    har = JSON.parse(content.toString('utf8'));
  } catch {
    throw refused('it is not JSON');
  }
  const log = isRecord(har) && isRecord(har['log']) ? har['log'] : {};
  const entries: unknown = log['entries'];
  if (!Array.isArray(entries)) throw refused('it has no log.entries');
  if (entries.length > MAX_ENTRIES) throw refused(`it has more than ${MAX_ENTRIES} requests. Record the sign-in alone`);
  const own = entries.flatMap((one) => entryOf(one, origins) ?? []);
  if (own.length === 0) throw refused(`none of its requests is at an origin of the account: ${origins.join(', ')}`);
  return own;
}

const passwordsIn = ({ fields }: Entry): string[] =>
  fields.filter(([name, value]) => PASSWORD.test(name) && value !== '').map(([, value]) => value);

/** The steps until the password was sent. What is not of the user, the password or a page, and may be a secret, is left out. */
export function stepsOfHar(content: Buffer, origins: readonly string[]): SealedSteps {
  const entries = entriesOf(content, origins);
  const last = entries.findLastIndex((one) => one.method !== 'GET' && new Set(passwordsIn(one)).size === 1);
  const signIn = entries[last];
  if (signIn === undefined)
    throw refused('no request to an origin of the account has one field for a password, in a form or in JSON');
  const [password = ''] = passwordsIn(signIn);
  const before = entries.slice(0, last);
  const userOf = ({ fields }: Entry): string | undefined =>
    fields.find(([name, value]) => USER.test(name) && !PASSWORD.test(name) && value !== '' && value.length <= 200)?.[1];
  const userName = [signIn, ...before.filter(({ method }) => method !== 'GET').toReversed()]
    .map(userOf)
    .find((value) => value !== undefined);
  if (userName === undefined) throw refused('no field beside the password has the user name');
  const lastOf = new Map(before.map(({ url }, at) => [url.href, at]));
  const once = before.filter(({ method, url }, at) => method !== 'GET' || lastOf.get(url.href) === at);
  const kept = [...once.slice(-(MAX_STEPS - 1)), signIn];
  const known = { password, userName, marked: namesIn(before.slice(-SEARCHED_ANSWERS)) };
  const recipe = { kind: 'steps' as const, userName, steps: kept.map((one) => stepOf(one, known)) };
  const secrets = { password };
  // As a request states it: its limits are the same.
  const read = recipeOf(presentedRecipe(recipe)) as StepsRecipe;
  requireAtOrigins(read, origins);
  requireFitting(read, secrets);
  return { recipe: read, secrets };
}

interface Known {
  readonly password: string;
  readonly userName: string;
  /** The name of the field or `meta` element that has a value. */
  readonly marked: ReadonlyMap<string, string>;
}

/** Read once for all headers of all steps. */
function namesIn(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let left = SEARCHED_TAGS_OF_ALL;
  for (const { answer } of entries) {
    let most = Math.min(left, SEARCHED_TAGS);
    left -= most;
    if (most === 0) break;
    for (const [name, value] of markedValues(answer)) {
      if (!names.has(value)) names.set(value, name);
      most -= 1;
      if (most === 0) break;
    }
    left += most;
  }
  return names;
}

function namesOfCookies(cookies: Fields): ReadonlyMap<string, string> {
  const short = cookies.filter(([, value]) => value.length <= LONGEST_COOKIE);
  const pairs = short.flatMap(([name, value]) => [value, percentDecoded(value)].map((one) => [one, name] as const));
  // The first with a value.
  return new Map(pairs.toReversed());
}

function stepOf({ method, url, format, fields, headers, cookies }: Entry, known: Known): SignInRequest {
  const sent = fields.slice(0, MAX_FIELDS).flatMap(([name, value]): RequestField[] => {
    const from = valueOf(name, value, known);
    return from === null || name === '' || name.length > MAX_VALUE ? [] : [[name, from]];
  });
  const ofCookies = namesOfCookies(cookies);
  const nameOf = (value: string): string | undefined => known.marked.get(value) ?? ofCookies.get(value);
  const own = headers.flatMap(([name, value]): RequestField[] => headerOf(name, value, nameOf));
  return {
    method,
    url: url.href,
    format: method === 'GET' ? 'none' : format,
    fields: method === 'GET' ? [] : sent,
    ...(own.length > 0 && { headers: own }),
  };
}

/** Null for what is left out. */
function valueOf(name: string, value: string, { password, userName }: Known): FieldValue | null {
  if (value === password) return { from: 'password' };
  if (value === userName) return { from: 'user_name' };
  if (PASSWORD.test(name) || CODE.test(name)) return null;
  if (ISSUED.test(name)) return { from: 'page', name };
  const isPlain = value.length <= MAX_VALUE && isText(value) && !isSecretLike(value) && !value.includes(password);
  return isPlain ? { from: 'text', text: value } : null;
}

/** Only what scripts add to say who asks: the others, and all credentials, are left out. */
function headerOf(name: string, value: string, nameOf: (value: string) => string | undefined): RequestField[] {
  if (/^x-requested-with$/i.test(name) && value === 'XMLHttpRequest') return [[name, { from: 'text', text: value }]];
  if (!/^x-[\w-]*(?:csrf|xsrf)/i.test(name) || !isOwnHeader(name) || value === '') return [];
  const from = nameOf(value);
  return from === undefined ? [] : [[name, { from: 'page', name: from }]];
}
