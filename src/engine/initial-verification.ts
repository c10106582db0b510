import { asksForCaptcha, captchaWallReason } from './firewall-pages';
import { folderOf, type ProbeSession } from './probe-session';
import { blockReason, isRefusal, looksLikeLogin } from './response-trust';
import { isEquivalentRedirect, missingPath, missingSiblingOf, type Page, redirectOf } from './page';
import type { TargetProbe } from './probe';
import type { AnsweredRequest } from './answered-request';
import { asksToSignIn, looksAlike, serverOf, snapshot } from './snapshot';
import type { Target } from './target';
import type { HttpAnswer } from './transport/http';

/**
 * How far a response without the weakness is trusted in the initial verification. There is no baseline to compare with, so it
 * shows what anonymous clients get. `untrusted` makes the probe inconclusive. `restricted` says what keeps clients out, and
 * `refused` that only this path is refused. `absent` is an error by which the application says that it does not know the request.
 */
export type InitialTrust =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'restricted' | 'refused' | 'absent'; readonly note: string }
  | { readonly kind: 'untrusted'; readonly reason: string };

const TRUSTED: InitialTrust = { kind: 'trusted' };
const restricted = (note: string): InitialTrust => ({ kind: 'restricted', note });
const refused = (note: string): InitialTrust => ({ kind: 'refused', note });
const absent = (note: string): InitialTrust => ({ kind: 'absent', note });
const untrusted = (reason: string): InitialTrust => ({ kind: 'untrusted', reason });

const pathOf = ({ url }: HttpAnswer): string => new URL(url).pathname;
const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? path;
/** The query, which redirects often keep. */
const queryOf = (path: string): string => path.slice(withoutQuery(path).length);
const beforeHops = (page: Page): Page => (page.hops[0] === undefined ? page : { ...page.hops[0], hops: [] });

const folderAndEnding = (path: string): string => {
  const [, folder = '/', ending = ''] = /^(.*\/)[^/]*?(\.[^./]*)?$/.exec(path) ?? [];
  return `${folder} ${ending}`;
};

/** Whether two paths get the same response from the same server. */
async function isAnsweredAlike(path: string, one: Page, other: Page): Promise<boolean> {
  const [to, otherTo] = [redirectOf(one), redirectOf(other)];
  if (to !== null && otherTo !== null) return isEquivalentRedirect(path, to, pathOf(other), otherTo);
  if (to !== otherTo || one.status !== other.status || serverOf(one) !== serverOf(other)) return false;
  return isRefusal(one) || looksAlike(await snapshot(one), await snapshot(other));
}

/** How a response treats anonymous clients, as part of a sentence. */
function describeTreatment(page: Page): string {
  const to = redirectOf(page);
  if (to !== null) return `redirects to ${to.origin}${to.pathname}`.slice(0, 300);
  return isRefusal(page) ? `is refused with ${page.status}` : 'asks for a password';
}

/** The context of one probe. */
export interface ProbeContext {
  readonly place: Target;
  readonly control: Page;
  readonly probe: TargetProbe;
  readonly session: ProbeSession;
  /**
   * Whether this is the first request of a job for paths that never showed a weakness: an error of the application may say that
   * they are missing.
   */
  readonly isFirstLook: boolean;
  /** Whether missing paths are the control, so that nothing has judged the tested page. */
  readonly isMissingControl: boolean;
}

/** The response to the same request for a missing path. */
async function missing({ path, request }: AnsweredRequest, { place, probe, session }: ProbeContext): Promise<Page> {
  const { method, headers, body } = request;
  const query = queryOf(path);
  const isPlain = method === undefined && headers === undefined && body === undefined && query === '';
  return isPlain
    ? (await session.page({ ...place, path: '/' }, 'missing')).page
    : probe.requestPage({ method, headers, body, path: `${missingPath()}${query}` });
}

/** Whether the response is the same as that for the front page or the tested page. */
async function isAnsweredAsGivenPage(path: string, first: Page, context: ProbeContext): Promise<boolean> {
  const { place, session, isMissingControl } = context;
  if (path !== '/' && (path !== place.path || isMissingControl)) return false;
  const { page } = await session.page({ ...place, path }, 'page');
  return first.status === page.status && redirectOf(first)?.pathname === redirectOf(page)?.pathname;
}

