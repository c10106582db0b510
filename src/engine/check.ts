import type { Severity } from '../kernel/severity';
import type { Canary, GivenExperiment } from './experiment-record';
import { type Baseline, experimentOf } from './baseline';
import type { OwaspCategory, WstgTest } from './classification';
import type { Page } from './page';
import type { Probe } from './probe';
import type { Refusal } from './refusal';
import type { SentRequest } from './sent-request';
import { isAddress, isWeb, type Target, type WebTarget } from './target';
import type { HttpAnswer } from './transport/http';
import { excerpt } from './transport/redaction';

/** The result of one probe of a target. */
export type Observation =
  /** `alias` is the name that does not exist, to which an alias leads. */
  | { readonly state: 'vulnerable'; readonly detail: string; readonly alias?: string }
  | { readonly state: 'not_vulnerable'; readonly detail: string }
  /** `hasNoSubject`: the target lacks what the test begins with, such as a value in a first response. */
  | { readonly state: 'inconclusive'; readonly detail: string; readonly hasNoSubject?: boolean }
  /** This request alone is refused, and its twin is not. */
  | { readonly state: 'blocked'; readonly detail: string; readonly refusal?: Refusal };

/** The weakness is there; `detail` says what shows it. */
export const vulnerable = (detail: string): Observation => ({ state: 'vulnerable', detail });
/** The target answered, and the weakness is not there. */
export const notVulnerable = (detail: string): Observation => ({ state: 'not_vulnerable', detail });
/** The answers show neither. Use this where nothing else is certain. */
export const inconclusive = (detail: string): Observation => ({ state: 'inconclusive', detail });

const LONGEST_DETAIL = 1_000;

export const withBoundedDetail = (observation: Observation): Observation => ({
  ...observation,
  detail: excerpt(observation.detail, LONGEST_DETAIL),
});

/** The target lacks what the test begins with. In a job the check does not apply to it, unless a finding shows that it did. */
export const withoutSubject = (detail: string): Observation => ({ state: 'inconclusive', detail, hasNoSubject: true });

/** What a check tests, how it is classified, and how it decides. docs/checks.md is generated from it. */
interface CheckDescription {
  /** Kebab case. Never changed, because fingerprints of findings contain it. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** Numbers in the Common Weakness Enumeration. The first one is the CWE of its findings. */
  readonly cwe: readonly number[];
  /** Categories of the OWASP Top 10, the 2021 edition first. */
  readonly owasp: readonly OwaspCategory[];
  /** Tests of the OWASP Web Security Testing Guide 4.2. */
  readonly wstg: readonly WstgTest[];
  /** A CVSS vector whose score is in the band of the severity. Null if no score is: `info` has no band. */
  readonly cvss: string | null;
  /** HTTPS links to standards and manuals. */
  readonly references: readonly string[];
  /** Which request it sends, what proves the weakness, and what proves the fix. */
  readonly decides: string;
  /** Markdown: what the weakness means and how to fix it. */
  readonly text: string;
}

interface Observes<Subject> {
  /** One probe. Detection makes one, a verification several. Failed requests end the probe by themselves. */
  observe(subject: Subject): Observation | Promise<Observation>;
}

/** A place of a check with a finding of its own, and the requests that showed the weakness there. */
export interface Spot {
  readonly place: WebTarget;
  /** Paths with queries. */
  readonly paths: readonly string[];
  /** Why the check has left out what is there. */
  readonly untested?: string;
}

export interface WebSubject {
  readonly target: WebTarget;
  /** The answer that the control was made from: the target's page, unless the check asks for another control. */
  readonly page: Page;
  /** In a repeat, the page that an earlier request got. */
  readonly earlier?: Page;
  readonly probe: Probe;
  /**
   * The addresses of the same origin that the site links to: in a job those of some linked pages too, in a verification none,
   * because only what was seen is tested again.
   */
  readonly links: () => Promise<readonly URL[]>;
  /** In a verification, the path and query of the request that showed the weakness; it must be sent. Null otherwise. */
  readonly seen: string | null;
  /** All requests that the weakness was shown with, paths and queries; none where it was never seen. */
  readonly shown: readonly string[];
  /**
   * For a check of what others provoke: their requests, in a job those of its other checks, in a verification the one that
   * showed the weakness.
   */
  readonly provoking: readonly SentRequest[];
  /** In a verification, the experiment that showed the weakness; in a job, the point to test. Null otherwise. */
  readonly experiment: GivenExperiment | null;
  /** Whether only what showed the weakness is sent again. */
  readonly isRepeat: boolean;
  /** In a verification, what `namesIn` gave when the weakness was seen; empty where that was not kept. Null otherwise. */
  readonly names: readonly string[] | null;
  /** Only in a job: takes the other places where the check sees the weakness, each of which is then tested by itself. */
  readonly report: ((spot: Spot) => void) | null;
}

