import { setTimeout as delay } from 'node:timers/promises';
import { examine, probeControlAgain, repeat, repeatWithMemory, seenAsBrowser } from './assess';
import {
  type Baseline,
  decisiveKey,
  experimentOf,
  isComparable,
  renewedBaseline,
  type WebBaseline,
  withMoved,
} from './baseline';
import {
  type Check,
  isRepeatable,
  isWebCheck,
  type Observation,
  placeOf,
  repeatsExperiment,
  sendsAllRequests,
  judgesCertificate,
} from './check';
import { isDecisivePage } from './control';
import { deduplicateBodies } from './deduplicate-bodies';
import { FurtherClients } from './further-clients';
import { InterleavedRequests } from './interleaved-requests';
import type { Page } from './page';
import { PathVariants } from './path-variants';
import { ProbeLog } from './probe-log';
import { memoryFor, type ProbeMemory } from './probe-memory';
import { overlapping } from './quiet-times';
import { DEFAULT_PROBE_POLICY, type ProbePolicy, type Verdict, type Verification } from './probe-policy';
import { nameOf, repeatedInRetest, RepeatPlan } from './repeat-plan';
import { repeatedRisk, residualRisk, untestedHttp3, zoneRisk } from './residual-risk';
import { storedAnswerReason } from './stored-answers';
import type { Target } from './target';
import { CLIENT_TITLES } from './transport/client-identity';
import { ExchangeFailed } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import type { Authorities } from './transport/authorities';
import { DECISIVE_REQUESTS, shuffled } from './client-behaviors';
import { ProbeSession, ProbeSessions } from './probe-session';
import { seenInPage } from './seen-in-page';
import { otherAccountReason, redacted } from './signed-in/in-session';
import { TestedAddresses } from './tested-addresses';
import {
  comparisonWith,
  decisiveVerdict,
  fixedFact,
  inconclusiveVerdict,
  MAX_ADDRESSES,
  mostTelling,
  NO_BASELINE,
  NOT_REPEATED,
  OLD_BASELINE,
  refusedVerdict,
  TOO_MANY_ADDRESSES,
  verifyWithoutBaseline,
  waiting,
} from './verdict-reasons';
import { besideOtherWww, type FindOtherWww } from './www-host';

export { DEFAULT_PROBE_POLICY, type ProbePolicy, type Verdict, type Verification };

/** Concurrent repeats, for checks that do not measure time. */
const REPEATS_AT_ONCE = 6;

/** Pauses before a probe that does not wait for the end of another one. */
const PAUSES_BETWEEN = 4;

/** One under Assay's own name and one as a browser. The repeats are compared with their responses. */
const PROBES_PER_ADDRESS = 2;

/** One verification: probes of each address of the name, repeats of the decisive request, and a final control. */
export class VerificationRun {
  readonly log = new ProbeLog((probe) => this.policy.onProbe?.(redacted(this.via, probe)));
  private readonly interleaved: InterleavedRequests;
  private readonly furtherClients: FurtherClients;
  private readonly authorities: Authorities;
  private readonly addresses: TestedAddresses;
  private turn = 0;
  /** Verdicts that are inconclusive only because the site has changed. */
  readonly changedSite = new Set<Verdict>();
  moved: WebBaseline['moved'];

  constructor(
    readonly check: Check,
    readonly place: Target,
    readonly before: Baseline,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly policy: ProbePolicy,
    private readonly sessions: ProbeSessions,
    private readonly comparison: string,
    private readonly plan = new RepeatPlan(repeatedInRetest(before)),
  ) {
    this.authorities = transport.authorities(via, place.host);
    this.interleaved = new InterleavedRequests(check, place, before, sessions, this.log);
    this.furtherClients = new FurtherClients(check, place, before, sessions, this.log);
    this.addresses = new TestedAddresses(check, place, before, transport, via, this.log);
  }

  async verdict(asksVariants = true): Promise<Verdict> {
    return this.addresses.named(
      (await this.testAddresses()) ??
        this.storedAnswers() ??
        (await this.finalControls()) ??
        this.disagreement() ??
        (asksVariants ? await this.variants() : null) ??
        this.addresses.doubt ??
        this.refused() ??
        (isRepeatable(this.check) ? this.fixed() : inconclusiveVerdict(NOT_REPEATED)),
    );
  }

  /** Tests addresses until the DNS returns no new ones. */
  private async testAddresses(): Promise<Verdict | null> {
    for (let tested = -1; tested < this.log.addresses.length;) {
      tested = this.log.addresses.length;
      const verdict = (await this.probeAddresses()) ?? (await this.repeats());
      if (verdict !== null || this.check.on === 'dns') return verdict;
    }
    return null;
  }

