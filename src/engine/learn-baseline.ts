import { type AlivePage, type Baseline, type Decisive, FORMAT, showsLife, type WebBaseline } from './baseline';
import { type Check, isWebCheck } from './check';
import type { Control } from './control';
import { blockageOf } from './doubt';
import { linksOf } from './links';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import { resembles, type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { parseEndpoint } from './transport/endpoint';
import { ExchangeFailed } from './transport/exchange';
import type { Visit } from './visit';

/** A page of the target, or null where nothing usable answers: the weakness was seen all the same. */
async function pageOrNull(visit: Visit, target: Target, kind: 'page' | 'missing'): Promise<Page | null> {
  try {
    const { page } = await visit.page(target, kind);
    return blockageOf(page) === null ? page : null;
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return null;
  }
}

const MOST_TRIED = 4;

const isSuccess = ({ status }: Snapshot): boolean => status >= 200 && status < 300;

/** Another page of the site that answers, and is not what everything is answered that does not exist. */
async function findAlivePage(
  place: Target,
  visit: Visit,
  found: Page | null,
  missing: Snapshot | null,
): Promise<readonly AlivePage[]> {
  const decisivePath = found === null ? place.path : new URL((found.hops[0] ?? found).url).pathname;
  const paths = new Set(['/', ...(found === null ? [] : linksOf(found)), '/robots.txt', '/favicon.ico']);
  for (const path of [...paths].filter((one) => one !== decisivePath).slice(0, MOST_TRIED)) {
    const page = await pageOrNull(visit, { ...place, path }, 'page');
    const now = page && (await snapshot(page));
    if (now !== null && isSuccess(now) && (missing === null || !resembles(missing, now))) return [{ path, page: now }];
  }
  return [];
}

/** Which of the answers showed the weakness, and how it was; the last one, since a check stops where it finds it. */
async function decisiveOf({ last, asked }: TargetProbe): Promise<{ decisive: Decisive; answer: Page | null }> {
  const answer = last.kind === 'http' ? (asked.findLast(({ key }) => key === last.key)?.answer ?? null) : null;
  if (last.kind !== 'http' || answer === null) return { decisive: last, answer: null };
  return { decisive: { ...last, answer: await snapshot(answer) }, answer };
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
  visit: Visit,
): Promise<WebBaseline> {
  const { asked } = probe;
  const { decisive, answer } = await decisiveOf(probe);
  const missingPage = await pageOrNull(visit, place, 'missing');
  const missing = missingPage && (await snapshot(missingPage));
  const showsItself = !(isWebCheck(check) && check.control === 'missing') && showsLife(known.page);
  return {
    ...known,
    decisive,
    missing,
    alive: showsItself || decisive.kind === 'page' ? [] : await findAlivePage(place, visit, answer, missing),
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
  visit: Visit,
): Promise<Baseline | null> {
  // Nothing can be compared with an outage.
  if (blocked !== null) return null;
  if (baseline.on === 'web') return learnWeb(check, place, baseline, probe, visit);
  return baseline.on === 'tcp' ? { on: 'tcp', format: FORMAT, address: addressOf(probe) } : baseline;
}
