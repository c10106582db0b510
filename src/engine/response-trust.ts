import type { Decisive } from './baseline';
import { ageByDate, cacheReason } from './cache-advice';
import { asksForCaptcha, isFirewallPage, limitReason } from './firewall-pages';
import { isFromCache, type Page, redirectOf, isEquivalentRedirect } from './page';
import { isForMissingPath } from './probe';
import { type AnsweredRequest } from './answered-request';
import { asksToSignIn, resembles, snapshot } from './snapshot';
import type { HttpAnswer } from './transport/http';

/** Proxies and CDNs that set the same Server header on every response. */
const PROXIES =
  /(?:^|[-_ ])(?:cloudflare|cloudfront|akamai|awselb|sucuri|imperva|bigip|big-ip|varnish|fastly|bunnycdn|ddos-guard|qrator|envoy|haproxy|traefik|kong|apisix)/;

const FIREWALL_FIELDS = ['cf-mitigated', 'x-amzn-waf-action'];

/** Why a response is not the target's own (rate limit, failure, firewall), or null. Such a response cannot be a control. */
export function blockReason(page: Page): string | null {
  const { status } = page;
  if (status === 429) return 'it limits the request rate (429)';
  if (status === 408 || status >= 500) return `it fails with ${status}`;
  if (status === 304) return 'it responds with 304 to a request without a condition';
  const isFirewall = FIREWALL_FIELDS.some((field) => page.headers.get(field) !== null) || isFirewallPage(page);
  return isFirewall ? `a firewall responds instead of the target (${status})` : limitReason(page);
}

/** Statuses that refuse anonymous clients. */
const REFUSALS = new Set([401, 403, 407]);

export const isRefusal = ({ status }: Page): boolean => REFUSALS.has(status);

/** An object store answers with this for objects that anonymous clients may not read, and for missing objects. */
const OBJECT_DENIED = /^\s*(?:<\?xml[^>]{0,80}>\s*)?<Error><Code>AccessDenied<\/Code>/;

export const refusesClient = (page: Page): boolean =>
  isRefusal(page) && !(page.status === 403 && OBJECT_DENIED.test(page.text.slice(0, 200)));

const serverField = ({ headers }: Page): string | null => headers.get('server')?.trim().toLowerCase() ?? null;

/** Headers that depend on the content, not on the server. */
const COMMON_FIELD =
  /^(?:content-(?!security)|date$|connection$|keep-alive$|transfer-|etag$|last-modified$|accept-ranges$|vary$|set-cookie$|location$|www-authenticate$|cache-control$|expires$|pragma$|allow$|age$)/;

/** The names of all other headers, and the value of X-Powered-By. */
const distinctiveFields = ({ headers }: Page): string =>
  [...new Set(headers.fields.map(([name]) => name.toLowerCase()))]
    .filter((name) => !COMMON_FIELD.test(name))
    .map((name) => (name === 'x-powered-by' ? `${name}: ${headers.get(name)}` : name))
    .sort()
    .join(', ');

/** Whether the server of the control responded, by its Server header or by its other headers. */
export function isOfSameServer(answer: Page, control: Page): boolean {
  const server = serverField(control);
  if (server !== serverField(answer)) return false;
  return server === null
    ? distinctiveFields(control) !== '' && distinctiveFields(answer) === distinctiveFields(control)
    : !PROXIES.test(server);
}

/** Does not match words such as authors, accountants and catalogs. */
const LOGIN =
  /(?<!cata|\bb)log[-_]?(?:in|on)|sign[-_]?in|\bsso\b|oauth|auth(?!or(?:s|ed|ship)?\b)|account(?!ing|ant|ab)|session|passw/i;

export const looksLikeLogin = ({ pathname }: URL): boolean => LOGIN.test(pathname);

/** A redirect shows that a path is missing only if other missing paths redirect there too. */
function redirectReason(path: string, to: URL, from: string, missing: Page): string | null {
  const where = `${to.hostname}${to.pathname}`;
  if (to.origin !== new URL(from).origin) return `${path} redirects to another origin (${to.origin})`;
  if (looksLikeLogin(to)) return `${path} redirects to a page that looks like a login (${where})`;
  const usual = redirectOf(missing);
  if (usual !== null && isEquivalentRedirect(path, to, new URL(missing.url).pathname, usual)) return null;
  return `${path} redirects to ${where}, but missing paths do not redirect there`;
}

