import { holdMoreThan, isAnsweredAs, mayHoldMoreThan, serverField } from './answered-alike';
import { type Check, inconclusive, type Observation } from './check';
import { asksForCaptcha } from './firewall-pages';
import { isFromCache, type Page } from './page';
import { isForMissingPath, type TargetProbe } from './probe';
import { type AnsweredRequest } from './answered-request';
import { folderOf } from './probe-session';
import type { Refusal } from './refusal';
import { blockReason, isOfSameServer, isRefusal } from './response-trust';
import { asksToSignIn, snapshot } from './snapshot';
import { type Twin, Twins } from './twin-answers';
import { type TwinKind, twinKeyOf, twinKindOf, twinRequest } from './twins';
import { partsLoadedBy } from './unknown-site';

/** What a response is compared with, besides its twin. */
export interface TwinContext {
  readonly check: Check;
  readonly control: Page;
  /** The response for a missing path in the folder of the target. */
  readonly missing: Page | null;
  readonly twins: Twins;
  readonly probe: TargetProbe;
  /** Files that a directory listing named. */
  readonly listed?: readonly string[];
  /** The front page. The files that it loads are in folders that exist. */
  readonly front: () => Promise<Page>;
}

/** Statuses with which a server itself says that something is forbidden to everyone or does not exist. */
const OWN_STATUSES = new Set([401, 403, 404, 410, 451]);

const firstOf = (page: Page): Page => (page.hops[0] === undefined ? page : { ...page.hops[0], hops: [] });

/** Whether a response is a refusal, by the site or by another system, and not a page with the content. */
const refuses = (answer: Page, control: Page): boolean =>
  firstOf(answer).status >= 300 ||
  blockReason(answer) !== null ||
  (asksToSignIn(answer) && !asksToSignIn(control)) ||
  asksForCaptcha(answer, control);

/**
 * Whether both got the same kind of response. Two refusals with the same status count as the same kind, whatever their pages say.
 */
async function isAnsweredAlike(answer: Page, twin: Page): Promise<boolean> {
  const [first, other] = [firstOf(answer), firstOf(twin)];
  // A rate limit may send the page for missing paths, with a header that says so.
  if ((blockReason(answer) === null) !== (blockReason(twin) === null)) return false;
  const isSameRefusal = isRefusal(first) && first.status === other.status && serverField(first) === serverField(other);
  return isSameRefusal || isAnsweredAs(answer, twin);
}

/** Whether the site refuses the value itself, or replaces it by a page of the site. */
const isMendedRedirect = (kind: TwinKind, { status }: Page): boolean =>
  kind === 'redirect' && [301, 302, 303, 307, 308, 400, 422].includes(status);

/** The twins that may show the absence, one after the other: one that was requested for another name, then one of its own. */
async function* twinsOf(kind: TwinKind, asked: AnsweredRequest, { twins, probe }: TwinContext): AsyncGenerator<Twin> {
  const { path: of } = asked;
  for (const key of [twinKeyOf(kind, asked), `${asked.request.method ?? 'GET'} ${of}`]) {
    const request = twinRequest(kind, asked);
    if (request === null) return;
    const twin = await twins.ask(key, { path: request.path ?? '/', of }, () => probe.requestPage(request));
    yield twin;
    if (twin.of === of) return;
  }
}

/** Per folder. Requests of a listing that fail prove nothing. */
const MOST_LISTED = 2;

const isIn = (folder: string, path: string): boolean => path.startsWith(folder) && path !== folder;

/**
 * Whether a folder has no listing: a file in it is still served, so that only the index is refused, or another folder of the site
 * without an index gets the same response.
 */
async function hasNoIndex({ path, answer }: AnsweredRequest, context: TwinContext): Promise<boolean> {
  const { probe, twins, listed = [], missing } = context;
  const loaded = partsLoadedBy(await context.front()).map((part) => part.path);
  const ask = (of: string): Promise<Twin> =>
    twins.ask(`GET ${of}`, { path: of, of }, () => probe.requestPage({ path: of }));
  for (const file of [...listed, ...loaded].filter((one) => isIn(path, one)).slice(0, MOST_LISTED)) {
    const { answer: served } = await ask(file);
    const isServed = served.status === 200 && blockReason(served) === null;
    if (isServed && (missing === null || !(await isAnsweredAlike(served, missing)))) return true;
  }
  const others = new Set([...listed, ...loaded].map(folderOf));
  for (const folder of [...others].filter((one) => one !== '/' && one !== path).slice(0, MOST_LISTED))
    if (await isAnsweredAlike(answer, (await ask(folder)).answer)) return true;
  return false;
}

