import { assess } from './assess';
import { type Baseline, decisiveKey, experimentOf, type WebBaseline } from './baseline';
import { WAIT_MS } from './changed-site';
import type { Check, Observation } from './check';
import type { ProbeLog } from './probe-log';
import type { ProbePolicy, Verdict, Verification } from './probe-policy';
import { ProbeSessions } from './probe-session';
import { type ConfirmedRefusal, isSameRefusal } from './refusal';
import type { Target } from './target';
import type { Transport, Via } from './transport/transport';
import { twinKindOf } from './twins';

/** What a verification tests, and its results so far. */
export interface Tested {
  readonly check: Check;
  readonly place: Target;
  readonly before: Baseline;
  readonly log: ProbeLog;
}

/** The maximum length of a fact with its meaning, before anything else is added. */
const LONGEST_FACT = 300;
const LONGEST_PATH = 80;

const short = (text: string, length = LONGEST_PATH): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

const timeOf = (iso: string | undefined): string => (iso === undefined ? '' : ` at ${iso.slice(11, 16)} UTC`);

/** A key of a baseline as text: the method is only included if it is not GET. */
const requestName = (key: string): string => short(key.replace(/^GET /, ''));

const CONVERSATIONS = { dns: 'queries of', tcp: 'conversations with', tls: 'handshakes with' } as const;

const KINDS: Readonly<Record<string, string>> = { query: 'parameter', body: 'field' };

/** What was requested how often, and when: `16 of 16 requests to /.env got 404 at 10:42 UTC`. */
function factOf({ check, place, before, log }: Tested): string {
  const times = log.fewestDecisiveRequests;
  const at = timeOf(log.probes.findLast(({ kind }) => kind === 'probe' || kind === 'repeat')?.started);
  if (check.on === 'dns' || check.on === 'tcp' || check.on === 'tls')
    return `${times} of ${times} ${CONVERSATIONS[check.on]} ${place.host}${at} showed no weakness`;
  const experiment = experimentOf(before);
  if (experiment !== null) {
    const { kind, name, request } = experiment.point;
    return `${times} of ${times} tests of the ${KINDS[kind] ?? kind} ${short(name)} of ${requestName(request.path.split('?', 1)[0] ?? '/')} were answered${at}`;
  }
  const key = decisiveKey(before);
  const [answer] = log.answersTo(key);
  const got = answer === undefined ? 'were answered' : `got ${short(answer, 120)}`;
  return `${times} of ${times} requests to ${requestName(key ?? place.path)} ${got}${at}`;
}

/** The same for an absent weakness: a missing name next to it got the same response. */
export function fixedFact(tested: Tested): string {
  const { check, before, log } = tested;
  const fact = factOf(tested);
  const key = decisiveKey(before);
  const [, method = 'GET', path = ''] = /^(\S+) (\S+)$/.exec(key ?? '') ?? [];
  if (key === null || path === '' || before.on !== 'web') return fact;
  const kind = twinKindOf(check, { path, request: { method } });
  const status = Number(log.answersTo(key)[0]?.slice(0, 3));
  const hasTwin = (kind === 'file' || kind === 'method') && status >= 300 && status !== before.answers[key];
  return hasTwin ? `${fact}, as a name beside it that does not exist` : fact;
}

const confirmedText = ({ by, at }: ConfirmedRefusal): string =>
  `user ${by} confirmed at ${at} that this refusal is the fix, and the page and the request beside it are answered as then`;

export const comparisonWith = (confirmed: WebBaseline['confirmed']): string =>
  confirmed === undefined
    ? 'the target matches its baseline'
    : `the target matches the baseline that user ${confirmed.by} confirmed at ${confirmed.at}`;

const FOREIGN_REFUSAL =
  '. The organization counts only refusals of the site itself as fixed, and this one looks like that of a firewall, a limit or another server in front of it';

