import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  assess,
  type Assessment,
  decisiveKey,
  examine,
  type ProbeMemory,
  probeControlAgain,
  repeat,
  seenAsBrowser,
} from './assess';
import { type Baseline, isComparable, renewedBaseline } from './baseline';
import { type Check, isRepeatable, placeOf, notVulnerable, inconclusive } from './check';
import { deduplicateBodies } from './deduplicate-bodies';
import { blockReason } from './response-trust';
import { residualRisk, zoneRisk } from './residual-risk';
import { isWeb, type Target } from './target';
import { ExchangeFailed } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import type { Authorities } from './transport/authorities';
import { DECISIVE_REQUESTS, ProbeSession, ProbeSessions } from './probe-session';

export interface Verdict {
  readonly result: 'still_vulnerable' | 'fixed' | 'inconclusive';
  readonly reason: string;
}

export interface Verification {
  readonly verdict: Verdict;
  readonly probes: readonly Assessment[];
  /** What the target was like when the weakness was seen, to keep for the next time; null when it was not, or was down. */
  readonly baseline: Baseline | null;
}

export interface ProbePolicy {
  /** How many probes make all the requests of the check, and over how long they and the repeats are spread. */
  readonly probes: number;
  readonly spreadMs: number;
}

export const DEFAULT_PROBE_POLICY: ProbePolicy = { probes: 3, spreadMs: 4_000 };

/** Behind a name there may be several servers, and each of them has to be fixed; of more than these nobody waits for all. */
const MOST_ADDRESSES = 16;

/** One as ourselves and one as a browser, whose answers the repeats are judged beside. */
const PROBES_PER_ADDRESS = 2;

const FEWEST_SPACERS = 4;

/** Above this many no request is made only to vary the order, so that all stays within 60. */
const REQUEST_BUDGET = 50;

const inconclusiveVerdict = (reason: string): Verdict => ({ result: 'inconclusive', reason });

const NO_BASELINE =
  'the weakness was not detected, but there is no earlier detection to compare with, so this may not be the target that had it; record the finding with its check while the target is vulnerable';

const OLD_BASELINE =
  'the weakness was not detected, but the baseline is from an earlier version of this service and cannot be compared with';

const TOO_MANY = `the name has more than ${MOST_ADDRESSES} addresses, and only the servers at ${MOST_ADDRESSES} of them are tested`;

const NOT_REPEATED =
  'the weakness was not detected, but the check may change the target, so it is not repeated often enough to rule out another vulnerable server; verify it yourself and set the status by hand';

/** What one probe decides; null when it is only one of several that must agree. */
function decisiveVerdict({ observation }: Assessment): Verdict | null {
  if (observation.state === 'vulnerable') return { result: 'still_vulnerable', reason: observation.detail };
  return observation.state === 'inconclusive' ? inconclusiveVerdict(observation.detail) : null;
}

const memoryKey = (address: string | undefined, { behaviour }: ProbeSession): string =>
  `${behaviour.identity} ${address ?? ''}`;

