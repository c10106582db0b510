import { decisivePath } from './observe';
import { type AlivePage, type Baseline, furtherPages, type WebBaseline } from './baseline';
import { type Check, type ControlKind, isWebCheck, placeOf } from './check';
import { missingBase } from './confirm-absence';
import { deduplicateBodies } from './deduplicate-bodies';
import { hasCaptcha } from './firewall-pages';
import { haveSameWords } from './known-pages';
import type { Page } from './page';
import { ProbeSession } from './probe-session';
import type { ConfirmedRefusal, Refusal } from './refusal';
import { siteRefusalReason } from './response-trust';
import { asksToSignIn, isAnotherServer, resembles, type Snapshot, snapshot } from './snapshot';
import { locationOf, type Target } from './target';
import { ExchangeFailed } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import { refute } from './refute';
import { SessionEnded } from './signed-in/account';
import { proved, redacted } from './signed-in/in-session';
import { DEFAULT_PROBE_POLICY, type ProbePolicy, type Verification, verify } from './verdict';
import { inconclusiveVerdict } from './verdict-reasons';
import type { FindOtherWww } from './www-host';

/** The current site after a change, which a person may confirm as the site of a baseline. Plain JSON. */
export interface NewSite extends Pick<WebBaseline, 'page' | 'missing' | 'alive' | 'browser' | 'known' | 'text'> {
  readonly origin: string;
  /** The kind of the page. */
  readonly control: ControlKind;
  readonly path: string;
  /** The folder in which a missing path was requested. */
  readonly folder: string;
}

export interface Retested extends Verification {
  /** Set only if the change of the site is the only obstacle to a verdict. */
  readonly newSite: NewSite | null;
}

interface ComparedPage {
  readonly origin: string;
  readonly control: ControlKind;
  readonly path: string;
  readonly folder: string;
}

/** The page that a check compares with its baseline; null if it compares none. */
function comparedPage(check: Check, target: Target, { isFrontPage, decisive }: WebBaseline): ComparedPage | null {
  const placement = placeOf(check, target);
  if (!isWebCheck(check) || !placement.applicable) return null;
  const { place } = placement;
  return {
    origin: locationOf({ ...place, path: '', parameter: undefined }),
    control: check.control ?? 'page',
    path: isFrontPage === true ? '/' : place.path,
    folder: missingBase(place, decisive).path,
  };
}

/** Why a page is not shown to everybody, or null. */
function closedReason(path: string, page: Page): string | null {
  const refusal = siteRefusalReason(page);
  if (refusal !== null) return `${path}: ${refusal}`;
  if (page.status === 401 || asksToSignIn(page)) return `${path} asks to sign in`;
  if (hasCaptcha(page)) return `${path} shows a captcha`;
  return page.headers.get('retry-after') === null ? null : `${path} is to be asked later`;
}

/**
 * Why the site may be out of order, which a person could mistake for a new look; or null. Known pages may be missing, but must
 * not fail.
 */
async function outageReason(pages: readonly AlivePage[], place: Target, session: ProbeSession): Promise<string | null> {
  const shown: Snapshot[] = [];
  const { isInScope = () => true } = session.via;
  const known = pages.map(({ path }) => path);
  for (const path of [place.path, ...known.filter((one) => isInScope({ ...place, path: one }))]) {
    const { page } = await session.page({ ...place, path }, 'page');
    const closed = closedReason(path, page);
    if (closed !== null) return closed;
    if (page.status !== 200 || path === place.path) continue;
    const now = await snapshot(page);
    if (shown.some((other) => haveSameWords(other, now))) return `${path} shows the same page as another path`;
    shown.push(now);
  }
  return null;
}

const hasAnotherServer = ({ page, missing }: WebBaseline): boolean =>
  missing !== null && isAnotherServer(page, missing);

const isLikeMissing = ({ page, missing }: WebBaseline, control: ControlKind): boolean =>
  control !== 'missing' && missing !== null && resembles(missing, page);

/**
 * The path of the page that the site shows to everybody. A page that is compared with a missing path may be the weakness itself,
 * and now be closed.
 */
const greetingPath = ({ alive }: WebBaseline, { control, path }: ComparedPage): string | null =>
  control === 'missing' ? (alive[0]?.path ?? null) : path;

/** The current site, or why a person may not confirm it. */
async function newSiteOf(
  check: Check,
  target: Target,
  before: WebBaseline,
  now: Baseline | undefined,
  session: ProbeSession,
): Promise<NewSite | string> {
  if (now?.on !== 'web' || now.missing === null) return 'a missing path is not answered';
  const compared = comparedPage(check, target, now);
  if (compared === null) return 'the check compares no page';
  if (hasAnotherServer(now) && !hasAnotherServer(before)) return 'another server answers missing paths';
  const path = greetingPath(now, compared);
  if (path === null) return 'none of its pages answers';
  // An application may answer every path with its shell. A stand-in that does so loads nothing of its own, and was not refuted.
  const pages = isLikeMissing(now, compared.control) ? [] : furtherPages(before, 'assay');
  const outage = await outageReason(pages, { ...target, path }, session);
  if (outage !== null) return outage;
  const { page, missing, alive, browser, known, text } = now;
  return { ...compared, page, missing, alive, browser, known, text };
}

