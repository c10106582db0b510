import type { Decisive } from './baseline';
import { isFromCache, type Page, redirectOf, isEquivalentRedirect } from './page';
import { type AnsweredRequest, isForMissingPath } from './probe';
import { asksToSignIn, resembles, snapshot } from './snapshot';
import type { HttpAnswer } from './transport/http';

/** Words that only the pages of firewalls and bot walls say, which they do with any status. */
const FIREWALL_PAGES =
  /Attention Required! \| Cloudflare|Sorry, you have been blocked|cf-error-details|\bcf-chl-|Just a moment\.\.\.|Incapsula incident ID|The requested URL was rejected\. Please consult|Sucuri WebSite Firewall|This website is using a security service to protect itself|Pardon Our Interruption|Web Page Blocked|Request blocked\.\s+We can't connect|errors\.edgesuite\.net|Mod_Security|\bg-recaptcha\b|\bh-captcha\b|^default backend - 404|no Route matched with those values|404 Route Not Found/i;

/** What stands before a target under one name, whoever answers. */
const PROXIES =
  /(?:^|[-_ ])(?:cloudflare|cloudfront|akamai|awselb|sucuri|imperva|bigip|big-ip|varnish|fastly|bunnycdn|ddos-guard|qrator|envoy|haproxy|traefik|kong|apisix)/;

const FIREWALL_FIELDS = ['cf-mitigated', 'x-amzn-waf-action'];
const SEARCHED_CHARACTERS = 50_000;

/** Why an answer is nobody's who was asked: a limit, a failure, a wall. No control can be made from it. */
export function blockReason(page: Page): string | null {
  const { status } = page;
  if (status === 429) return 'it limits the request rate (429)';
  if (status === 408 || status >= 500) return `it fails with ${status}`;
  if (status === 304) return 'it responds with 304 to a request without a condition';
  const isFirewall =
    FIREWALL_FIELDS.some((field) => page.headers.get(field) !== null) ||
    FIREWALL_PAGES.test(page.text.slice(0, SEARCHED_CHARACTERS));
  return isFirewall ? `a firewall responds instead of the target (${status})` : null;
}

/** Answers that keep a stranger out, whoever gives them. */
const REFUSALS = new Set([401, 403, 407]);

export const isRefusal = ({ status }: Page): boolean => REFUSALS.has(status);

const serverField = ({ headers }: Page): string | null => headers.get('server')?.trim().toLowerCase() ?? null;

/** These depend on what is answered, and not on who answers. */
const COMMON_FIELD =
  /^(?:content-(?!security)|date$|connection$|keep-alive$|transfer-|etag$|last-modified$|accept-ranges$|vary$|set-cookie$|location$|www-authenticate$|cache-control$|expires$|pragma$|allow$|age$)/;

/** The names of all other fields, and the framework that names itself. */
const distinctiveFields = ({ headers }: Page): string =>
  [...new Set(headers.fields.map(([name]) => name.toLowerCase()))]
    .filter((name) => !COMMON_FIELD.test(name))
    .map((name) => (name === 'x-powered-by' ? `${name}: ${headers.get(name)}` : name))
    .sort()
    .join(', ');

/** Whether the very server that gives the control answers: by its name and version, or by the fields that it sends. */
function isSameServer(answer: Page, control: Page): boolean {
  const server = serverField(control);
  if (server !== serverField(answer)) return false;
  return server === null
    ? distinctiveFields(control) !== '' && distinctiveFields(answer) === distinctiveFields(control)
    : !PROXIES.test(server);
}

const LOGIN = /log-?(?:in|on)|sign-?in|\bsso\b|oauth|auth|account|session|passw/i;

export const looksLikeLogin = ({ pathname }: URL): boolean => LOGIN.test(pathname);