/** Statuses of a page that prevent any test. */
const REFUSED_PAGES = new Set([402, 403, 406, 407, 418, 421, 451]);

/** Why no response of the site can be trusted, or null. */
export const siteRefusalReason = (page: Page): string | null =>
  blockReason(page) ?? (REFUSED_PAGES.has(page.status) ? `it refuses the tested page with ${page.status}` : null);

/** Statuses about the request or the connection, which do not show whether the path exists. */
const UNINFORMATIVE_STATUSES = new Set([
  300, 305, 306, 402, 405, 406, 412, 416, 417, 418, 421, 423, 425, 426, 428, 431, 451,
]);

const isPlain = ({ path, request: { method = 'GET', body } }: AnsweredRequest): boolean =>
  method === 'GET' && body === undefined && !path.includes('?');

/** If the request has a body, a query or another method, its refusal may be the fix. */
const isUninformative = (asked: AnsweredRequest): boolean =>
  isPlain(asked) && (UNINFORMATIVE_STATUSES.has(asked.answer.status) || asked.answer.status === 400);

const BODILESS = new Set(['HEAD', 'OPTIONS', 'DELETE']);

/** Compressed formats contain an end marker. */
const COMPRESSED = /gzip|deflate|br/i;

/** Truncation is only detected if the response states its length. */
const statesItsLength = ({ headers, text, isHttp2 = false }: Page): boolean =>
  isHttp2 ||
  headers.get('content-length') !== null ||
  /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '') ||
  COMPRESSED.test(headers.get('content-encoding') ?? '') ||
  /<\/html>\s{0,100}$/i.test(text.slice(-200));

/** Why the page may be truncated, or null. */
export const truncationReason = (page: Page): string | null =>
  page.body.length === 0 || statesItsLength(page) ? null : 'the response states no length and may be truncated';

/** Why a successful response may hide the content, or null. */
function hiddenContentReason(
  { request: { method = 'GET' }, answer }: AnsweredRequest,
  wasEmpty: boolean,
): string | null {
  if (answer.status >= 300 || BODILESS.has(method)) return null;
  return answer.body.length === 0 && !wasEmpty
    ? `the response has status ${answer.status} and an empty body`
    : truncationReason(answer);
}

/** Whether the response is the same as the control, which was compared with the baseline. */
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

/** What a response is compared with, to decide whether it comes from the target. */
export interface Comparison {
  readonly control: Page;
  /** The current response for a missing path. */
  readonly missing: Page;
  readonly decisive: Decisive;
  /** The response in the baseline. */
  readonly before: { readonly status: number | undefined; readonly empty: boolean };
  /** Whether the check marked the response as the requested content without the weakness. */
  readonly isGenuine: boolean;
  /** Whether an experiment has compared the response with its own controls. */
  readonly isJudged: boolean;
}

/** Whether a successful page is already known from this target. */
async function isKnownPage({ key, answer }: AnsweredRequest, { control, missing }: Comparison): Promise<boolean> {
  const [now, usual] = [await snapshot(answer), await snapshot(missing)];
  if (!isForMissingPath(key)) return resembles(usual, now);
  // Some sites answer missing paths with their home page.
  return resembles(await snapshot(control), now);
}

/** Whether an error comes from the target: from the server of the control, or in the same form as for a missing path. */
async function isOwnError({ key, answer }: AnsweredRequest, { control, missing }: Comparison): Promise<boolean> {
  if (isOfSameServer(answer, control)) return true;
  if (isForMissingPath(key) || serverField(answer) !== serverField(missing)) return false;
  if (answer.body.length === 0 && missing.body.length === 0) return answer.status === missing.status;
  return resembles(await snapshot(missing), await snapshot(answer));
}

const CLOCK_TOLERANCE_MS = 30_000;
/** Clocks of targets are rarely wrong by more than this. */
const WRONG_CLOCK_MS = 20 * 60_000;