  private async probeAddresses(): Promise<Verdict | null> {
    for (;;) {
      const known = await this.resolved();
      if ('result' in known) return known;
      const address = this.nextAddress(known);
      const isNew = address !== undefined && this.log.decisiveRequests(address) < this.probesPerAddress;
      if (this.turn >= Math.max(1, this.policy.probes) && !isNew) return null;
      if (this.turn > 0) await this.pause();
      const verdict = await this.probesAt(address, known);
      if (verdict !== null) return verdict;
    }
  }

  /** Resolved before each probe, because the addresses of a name may change at any time. */
  private async resolved(): Promise<readonly string[] | Verdict> {
    // The number of servers of a zone is only known when the first of them has been queried.
    if (this.check.on === 'dns') return Array.from({ length: this.authorities.serverCount }, (_none, at) => `${at}`);
    try {
      const known = await this.addresses.resolved();
      return known.length > MAX_ADDRESSES ? inconclusiveVerdict(TOO_MANY_ADDRESSES) : known;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      // A server that responds anyway can show the weakness, but not its absence.
      return (await this.probe(undefined)) ?? inconclusiveVerdict(error.failure.reason);
    }
  }

  private get probesPerAddress(): number {
    return this.check.on === 'dns' ? 1 : PROBES_PER_ADDRESS;
  }

  /** An address with too few probes; otherwise the addresses in turn. */
  private nextAddress(known: readonly string[]): string | undefined {
    const open = this.addresses.withRoute(known);
    const fewer = open.find((address) => this.log.decisiveRequests(address) < this.probesPerAddress);
    return fewer ?? open[this.turn % open.length];
  }

  /** Runs one probe, or all probes of an experiment that takes long, without waiting for each other. */
  private async probesAt(address: string | undefined, known: readonly string[]): Promise<Verdict | null> {
    const first = this.log.decisiveRequests(address);
    if (!this.overlaps || first > 0)
      return (first > 0 ? await this.interleave(address) : null) ?? this.probe(address, first);
    const times = Math.max(this.probesPerAddress, known.length > 1 ? 1 : this.policy.probes);
    const pause = (): Promise<void> => this.pause(PAUSES_BETWEEN);
    return mostTelling(await overlapping({ times, pause }, (at, goOn) => this.probe(address, at, goOn)));
  }

  private async probe(address: string | undefined, number = 0, goOn?: () => void): Promise<Verdict | null> {
    const session = this.session(address, number);
    const probed = await examine(this.check, this.place, session, this.before, goOn);
    const { assessment, memory, isSiteChanged, moved } = probed;
    this.turn += 1;
    if (address !== undefined && this.check.on !== 'dns' && this.addresses.leaveOut(address, assessment)) return null;
    if (memory !== null) this.log.remember(address, session, memory);
    this.log.countDecisiveRequest(address);
    this.plan.countProbe(address);
    const seen = await this.seenIn(memory?.control.page ?? null, address, session);
    this.log.add(seen === null ? assessment : { ...assessment, observation: seen }, decisiveKey(this.before));
    const verdict = decisiveVerdict(seen ?? assessment.observation);
    if (isSiteChanged && verdict?.result === 'inconclusive') this.changedSite.add(verdict);
    this.moved ??= moved;
    return verdict;
  }

  private session(address: string | undefined, turn: number): ProbeSession {
    return this.check.on === 'dns' ? this.zoneSession(address, turn) : this.sessions.at(address, turn, this.check);
  }

  /** Without further clients for certificates and zones, because these are requested before clients send anything. */
  private async clientAt(address: string | undefined, turn: number): Promise<ProbeSession> {
    return this.check.on === 'dns' || judgesCertificate(this.check)
      ? this.session(address, turn)
      : await this.sessions.asClient(address, turn, this.place, this.isExperiment || this.addresses.isFormer(address));
  }

  /** For a zone, the address is the number of a server. Zones that aliases lead to may have a different number of servers. */
  private zoneSession(address: string | undefined, turn: number): ProbeSession {
    const servers = this.authorities;
    const number = Number(address ?? 0) + turn * servers.serverCount;
    return new ProbeSession(this.transport, {
      ...this.via,
      turn,
      authority: { servers, number, isLast: turn === DECISIVE_REQUESTS },
    });
  }

  private async interleave(address: string | undefined): Promise<Verdict | null> {
    // With several repeated requests, the order varies anyway, and so do experiments, which begin with one or two requests.
    if (this.plan.requests.length > 1 || this.overlaps) return null;
    const seen = await this.interleaved.sendSometimes(address);
    return seen && decisiveVerdict(seen);
  }

  /** Sends the decisive request many times, because several servers may share one address. */
  private async repeats(): Promise<Verdict | null> {
    if (!isRepeatable(this.check)) return null;
    // The rate limit applies per address, so no address waits for another.
    return mostTelling(await Promise.all(this.log.addresses.map((address) => this.repeatsAt(address))));
  }

