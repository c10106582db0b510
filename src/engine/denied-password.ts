import { randomBytes } from 'node:crypto';
import { blockReason, isRefusal } from './response-trust';
import { isFromCache, missingSiblingOf, type Page, redirectOf } from './page';
import type { ProbeRequest, TargetProbe } from './probe';
import type { AnsweredRequest } from './answered-request';

const LONGEST_BODY = 20_000;

/** Starts at the word in the field's name. Every repetition is bounded, because a body may consist of such words. */
const PASSWORD_FIELD = /(?:pass|pwd)[\w.-]{0,100}["']?\s{0,20}(?:[=:]|%3d)/i;

/** Whether a request signs in: it contains a password. */
export function statesPassword({ body = '', headers = [] }: ProbeRequest): boolean {
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) return true;
  return PASSWORD_FIELD.test(body.slice(0, LONGEST_BODY).toString());
}

/** The value of the field in a form or in JSON. */
const PASSWORD_VALUE = new RegExp(`(${PASSWORD_FIELD.source}\\s{0,20}["']?)([^"'&\\s}]+)`, 'gi');

/** The same request with another password of the same length; null if its body contains none. */
export function withWrongPassword(request: ProbeRequest): ProbeRequest | null {
  const text = request.body?.toString() ?? '';
  const other = text.replaceAll(PASSWORD_VALUE, (_all, field: string, value: string) => `${field}${wrongLike(value)}`);
  return other === text ? null : { ...request, body: other };
}

const wrongLike = (value: string): string =>
  randomBytes(value.length).toString('hex').slice(0, Math.max(8, value.length));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in a JSON response, or null. */
function objectOf({ headers, body, text }: Page): Readonly<Record<string, unknown>> | null {
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '') || body.length > LONGEST_BODY) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const ERROR_KEY = /^(?:errors?|err|error_?(?:message|code|description|msg))$/i;
const STATE_KEY = /^(?:success|succeeded|ok|status|result|state|authenticated|is_?success(?:ful)?)$/i;
const FAILED = /^(?:false|errors?|fail(?:ed|ure)?|ko|denied|unauthorized)$/i;
const NOTHING = new Set<unknown>([null, undefined, false, 0, '', '0']);

const statesError = (object: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(object).some(([key, value]) =>
    ERROR_KEY.test(key) ? !NOTHING.has(value) : STATE_KEY.test(key) && FAILED.test(String(value)),
  );

const ABOUT_CREDENTIALS = /passw|credential|user|log-?_?in|account|auth/i;

/** Reasons that do not come from the login, or from a login that would accept the password. */
const ANOTHER_REASON =
  /captcha|csrf|xsrf|token|lock|too many|attempt|rate|throttl|mainten|unavailable|expired|chang|reset|sso\b|single sign|gateway|proxy|api.?key|vpn|firewall|otp\b|mfa|factor|verification|session|cookie/i;

/** Whether a JSON response says that the credentials are wrong. */
function isDenial(page: Page): boolean {
  const object = objectOf(page);
  if (object === null || ANOTHER_REASON.test(page.text)) return false;
  return page.status === 401 || (page.status < 500 && statesError(object) && ABOUT_CREDENTIALS.test(page.text));
}

/** Statuses that an application uses for logins. A firewall refuses with 403. */
const OWN_STATUSES = new Set([200, 400, 401, 422]);

const asksForAnotherLogin = ({ headers }: Page, { headers: sent = [] }: ProbeRequest): boolean =>
  headers.get('www-authenticate') !== null && !sent.some(([name]) => name.toLowerCase() === 'authorization');

/** Whether a missing path next to the login is answered by something that knows that the path is missing. */
function isAnotherAnswer(sibling: Page, answer: Page): boolean {
  if (blockReason(sibling) !== null || isRefusal(sibling) || redirectOf(sibling) !== null || isDenial(sibling))
    return false;
  return sibling.status !== answer.status || objectOf(sibling) === null;
}

/**
 * Whether an API says that the password in a request is wrong. This shows that the password is not set, unless something in front
 * of the application gives this answer. So the tested page and the same request to a missing path must get other responses.
 */
export async function deniesPassword(asked: AnsweredRequest, control: Page, probe: TargetProbe): Promise<boolean> {
  const { path, request, answer } = asked;
  // What is submitted is sent nowhere else.
  if (request.submits !== undefined) return false;
  const isOwn = OWN_STATUSES.has(answer.status) && answer.hops.length === 0 && blockReason(answer) === null;
  if (!isOwn || isFromCache(answer) || !statesPassword(request) || !isDenial(answer)) return false;
  if (asksForAnotherLogin(answer, request) || control.status >= 400 || isDenial(control)) return false;
  const [plain = '', ...query] = path.split('?');
  const missing = [missingSiblingOf(plain), ...query].join('?');
  const { method, headers, body } = request;
  return isAnotherAnswer(await probe.requestPage({ method, headers, body, path: missing }), answer);
}
