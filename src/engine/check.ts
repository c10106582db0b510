import type { Severity } from '../kernel/severity';
import type { Canary, GivenExperiment } from './experiment-record';
import { type Baseline, experimentOf } from './baseline';
import type { CallbackSyntax } from './callbacks';
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
  /** `alias` is the missing name to which an alias leads. */
  | { readonly state: 'vulnerable'; readonly detail: string; readonly alias?: string }
  | { readonly state: 'not_vulnerable'; readonly detail: string }
  /** `hasNoSubject`: the target lacks what the test needs, such as a value in a first response. */
  | { readonly state: 'inconclusive'; readonly detail: string; readonly hasNoSubject?: boolean }
  /** Only this request is refused; its harmless twin is not. */
  | { readonly state: 'blocked'; readonly detail: string; readonly refusal?: Refusal };

/** The weakness exists; `detail` says what shows it. */
export const vulnerable = (detail: string): Observation => ({ state: 'vulnerable', detail });
/** The target answered, and the weakness does not exist. */
export const notVulnerable = (detail: string): Observation => ({ state: 'not_vulnerable', detail });
/** The responses show neither. Use this whenever the others are not certain. */
export const inconclusive = (detail: string): Observation => ({ state: 'inconclusive', detail });

const LONGEST_DETAIL = 1_000;

export const withBoundedDetail = (observation: Observation): Observation => ({
  ...observation,
  detail: excerpt(observation.detail, LONGEST_DETAIL),
});

/** The target lacks what the test needs. In a job the check then does not apply, unless a finding shows that it did. */
export const withoutSubject = (detail: string): Observation => ({ state: 'inconclusive', detail, hasNoSubject: true });

