import { type AlivePage, type Baseline, FORMAT, isLivePage, type WebBaseline } from './baseline';
import { type Check, isWebCheck } from './check';
import type { Control } from './control';
import { missingBase } from './confirm-absence';
import { blockReason } from './response-trust';
import { linksOf } from './links';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import { resembles, type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { parseEndpoint } from './transport/endpoint';
import { ExchangeFailed } from './transport/exchange';
import { folderOf, type ProbeSession } from './probe-session';

/** A page of the target, or null where nothing usable answers: the weakness was seen all the same. */
async function pageOrNull(session: ProbeSession, target: Target, kind: 'page' | 'missing'): Promise<Page | null> {
  try {
    const { page } = await session.page(target, kind);
    return blockReason(page) === null ? page : null;
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return null;
  }
}

const MOST_TRIED = 4;

/** A redirect is an answer too, where what is missing is not sent to the same place. */
const isAlive = (page: Snapshot, missing: Snapshot | null): boolean =>
  page.status < 400 &&
  (missing === null || (page.redirect === null ? !resembles(missing, page) : page.redirect !== missing.redirect));

/** Another page of the site that answers, and is not what everything is answered that does not exist. */
async function findAlivePage(
  place: Target,
  session: ProbeSession,
  found: Page | null,
  missing: Snapshot | null,
): Promise<readonly AlivePage[]> {
  const decisivePath = found === null ? place.path : new URL((found.hops[0] ?? found).url).pathname;
  const folder = folderOf(decisivePath);
  const links = found === null ? [] : linksOf(found);
  // A folder may be shut as a whole when it is fixed.
  const outside = links.filter((path) => folder === '/' || !path.startsWith(folder));
  const paths = new Set(['/', ...outside, '/robots.txt', '/favicon.ico', ...links]);
  for (const path of [...paths].filter((one) => one !== decisivePath).slice(0, MOST_TRIED)) {
    const page = await pageOrNull(session, { ...place, path }, 'page');
    const now = page && (await snapshot(page));
    if (now !== null && isAlive(now, missing)) return [{ path, page: now }];
  }
  return [];
}

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
  const { asked } = probe;
  const { last: decisive } = probe;
  const answer = decisive.kind === 'http' ? asked.findLast(({ key }) => key === decisive.key)?.answer : undefined;
  const missingPage = await pageOrNull(session, missingBase(place, decisive), 'missing');
  const missing = missingPage && (await snapshot(missingPage));
  const showsItself = !(isWebCheck(check) && check.control === 'missing') && isLivePage(known.page);
  return {
    ...known,
    decisive,
    missing,
    alive: showsItself || decisive.kind === 'page' ? [] : await findAlivePage(place, session, answer ?? null, missing),
    answers: Object.fromEntries(asked.map((one) => [one.key, (one.answer.hops[0] ?? one.answer).status])),
    empty: asked.filter((one) => one.answer.body.length === 0).map(({ key }) => key),
    address: addressOf(probe),
  };
}

/** What is kept of a target in which the weakness was just seen, so that a later test can tell whether it is the same. */
export async function learnBaseline(
  check: Check,
  place: Target,
  { baseline, blocked }: Control,
  probe: TargetProbe,
  session: ProbeSession,
): Promise<Baseline | null> {
  // Nothing can be compared with an outage.
  if (blocked !== null) return null;
  if (baseline.on === 'web') return learnWeb(check, place, baseline, probe, session);
  return baseline.on === 'tcp' ? { on: 'tcp', format: FORMAT, address: addressOf(probe) } : baseline;
}