/** The probes of one verification: at each address behind the name, then repeats there, and the control once more. */
class VerificationRun {
  readonly probes: Assessment[] = [];
  /** By address, and by the kind of client. */
  private readonly memories = new Map<string, ProbeMemory>();
  /** By address; a zone has none. */
  private readonly sent = new Map<string | undefined, number>();
  private spacers = 0;
  /** Addresses to which this machine has no way, such as those of IPv6 where it has none. */
  private readonly unreachable = new Set<string>();
  private readonly authorities: Authorities;
  private turn = 0;

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly before: Baseline,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly policy: ProbePolicy,
    private readonly sessions: ProbeSessions,
  ) {
    this.authorities = transport.authorities();
  }

  async verdict(): Promise<Verdict> {
    return (
      (await this.probeAddresses()) ??
      (await this.repeats()) ??
      (await this.finalControls()) ??
      this.disagreement() ??
      (isRepeatable(this.check) ? this.fixed() : inconclusiveVerdict(NOT_REPEATED))
    );
  }

  private async probeAddresses(): Promise<Verdict | null> {
    for (;;) {
      const known = await this.addresses();
      if ('result' in known) return known;
      const address = this.next(known);
      const isNew = address !== undefined && this.requests(address) < PROBES_PER_ADDRESS;
      // Of a zone each server is asked; how many there are shows while they are.
      if (this.turn >= Math.max(1, this.policy.probes, this.authorities.most) && !isNew) return null;
      if (isNew && !this.sent.has(address) && this.sent.size + this.unreachable.size >= MOST_ADDRESSES)
        return inconclusiveVerdict(TOO_MANY);
      if (this.turn > 0) await this.pause();
      const verdict =
        (this.sent.has(address) ? await this.spacer(address) : null) ?? (await this.probe(address, known));
      if (verdict !== null) return verdict;
    }
  }

  /** Asked before each probe: a name may be served by others from one moment to the next. */
  private async addresses(): Promise<readonly string[] | Verdict> {
    if (this.check.on === 'dns') return [];
    try {
      const known = await this.transport.addresses(this.place, this.via);
      return known.length > MOST_ADDRESSES ? inconclusiveVerdict(TOO_MANY) : known;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      // Whoever answers all the same may show the weakness, and cannot show that it is gone.
      return (await this.probe(undefined, [])) ?? inconclusiveVerdict(error.failure.reason);
    }
  }

  /** Whoever was not probed yet, else one after the other. */
  private next(known: readonly string[]): string | undefined {
    const open = known.filter((address) => !this.unreachable.has(address));
    const fewer = open.find((address) => this.requests(address) < PROBES_PER_ADDRESS);
    return fewer ?? open[this.turn % open.length];
  }

  private async probe(address: string | undefined, known: readonly string[]): Promise<Verdict | null> {
    const session = this.session(address);
    const { assessment, memory } = await examine(this.check, this.place, session, this.before);
    this.turn += 1;
    if (address !== undefined && this.isUnreachable(address, known, assessment)) {
      this.unreachable.add(address);
      return null;
    }
    if (memory !== null) this.memories.set(memoryKey(address, session), memory);
    return this.count(address, assessment);
  }

  private session(address: string | undefined): ProbeSession {
    const turn = this.requests(address);
    return this.check.on === 'dns' ? this.zoneSession(turn) : this.sessions.at(address, turn);
  }

  private zoneSession(turn: number): ProbeSession {
    return new ProbeSession(this.transport, {
      ...this.via,
      turn,
      authority: { servers: this.authorities, number: turn },
    });
  }

  private count(address: string | undefined, assessment: Assessment): Verdict | null {
    this.sent.set(address, this.requests(address) + 1);
    this.probes.push(assessment);
    return decisiveVerdict(assessment);
  }

  private requests(address: string | undefined): number {
    return this.sent.get(address) ?? 0;
  }

  /** Nobody has to be seen whom nobody sees from here; but not if that is where the weakness was, or if it is everybody. */
  private isUnreachable(address: string, known: readonly string[], seen: Assessment): boolean {
    const seenThere = this.before.on !== 'dns' && this.before.address === address;
    const others = known.some((one) => one !== address && !this.unreachable.has(one));
    return others && !seenThere && seen.exchanges.at(-1)?.failure?.code === 'no_route';
  }

  /** Behind one address there may be several servers, so that the decisive request has to be sent to it again and again. */
  private async repeats(): Promise<Verdict | null> {
    if (this.check.on === 'dns' || !isRepeatable(this.check)) return null;
    // The pace is one for each address, so none has to wait for another.
    const verdicts = await Promise.all([...this.sent.keys()].map((address) => this.repeatsAt(address)));
    const found = verdicts.filter((verdict) => verdict !== null);
    return found.find(({ result }) => result === 'still_vulnerable') ?? found[0] ?? null;
  }

  private async repeatsAt(address: string | undefined): Promise<Verdict | null> {
    let found: Verdict | null = null;
    const lane = async (): Promise<void> => {
      while (found === null && this.requests(address) < DECISIVE_REQUESTS) {
        const turn = this.requests(address);
        this.sent.set(address, turn + 1);
        await this.pause();
        const verdict = (await this.spacer(address)) ?? (await this.repeat(address, turn));
        found ??= verdict;
      }
    };
    // A slow target is asked twice at once; the pace holds for both.
    await Promise.all([lane(), lane()]);
    return found;
  }

  private async repeat(address: string | undefined, turn: number): Promise<Verdict | null> {
    const session = this.sessions.at(address, turn);
    const memory = this.memories.get(memoryKey(address, session)) ?? null;
    const seen = await repeat(this.check, this.place, session, this.before, memory);
    this.probes.push(seen);
    return decisiveVerdict(seen);
  }

  /**
   * Now and then a request in between: behind a balancer that takes turns the same number each time is the same server. If
   * the check makes several requests, it is one of the others, which are repeated less often.
   */
  private async spacer(address: string | undefined): Promise<Verdict | null> {
    if (this.check.on === 'dns' || randomInt(3) === 0 || !this.hasRoomForSpacer(address)) return null;
    this.spacers += 1;
    const session = this.sessions.anew(address, this.requests(address));
    const memory = this.memories.get(memoryKey(address, session));
    const others = [...(memory?.replay.answers.keys() ?? [])].filter((key) => key !== decisiveKey(this.before));
    const key = others.length === 0 ? undefined : others[randomInt(others.length)];
    if (memory === undefined || key === undefined || !isRepeatable(this.check)) return this.plainSpacer(session);
    const replay = { ...memory.replay, decisive: { kind: 'http', key } as const };
    const seen = await repeat(this.check, this.place, session, this.before, { ...memory, replay });
    this.probes.push({ ...seen, kind: 'spacer' });
    return decisiveVerdict(seen);
  }

  private async plainSpacer(session: ProbeSession): Promise<Verdict | null> {
    const started = new Date().toISOString();
    const probe = session.probe(this.place);
    try {
      // A service has nothing else to ask for.
      const page = isWeb(this.place) ? await probe.quietly({}) : await probe.tcp([]);
      const blockage = 'headers' in page ? blockReason(page) : null;
      const observation =
        blockage === null ? notVulnerable('a request in between, to vary the order') : inconclusive(blockage);
      const { exchanges } = probe;
      this.probes.push({
        kind: 'spacer',
        started,
        observation,
        controlFailure: null,
        answer: null,
        baseline: null,
        exchanges,
      });
      return blockage === null ? null : inconclusiveVerdict(blockage);
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return inconclusiveVerdict(error.message);
    }
  }

  private hasRoomForSpacer(address: string | undefined): boolean {
    const requestsEach = this.probes.findLast(({ kind }) => kind === 'repeat')?.exchanges.length ?? 1;
    if (this.spacers < (requestsEach > 2 ? DECISIVE_REQUESTS : FEWEST_SPACERS) * this.sent.size) return true;
    const made = this.probes.reduce((sum, { exchanges }) => sum + exchanges.length, 0) / Math.max(1, this.sent.size);
    const each = this.probes.at(-1)?.exchanges.length ?? 1;
    return made + (DECISIVE_REQUESTS - this.requests(address) + 1) * Math.max(1, each) < REQUEST_BUDGET;
  }

  /** A target that breaks down after a probe may have been breaking down during it. */
  private async finalControls(): Promise<Verdict | null> {
    // A service was asked in the very conversation that was judged.
    if (this.check.on === 'tcp') return null;
    for (const address of this.sent.keys()) {
      const turn = DECISIVE_REQUESTS;
      const session = this.check.on === 'dns' ? this.zoneSession(turn) : this.sessions.anew(address, turn);
      const seen = await probeControlAgain(this.check, this.place, session, this.before);
      this.probes.push(seen);
      const verdict = decisiveVerdict(seen);
      if (verdict !== null) return verdict;
    }
    return null;
  }

  /** Answers that depend on who asks, or on what lies between, are none of them the answer of the target. */
  private disagreement(): Verdict | null {
    const answers = new Set(this.probes.flatMap(({ answer }) => answer ?? []));
    if (answers.size < 2) return null;
    const [first, second] = [...answers];
    return inconclusiveVerdict(
      `the weakness was not detected, but the same request was answered with ${first} and with ${second}: by different servers, by a cache, or depending on the client`,
    );
  }

  private fixed(): Verdict {
    const detail = this.probes[0]?.observation.detail ?? '';
    const cutOff =
      this.unreachable.size > 0
        ? `; not tested, because this machine has no route to them: ${[...this.unreachable].join(', ')}`
        : '';
    const { asked, leftOut } = this.authorities;
    const risk =
      this.check.on === 'dns'
        ? zoneRisk([...asked], [...leftOut])
        : residualRisk(Math.min(...this.sent.values()), this.sent.size);
    return { result: 'fixed', reason: `${detail}; the target matches its baseline${cutOff}. ${risk}` };
  }

  private async pause(): Promise<void> {
    const pauses = Math.max(this.policy.probes, DECISIVE_REQUESTS) - 1;
    await delay(this.policy.spreadMs / pauses, undefined, { signal: this.via.signal });
  }
}

