import { isAnsweredAs, serverField } from './answered-alike';
import { type AlivePage, furtherPages, type WebBaseline } from './baseline';
import { asksForCaptcha } from './firewall-pages';
import { decisivePathOf, haveSameWords, missingNear } from './known-pages';
import { isFromCache, missingSiblingOf, type Page, redirectOf } from './page';
import type { TargetProbe } from './probe';
import { folderOf, type ProbeSession } from './probe-session';
import { structureOf } from './response-similarity';
import { blockReason, looksLikeLogin, refusesClient, truncationReason } from './response-trust';
import { asksToSignIn, differenceOf, isSameAnswer, type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { parseEndpoint } from './transport/endpoint';
import { parseUrl } from '../kernel/parse-url';

/** How many known pages must be unchanged, if the baseline has that many. */
const NEEDED_PAGES = 2;

/** A response that any server could send must have lasted at least this long. */
export const WAIT_MS = 60 * 60_000;

/** The current site, compared with a baseline from before it was changed. */
export interface ChangedSite {
  readonly before: WebBaseline;
  readonly place: Target;
  readonly session: ProbeSession;
  readonly probe: TargetProbe;
  /** Whether this is the first probe of an address, the only one that has to examine the site as a whole. */
  readonly isFirst: boolean;
  /** Whether this is the first probe of a kind of client, or the last probe. Only these request the known pages. */
  readonly asksPages: boolean;
}

/** A known page and its current response. */
interface SamePage {
  readonly path: string;
  readonly page: Page;
}

/** Stricter than `differenceOf`, because a site shows its errors in the frame of its pages. */
const isItself = (before: Snapshot, now: Snapshot): boolean =>
  differenceOf(before, now) === null && before.title === now.title && haveSameWords(before, now);

/** Uses a query that no cache has stored. */
async function samePage(
  { session, place, probe }: ChangedSite,
  { path, page: before }: AlivePage,
): Promise<SamePage | null> {
  const { page, exchanges } = await session.page({ ...place, path }, 'page', true);
  probe.exchanges.push(...exchanges.filter((exchange) => !probe.exchanges.includes(exchange)));
  const isSame = blockReason(page) === null && !isFromCache(page) && isItself(before, await snapshot(page));
  return isSame ? { path, page } : null;
}

/** The known pages that are unchanged; null if there are too few. */
async function samePages(site: ChangedSite): Promise<readonly SamePage[] | null> {
  const { via, behavior } = site.session;
  const known = furtherPages(site.before, behavior.identity).filter(
    ({ path }) => via.isInScope?.({ ...site.place, path }) ?? true,
  );
  const needed = Math.min(NEEDED_PAGES, known.length);
  const same: SamePage[] = [];
  for (const one of known) {
    const found = await samePage(site, one);
    if (found !== null) same.push(found);
    if (same.length === needed) break;
  }
  return needed > 0 && same.length === needed ? same : null;
}

/** Missing paths with the prefix and the extension of this one, so that rules for such names apply to them too. */
function siblingsOf(path: string): readonly string[] {
  if (path.endsWith('/')) return [path, path].map((folder) => `${missingSiblingOf(folder.slice(0, -1))}/`);
  const folder = folderOf(path).slice(0, -1);
  const beside = folder === '' ? missingSiblingOf(path) : `${missingSiblingOf(folder)}${path.slice(folder.length)}`;
  return [missingSiblingOf(path), beside];
}

const isOutage = ({ status }: Page): boolean => status === 408 || status === 429 || status >= 500;

/** Whether the response may mean that a path does not exist. */
function mayBeMissing(page: Page): boolean {
  const first = page.hops[0] ?? page;
  const to = redirectOf(first);
  if (to !== null && looksLikeLogin(to)) return false;
  return (
    [first, page].every((one) => !isOutage({ ...one, hops: [] }) && !refusesClient({ ...one, hops: [] })) &&
    blockReason(page) === null &&
    !asksToSignIn(page)
  );
}

const FEWEST_MARKS = 4;

/** The tags of a page that have classes or ids. */
const marksOf = ({ text }: Page): Set<string> => new Set([...structureOf(text)].filter((tag) => tag.includes(' ')));

/** Whether most tags with classes or ids in an error page also occur in a page of the site. */
function hasFrameOf(page: Page, known: Page): boolean {
  const marks = marksOf(page);
  const ofKnown = marksOf(known);
  const shared = [...marks].filter((mark) => ofKnown.has(mark)).length;
  return shared >= FEWEST_MARKS && shared >= marks.size / 2;
}

const FEWEST_ASSETS = 2;
const ASSET = /\.(css|m?js)$/i;

/** The scripts and styles of the same origin that a page loads. */
function assetsOf({ url, text }: Page): Set<string> {
  const { origin } = new URL(url);
  const tags = text
    .slice(0, 100_000)
    .matchAll(/<(?:script|link)\s[^<>]{0,500}?\b(?:src|href)\s?=\s?["']?([^"'\s<>]{1,500})/gi);
  const links = [...tags].map(([, link = '']) => parseUrl(link, url));
  return new Set(
    links.flatMap((link) => (link?.origin === origin && ASSET.test(link.pathname) ? [link.pathname] : [])),
  );
}

async function loadsAssetsOf({ session, place, probe }: ChangedSite, page: Page, known: Page): Promise<boolean> {
  const ofKnown = assetsOf(known);
  const shared = [...assetsOf(page)].filter((path) => ofKnown.has(path)).slice(0, FEWEST_ASSETS);
  if (shared.length < FEWEST_ASSETS) return false;
  for (const path of shared) {
    const { page: asset, exchanges } = await session.page({ ...place, path }, 'page');
    probe.exchanges.push(...exchanges.filter((exchange) => !probe.exchanges.includes(exchange)));
    if (asset.status !== 200 || !/css|javascript/i.test(asset.headers.get('content-type') ?? '')) return false;
  }
  return true;
}

/** Whether the page is specific to the site. Any server could send other pages, so these show nothing. */
async function isOwnPage(site: ChangedSite, page: Page, pages: readonly SamePage[]): Promise<boolean> {
  for (const { page: known } of pages)
    if (hasFrameOf(page, known) || (await loadsAssetsOf(site, page, known))) return true;
  return false;
}

/** Whether a missing path still gets the response that any server could send, and that was first seen long enough ago. */
const isLasting = ({ moved }: WebBaseline, now: Snapshot): boolean =>
  moved !== undefined && isSameAnswer(moved.missing, now) && Date.now() - Date.parse(moved.since) >= WAIT_MS;

/** A new response for missing paths: accepted, or to be confirmed by a later probe. */
export type NewMissing =
  | {
      readonly kind: 'accepted';
      readonly note: string | null;
      /** What every response to the decisive request must be like. */
      readonly answers: readonly Page[];
    }
  | { readonly kind: 'too_early'; readonly reason: string; readonly moved: NonNullable<WebBaseline['moved']> };

/** Whether one service answers all missing paths in the same way: those like the tested one, and those near known pages. */
async function isEverywhere(
  { probe, isFirst }: ChangedSite,
  missing: Page,
  siblings: readonly Page[],
  pages: readonly SamePage[],
): Promise<boolean> {
  for (const sibling of siblings) if (!(await isAnsweredAs(missing, sibling))) return false;
  const near = isFirst ? pages.flatMap(({ path }) => missingNear(path)) : [];
  for (const path of near) if (!(await isAnsweredAs(missing, await probe.requestPage({ path })))) return false;
  const now = await snapshot(missing);
  for (const { page } of pages) {
    if (serverField(page) !== serverField(missing)) return false;
    if (page.status === missing.status && haveSameWords(await snapshot(page), now)) return false;
  }
  return true;
}

const areAsBefore = (pages: readonly SamePage[]): string =>
  `${pages.map(({ path }) => path).join(' and ')} ${pages.length > 1 ? 'are' : 'is'} as before`;

/**
 * Whether the site itself now answers missing paths differently: its known pages are unchanged, and the decisive request gets the
 * same response as three paths that do not exist. Null if nothing shows that.
 */
export async function newMissing(site: ChangedSite, missing: Page): Promise<NewMissing | null> {
  const { before, probe } = site;
  const { decisive } = before;
  const path = decisivePathOf(decisive);
  if (path === null || !mayBeMissing(missing)) return null;
  const pages = site.asksPages ? await samePages(site) : [];
  if (pages === null || asksForCaptcha(missing, ...pages.map(({ page }) => page))) return null;
  const asked = probe.requests.find(({ key }) => decisive.kind === 'http' && key === decisive.key);
  if (asked !== undefined && !(await isAnsweredAs(missing, asked.answer))) return null;
  if (!site.asksPages) return { kind: 'accepted', note: null, answers: [missing] };
  const siblings: Page[] = [];
  for (const sibling of siblingsOf(path))
    siblings.push(await probe.requestPage({ path: sibling, headers: asked?.request.headers }));
  if (!(await isEverywhere(site, missing, siblings, pages))) return null;
  const note = `missing paths are answered in another way than in the baseline, and so is the tested one, while ${areAsBefore(pages)}`;
  const now = await snapshot(missing);
  if (!site.isFirst || isLasting(before, now) || (await isOwnPage(site, missing, pages)))
    return { kind: 'accepted', note, answers: [missing, ...siblings] };
  const { moved } = before;
  const since = moved !== undefined && isSameAnswer(moved.missing, now) ? moved.since : new Date().toISOString();
  const counts = new Date(Date.parse(since) + WAIT_MS).toISOString();
  const reason = `${note}; but any server could send the new response, so it counts when a retest after ${counts} gets it again`;
  return { kind: 'too_early', reason, moved: { since, missing: now } };
}

/** The site is that of the baseline, although the tested page has changed. */
export interface NewLook {
  readonly note: string;
  /** A known page that is used for comparisons instead. */
  readonly page: Page;
}

const MAX_REDIRECTS_TO_LOOK = 1;

/** Whether the site shows this page to everybody, and it is not a stand-in such as a login or an error. */
function isLook(page: Page): boolean {
  const hops = page.hops.length;
  const isHere = page.hops.every((hop) => new URL(hop.url).origin === new URL(page.url).origin);
  return (
    page.status === 200 &&
    hops <= MAX_REDIRECTS_TO_LOOK &&
    isHere &&
    !looksLikeLogin(new URL(page.url)) &&
    (hops === 0 || !asksToSignIn(page)) &&
    !asksForCaptcha(page) &&
    page.headers.get('retry-after') === null &&
    blockReason(page) === null &&
    truncationReason(page) === null
  );
}

/** Mentions the certificate and the address, which are never sufficient: someone who replaces a site often keeps both. */
function circumstances({ before, probe }: ChangedSite, { certificate }: Snapshot): string {
  const isSame = certificate?.sha256 === before.page.certificate?.sha256;
  const address = probe.exchanges.findLast((exchange) => exchange.address !== null)?.address ?? null;
  const isSameAddress = address !== null && parseEndpoint(address).address === before.address;
  const ofCertificate = certificate === null ? '' : `${isSame ? 'the same' : 'another'} certificate, `;
  return `${ofCertificate}${isSameAddress ? 'the same' : 'another'} address`;
}

/** Whether the site has only changed its tested page, while its known pages are unchanged. Null if nothing shows that. */
export async function newLook(site: ChangedSite, page: Page): Promise<NewLook | null> {
  const { place, session, probe } = site;
  const to = redirectOf(page);
  const { page: shown, exchanges } = to === null ? { page, exchanges: [] } : await session.page(place, 'followed');
  probe.exchanges.push(...exchanges.filter((exchange) => !probe.exchanges.includes(exchange)));
  if (!isLook(shown)) return null;
  const pages = await samePages(site);
  const [first] = pages ?? [];
  if (pages === null || first === undefined) return null;
  const about = circumstances(site, await snapshot(page));
  return { note: `${place.path} has a new look, while ${areAsBefore(pages)} (${about})`, page: first.page };
}