/** A redirect says that nothing is there only if the target sends everything there that it does not have. */
function redirectReason(path: string, to: URL, from: string, missing: Page): string | null {
  const where = `${to.hostname}${to.pathname}`;
  if (to.origin !== new URL(from).origin) return `${path} redirects to another origin (${to.origin})`;
  if (looksLikeLogin(to)) return `${path} redirects to a page that looks like a login (${where})`;
  const usual = redirectOf(missing);
  if (usual !== null && isEquivalentRedirect(path, to, new URL(missing.url).pathname, usual)) return null;
  return `${path} redirects to ${where}, but missing paths do not redirect there`;
}

/** Front pages that are nobody's to show: what is behind them cannot be tested from here. */
const REFUSED_PAGES = new Set([402, 403, 406, 407, 418, 421, 451]);

/** Why nothing that a whole target answers is its own word, or null. */
export const siteRefusalReason = (page: Page): string | null =>
  blockReason(page) ?? (REFUSED_PAGES.has(page.status) ? `it refuses the tested page with ${page.status}` : null);

/** Answers that are about the request, the line or the bill, and not about what is there. */
const UNINFORMATIVE_STATUSES = new Set([
  300, 305, 306, 402, 405, 406, 412, 416, 417, 418, 421, 423, 425, 426, 428, 431, 451,
]);

const isPlain = ({ path, request: { method = 'GET', body } }: AnsweredRequest): boolean =>
  method === 'GET' && body === undefined && !path.includes('?');

/** Where something else than a path was asked for, a refusal of the request may be what fixing it means. */
const isUninformative = (asked: AnsweredRequest): boolean =>
  isPlain(asked) && (UNINFORMATIVE_STATUSES.has(asked.answer.status) || asked.answer.status === 400);

const BODILESS = new Set(['HEAD', 'OPTIONS', 'DELETE']);

/** What is packed ends where it says. */
const COMPRESSED = /gzip|deflate|br/i;

/** An end that comes too early is only noticed where the answer says how long it is. */
const statesItsLength = ({ headers, text }: Page): boolean =>
  headers.get('content-length') !== null ||
  headers.get('transfer-encoding') !== null ||
  COMPRESSED.test(headers.get('content-encoding') ?? '') ||
  /<\/html>\s{0,100}$/i.test(text.slice(-200));

/** Why the page may not be all that was sent, or null. */
export const truncationReason = (page: Page): string | null =>
  page.body.length === 0 || statesItsLength(page) ? null : 'the response states no length and may be truncated';

/** Why an answer with success may hide what is there, or null. */
function hiddenContentReason(
  { request: { method = 'GET' }, answer }: AnsweredRequest,
  wasEmpty: boolean,
): string | null {
  if (answer.status >= 300 || BODILESS.has(method)) return null;
  return answer.body.length === 0 && !wasEmpty
    ? `the response has status ${answer.status} and an empty body`
    : truncationReason(answer);
}

/** Whether it is how the control was answered too, which has been compared with what was there before. */
async function isAnsweredAsControl(
  { path, answer }: AnsweredRequest,
  first: HttpAnswer,
  control: Page,
): Promise<boolean> {
  const own = control.hops[0] ?? control;
  const [to, ownTo] = [redirectOf(first), redirectOf(own)];
  const isSame =
    path === new URL(own.url).pathname &&
    first.status === own.status &&
    to?.origin === ownTo?.origin &&
    to?.pathname === ownTo?.pathname &&
    (answer.body.length === 0) === (control.body.length === 0);
  return isSame && (answer.body.length === 0 || resembles(await snapshot(control), await snapshot(answer)));
}

/** What an answer is compared with, to say whether it is the target's own word. */
export interface Comparison {
  readonly control: Page;
  /** How a path is answered now that does not exist. */
  readonly missing: Page;
  readonly decisive: Decisive;
  /** How it was answered when the weakness was there. */
  readonly before: { readonly status: number | undefined; readonly empty: boolean };
  /** The check has recognised it as what it asked for, without the weakness. */
  readonly isGenuine: boolean;
}

