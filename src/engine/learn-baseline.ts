import { type AlivePage, type Baseline, FORMAT, isLivePage, type WebBaseline } from './baseline';
import { type Check, isWebCheck, type Observation, runsLast } from './check';
import type { Control } from './control';
import { missingBase } from './confirm-absence';
import { learnKnownPages } from './known-pages';
import { blockReason } from './response-trust';
import type { Page } from './page';
import { type TargetProbe } from './probe';
import { sentRequest } from './answered-request';
import { withoutTags } from './response-similarity';
import { resembles, type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { TWINS } from './twins';
import { parseEndpoint } from './transport/endpoint';
import { excerpt } from './transport/redaction';
import { ExchangeFailed } from './transport/exchange';
import { parseUrl } from '../kernel/parse-url';
import { folderOf, type ProbeSession } from './probe-session';

/** A page of the target, or null without a usable response. */
async function pageOrNull(session: ProbeSession, target: Target, kind: 'page' | 'missing'): Promise<Page | null> {
  try {
    const { page } = await session.page(target, kind);
    return blockReason(page) === null ? page : null;
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return null;
  }
}

const SEARCHED_CHARACTERS = 100_000;
const MAX_LINKS = 3;

/** Paths of the same origin that a page links to, without folders, because the fix may close them. */
function linksOf({ url, text }: Page, most = MAX_LINKS): string[] {
  const own = new URL(url);
  const paths = new Set<string>();
  for (const [, href = ''] of text
    .slice(0, SEARCHED_CHARACTERS)
    .matchAll(/<a\s[^<>]{0,300}?href\s?=\s?["']([^"'<>]{1,500})["']/gi)) {
    const to = parseUrl(href, url);
    if (to?.origin === own.origin && to.search === '' && !to.pathname.endsWith('/')) paths.add(to.pathname);
    if (paths.size === most) break;
  }
  return [...paths];
}

/** Files that are public on purpose, and small. */
const PUBLIC_FILE = /\.(?:css|m?js|png|jpe?g|gif|svg|webp|ico|woff2?|txt|html?|pdf)$/i;

const listedIn = (found: Page, folder: string): readonly string[] =>
  linksOf(found, 100)
    .filter((path) => path.startsWith(folder) && PUBLIC_FILE.test(path))
    .slice(0, MAX_LINKS);

const MAX_CANDIDATES = 4;

/** A redirect counts unless missing paths redirect to the same place. */
const isAlive = (page: Snapshot, missing: Snapshot | null): boolean =>
  page.status < 400 &&
  (missing === null || (page.redirect === null ? !resembles(missing, page) : page.redirect !== missing.redirect));

/** Another page of the site that responds, and that differs from the response for missing paths. */
async function findAlivePage(
  place: Target,
  session: ProbeSession,
  found: Page | null,
  missing: Snapshot | null,
): Promise<readonly AlivePage[]> {
  const decisivePath = found === null ? place.path : new URL((found.hops[0] ?? found).url).pathname;
  const folder = folderOf(decisivePath);
  const links = found === null ? [] : linksOf(found);
  // The fix may block the whole folder.
  const outside = links.filter((path) => folder === '/' || !path.startsWith(folder));
  const paths = new Set(['/', ...outside, '/robots.txt', '/favicon.ico', ...links]);
  for (const path of [...paths].filter((one) => one !== decisivePath).slice(0, MAX_CANDIDATES)) {
    const page = await pageOrNull(session, { ...place, path }, 'page');
    const now = page && (await snapshot(page));
    if (now !== null && isAlive(now, missing)) return [{ path, page: now }];
  }
  return [];
}

const MAX_TEXT = 600;

/** The beginning of the page's text below its title, redacted, to show to people. */
const textForPeople = ({ text }: Page): string =>
  excerpt(
    withoutTags(text.slice(0, 50_000).replace(/<title\b[^<>]{0,500}>[^<]*/gi, ' '))
      .replace(/\s+/g, ' ')
      .trim(),
    MAX_TEXT,
  );

const addressOf = ({ exchanges }: TargetProbe): string | null => {
  const address = exchanges.findLast((exchange) => exchange.address !== null)?.address ?? null;
  return address && parseEndpoint(address).address;
};

async function learnWeb(
  check: Check,
  place: Target,
  known: WebBaseline,
  probe: TargetProbe,
  session: ProbeSession,
): Promise<WebBaseline> {
  const { requests, last } = probe;
  const shown = last.kind === 'http' ? requests.findLast(({ key }) => key === last.key) : undefined;
  const answer = shown?.answer;
  const request = runsLast(check) && shown !== undefined ? sentRequest(shown) : null;
  const decisive = last.kind === 'http' && request !== null ? { ...last, request } : last;
  const folder =
    last.kind === 'http' && TWINS.get(check.id) === 'listing'
      ? (/^GET (\/[^?]*\/)$/.exec(last.key)?.[1] ?? null)
      : null;
  const listed = folder === null || answer === undefined ? [] : listedIn(answer, folder);
  const missingPage = await pageOrNull(session, missingBase(place, decisive), 'missing');
  const missing = missingPage && (await snapshot(missingPage));
  const isPageItself = check.on !== 'tls' && decisive.kind === 'page';
  const further =
    isPageItself || missingPage === null ? [] : await learnKnownPages(place, decisive, session, missingPage);
  const showsItself = !(isWebCheck(check) && check.control === 'missing') && isLivePage(known.page);
  return {
    ...known,
    decisive,
    missing,
    alive: showsItself || decisive.kind === 'page' ? [] : await findAlivePage(place, session, answer ?? null, missing),
    answers: Object.fromEntries(requests.map((one) => [one.key, (one.answer.hops[0] ?? one.answer).status])),
    empty: requests.filter((one) => one.answer.body.length === 0).map(({ key }) => key),
    address: addressOf(probe),
    ...(further.length > 0 && { known: further }),
    ...(listed.length > 0 && { listed }),
    ...(probe.experiment !== null && { experiment: probe.experiment }),
  };
}

/** The baseline of a target in which the weakness was just found, for later tests to compare with. */
export async function learnBaseline(
  check: Check,
  place: Target,
  { page, baseline, blocked }: Control,
  probe: TargetProbe,
  session: ProbeSession,
  observation: Observation,
): Promise<Baseline | null> {
  // Nothing can be compared with an outage, or with a page that has no content.
  if (blocked !== null || page?.status === 204) return null;
  if (baseline.on === 'web')
    return {
      ...(await learnWeb(check, place, baseline, probe, session)),
      ...(page && { text: textForPeople(page) }),
      ...(check.on !== 'tls' && session.via.session !== undefined && { account: session.via.session.account }),
      ...(page && isWebCheck(check) && check.namesIn && { names: check.namesIn(page) }),
    };
  if (baseline.on === 'tcp') return { on: 'tcp', format: FORMAT, address: addressOf(probe) };
  const alias = observation.state === 'vulnerable' ? observation.alias : undefined;
  return { ...baseline, ...(alias !== undefined && { alias }) };
}