/** Responses that did not come from a cache: no cache has the response for a missing path. */
const freshAnswers = ({ control, missing }: Comparison): readonly Page[] => [missing, control];

/** A cache without its own header fields keeps the Date of the stored response. */
function ageReason({ path, answer }: AnsweredRequest, comparison: Comparison): string | null {
  const { ms, isByOurClock } = ageByDate(answer, freshAnswers(comparison));
  const isOlder = ms > (isByOurClock ? WRONG_CLOCK_MS : CLOCK_TOLERANCE_MS);
  return isOlder ? `${path}: the response is older than the request` : null;
}

/** Why the response only asks for a login or a captcha, for which the page of the control does not ask; or null. */
function demandReason({ path, answer }: AnsweredRequest, { control, missing }: Comparison): string | null {
  if (asksToSignIn(answer) && !asksToSignIn(control)) return `${path} asks for a password`;
  return asksForCaptcha(answer, control, missing) ? `${path} asks for a captcha` : null;
}

/** Why the response to the decisive request may come from another system, or null. */
async function standInReason(asked: AnsweredRequest, comparison: Comparison): Promise<string | null> {
  const { path, answer, request } = asked;
  const age = ageReason(asked, comparison);
  if (age !== null) return age;
  if (answer.status >= 300 || BODILESS.has(request.method ?? 'GET')) return null;
  const { before, isGenuine } = comparison;
  const isKnown = isGenuine || (before.empty && answer.body.length === 0) || (await isKnownPage(asked, comparison));
  return isKnown ? null : `${path} returns ${answer.status} with another page than missing paths do`;
}

/** Why a response that an experiment has judged proves nothing, or null. */
function judgedReason(asked: AnsweredRequest, comparison: Comparison): string | null {
  const { path, answer } = asked;
  const cache = isFromCache(answer) ? `${path}: ${cacheReason(answer, freshAnswers(comparison))}` : null;
  return demandReason(asked, comparison) ?? cache ?? ageReason(asked, comparison);
}

/**
 * Why a response without the weakness does not show that it is gone, or null. A response with the status of the baseline is only
 * distrusted if it seems to come from another system.
 */
export async function distrustReason(asked: AnsweredRequest, comparison: Comparison): Promise<string | null> {
  const { key, path, answer } = asked;
  const { before, control, decisive, missing } = comparison;
  const first = answer.hops[0] ?? answer;
  const isAsBefore = first.status === before.status;
  if (comparison.isJudged) return judgedReason(asked, comparison);
  const blockage = isAsBefore && answer.status >= 500 ? null : blockReason(answer);
  if (blockage !== null) return `${path}: ${blockage}`;
  const demand = demandReason(asked, comparison);
  if (demand !== null) return demand;
  const isDecisive = decisive.kind === 'http' && decisive.key === key;
  const mustBeFresh = isDecisive || asked.request.fresh === true;
  if (mustBeFresh && (isFromCache(answer) || isFromCache(first)))
    return `${path}: ${cacheReason(isFromCache(answer) ? answer : first, freshAnswers(comparison))}`;
  if (await isAnsweredAsControl(asked, first, control)) return null;
  const hidden = hiddenContentReason(asked, before.empty);
  if (hidden !== null) return `${path}: ${hidden}`;
  const to = redirectOf(first);
  const redirectProblem = to === null ? null : redirectReason(path, to, first.url, missing);
  const isUsualRedirect = to !== null && redirectProblem === null;
  const standIn = isDecisive && !isUsualRedirect ? await standInReason(asked, comparison) : null;
  if (standIn !== null) return redirectProblem ?? standIn;
  if (answer.status >= 400 && !(await isOwnError(asked, comparison)))
    return `${path} returns ${answer.status}, but nothing shows that the response comes from the target`;
  if (isAsBefore && answer === first) return null;
  if (to !== null && !isAsBefore) return comparison.isGenuine ? null : redirectProblem;
  return isUninformative(asked) ? `${path} returns ${answer.status}, which does not show what is there` : null;
}