  private async repeatsAt(address: string | undefined): Promise<Verdict | null> {
    let found: Verdict | null = null;
    const atOnce = this.measuresTime ? 2 : REPEATS_AT_ONCE;
    const sendRepeats = async (): Promise<void> => {
      while (found === null && this.log.decisiveRequests(address) < DECISIVE_REQUESTS) {
        const turn = this.log.decisiveRequests(address);
        this.log.countDecisiveRequest(address);
        await this.pause(atOnce / 2);
        const verdict = (await this.interleave(address)) ?? (await this.repeat(address, turn));
        if (found === null || verdict?.result === 'still_vulnerable') found = verdict;
      }
    };
    // Several at a time, so that a slow target takes less long. The rate limit applies to all of them together, and those of a
    // fast target take as long as two at a time: a cache shows itself by its Date.
    await Promise.all(Array.from({ length: atOnce }, sendRepeats));
    return found;
  }

  private get isExperiment(): boolean {
    return repeatsExperiment(this.check, this.before);
  }

  private get overlaps(): boolean {
    return this.policy.overlaps === true && this.isExperiment && !this.measuresTime;
  }

  /** A request that waits on a server may make others wait there. */
  private get measuresTime(): boolean {
    const { check, before } = this;
    return isWebCheck(check) && check.measuresTime === true && experimentOf(before)?.distinction === undefined;
  }

  private async repeat(address: string | undefined, turn: number): Promise<Verdict | null> {
    const client = await this.clientAt(address, turn);
    const usual = this.log.memoryOf(address, client);
    const isFurther = usual !== null && this.furtherClients.isFurther(client);
    const own = isFurther ? await this.furtherClients.memoryOf(address, client, usual) : usual;
    if (this.furtherClients.seen !== null) return decisiveVerdict(this.furtherClients.seen);
    const isRefused = isFurther && own === null;
    const requests = this.plan.nextRepeats(address);
    // In a fixed order, a round-robin balancer could send each request to the same server every time.
    for (const { before } of shuffled(requests, this.sessions.randomBelow)) {
      const verdict =
        (isRefused ? await this.repeatAsRefused(client, before, usual) : null) ??
        (await this.repeatAs(isRefused ? this.session(address, turn) : client, before, own ?? usual));
      if (verdict !== null) return verdict;
    }
    return null;
  }

  private async repeatAs(session: ProbeSession, before: Baseline, memory: ProbeMemory | null): Promise<Verdict | null> {
    const seen = await repeat(this.check, this.place, session, before, memory && memoryFor(memory, before));
    this.log.add(seen, decisiveKey(before));
    return decisiveVerdict(seen.observation);
  }

  /** A repeat by a client that the site refuses may show the weakness, but proves nothing else. */
  private async repeatAsRefused(client: ProbeSession, before: Baseline, usual: ProbeMemory): Promise<Verdict | null> {
    const probed = await repeatWithMemory(this.check, this.place, client, before, memoryFor(usual, before));
    const { observation } = probed.assessment;
    this.log.add({ ...probed.assessment, kind: 'interleaved', answer: null });
    if (observation.state !== 'vulnerable') return this.otherPage(client, before, probed.memory?.control.page ?? null);
    const answer = probed.memory?.replay.answers.get(decisiveKey(before) ?? '');
    const isTreated = answer !== undefined && (await this.furtherClients.getsEverywhere(client, answer));
    return isTreated ? null : decisiveVerdict(observation);
  }

  /** If the page itself decides, a page that differs from that of the other clients may still have the weakness. */
  private async otherPage(client: ProbeSession, before: Baseline, page: Page | null): Promise<Verdict | null> {
    if (page === null || !isDecisivePage(this.check, before)) return null;
    const { assessment } = await examine(this.check, this.place, client, null);
    this.log.add({ ...assessment, kind: 'interleaved', answer: null });
    const { state, detail } = assessment.observation;
    if (state !== 'vulnerable' || (await this.furtherClients.getsEverywhere(client, page))) return null;
    const title = CLIENT_TITLES[client.behavior.client];
    return inconclusiveVerdict(`${title} gets another page than the other clients, and it has the weakness: ${detail}`);
  }

  private storedAnswers(): Verdict | null {
    const reason = storedAnswerReason(this.log.probes);
    return reason === null ? null : inconclusiveVerdict(reason);
  }

  /** A target that fails after a probe may have been failing during the probe. */
  private async finalControls(): Promise<Verdict | null> {
    // For a service, the conversation of the probe is the only control.
    if (this.check.on === 'tcp') return null;
    for (const address of this.log.addresses) {
      const turn = DECISIVE_REQUESTS;
      const session = this.check.on === 'dns' ? this.zoneSession(address, turn) : this.sessions.fresh(address, turn);
      const { assessment, memory } = await probeControlAgain(this.check, this.place, session, this.before);
      const seen = await this.seenIn(memory?.control.page ?? null, address, session);
      this.log.add(seen === null ? assessment : { ...assessment, observation: seen });
      const verdict = decisiveVerdict(seen ?? assessment.observation);
      if (verdict !== null) return verdict;
    }
    return null;
  }

