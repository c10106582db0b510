import { takeReference, type Assessment } from './assess';
import type { Baseline } from './baseline';
import { type Check, isRepeatable, placeOf, sendsAllRequests } from './check';
import { ProbeSessions } from './probe-session';
import { mostRepeated, repeatedInRefutation, repeatedInRetest, RepeatPlan } from './repeat-plan';
import { otherTargetReason, type SeenTarget } from './seen-target';
import { SessionEnded } from './signed-in/account';
import { proved, redacted } from './signed-in/in-session';
import type { Target } from './target';
import type { Transport, Via } from './transport/transport';
import { DEFAULT_PROBE_POLICY, type ProbePolicy, type Verdict, VerificationRun } from './verdict';
import { NOT_REPEATED } from './verdict-reasons';

const tooManyRequests = (count: number): string =>
  `the weakness was not detected, but the check sends ${count} requests, too many to repeat each of them, and nothing says which of them showed it`;

export interface Refutation {
  readonly result: 'vulnerable' | 'refuted' | 'inconclusive';
  readonly reason: string;
  /** The current state of the target. */
  readonly baseline?: Baseline;
  readonly probes?: readonly Assessment[];
}

interface RefutationOptions {
  /** The path of a request that someone else has reported. */
  readonly path?: string | null;
  /** What someone else saw of the target. */
  readonly seen?: SeenTarget | null;
  /**
   * Whether the site has changed and the result is not a verdict: no other spellings are tried, and the fix may refuse the path.
   */
  readonly isAfterChange?: boolean;
}

/**
 * Tests whether a weakness that someone else has reported does not exist. `refuted` requires everything that `fixed` requires,
 * except a baseline from when the weakness was seen: the probes are compared with the first one.
 */
export async function refute(...[check, target, transport, via, ...rest]: RefuteArguments): Promise<Refutation> {
  try {
    return redacted(via, await proved(via, (one) => refuteIn(check, target, transport, one, ...rest)));
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    return { result: 'inconclusive', reason: error.message };
  }
}

type RefuteArguments = Parameters<typeof refuteIn>;

async function refuteIn(
  check: Check,
  target: Target,
  transport: Transport,
  via: Via,
  policy: ProbePolicy = DEFAULT_PROBE_POLICY,
  { path = null, seen = null, isAfterChange = false }: RefutationOptions = {},
): Promise<Refutation> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return { result: 'inconclusive', reason: placement.reason };
  if (!isRepeatable(check)) return { result: 'inconclusive', reason: NOT_REPEATED };
  const { place } = placement;
  const sessions = new ProbeSessions(transport, via, policy.randomBelow);
  const reference = await takeReference(check, place, sessions.at(undefined, 0), isAfterChange);
  const { observation, controlFailure, baseline } = reference;
  const { state, detail } = observation;
  if (state !== 'not_vulnerable') return { result: state === 'blocked' ? 'inconclusive' : state, reason: detail };
  if (controlFailure !== null || baseline === null) return { result: 'inconclusive', reason: controlFailure ?? detail };
  const other = seen && otherTargetReason(check, seen, baseline, await transport.addresses(place, via));
  if (other !== null) return { result: 'inconclusive', reason: `the weakness was not detected, but ${other}` };
  const repeated = sendsAllRequests(check, baseline)
    ? repeatedInRetest(baseline)
    : repeatedInRefutation(baseline, reference.requested, path);
  if (repeated === null) return { result: 'inconclusive', reason: tooManyRequests(reference.requested.length) };
  const run = new VerificationRun(
    check,
    place,
    mostRepeated(repeated).before,
    transport,
    via,
    policy,
    sessions,
    'every response came from the same target',
    new RepeatPlan(repeated),
  );
  const { result, reason } = await run.verdict(!isAfterChange);
  const isRefuted = isAfterChange && result === 'blocked';
  return {
    result: isRefuted ? 'refuted' : REFUTATIONS[result],
    reason,
    baseline,
    probes: [reference, ...run.log.probes],
  };
}

const REFUTATIONS = {
  still_vulnerable: 'vulnerable',
  fixed: 'refuted',
  inconclusive: 'inconclusive',
  blocked: 'inconclusive',
} as const satisfies Record<Verdict['result'], Refutation['result']>;