/** Whether a page with success is one that the target has shown us elsewhere, and none that stands in the way. */
async function isKnownPage({ key, answer }: AnsweredRequest, { control, missing }: Comparison): Promise<boolean> {
  const [now, usual] = [await snapshot(answer), await snapshot(missing)];
  if (!isForMissingPath(key)) return resembles(usual, now);
  // The answer to a missing path says nothing of itself; some sites answer it with their home page.
  return resembles(await snapshot(control), now);
}

/** Whether an error is the target's own: of the server that gives the control, or as it answers what is missing. */
async function isOwnError({ key, answer }: AnsweredRequest, { control, missing }: Comparison): Promise<boolean> {
  if (isSameServer(answer, control)) return true;
  if (isForMissingPath(key) || serverField(answer) !== serverField(missing)) return false;
  if (answer.body.length === 0 && missing.body.length === 0) return answer.status === missing.status;
  return resembles(await snapshot(missing), await snapshot(answer));
}

const CLOCK_TOLERANCE_MS = 30_000;
/** Clocks of targets are seldom as wrong as this. */
const WRONG_CLOCK_MS = 20 * 60_000;

/** A cache without marks keeps the date of what it keeps. */
function isOlderThan(control: Page, answer: Page): boolean {
  const [at = NaN, before = NaN] = [answer, control].map(({ headers }) => Date.parse(headers.get('date') ?? ''));
  return at < before - CLOCK_TOLERANCE_MS || at < Date.now() - WRONG_CLOCK_MS;
}

/** Why the answer to the request that showed the weakness may stand in the place of the target's own, or null. */
async function standInReason(asked: AnsweredRequest, comparison: Comparison): Promise<string | null> {
  const { path, answer, request } = asked;
  if (isOlderThan(comparison.control, answer)) return `${path}: the response is older than the request`;
  if (answer.status >= 300 || BODILESS.has(request.method ?? 'GET')) return null;
  const { before, isGenuine } = comparison;
  const isKnown = isGenuine || (before.empty && answer.body.length === 0) || (await isKnownPage(asked, comparison));
  return isKnown ? null : `${path} returns ${answer.status} with another page than missing paths do`;
}

/**
 * Why an answer in which a check did not find its weakness cannot be trusted to show that the weakness is gone. An
 * answer with the status of the time when the weakness was there is doubted only for what can stand in its place.
 */
export async function distrustReason(asked: AnsweredRequest, comparison: Comparison): Promise<string | null> {
  const { key, path, answer } = asked;
  const { before, control, decisive, missing } = comparison;
  const first = answer.hops[0] ?? answer;
  const isAsBefore = first.status === before.status;
  const blockage = isAsBefore && answer.status >= 500 ? null : blockReason(answer);
  if (blockage !== null) return `${path}: ${blockage}`;
  if (asksToSignIn(answer) && !asksToSignIn(control)) return `${path} asks for a password`;
  const isDecisive = decisive.kind === 'http' && decisive.key === key;
  const mustBeFresh = isDecisive || asked.request.fresh === true;
  if (mustBeFresh && (isFromCache(answer) || isFromCache(first)))
    return `${path}: a cache responds instead of the target`;
  if (await isAnsweredAsControl(asked, first, control)) return null;
  const hidden = hiddenContentReason(asked, before.empty);
  if (hidden !== null) return `${path}: ${hidden}`;
  const to = redirectOf(first);
  const redirectProblem = to === null ? null : redirectReason(path, to, first.url, missing);
  const isUsualRedirect = to !== null && redirectProblem === null;
  const standIn = isDecisive && !isUsualRedirect ? await standInReason(asked, comparison) : null;
  if (standIn !== null) return standIn;
  if (answer.status >= 400 && !(await isOwnError(asked, comparison)))
    return `${path} returns ${answer.status}, but nothing shows that the response comes from the target`;
  if (isAsBefore && answer === first) return null;
  if (to !== null && !isAsBefore) return redirectProblem;
  return isUninformative(asked) ? `${path} returns ${answer.status}, which does not show what is there` : null;
}
