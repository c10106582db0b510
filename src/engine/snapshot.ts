import { similarity, type Sketch, sketch, structureOf, wordsOf } from './response-similarity';
import { type Page, redirectOf } from './page';
import { withoutMadeUp } from '../kernel/made-up-path';

/** The stable properties of a response, which a control compares. */
export interface Snapshot {
  readonly status: number;
  /** The host and path of its redirect. */
  readonly redirect: string | null;
  readonly media: string | null;
  /** The product that responds, without its version; null if it does not say. */
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

/** The product in the Server header, without its version. */
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

/** The password may be requested only on the next page. */
export const asksToSignIn = (page: Page): boolean =>
  asksForPassword(page) || SIGN_IN.test(titleOf(page.text.slice(0, SEARCHED_CHARACTERS)) ?? '');

/** Removes a path that we made up, which a redirect may contain and which differs each time. */
const placeOf = (url: URL): string => withoutMadeUp(`${url.hostname}${url.pathname}`).replace(/;[^/]*/g, '');

function certificateOf({ tls }: Page): Snapshot['certificate'] {
  if (!tls?.certificate) return null;
  const { sha256, subject, covers } = tls.certificate;
  return { sha256, subject, covers, trusted: tls.trusted };
}

/** The text without the requested path, which error pages repeat. */
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

/** Whether a request gets the same response as before, from the same server. */
export const isSameAnswer = (one: Snapshot, other: Snapshot): boolean =>
  one.status === other.status &&
  one.server === other.server &&
  one.redirect === other.redirect &&
  (resembles(one, other) || (one.words.length === 0 && other.words.length === 0));

function certificateDiffers(before: Snapshot, now: Snapshot): boolean {
  const [old, shown] = [before.certificate, now.certificate];
  // A change from plain HTTP to HTTPS is fine; the reverse is not.
  if (old === null || shown === null) return shown === null && old !== null;
  if (old.sha256 === shown.sha256) return false;
  // A renewed certificate is fine, unless it proves less than the old one.
  return (old.covers && !shown.covers) || (old.trusted && !shown.trusted);
}

/** Hiding the Server header is a common fix; a different product in it means another server. */
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

/** Makes a text of the page safe for our sentences: CI runners interpret "##[…]" anywhere in a line as a command. */
const quoted = (text: string): string => text.slice(0, 100).replace(/#+/g, '#');

const hostOf = (redirect: string | null): string | null => redirect?.split('/', 1)[0] ?? null;

/**
 * Whether a page has become a different one within a few minutes. More may change than between two pages of one site: banners,
 * news and A/B tests. So only the structure or the words must be similar, and less so if the title is the same.
 */
function isAnotherPage(before: Snapshot, now: Snapshot): boolean {
  if (before.title === null && now.title === null) return false;
  const [structure, words] = [similarity(before.structure, now.structure), similarity(before.words, now.words)];
  return before.title === now.title ? structure < 0.3 && words < 0.3 : !looksAlike(before, now);
}

/** Why a target treats this client differently than a moment ago, whatever the content; or null. */
export function reactionOf(before: Snapshot, now: Snapshot): string | null {
  if (before.status !== now.status) return `it responds with ${now.status} instead of ${before.status}`;
  if (hostOf(before.redirect) !== hostOf(now.redirect)) return `it redirects to ${now.redirect}`;
  return now.login && !before.login ? 'it asks for a password, which it did not do before' : null;
}

export function anotherPageReason(before: Snapshot, now: Snapshot): string | null {
  const title = now.title === null ? '' : ` (${quoted(now.title)})`;
  return isAnotherPage(before, now) ? `it shows another page${title}` : null;
}