export interface PlainSubject {
  readonly target: Target;
  readonly probe: Probe;
  /** A retest: the weakness was seen before. */
  readonly isRetest: boolean;
  /** Of a retest: the name that did not exist, to which an alias led. */
  readonly alias: string | null;
}

/** What must match the baseline: the page, the page after redirects, or the response for a missing path. */
export type ControlKind = 'page' | 'followed' | 'missing';

export interface WebCheck extends CheckDescription, Observes<WebSubject> {
  readonly on: 'page' | 'origin' | 'tls';
  /** Only over these; by default http and https, for TLS https. */
  readonly schemes?: readonly WebTarget['scheme'][];
  /** By default the page. */
  readonly control?: ControlKind;
  /** Its evidence (such as the content of a file) is proof even when the control fails. */
  readonly selfEvident?: boolean;
  /** What it judges is the certificate, of which a server may have several. */
  readonly judgesCertificate?: boolean;
  /** It judges pages of HTML. Anything else has not what it looks for, and refutes nothing. */
  readonly isAboutDocuments?: boolean;
  /** Runs after the other checks of a job, and sends requests of theirs again. */
  readonly runsLast?: boolean;
  /** Its requests may change the target or contain credentials. They are sent once for each probe and never repeated. */
  readonly mayChangeTarget?: boolean;
  /** Why it is no passive check, which only looks at what anyone may request: `sends POST`. */
  readonly activity?: string | null;
  /** Its requests depend on each other or on random values, so a repeat sends all of them and reuses no response. */
  readonly sendsAll?: boolean;
  /** It tests one insertion point, so only an active job runs it; elsewhere its place must name the parameter. */
  readonly needsPoint?: boolean;
  /** It asks as two accounts of the asset what each of them is given, so only an active job with both runs it. */
  readonly needsAccounts?: boolean;
  /** The weakness is used by sending a visitor a link, so a job leaves out cookies, headers and other values in no link. */
  readonly needsLink?: boolean;
  /** Whether it can see anything at a point that is answered so; by default it can. */
  readonly appliesTo?: (canary: Canary) => boolean;
  /** It measures how long answers take, so an active job tests nothing else meanwhile. */
  readonly measuresTime?: boolean;
  readonly template?: string;
  /** Of a check for files: what shows in a response that it is the file of this path; null if nothing does. */
  shows?(path: string, answer: HttpAnswer): string | null;
  /** Names on the page that a retest compares with those of then. */
  namesIn?(page: Page): readonly string[];
  /** Only of an origin: it looks for files, which may also lie in the folder of the target, such as `/shop/.git`. */
  readonly inFolders?: boolean;
  /** For a check whose findings are about one parameter of a page: those that a request of it tests. */
  parametersIn?(path: string): readonly string[];
  /** Why there is nothing to test on this target, or null. */
  notApplicable?(target: WebTarget): string | null;
}

/** Tests the DNS zone of the host. */
export interface DnsCheck extends CheckDescription, Observes<PlainSubject> {
  readonly on: 'dns';
}

/** Tests a service that speaks over plain TCP. */
export interface TcpCheck extends CheckDescription, Observes<PlainSubject> {
  readonly on: 'tcp';
  /** Where the service usually listens; on other ports it is looked for only if the service on this port is not a web server. */
  readonly ports: readonly number[];
}

export type Check = WebCheck | DnsCheck | TcpCheck;

interface Surface {
  readonly schemes: readonly Target['scheme'][];
  /** The location of a finding: an origin has one location for all its pages. */
  readonly place: (target: Target) => Target;
}

