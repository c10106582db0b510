import type { AccessRecord } from './access-record';
import type { ExperimentRecord } from './experiment-record';
import type { ConfirmedRefusal } from './refusal';
import type { SentRequest } from './sent-request';
import type { SessionRecord } from './session-record';
import { differenceOf, type Snapshot } from './snapshot';
import type { ClientIdentity } from './transport/client-identity';

/** What showed the weakness: the control's own page, one answer of the check, a handshake or a conversation. */
export type Decisive =
  | { readonly kind: 'page' | 'tls' | 'tcp' }
  | {
      readonly kind: 'http';
      /** Method and path, as in the keys of `answers`. */
      readonly key: string;
      /** Set only if another check provoked what was seen. */
      readonly request?: SentRequest;
    };

export interface WebBaseline {
  readonly on: 'web';
  readonly format: typeof FORMAT;
  readonly page: Snapshot;
  /** Other pages that the control showed while the weakness existed, newest first. */
  readonly earlier: readonly Snapshot[];
  /** The status of each response to the check's own requests, by method and path. */
  readonly answers: Readonly<Record<string, number>>;
  /** The keys of responses with an empty body. */
  readonly empty: readonly string[];
  readonly decisive: Decisive;
  /** The account as which the weakness was seen; absent without one. */
  readonly account?: string;
  /** The response for a path that does not exist; null if it could not be determined. */
  readonly missing: Snapshot | null;
  /** Other pages that responded, newest first. Kept if the control alone would not show that the site is available. */
  readonly alive: readonly AlivePage[];
  /** The response to a browser that saw the weakness too, if it was different. */
  readonly browser: BrowserView | null;
  /** The address of the server behind the name that showed the weakness. */
  readonly address: string | null;
  /** Whether the page is the front page, because the page of the finding fails without its parameter or is one of several. */
  readonly isFrontPage?: boolean;
  /** Further pages by which the site is recognized after others have changed. Earlier versions did not keep any. */
  readonly known?: readonly AlivePage[];
  /** A new response for missing paths that any server could send: it counts if a later probe sees it again. */
  readonly moved?: { readonly since: string; readonly missing: Snapshot };
  /** For an active check: what showed the weakness, and what a retest repeats. */
  readonly experiment?: ExperimentRecord;
  /** Files that a directory listing named. */
  readonly listed?: readonly string[];
  /** The names that the check's `namesIn` returned. */
  readonly names?: readonly string[];
  /** The beginning of the text of the page, to show to people. */
  readonly text?: string;
  /** Set if a user has confirmed that the page, the missing path and the known pages belong to the site. */
  readonly confirmed?: { readonly by: number; readonly at: string };
  /** Set if a user has confirmed that this refusal of the decisive request is the fix. */
  readonly confirmedRefusal?: ConfirmedRefusal;
}

export interface BrowserView {
  readonly page: Snapshot;
  readonly missing: Snapshot | null;
  readonly known?: readonly AlivePage[];
}

export interface AlivePage {
  readonly path: string;
  readonly page: Snapshot;
}

export interface ZoneBaseline {
  readonly on: 'dns';
  readonly format: typeof FORMAT;
  readonly zone: string;
  readonly primary: string;
  /** The missing name to which an alias led. Earlier versions did not keep it. */
  readonly alias?: string;
}

export interface ServiceBaseline {
  readonly on: 'tcp';
  readonly format: typeof FORMAT;
  readonly address: string | null;
}

/** Of what one account is given that belongs to another. Nothing of the site is compared, only what the accounts are given. */
export interface AccessBaseline {
  readonly on: 'access';
  readonly format: typeof FORMAT;
  readonly access: AccessRecord;
}

/** Of how an application checks its sessions. */
export interface SessionBaseline {
  readonly on: 'session';
  readonly format: typeof FORMAT;
  readonly session: SessionRecord;
}

/** What a target was like when its weakness was seen, kept with the finding: plain JSON. */
export type Baseline = WebBaseline | ZoneBaseline | ServiceBaseline | AccessBaseline | SessionBaseline;

/**
 * The method and path of the decisive request; null if the weakness was seen in the control page, a handshake or a conversation.
 */