/**
 * A verification. If only a change of the site prevents a verdict, the rules without a baseline are applied. They never give a
 * verdict, but if they refute the weakness, a person may confirm the site.
 */
export async function retest(
  ...[check, target, before, transport, via, otherWww, policy]: RetestArguments
): Promise<Retested> {
  try {
    const work = (one: Via): Promise<Retested> => retestIn(check, target, before, transport, one, otherWww, policy);
    return redacted(via, await proved(via, work));
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    const verdict = inconclusiveVerdict(`the weakness was not tested in a proved session, because ${error.message}`);
    return { verdict, probes: [], baseline: null, isSiteChanged: false, newSite: null };
  }
}

type RetestArguments = Parameters<typeof retestIn>;

async function retestIn(
  check: Check,
  target: Target,
  before: Baseline | null,
  transport: Transport,
  via: Via,
  otherWww: FindOtherWww,
  policy?: ProbePolicy,
): Promise<Retested> {
  const overlapping = { ...DEFAULT_PROBE_POLICY, ...policy, overlaps: true };
  const tested = await verify(check, target, before, transport, via, otherWww, overlapping);
  if (!tested.isSiteChanged || before?.on !== 'web') return { ...tested, newSite: null };
  const {
    result,
    baseline,
    probes = [],
  } = await refute(check, target, transport, via, policy, {
    path: decisivePath(before),
    isAfterChange: true,
  });
  const all = deduplicateBodies([...tested.probes, ...probes]);
  if (result !== 'refuted') return { ...tested, probes: all, newSite: null };
  const found = await newSiteOrReason(() =>
    newSiteOf(check, target, before, baseline, new ProbeSession(transport, via)),
  );
  const [newSite, advice] =
    typeof found === 'string'
      ? [null, `and cannot be confirmed to be the same: ${found}. Retest when that has changed`]
      : [found, 'and an admin may confirm that this is the site'];
  const reason = `${tested.verdict.reason}. The weakness is not seen any more, but the site has changed, ${advice}`;
  return { ...tested, verdict: { ...tested.verdict, reason }, probes: all, newSite };
}

async function newSiteOrReason(find: () => Promise<NewSite | string>): Promise<NewSite | string> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return error.message;
  }
}

/** What a person compares before confirming. */
export type ShownPage = Pick<Snapshot, 'status' | 'title' | 'server' | 'redirect' | 'certificate'> & {
  readonly text: string | null;
};

export const shownPage = ({ page, text }: Pick<WebBaseline, 'page' | 'text'>): ShownPage => {
  const { status, title, server, redirect, certificate } = page;
  return { status, title, server, redirect, certificate, text: text ?? null };
};

/** The baseline after a user has confirmed that a refusal is the fix; null for another kind of baseline. */
export const withConfirmedRefusal = (
  before: Baseline,
  refusal: Refusal,
  by: Omit<ConfirmedRefusal, 'refusal'>,
): WebBaseline | null => (before.on === 'web' ? { ...before, confirmedRefusal: { ...by, refusal } } : null);

/**
 * The baseline of a finding after a person has confirmed a new site; null if it is not the site of the finding. The decisive
 * request and its statuses stay. Known pages only replace known pages: if there are none, other programs may answer.
 */
export function withConfirmedSite(
  before: Baseline,
  check: Check,
  target: Target,
  site: NewSite,
  confirmed: NonNullable<WebBaseline['confirmed']>,
): WebBaseline | null {
  if (before.on !== 'web') return null;
  const own = comparedPage(check, target, before);
  if (own === null || own.origin !== site.origin || own.folder !== site.folder) return null;
  const { moved: _moved, known, ...rest } = before;
  const further = known === undefined || site.known === undefined ? {} : { known: site.known };
  const { missing, page, browser, alive, text } = site;
  // A page that does not redirect is the same with and without following redirects.
  const isDirect = own.control !== 'missing' && site.control !== 'missing' && page.redirect === null;
  const isSamePage = own.path === site.path && (own.control === site.control || isDirect);
  if (isSamePage) return { ...rest, ...further, page, missing, browser, alive, text, earlier: [], confirmed };
  const { control } = own;
  // Other pages are recognized by the known pages.
  if (known === undefined || control === 'missing') return null;
  const view = before.browser && { ...before.browser, missing: browser?.missing ?? missing, ...further };
  return { ...rest, ...further, missing, browser: view, confirmed };
}
