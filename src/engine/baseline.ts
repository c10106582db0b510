import type { AccessRecord } from './access-record';
import type { ExperimentRecord } from './experiment-record';
import type { ConfirmedRefusal } from './refusal';
import type { SentRequest } from './sent-request';
import { differenceOf, type Snapshot } from './snapshot';
import type { ClientIdentity } from './transport/client-identity';

/** What showed the weakness: the control's own page, one answer of the check, a handshake or a conversation. */
export type Decisive =
  | { readonly kind: 'page' | 'tls' | 'tcp' }
  | {
      readonly kind: 'http';
      /** Method and path, as in `answers`. */
      readonly key: string;
      /** Only where another check provoked what was seen. */
      readonly request?: SentRequest;
    };

export interface WebBaseline {
  readonly on: 'web';
  readonly format: typeof FORMAT;
  readonly page: Snapshot;
  /** Other pages that the control has shown while the weakness was there, the latest first. */
  readonly earlier: readonly Snapshot[];
  /** The status of each answer of the check's own, by method and path. */
  readonly answers: Readonly<Record<string, number>>;
  /** Those of them that had nothing in them. */
  readonly empty: readonly string[];
  readonly decisive: Decisive;
  /** As which account the weakness was seen; nobody's without it. */
  readonly account?: string;
  /** How a path was answered that does not exist; null when that could not be learned. */
  readonly missing: Snapshot | null;
  /** Other pages that answered, where the control itself would not show that the site is alive, the latest first. */
  readonly alive: readonly AlivePage[];
  /** How a browser was answered that saw the weakness too, where that was in another way. */
  readonly browser: BrowserView | null;
  /** Which of the servers behind the name it was. */
  readonly address: string | null;
  /** The page is the front page, because that of the finding fails without its parameter or is one of several. */
  readonly isFrontPage?: boolean;
  /** Further pages of the site, by which it is recognized after a change of others. Earlier versions kept none. */
  readonly known?: readonly AlivePage[];
  /** A new response for missing paths that any server could send: it counts when it is seen again later. */
  readonly moved?: { readonly since: string; readonly missing: Snapshot };
  /** Of an active check: what showed the weakness, and what a retest repeats. */
  readonly experiment?: ExperimentRecord;
  /** Files that the listing of a folder has named. */
  readonly listed?: readonly string[];
  /** Those that `namesIn` of the check gave. */
  readonly names?: readonly string[];
  /** The beginning of the text of the page, for people. */
  readonly text?: string;
  /** A user has confirmed that the page, the missing path and the known pages are those of the site. */
  readonly confirmed?: { readonly by: number; readonly at: string };
  /** A user has confirmed that this refusal of the decisive request is the fix. */
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
  /** The name that did not exist, to which an alias led. Earlier versions kept none. */
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

/** What a target was like when its weakness was seen, kept with the finding: plain JSON. */
export type Baseline = WebBaseline | ZoneBaseline | ServiceBaseline | AccessBaseline;

/** The method and path of the decisive request; null where it was a page, a handshake or a conversation. */
export const decisiveKey = (before: Baseline | null): string | null =>
  before?.on === 'web' && before.decisive.kind === 'http' ? before.decisive.key : null;

/** Counted up when a verification needs more of a baseline than earlier versions kept. */
export const FORMAT = 2;

/** Whether this version can compare with it: it is read from a database that earlier versions may have written. */
export const isComparable = (baseline: Baseline): boolean => baseline.format === FORMAT;

const MOST_EARLIER = 2;

const isGone = ({ status }: Snapshot): boolean => status === 404 || status === 410;

/** Whether the page shows that the site is there at all; a 404 is also what is left of a site that is gone. */
export const isLivePage = (page: Snapshot): boolean => !isGone(page);

/** What the control may show to a client of this kind: languages, for one, are chosen by what browsers send. */
export const knownPages = ({ page, earlier, browser }: WebBaseline, identity: ClientIdentity): readonly Snapshot[] =>
  identity === 'browser' && browser !== null ? [browser.page] : [page, ...earlier];

export const knownMissing = ({ missing, browser }: WebBaseline, identity: ClientIdentity): Snapshot | null =>
  identity === 'browser' && browser !== null ? browser.missing : missing;

/** Further pages of the site, as a client of this kind sees them; none where none were kept. */
export const furtherPages = ({ known = [], browser }: WebBaseline, identity: ClientIdentity): readonly AlivePage[] =>
  identity === 'browser' && browser !== null ? (browser.known ?? known) : known;

/** An error page where there was a page is an outage, and no state to compare with later. */
const isOutage = (before: Snapshot, now: Snapshot): boolean => before.status < 400 && now.status >= 400;

/** What showed the weakness, if that was an experiment, as a client of this kind sees it. */
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

/** Of two clients that both saw the weakness; nothing where both were answered alike. */
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
 * What is kept when the weakness is seen again. A page that was seen before is remembered beside the one of now, since
 * either may be the exception: a maintenance page today, or a redesign since then.
 */
export function renewedBaseline(before: Baseline | null, now: Baseline | null): Baseline | null {
  if (before === null || now === null || !isComparable(before)) return now;
  return before.on === 'web' && now.on === 'web' ? renewedWeb(before, now) : now;
}

export const withMoved = (before: Baseline, moved: WebBaseline['moved']): Baseline | null =>
  before.on === 'web' && moved !== undefined ? { ...before, moved } : null;