async function initialTrustOfRedirect(
  asked: AnsweredRequest,
  path: string,
  first: Page,
  to: URL,
  context: ProbeContext,
): Promise<InitialTrust> {
  const { method, headers, body } = asked.request;
  const sibling = await context.probe.requestPage({
    method,
    headers,
    body,
    path: `${missingSiblingOf(path)}${queryOf(asked.path)}`,
  });
  if (await isAnsweredAlike(path, first, sibling))
    return restricted(`${path} ${describeTreatment(first)}, like a missing path next to it`);
  if (looksLikeLogin(to)) return restricted(`${path} ${describeTreatment(first)}, which looks like a login`);
  // Redirects within the origin are followed, so the check has seen their last page.
  const isFollowed = asked.answer.hops.length > 0 && redirectOf(asked.answer) === null;
  return isFollowed
    ? TRUSTED
    : untrusted(`${path} ${describeTreatment(first)}, but missing paths do not redirect there`);
}

/** Errors with which applications answer unknown requests. Gateways and outages use other statuses. */
const OWN_ERRORS = new Set([500, 501]);

/** Whether the tested page and a missing path next to it are answered, so that the application as a whole does not fail. */
async function twoPagesAnswer({ place, probe }: ProbeContext): Promise<boolean> {
  for (const path of [place.path, `${folderOf(place.path)}${missingPath().slice(1)}`])
    if (blockReason(await probe.requestPage({ path })) !== null) return false;
  return true;
}

/** The error for missing paths next to this one, if the application always answers with it; null otherwise. */
async function usualError(asked: AnsweredRequest, path: string, context: ProbeContext): Promise<Page | null> {
  const { method, headers, body } = asked.request;
  const ask = (): Promise<Page> =>
    context.probe.requestPage({ method, headers, body, path: `${missingSiblingOf(path)}${queryOf(asked.path)}` });
  const before = await ask();
  if (!OWN_ERRORS.has(before.status) || !(await twoPagesAnswer(context))) return null;
  const after = await ask();
  return (await isAnsweredAlike(path, before, after)) ? after : null;
}

/** What an error says about a path that was only guessed; null if it may be an outage. */
async function absenceNote(asked: AnsweredRequest, path: string, context: ProbeContext): Promise<string | null> {
  const { method = 'GET', headers, body } = asked.request;
  const { status, hops } = asked.answer;
  if (!context.isFirstLook || !OWN_ERRORS.has(status) || hops.length > 0) return null;
  if (status === 501 && method !== 'GET') return `${path}: the server does not know the method ${method} (501)`;
  const { usualErrors } = context.session;
  const key = JSON.stringify([method, folderAndEnding(path), queryOf(asked.path), headers, body]);
  const usual = usualErrors.get(key) ?? (await usualError(asked, path, context));
  if (usual === null || !(await isAnsweredAlike(path, asked.answer, usual))) return null;
  usualErrors.set(key, usual);
  return `${path} fails with ${status}, like missing paths next to it`;
}

/** How far a response can be trusted, for this path alone and for the whole site. */
export async function initialTrustOf(asked: AnsweredRequest, context: ProbeContext): Promise<InitialTrust> {
  const { answer } = asked;
  if (context.probe.isGenuine(answer) || context.probe.isJudged(answer)) return TRUSTED;
  const path = withoutQuery(asked.path);
  const blockage = blockReason(answer);
  if (blockage !== null) {
    const note = await absenceNote(asked, path, context);
    return note === null ? untrusted(`${path}: ${blockage}`) : absent(note);
  }
  const first = beforeHops(answer);
  const to = redirectOf(first);
  const captchaWall = asksForCaptcha(answer, context.control)
    ? await captchaWallReason(answer, () => missing(asked, context))
    : null;
  if (captchaWall !== null) return untrusted(`${path}: ${captchaWall}`);
  const asksForLogin = asksToSignIn(answer) && !asksToSignIn(context.control);
  if (to === null && !isRefusal(answer) && !asksForLogin) return TRUSTED;
  if (await isAnsweredAsGivenPage(path, first, context)) return TRUSTED;
  const isGeneral = await isAnsweredAlike(path, first, await missing(asked, context));
  if (isGeneral) return restricted(`${path} ${describeTreatment(first)}, like missing paths`);
  if (to === null && answer.status === 403 && !asksForLogin) return refused(`${path} ${describeTreatment(answer)}`);
  return to === null || asksForLogin || isRefusal(answer)
    ? restricted(`${path} ${describeTreatment(answer)}`)
    : initialTrustOfRedirect(asked, path, first, to, context);
}