const pageOf = ({ parameter: _parameter, within: _within, ...page }: Target): Target => page;

const SURFACES: Readonly<Record<Check['on'], Surface>> = {
  page: { schemes: ['http', 'https'], place: (target) => target },
  origin: { schemes: ['http', 'https'], place: (target) => ({ ...target, path: '/' }) },
  tls: { schemes: ['https'], place: (target) => ({ ...target, path: '/' }) },
  dns: { schemes: ['http', 'https', 'dns'], place: ({ host }) => ({ scheme: 'dns', host, port: 53, path: '/' }) },
  tcp: { schemes: ['http', 'https', 'tcp'], place: (target) => ({ ...target, scheme: 'tcp', path: '/' }) },
};

/** The YAML of the check; null for a built-in one. */
export const templateOf = (check: Check): string | null => (isWebCheck(check) ? (check.template ?? null) : null);

/** Whether its requests may be repeated. */
export const isRepeatable = (check: Check): boolean => !(isWebCheck(check) && check.mayChangeTarget === true);

/** Why the check is not passive; null if it is. */
export const activityOf = (check: Check): string | null => (isWebCheck(check) ? (check.activity ?? null) : null);

export const judgesCertificate = (check: Check): boolean => isWebCheck(check) && check.judgesCertificate === true;

export const runsLast = (check: Check): boolean => isWebCheck(check) && check.runsLast === true;

/** Whether it repeats an experiment, whose values are random. */
export const repeatsExperiment = (check: Check, before: Baseline | null): boolean =>
  needsPoint(check) || experimentOf(before) !== null;

/** Whether a repeat sends all requests instead of the decisive one. */
export const sendsAllRequests = (check: Check, before: Baseline | null): boolean =>
  (isWebCheck(check) && check.sendsAll === true) || repeatsExperiment(check, before);

export const isWebCheck = (check: Check): check is WebCheck => check.on !== 'dns' && check.on !== 'tcp';

export type Placement =
  { readonly applicable: true; readonly place: Target } | { readonly applicable: false; readonly reason: string };

const isInFolders = (check: Check): boolean => isWebCheck(check) && check.inFolders === true;

/** The folder of a path. A last segment without a dot is taken for a folder: `/shop` is `/shop/`. */
const folderIn = (path: string): string =>
  /\/[^/.]+$/.test(path) ? `${path}/` : path.slice(0, path.lastIndexOf('/') + 1);

/**
 * What a job on this target tests: some checks of an origin also test the folder of the target, which has its own findings.
 */
export function placementsOf(check: Check, target: Target): readonly Placement[] {
  const path = folderIn(target.path);
  if (!isInFolders(check) || path === '/' || !isWeb(target)) return [placeOf(check, target)];
  return [placeOf(check, { ...target, path: '/' }), placeOf(check, { ...target, path })];
}

const testsParameters = (check: Check): boolean => isWebCheck(check) && check.parametersIn !== undefined;

export const needsPoint = (check: Check): boolean => isWebCheck(check) && check.needsPoint === true;

/** What a check tests on this target, or why it does not apply. Of a path, only a folder that ends with a slash counts. */
export function placeOf(check: Check, given: Target): Placement {
  const target = testsParameters(check) ? given : pageOf(given);
  if (needsPoint(check) && target.parameter === undefined)
    return { applicable: false, reason: 'it tests one parameter, which the URL must name' };
  const { schemes, place } = SURFACES[check.on];
  const allowed: readonly Target['scheme'][] = (isWebCheck(check) ? check.schemes : undefined) ?? schemes;
  if (!allowed.includes(target.scheme))
    return { applicable: false, reason: `tested over ${allowed.join(' and ')} only` };
  if (check.on === 'dns' && isAddress(target.host)) return { applicable: false, reason: 'an address has no zone' };
  const placed = isInFolders(check) && target.path.endsWith('/') && isWeb(target) ? target : place(target);
  const reason = isWebCheck(check) && isWeb(placed) ? (check.notApplicable?.(placed) ?? null) : null;
  return reason === null ? { applicable: true, place: placed } : { applicable: false, reason };
}