export const decisiveKey = (before: Baseline | null): string | null =>
  before?.on === 'web' && before.decisive.kind === 'http' ? before.decisive.key : null;

/** Incremented when verifications need more in a baseline than earlier versions stored. */
export const FORMAT = 2;

/** Whether this version can compare with a baseline that an earlier version may have stored. */
export const isComparable = (baseline: Baseline): boolean => baseline.format === FORMAT;

const MOST_EARLIER = 2;

const isGone = ({ status }: Snapshot): boolean => status === 404 || status === 410;

/** Whether the page shows that the site exists. A site that is gone also answers with 404. */
export const isLivePage = (page: Snapshot): boolean => !isGone(page);

/** The pages that the control may show to a client of this kind. For example, the language depends on headers of browsers. */
export const knownPages = ({ page, earlier, browser }: WebBaseline, identity: ClientIdentity): readonly Snapshot[] =>
  identity === 'browser' && browser !== null ? [browser.page] : [page, ...earlier];

export const knownMissing = ({ missing, browser }: WebBaseline, identity: ClientIdentity): Snapshot | null =>
  identity === 'browser' && browser !== null ? browser.missing : missing;

/** Further pages of the site as a client of this kind sees them; empty if none were stored. */
export const furtherPages = ({ known = [], browser }: WebBaseline, identity: ClientIdentity): readonly AlivePage[] =>
  identity === 'browser' && browser !== null ? (browser.known ?? known) : known;

/** An error page instead of a page is an outage, not a state to compare with later. */
const isOutage = (before: Snapshot, now: Snapshot): boolean => before.status < 400 && now.status >= 400;

/** The experiment that showed the weakness, if there was one, as a client of this kind sees it. */
export function experimentOf(before: Baseline | null, identity: ClientIdentity = 'assay'): ExperimentRecord | null {
  const experiment = before?.on === 'web' ? before.experiment : undefined;
  return experiment === undefined ? null : { ...experiment, ...(identity === 'browser' && experiment.browser) };
}

function withBrowserAnswers(ours: WebBaseline, browsers: WebBaseline): WebBaseline {
  if (ours.experiment === undefined || browsers.experiment === undefined) return ours;
  const { original, distinction } = browsers.experiment;
  return { ...ours, experiment: { ...ours.experiment, browser: { original, distinction } } };
}

const withKnown = (known: WebBaseline['known']): Pick<WebBaseline, 'known'> => (known === undefined ? {} : { known });

function renewedWeb(before: WebBaseline, now: WebBaseline): WebBaseline {
  const { page, earlier } = isOutage(before.page, now.page) ? before : now;
  const others = [...knownPages(before, 'assay'), ...earlier].filter((one) => differenceOf(one, page) !== null);
  return {
    ...now,
    page,
    earlier: others.slice(0, MOST_EARLIER),
    missing: now.missing ?? before.missing,
    alive: [...now.alive, ...before.alive].slice(0, MOST_EARLIER + 1),
    ...withKnown(now.known ?? before.known),
    text: page === now.page ? now.text : before.text,
  };
}

/** Combines the baselines of two clients that both saw the weakness. Adds nothing if both got the same responses. */
export function withBrowserView(ours: Baseline | null, browsers: Baseline | null): Baseline | null {
  if (ours?.on !== 'web' || browsers?.on !== 'web') return ours;
  const { page, missing, known } = browsers;
  const isSame =
    differenceOf(ours.page, page) === null &&
    (ours.missing === null || missing === null || differenceOf(ours.missing, missing) === null);
  const both = withBrowserAnswers(ours, browsers);
  return isSame ? both : { ...both, browser: { page, missing, ...withKnown(known) } };
}

/**
 * The baseline to store when the weakness is seen again. A page that was seen before is kept with the current one, because either
 * may be the exception: a maintenance page now, or a redesign since then.
 */
export function renewedBaseline(before: Baseline | null, now: Baseline | null): Baseline | null {
  if (before === null || now === null || !isComparable(before)) return now;
  return before.on === 'web' && now.on === 'web' ? renewedWeb(before, now) : now;
}

export const withMoved = (before: Baseline, moved: WebBaseline['moved']): Baseline | null =>
  before.on === 'web' && moved !== undefined ? { ...before, moved } : null;
