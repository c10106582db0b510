import { type Baseline, type Decisive, knownMissing, isLivePage, type WebBaseline } from './baseline';
import { type Observation, inconclusive } from './check';
import { cacheReason } from './cache-advice';
import { deniesPassword } from './denied-password';
import { blockReason, truncationReason, distrustReason } from './response-trust';
import { isFromCache, type Page } from './page';
import { isForMissingPath, type TargetProbe } from './probe';
import { type AnsweredRequest } from './answered-request';
import { blocked, refusedAlone, type TwinContext } from './refused-alone';
import { differenceOf, isAnotherServer, type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { folderOf, type ProbeSession } from './probe-session';

const isFoundByMissingPath = ({ decisive }: WebBaseline): boolean =>
  decisive.kind === 'http' && isForMissingPath(decisive.key);

async function changeOf(before: Snapshot, now: Page): Promise<string | null> {
  return blockReason(now) ?? differenceOf(before, await snapshot(now));
}

/** Ignores the server header if that may have been the weakness itself. */
async function serverChange({ decisive }: WebBaseline, before: Snapshot, now: Page): Promise<string | null> {
  const after = await snapshot(now);
  return decisive.kind === 'http' && isAnotherServer(before, after)
    ? `the server is ${after.server} instead of ${before.server}`
    : null;
}

/**
 * The path next to which a missing path is made up: in the folder of the given page, which may be served by another server than
 * the rest of the site; but not in a folder that is the weakness itself and may now be closed.
 */
export function missingBase(place: Target, decisive: Decisive): Target {
  const folder = folderOf(place.path);
  const isFolderItself = decisive.kind === 'http' && decisive.key === `GET ${folder}`;
  return { ...place, path: isFolderItself ? folderOf(folder.slice(0, -1)) || '/' : folder };
}

/** Requests a path that does not exist. The exchanges are added to the probe. */
export async function askForMissing(
  { decisive }: WebBaseline,
  place: Target,
  session: ProbeSession,
  probe: TargetProbe,
): Promise<Page> {
  const { page, exchanges } = await session.page(missingBase(place, decisive), 'missing');
  probe.exchanges.push(...exchanges.filter((exchange) => !probe.exchanges.includes(exchange)));
  return page;
}

/** Why nothing shows that the site is available, or null: at least one of the pages that responded must respond as before. */
async function livenessFailure(
  before: WebBaseline,
  place: Target,
  session: ProbeSession,
  probe: TargetProbe,
): Promise<string | null> {
  const { alive, page } = before;
  if (alive.length === 0) {
    return isLivePage(page)
      ? null
      : 'the baseline has no page that responds, so nothing shows that the site is available';
  }
  let first: string | null = null;
  for (const { path, page: earlier } of alive) {
    const { page: now, exchanges } = await session.page({ ...place, path }, 'page');
    probe.exchanges.push(...exchanges.filter((exchange) => !probe.exchanges.includes(exchange)));
    const change = await changeOf(earlier, now);
    if (change === null) return null;
    first ??= `${path} has changed: ${change}`;
  }
  return first;
}

export interface SiteChange {
  readonly reason: string;
  /** Whether only the response for missing paths has changed. */
  readonly isOfMissing: boolean;
}

/**
 * Why the site as a whole is not the one that was tested, or null. It must be available, and must answer a missing path as
 * before, unlike a firewall, a login or an outage that answers in its place.
 */
export async function siteChange(
  before: WebBaseline,
  missing: Page,
  place: Target,
  session: ProbeSession,
  probe: TargetProbe,
): Promise<SiteChange | null> {
  const livenessProblem = await livenessFailure(before, place, session, probe);
  if (livenessProblem !== null) return { reason: livenessProblem, isOfMissing: false };
  // Fixing a check of the page for missing paths changes that page.
  if (isFoundByMissingPath(before)) return null;
  const earlier = knownMissing(before, session.behavior.identity);
  if (earlier === null) return { reason: 'the baseline has no response for a missing path', isOfMissing: false };
  const change = (await changeOf(earlier, missing)) ?? (await serverChange(before, earlier, missing));
  return change === null
    ? null
    : { reason: `the response for a missing path has changed: ${change}`, isOfMissing: true };
}

/** For the page itself, if that showed the weakness. */
export const cachedPageReason = (before: Baseline, page: Page): string | null =>
  before.on === 'web' && before.decisive.kind === 'page' && isFromCache(page) ? cacheReason(page) : null;

/** If a check ended before its decisive request, it did so because of its last response, which then must be just as reliable. */
function decisiveOf({ decisive }: WebBaseline, { requests }: TargetProbe, mustDecide: boolean): Decisive {
  const last = requests.at(-1);
  if (!mustDecide || decisive.kind !== 'http' || last === undefined) return decisive;
  return requests.some(({ key }) => key === decisive.key) ? decisive : { kind: 'http', key: last.key };
}

interface Absence extends Omit<TwinContext, 'missing'> {
  readonly before: WebBaseline;
  readonly missing: Page;
  readonly mustDecide: boolean;
}

/** Confirms that a weakness is gone. Each response must be beyond doubt, compared with those from when the weakness existed. */
export async function confirmAbsence(seen: Observation, absence: Absence): Promise<Observation> {
  const { before, control, missing, probe, mustDecide } = absence;
  const decisive = decisiveOf(before, probe, mustDecide);
  const truncation = truncationReason(control);
  if (truncation !== null) return inconclusive(truncation);
  let refused: Observation | null = null;
  for (const asked of probe.requests) {
    const reason = (await deniesPassword(asked, control, probe))
      ? null
      : await distrustReason(asked, {
          control,
          missing,
          decisive,
          before: { status: before.answers[asked.key], empty: before.empty.includes(asked.key) },
          isGenuine: probe.isGenuine(asked.answer),
          isJudged: probe.isJudged(asked.answer),
        });
    const alone = isAsKnown(asked, before, control, reason) ? null : await refusedAlone(asked, absence);
    if (reason !== null && (alone === null || 'limit' in alone)) return inconclusive(reason);
    const observation = alone && (await blocked(alone, control));
    if (observation?.state === 'inconclusive') return observation;
    refused ??= observation;
  }
  return refused ?? seen;
}

/** Whether it is answered as it was when the weakness existed, or like the page. */
function isAsKnown(
  { key, path, answer }: AnsweredRequest,
  { answers }: WebBaseline,
  control: Page,
  reason: string | null,
) {
  const first = answer.hops[0] ?? answer;
  const own = control.hops[0] ?? control;
  const isPage = path === new URL(own.url).pathname && first.status === own.status;
  return reason === null && (isPage || first.status === answers[key]);
}
