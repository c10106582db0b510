import { similarity, type Sketch, sketch, structureOf, wordsOf } from './response-similarity';
import { type Page, redirectOf } from './page';
import { withoutMadeUp } from '../kernel/made-up-path';

/** The stable properties of a response, with which a control compares. */
export interface Snapshot {
  readonly status: number;
  /** Host and path of where it redirects. */
  readonly redirect: string | null;
  readonly media: string | null;
  /** The product that answers, without its version; null where it does not say. */
  readonly server: string | null;
  readonly title: string | null;
  readonly structure: Sketch;
  readonly words: Sketch;
  /** Whether it asks to sign in. */
  readonly login: boolean;
  readonly certificate: {
    readonly sha256: string;
    readonly subject: string;
    readonly covers: boolean;
    readonly trusted: boolean;
  } | null;
}

const SEARCHED_CHARACTERS = 300_000;

/** The product in the Server field, without its version. */
export const serverOf = (page: Page): string | null =>
  /^[^\s/]{1,100}/.exec(page.headers.get('server') ?? '')?.[0].toLowerCase() ?? null;

const mediaOf = (page: Page): string | null =>
  page.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;

const titleOf = (text: string): string | null =>
  /<title[^<>]{0,200}>([^<]{1,300})/i
    .exec(text)?.[1]
    ?.replace(/[\s\p{Cc}]+/gu, ' ')
    .trim() ?? null;

export const asksForPassword = (page: Page): boolean =>
  /<input[^<>]{0,500}type\s?=\s?["']?password/i.test(page.text.slice(0, SEARCHED_CHARACTERS));

const SIGN_IN =
  /\b(?:sign[ -]?in|log[ -]?in|anmelden|anmeldung|einloggen|se connecter|connexion|iniciar sesi|accedi|inloggen)/i;

/** A password may only be asked for on the next page. */
export const asksToSignIn = (page: Page): boolean =>
  asksForPassword(page) || SIGN_IN.test(titleOf(page.text.slice(0, SEARCHED_CHARACTERS)) ?? '');

/** A path made up by us is part of where it redirects, perhaps, and another one each time. */
const placeOf = (url: URL): string => withoutMadeUp(`${url.hostname}${url.pathname}`).replace(/;[^/]*/g, '');

function certificateOf({ tls }: Page): Snapshot['certificate'] {
  if (!tls?.certificate) return null;
  const { sha256, subject, covers } = tls.certificate;
  return { sha256, subject, covers, trusted: tls.trusted };
}

/** Error pages repeat the path that was asked for, which is another one each time. */
function textOf({ url, text }: Page): string {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  const { pathname } = new URL(url);
  return pathname.length > 1 ? start.replaceAll(pathname, ' ') : start;
}

export async function snapshot(page: Page): Promise<Snapshot> {
  const redirect = redirectOf(page);
  const text = textOf(page);
  return {
    status: page.status,
    redirect: redirect && placeOf(redirect),
    media: mediaOf(page),
    server: serverOf(page),
    title: titleOf(text),
    structure: await sketch(structureOf(text)),
    words: await sketch(wordsOf(text)),
    login: asksToSignIn(page),
    certificate: certificateOf(page),
  };
}

/** Whether two pages have mostly the same words, or the same structure and either the title or enough words. */
export function looksAlike(before: Snapshot, now: Snapshot): boolean {
  const words = similarity(before.words, now.words);
  if (words >= 0.7) return true;
  const sameTitle = before.title !== null && before.title === now.title;
  return similarity(before.structure, now.structure) >= 0.5 && (sameTitle || words >= 0.3);
}

/** Whether two responses are the same page. Pages without words never are. */
export function resembles(one: Snapshot, other: Snapshot): boolean {
  const isSameKind = one.status === other.status && one.media === other.media && one.login === other.login;
  if (!isSameKind || other.words.length === 0) return false;
  // Two texts without tags have the same structure, so only their words count.
  return one.structure.length > 0 ? looksAlike(one, other) : similarity(one.words, other.words) >= 0.7;
}

/** Whether a request gets the same answer as earlier, from the same server. */
export const isSameAnswer = (one: Snapshot, other: Snapshot): boolean =>
  one.status === other.status &&
  one.server === other.server &&
  one.redirect === other.redirect &&
  (resembles(one, other) || (one.words.length === 0 && other.words.length === 0));

function certificateDiffers(before: Snapshot, now: Snapshot): boolean {
  const [old, shown] = [before.certificate, now.certificate];
  // From plain HTTP to HTTPS is no change for the worse; the way back is.
  if (old === null || shown === null) return shown === null && old !== null;
  if (old.sha256 === shown.sha256) return false;
  // A renewed certificate is fine, unless it proves less than the old one.
  return (old.covers && !shown.covers) || (old.trusted && !shown.trusted);
}

/** Hiding the Server field is a common fix; another product in it means another server. */
export const isAnotherServer = ({ server: before }: Snapshot, { server: now }: Snapshot): boolean =>
  before !== null && now !== null && before !== now;

type Difference = (before: Snapshot, now: Snapshot) => string | false;

/** Differences between a target and its baseline, in the order in which they are reported. */
const DIFFERENCES: readonly Difference[] = [
  (before, now) =>
    before.redirect !== now.redirect &&
    now.redirect !== null &&
    `it redirects to ${now.redirect}, which it did not do before`,
  (before, now) => before.status !== now.status && `it responds with ${now.status} instead of ${before.status}`,
  (before, now) => now.login && !before.login && 'it asks for a password, which it did not do before',
  (before, now) =>
    before.media !== now.media &&
    `its content type is ${quoted(now.media ?? 'not stated')} instead of ${before.media ?? 'not stated'}`,
  (before, now) =>
    certificateDiffers(before, now) && 'it has another certificate, which is not trusted or does not cover the host',
  (before, now) => !looksAlike(before, now) && 'the page differs from the one in the baseline',
];

/** The first difference between two snapshots, or null. */
export function differenceOf(before: Snapshot, now: Snapshot): string | null {
  for (const difference of DIFFERENCES) {
    const reason = difference(before, now);
    if (reason !== false) return reason;
  }
  return null;
}

/** What a page says in a sentence of ours. Runners of pipelines take "##[…]" anywhere in a line for a command. */
const quoted = (text: string): string => text.slice(0, 100).replace(/#+/g, '#');

const hostOf = (redirect: string | null): string | null => redirect?.split('/', 1)[0] ?? null;

/**
 * Whether a page has become another one within a few minutes. More may move than between two pages of one site: banners, news
 * and tests of variants, so only the frame or the words must be the same, and less of them if the title is.
 */
function isAnotherPage(before: Snapshot, now: Snapshot): boolean {
  if (before.title === null && now.title === null) return false;
  const [structure, words] = [similarity(before.structure, now.structure), similarity(before.words, now.words)];
  return before.title === now.title ? structure < 0.3 && words < 0.3 : !looksAlike(before, now);
}

/** Why a target treats this client differently than a moment ago, without regard to the content; or null. */
export function reactionOf(before: Snapshot, now: Snapshot): string | null {
  if (before.status !== now.status) return `it responds with ${now.status} instead of ${before.status}`;
  if (hostOf(before.redirect) !== hostOf(now.redirect)) return `it redirects to ${now.redirect}`;
  return now.login && !before.login ? 'it asks for a password, which it did not do before' : null;
}

export function anotherPageReason(before: Snapshot, now: Snapshot): string | null {
  const title = now.title === null ? '' : ` (${quoted(now.title)})`;
  return isAnotherPage(before, now) ? `it shows another page${title}` : null;
}