/** How a request is refused while its twin is not, or why the twin proves nothing. */
export type RefusedAlone = { readonly asked: AnsweredRequest; readonly twin: Twin } | { readonly limit: string };

/**
 * Why the page for missing paths may contain the requested content, plain or encoded, or null: this path always gets a text that
 * missing paths next to it never get.
 */
async function heldBy(
  kind: TwinKind,
  asked: AnsweredRequest,
  missing: Page,
  { twins, probe }: TwinContext,
): Promise<RefusedAlone | null> {
  const { path, request, answer } = asked;
  const { url, status } = firstOf(answer);
  if (status < 400 || !mayHoldMoreThan(answer, missing)) return null;
  const fresh = url.includes('?') && !path.includes('?');
  const [pages, others] = [[answer], [missing]];
  const ask = async (turn: string, at: string): Promise<Page> => {
    const send = (): Promise<Page> => probe.requestPage({ ...request, path: at, fresh });
    return (await twins.ask(`${turn} ${path}`, { path: at, of: path }, send)).answer;
  };
  for (const round of ['first', 'second']) {
    pages.push(await ask(`${round} again`, path));
    if (!holdMoreThan(pages, others)) return null;
    others.push(await ask(`${round} beside`, twinRequest(kind, asked)?.path ?? '/'));
    if (!holdMoreThan(pages, others)) return null;
  }
  return { limit: `${path} gets ${status} with a text that missing paths beside it do not get` };
}

/**
 * Whether only this request is refused, so that its response does not show that the weakness is absent. Null if it is not
 * refused, if its twin gets the same kind of response, or if the site refuses the twin too.
 */
export async function refusedAlone(asked: AnsweredRequest, context: TwinContext): Promise<RefusedAlone | null> {
  const { answer, key } = asked;
  const { control, missing, probe, check } = context;
  const kind = twinKindOf(check, asked);
  if (kind === 'positive' || isForMissingPath(key) || probe.isGenuine(answer) || probe.isJudged(answer)) return null;
  if (!refuses(answer, control) || isFromCache(answer) || isMendedRedirect(kind, firstOf(answer))) return null;
  const isPlain = (kind === 'file' || kind === 'listing') && (asked.request.method ?? 'GET') === 'GET';
  if (isPlain && missing !== null && (await isAnsweredAlike(answer, missing)))
    return heldBy(kind, asked, missing, context);
  if (kind === 'listing' && (await hasNoIndex(asked, context))) return null;
  let alone: RefusedAlone | null = null;
  for await (const twin of twinsOf(kind, asked, context)) {
    if (await isAnsweredAlike(answer, twin.answer)) return isPlain ? heldBy(kind, asked, twin.answer, context) : null;
    const blockage = blockReason(twin.answer);
    if (blockage !== null) return { limit: `${twin.path} beside it: ${blockage}` };
    alone = { asked, twin };
  }
  return alone;
}

export async function blocked(alone: RefusedAlone, control: Page): Promise<Observation> {
  if ('limit' in alone) return inconclusive(alone.limit);
  const { asked, twin } = alone;
  const refusal = await refusalBeside(asked.key, asked.answer, twin, control);
  const { status, twinStatus } = refusal;
  const detail = `${asked.path} gets ${status}, and ${twin.path} beside it gets ${twinStatus}`;
  return { state: 'blocked', detail, refusal };
}

/** `key` contains the method, which the twin shares. */
export async function refusalBeside(
  key: string,
  answered: Page,
  twin: Pick<Twin, 'path' | 'answer'>,
  control: Page,
): Promise<Refusal> {
  const answer = firstOf(answered);
  const twinAnswer = firstOf(twin.answer);
  const isOwn =
    OWN_STATUSES.has(answer.status) &&
    answer.headers.get('retry-after') === null &&
    blockReason(answer) === null &&
    isOfSameServer(answer, control);
  return {
    path: key,
    twin: `${key.split(' ', 1)[0]} ${twin.path}`,
    status: answer.status,
    twinStatus: twinAnswer.status,
    answer: await snapshot(answer),
    twinAnswer: await snapshot(twinAnswer),
    page: await snapshot(control),
    isOwn,
  };
}