  /** Every response of the tested page counts, including those that were requested as a control. */
  private seenIn(page: Page | null, address: string | undefined, session: ProbeSession): Promise<Observation | null> {
    const { check, place, before, log } = this;
    return seenInPage(check, place, page, session, before, log.memoryOf(address, session) ?? log.anyMemory);
  }

  private async variants(): Promise<Verdict | null> {
    const variants = PathVariants.of(this.check, this.place, this.before, this.log);
    const seen = await variants?.observation(this.sessions.fresh(this.log.addresses[0], DECISIVE_REQUESTS));
    return seen == null ? null : decisiveVerdict(seen);
  }

  /** If the responses depend on the client or on the server, none of them is representative. */
  private disagreement(): Verdict | null {
    const different = this.log.differentAnswers;
    if (different === null) return null;
    const [first, second] = different;
    return inconclusiveVerdict(
      `the weakness was not detected, but the same request was answered with ${first} and with ${second}: by different servers, by a cache, or depending on the client`,
    );
  }

  /** How the weakness was ruled out, and the remaining risk. */
  private risk(): string {
    const { check, before, plan } = this;
    const { fewestDecisiveRequests: fewest, addresses } = this.log;
    if (check.on === 'dns') return zoneRisk(this.authorities, fewest);
    if (plan.requests.length < 2) return residualRisk(fewest, addresses.length, sendsAllRequests(check, before));
    const sent = plan.requests.map((one) => [nameOf(one), plan.timesSent(one)] as const);
    return repeatedRisk(sent, addresses.length);
  }

  private refused(): Verdict | null {
    const verdict = refusedVerdict(this, this.policy, () => this.risk());
    return verdict?.result === 'fixed' && !isRepeatable(this.check) ? inconclusiveVerdict(NOT_REPEATED) : verdict;
  }

  private fixed(): Verdict {
    const detail = this.log.probes[0]?.observation.detail ?? '';
    const changes = new Set(this.log.probes.flatMap((probe) => probe.changes ?? []));
    const comparison = changes.size === 0 ? this.comparison : [...changes].join('; ');
    const more = `${detail}; ${comparison}${this.addresses.note}${this.furtherClients.note}. ${this.risk()}${untestedHttp3(this.log.probes)}`;
    return { result: 'fixed', reason: this.plan.requests.length > 1 ? more : `${fixedFact(this)}. ${more}` };
  }

  private async pause(times = 1): Promise<void> {
    const pauses = Math.max(this.policy.probes, DECISIVE_REQUESTS) - 1;
    await delay((times * this.policy.spreadMs) / pauses, undefined, { signal: this.via.signal });
  }
}

/**
 * Tests whether a weakness still exists. `fixed` requires that every probe and repeat, at each address of the name, gets a
 * response of the baseline's target without the weakness. docs/verdicts.md has the rules.
 */
export async function verify(
  check: Check,
  target: Target,
  before: Baseline | null,
  transport: Transport,
  via: Via,
  otherWww: FindOtherWww,
  policy: ProbePolicy = DEFAULT_PROBE_POLICY,
  sessions: ProbeSessions = new ProbeSessions(transport, via, policy.randomBelow),
): Promise<Verification> {
  const placement = placeOf(check, target);
  if (!placement.applicable)
    return { verdict: inconclusiveVerdict(placement.reason), probes: [], baseline: null, isSiteChanged: false };
  const { place } = placement;
  const other = otherAccountReason(before, via);
  if (other !== null) return { verdict: inconclusiveVerdict(other), probes: [], baseline: null, isSiteChanged: false };
  if (before === null) return verifyWithoutBaseline(check, place, transport, via, NO_BASELINE);
  if (!isComparable(before)) return verifyWithoutBaseline(check, place, transport, via, OLD_BASELINE);
  const confirmed = before.on === 'web' ? before.confirmed : undefined;
  const run = new VerificationRun(check, place, before, transport, via, policy, sessions, comparisonWith(confirmed));
  const verdict = waiting(await run.verdict(), confirmed);
  const last = run.log.probes.findLast(({ observation }) => observation.state === 'vulnerable');
  const now = last === undefined ? null : await seenAsBrowser(check, place, new ProbeSession(transport, via), last);
  const baseline = renewedBaseline(before, now) ?? withMoved(before, run.moved);
  const probes = deduplicateBodies(run.log.probes);
  const verified = { verdict, probes, baseline, isSiteChanged: run.changedSite.has(verdict) };
  return besideOtherWww(verified, check, place, before, otherWww, transport, via);
}
