import { isAnsweredAs } from './answered-alike';
import { type Check, inconclusive, isWebCheck, notVulnerable, type Observation } from './check';
import { deniesPassword } from './denied-password';
import { type InitialTrust, initialTrustOf, type ProbeContext } from './initial-verification';
import { isDocument, type Page, redirectOf } from './page';
import type { AnsweredRequest } from './answered-request';
import { blocked, refusedAlone } from './refused-alone';
import { blockReason, looksLikeLogin, siteRefusalReason } from './response-trust';
import { asksToSignIn } from './snapshot';
import { standInReason } from './unknown-site';

/** Why a page does not show what the target is like, when there is no earlier page to compare with; or null. */
function closedReason(page: Page, name: string): string | null {
  const to = redirectOf(page);
  if (to !== null) return `${name} redirects to ${to.origin}${to.pathname}`.slice(0, 300);
  if (page.status >= 400) return siteRefusalReason(page) ?? `${name} responds with ${page.status}`;
  const login = page.hops.map(redirectOf).find((hop) => hop !== null && looksLikeLogin(hop));
  if (login != null) return `${name} redirects to ${login.pathname}, which looks like a login`.slice(0, 300);
  return asksToSignIn(page) ? `${name} asks for a password` : null;
}

/** The page that the site shows to everybody. If missing paths are the control, the tested page may be the weakness itself. */
const greeting = async ({ place, control, session, isMissingControl }: ProbeContext): Promise<Page> =>
  isMissingControl ? (await session.page({ ...place, path: '/' }, 'page')).page : control;

/** Why nothing shows that the page belongs to the target, or null. A certificate alone is sufficient. */
async function unknownSiteReason(
  check: Check,
  page: Page,
  { place, probe, session }: ProbeContext,
): Promise<string | null> {
  if (!isWebCheck(check) || check.on === 'tls') return null;
  if (check.isAboutDocuments === true && !isDocument(page))
    return 'the tested page is not HTML, so nothing shows what its pages are like';
  return standInReason(page, (await session.page(place, 'missing')).page, probe);
}

/**
 * The observation for a request that is refused while its twin is not: it is unknown what is there. Null if it is not refused
 * alone.
 */
async function refusalAtFirst(
  check: Check,
  asked: AnsweredRequest,
  { kind }: InitialTrust,
  { control, probe, session, place, isFirstLook }: ProbeContext,
  isReference: boolean,
): Promise<Observation | null> {
  const isKeptOut =
    kind === 'restricted' || kind === 'refused' || (kind === 'untrusted' && blockReason(asked.answer) !== null);
  // A reference already notes that anonymous clients are kept out.
  const isUnclear = kind === 'trusted' ? asked.answer.status >= 400 : isKeptOut && !isReference;
  if (!isUnclear) return null;
  const pageAt = async (path: string, what: 'page' | 'missing'): Promise<Page> =>
    (await session.page({ ...place, path }, what)).page;
  const missing = await pageAt(place.path, 'missing');
  const front = (): Promise<Page> => pageAt('/', 'page');
  const alone = await refusedAlone(asked, { check, control, missing, twins: session.twins, probe, front });
  // If the weakness was never seen, two missing paths may get two pages: one of the server and one of an application.
  const isGoneLikeTwin =
    isFirstLook && alone !== null && 'twin' in alone && asked.answer.status === 404 && alone.twin.answer.status === 404;
  return isGoneLikeTwin ? null : alone && blocked(alone, control);
}

/** For the initial verification, it is sufficient that anonymous clients do not get the weakness. */
export async function initialObservation(
  check: Check,
  seen: Observation,
  context: ProbeContext,
  { isReference, isAfterChange }: { readonly isReference: boolean; readonly isAfterChange: boolean },
): Promise<Observation> {
  const page = isReference ? await greeting(context) : null;
  const name = context.isMissingControl ? 'the front page' : 'the tested page';
  const closed = page && (closedReason(page, name) ?? (await unknownSiteReason(check, page, context)));
  if (closed !== null) return inconclusive(closed);
  const notes: string[] = [];
  const errors: string[] = [];
  let refused: { readonly observation: Observation; readonly answer: Page } | null = null;
  for (const asked of context.probe.requests) {
    const trust = await initialTrustOf(asked, context);
    // One twin is enough for all requests that are refused in the same way.
    if (refused !== null && (await isAnsweredAs(refused.answer, asked.answer))) continue;
    const alone = isAfterChange ? null : await refusalAtFirst(check, asked, trust, context, isReference);
    if (alone?.state === 'inconclusive' && trust.kind !== 'untrusted') return alone;
    if (alone?.state === 'blocked') {
      refused ??= { observation: alone, answer: asked.answer };
      continue;
    }
    if (trust.kind === 'untrusted') return inconclusive(trust.reason);
    const isKeptOut = trust.kind === 'restricted' || trust.kind === 'refused';
    const isDenied = isReference && isKeptOut && (await deniesPassword(asked, context.control, context.probe));
    // A fix may refuse the path. That is decided later, with the new baseline.
    if (isAfterChange && trust.kind === 'refused') continue;
    if (isKeptOut && !isDenied) notes.push(trust.note);
    if (trust.kind === 'absent') errors.push(trust.note);
  }
  if (refused !== null) return refused.observation;
  const [note] = notes;
  const [error] = errors;
  if (note === undefined) return error === undefined ? seen : notVulnerable(`${seen.detail} (${error})`);
  if (isReference) return inconclusive(`anonymous clients do not see whether it is there: ${note}`);
  const rest = notes.length > 1 ? `, and ${notes.length - 1} more` : '';
  return notVulnerable(`${seen.detail} for anonymous clients (${note}${rest})`);
}