/** The verdict if only this request is refused and its twin is not; null otherwise. `risk` returns the remaining risk. */
export function refusedVerdict(tested: Tested, policy: ProbePolicy, risk: () => string): Verdict | null {
  const { before, log } = tested;
  const refused = log.probes.flatMap(({ observation }) => (observation.state === 'blocked' ? [observation] : []));
  const refusals = refused.flatMap(({ refusal = [] }) => refusal);
  const [refusal] = refusals;
  const [first] = refused;
  if (first === undefined) return null;
  if (refusal === undefined) return { result: 'blocked', reason: first.detail };
  const key = decisiveKey(before);
  const own = factOf(tested);
  const isOfValues = experimentOf(before) !== null;
  const fact = isOfValues
    ? `${own}: payloads got ${refusal.status}, and harmless values like them got ${refusal.twinStatus}`
    : refusal.path === key
      ? `${own}, and ${requestName(refusal.twin)} beside it got ${refusal.twinStatus}`
      : `${requestName(refusal.path)} got ${refusal.status}, and ${requestName(refusal.twin)} beside it got ${refusal.twinStatus}`;
  const confirmed = before.on === 'web' ? before.confirmedRefusal : undefined;
  if (confirmed !== undefined && refusals.every((one) => isSameRefusal(confirmed.refusal, one)))
    return { result: 'fixed', reason: `${fact}: ${confirmedText(confirmed)}. ${risk()}`, byRefusal: 'confirmed' };
  if (policy.refusalsCountAsFixed === true && refusals.every(({ isOwn }) => isOwn))
    return {
      result: 'fixed',
      reason: `${fact}: the organization counts it as fixed when the site itself refuses a request. ${risk()}`,
      byRefusal: 'setting',
    };
  const foreign = policy.refusalsCountAsFixed === true ? FOREIGN_REFUSAL : '';
  const what = isOfValues ? 'payloads alone are' : 'this request alone is';
  const meaning = `${what} refused, which does not show that the weakness is gone`;
  return { result: 'blocked', reason: short(`${fact}: ${meaning}`, LONGEST_FACT) + foreign, refusal };
}

/** Every address of a name is tested. With more addresses, a verification would take too long. */
export const MAX_ADDRESSES = 16;

export const inconclusiveVerdict = (reason: string): Verdict => ({ result: 'inconclusive', reason });

/** Prefers a verdict that shows the weakness. */
export function mostTelling(verdicts: readonly (Verdict | null)[]): Verdict | null {
  const found = verdicts.filter((verdict) => verdict !== null);
  return found.find(({ result }) => result === 'still_vulnerable') ?? found[0] ?? null;
}

export const NO_BASELINE =
  'the weakness was not detected, but there is no earlier detection to compare with, so this may not be the target that had it; record the finding with its check while the target is vulnerable';

export const OLD_BASELINE =
  'the weakness was not detected, but the baseline is from an earlier version of this service and cannot be compared with';

export const TOO_MANY_ADDRESSES = `the name has more than ${MAX_ADDRESSES} addresses, and only the servers at ${MAX_ADDRESSES} of them are tested`;

export const NOT_REPEATED =
  'the weakness was not detected, but the check may change the target, so it is not repeated often enough to rule out another vulnerable server; verify it yourself and set the status by hand';

/** A person may confirm a site during an outage or an attack, so the confirmed state has to last. */
export function waiting(verdict: Verdict, confirmed: WebBaseline['confirmed']): Verdict {
  const counts = confirmed === undefined ? 0 : Date.parse(confirmed.at) + WAIT_MS;
  if (verdict.result !== 'fixed' || Date.now() >= counts) return verdict;
  return inconclusiveVerdict(
    `the weakness was not detected, but the new baseline counts from ${new Date(counts).toISOString()}: retest after that`,
  );
}

/** The verdict if one probe is sufficient; null if several probes must agree. */
export function decisiveVerdict(observation: Observation): Verdict | null {
  if (observation.state === 'vulnerable') return { result: 'still_vulnerable', reason: observation.detail };
  return observation.state === 'inconclusive' ? inconclusiveVerdict(observation.detail) : null;
}

/** Without a baseline, further probes would add nothing. */
export async function verifyWithoutBaseline(
  check: Check,
  place: Target,
  transport: Transport,
  via: Via,
  reason: string,
): Promise<Verification> {
  const session = new ProbeSessions(transport, via).at(undefined, 0);
  const seen = await assess(check, place, session);
  const verdict = decisiveVerdict(seen.observation) ?? inconclusiveVerdict(reason);
  return { verdict, probes: [seen], baseline: seen.baseline, isSiteChanged: false };
}