/** What a check tests, how it is classified, and how it decides. docs/checks.md is generated from it. */
interface CheckDescription {
  /** Kebab case. Never change it, because fingerprints of findings contain it. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** Numbers in the Common Weakness Enumeration. The first one is the CWE of its findings. */
  readonly cwe: readonly number[];
  /** Categories of the OWASP Top 10, the 2021 edition first. */
  readonly owasp: readonly OwaspCategory[];
  /** Tests of the OWASP Web Security Testing Guide 4.2. */
  readonly wstg: readonly WstgTest[];
  /** A CVSS vector whose score is in the band of the severity. Null if there is no such score: `info` has no band. */
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

/** A place with a separate finding, and the requests that showed the weakness there. */
export interface Spot {
  readonly place: WebTarget;
  /** Paths with queries. */
  readonly paths: readonly string[];
  /** Why the check did not test the place. */
  readonly untested?: string;
}

export interface WebSubject {
  readonly target: WebTarget;
  /** The response from which the control was made: the target's page, unless the check asks for another control. */
  readonly page: Page;
  /** In a repeat, the response to an earlier request for the page. */
  readonly earlier?: Page;
  readonly probe: Probe;
  /** The addresses of the same origin that the site links to, in a job also on some linked pages; empty in a verification. */
  readonly links: () => Promise<readonly URL[]>;
  /** In a verification, the path and query of the request that showed the weakness, which must be sent. Null otherwise. */
  readonly seen: string | null;
  /** Paths and queries of all requests that showed the weakness; empty if it was never seen. */
  readonly shown: readonly string[];
  /**
   * For a check of responses that other checks provoke. In a job, these are their requests; in a verification, the request that
   * showed the weakness.
   */
  readonly provoking: readonly SentRequest[];
  /** In a verification, the experiment that showed the weakness; in a job, the point to test. Null otherwise. */
  readonly experiment: GivenExperiment | null;
  /** Whether only the request that showed the weakness is sent again. */
  readonly isRepeat: boolean;
  /** In a verification, what `namesIn` returned when the weakness was seen; empty if that was not stored. Null otherwise. */
  readonly names: readonly string[] | null;
  /** Only in a job: reports other places where the check sees the weakness. Each is then tested separately. */
  readonly report: ((spot: Spot) => void) | null;
}

export interface PlainSubject {
  readonly target: Target;
  readonly probe: Probe;
  /** Whether this is a retest: the weakness was seen before. */
  readonly isRetest: boolean;
  /** In a retest: the missing name to which an alias led. */
  readonly alias: string | null;
}

/** What must match the baseline: the page, the page after redirects, or the response for a missing path. */
export type ControlKind = 'page' | 'followed' | 'missing';

export interface WebCheck extends CheckDescription, Observes<WebSubject> {
  readonly on: 'page' | 'origin' | 'tls';
  /** The schemes to which it applies; by default http and https, for TLS https. */
  readonly schemes?: readonly WebTarget['scheme'][];
  readonly control?: ControlKind;
  /** Whether its evidence (such as the content of a file) is proof even if the control fails. */
  readonly selfEvident?: boolean;
  /** Whether it judges the certificate, of which a server may have several. */
  readonly judgesCertificate?: boolean;
  /** Whether it judges HTML pages. Other responses lack what it looks for, but refute nothing. */
  readonly isAboutDocuments?: boolean;
  /** Whether it runs after the other checks of a job, and sends their requests again. */
  readonly runsLast?: boolean;
  /** Whether its requests may change the target or contain credentials. They are sent once per probe and never repeated. */
  readonly mayChangeTarget?: boolean;
  /** Why it is not a passive check, such as `sends POST`. Passive checks only look at what anyone may request. */
  readonly activity?: string | null;
  /** Whether its requests depend on each other or on random values. A repeat then sends all of them and reuses no response. */
  readonly sendsAll?: boolean;
  /** Whether it tests one insertion point. Only active jobs run it; elsewhere its place must name the parameter. */
  readonly needsPoint?: boolean;
  /** It asks as two accounts of the asset what each of them is given, so only an active job with both runs it. */
  readonly needsAccounts?: boolean;
  readonly needsSubmission?: boolean;
  /** The weakness is used by sending a visitor a link, so a job leaves out cookies, headers and other values in no link. */
  readonly needsLink?: boolean;
  /** Whether it can see anything at a point with these responses; true by default. */
  readonly appliesTo?: (canary: Canary) => boolean;
  /** Whether it measures response times. An active job then tests nothing else meanwhile. */
  readonly measuresTime?: boolean;
  readonly callbacks?: readonly CallbackSyntax[] | undefined;
  readonly needsCallbacks?: boolean;
  readonly template?: string;
  /** For a check for files: what in the response shows that it is the file at this path; null if nothing does. */
  shows?(path: string, answer: HttpAnswer): string | null;
  /** Names on the page that a retest compares with those of the baseline. */
  namesIn?(page: Page): readonly string[];
  /** Only for checks of an origin: whether the files may also be in the folder of the target, such as `/shop/.git`. */
  readonly inFolders?: boolean;
  /** For a check whose findings are about one parameter of a page: the parameters that a request tests. */
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
  /** The usual ports of the service. On other ports, it is only tested if the service there is not a web server. */
  readonly ports: readonly number[];
}

export type Check = WebCheck | DnsCheck | TcpCheck;

interface Surface {
  readonly schemes: readonly Target['scheme'][];
  /** The location of the finding. For an origin, all pages have the same location. */
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

/** The folder of a path. A last segment without a dot counts as a folder: `/shop` is `/shop/`. */
const folderIn = (path: string): string =>
  /\/[^/.]+$/.test(path) ? `${path}/` : path.slice(0, path.lastIndexOf('/') + 1);

/**
 * The places that a job on this target tests. Some checks of an origin also test the folder of the target, which has separate
 * findings.
 */
export function placementsOf(check: Check, target: Target): readonly Placement[] {
  const path = folderIn(target.path);
  if (!isInFolders(check) || path === '/' || !isWeb(target)) return [placeOf(check, target)];
  return [placeOf(check, { ...target, path: '/' }), placeOf(check, { ...target, path })];
}

const testsParameters = (check: Check): boolean => isWebCheck(check) && check.parametersIn !== undefined;
export const needsPoint = (check: Check): boolean => isWebCheck(check) && check.needsPoint === true;

/** What a check tests on this target, or why it does not apply. Of a path, only a folder with a trailing slash counts. */
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
