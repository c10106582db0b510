import type { Visit } from './probe-session';
import { blockageOf, isRefusal, looksLikeLogin } from './response-trust';
import { missingPath } from './missing-path';
import { type Page, redirectOf } from './page';
import { leadAlike } from './redirects';
import type { Asked, TargetProbe } from './probe';
import { asksToSignIn, looksAlike, serverOf, snapshot } from './snapshot';
import type { Target } from './target';
import type { HttpAnswer } from './transport/http';

/**
 * What an answer without the weakness is worth at a first look, which has nothing to compare with: it shows what a
 * stranger is shown. A doubt ends the look as inconclusive; a note says what keeps the stranger out.
 */
export type Worth =
  | { readonly kind: 'plain' }
  | { readonly kind: 'noted'; readonly note: string }
  | { readonly kind: 'doubted'; readonly doubt: string };

const PLAIN: Worth = { kind: 'plain' };
const noted = (note: string): Worth => ({ kind: 'noted', note });
const doubted = (doubt: string): Worth => ({ kind: 'doubted', doubt });

const pathOf = ({ url }: HttpAnswer): string => new URL(url).pathname;
const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? path;
const beforeHops = (page: Page): Page => (page.hops[0] === undefined ? page : { ...page.hops[0], hops: [] });

/** Beside a path, of its kind and surely missing: what has rules for hidden files or for endings treats both the same. */
export function siblingOf(path: string): string {
  const [, folder = '/', name = ''] = /^(.*\/)([^/]*)$/.exec(path) ?? [];
  const [, stem = '', ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
  return `${folder}${stem}-${missingPath().slice(1)}${ending}`;
}

/** Whether two paths are answered in the same way, by the same server. */
async function answeredAlike(path: string, one: Page, other: Page): Promise<boolean> {
  const [to, otherTo] = [redirectOf(one), redirectOf(other)];
  if (to !== null && otherTo !== null) return leadAlike(path, to, pathOf(other), otherTo);
  if (to !== otherTo || one.status !== other.status || serverOf(one) !== serverOf(other)) return false;
  return isRefusal(one) || looksAlike(await snapshot(one), await snapshot(other));
}

/** What an answer does to a stranger, in words. */
function treatmentOf(page: Page): string {
  const to = redirectOf(page);
  if (to !== null) return `redirects to ${to.origin}${to.pathname}`.slice(0, 300);
  return isRefusal(page) ? `is refused with ${page.status}` : 'asks for a password';
}

/** Where one look is made, with what. */
export interface Ground {
  readonly place: Target;
  readonly control: Page;
  readonly probe: TargetProbe;
  readonly visit: Visit;
}

/** How the same question is answered for what is surely missing. */
async function missing({ request }: Asked, { place, probe, visit }: Ground): Promise<Page> {
  const { method, headers, body } = request;
  const isPlain = method === undefined && headers === undefined && body === undefined;
  return isPlain
    ? (await visit.page({ ...place, path: '/' }, 'missing')).page
    : probe.quietly({ method, headers, body, path: missingPath() });
}

/** Whether it is how the front page, or the very page that was given, is answered to everybody who comes. */
async function isFrontDoor(path: string, first: Page, { place, visit }: Ground): Promise<boolean> {
  if (path !== '/' && path !== place.path) return false;
  const { page } = await visit.page({ ...place, path }, 'page');
  return first.status === page.status && redirectOf(first)?.pathname === redirectOf(page)?.pathname;
}

async function worthOfRedirect(asked: Asked, path: string, first: Page, to: URL, ground: Ground): Promise<Worth> {
  const { method, headers, body } = asked.request;
  const sibling = await ground.probe.quietly({ method, headers, body, path: siblingOf(path) });
  if (await answeredAlike(path, first, sibling))
    return noted(`${path} ${treatmentOf(first)}, as what is missing beside it is`);
  if (looksLikeLogin(to)) return noted(`${path} ${treatmentOf(first)}, which looks like a login`);
  // Within the origin redirects are followed: what was looked at is what stands at their end.
  const isFollowed = asked.answer.hops.length > 0 && redirectOf(asked.answer) === null;
  return isFollowed ? PLAIN : doubted(`${path} ${treatmentOf(first)}, where what is missing does not lead`);
}

/** What a stranger is shown who asks for this: nothing, if strangers are kept out, be it here or everywhere. */
export async function worthOf(asked: Asked, ground: Ground): Promise<Worth> {
  const { answer } = asked;
  const path = withoutQuery(asked.path);
  const blockage = blockageOf(answer);
  if (blockage !== null) return doubted(`${path}: ${blockage}`);
  const first = beforeHops(answer);
  const to = redirectOf(first);
  const asksForLogin = asksToSignIn(answer) && !asksToSignIn(ground.control);
  if (to === null && !isRefusal(answer) && !asksForLogin) return PLAIN;
  if (await isFrontDoor(path, first, ground)) return PLAIN;
  const isGeneral = await answeredAlike(path, first, await missing(asked, ground));
  if (isGeneral) return noted(`${path} ${treatmentOf(first)}, as what is missing is`);
  return to === null || asksForLogin || isRefusal(answer)
    ? noted(`${path} ${treatmentOf(answer)}`)
    : worthOfRedirect(asked, path, first, to, ground);
}