/** Without a baseline one probe says all that can be said. */
async function verifyWithoutBaseline(
  check: Check,
  place: Target,
  transport: Transport,
  via: Via,
  reason: string,
): Promise<Verification> {
  const session = new ProbeSessions(transport, via).at(undefined, 0);
  const seen = await assess(check, place, session);
  const verdict = decisiveVerdict(seen) ?? inconclusiveVerdict(reason);
  return { verdict, probes: [seen], baseline: seen.baseline };
}

/**
 * Whether a weakness is still there. Fixed only if each of several probes and of many repeats, at each address behind the
 * name, shows a target that is the one that was tested, answers as it did and no longer shows the weakness; one that
 * shows it, or shows nothing, decides.
 */
export async function verify(
  check: Check,
  target: Target,
  before: Baseline | null,
  transport: Transport,
  via: Via,
  policy: ProbePolicy = DEFAULT_PROBE_POLICY,
  sessions: ProbeSessions = new ProbeSessions(transport, via),
): Promise<Verification> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return { verdict: inconclusiveVerdict(placement.reason), probes: [], baseline: null };
  const { place } = placement;
  if (before === null) return verifyWithoutBaseline(check, place, transport, via, NO_BASELINE);
  if (!isComparable(before)) return verifyWithoutBaseline(check, place, transport, via, OLD_BASELINE);
  const round = new VerificationRun(check, place, before, transport, via, policy, sessions);
  const verdict = await round.verdict();
  const last = round.probes.findLast(({ observation }) => observation.state === 'vulnerable');
  const now = last === undefined ? null : await seenAsBrowser(check, place, new ProbeSession(transport, via), last);
  return { verdict, probes: deduplicateBodies(round.probes), baseline: renewedBaseline(before, now) };
}
