import { assess, type Assessment, lookFirst } from './assess';
import { type Check, isWebCheck, placementsOf, runsLast } from './check';
import { type CheckResult, type Planned, resultOf } from './check-result';
import { captchaWallReason } from './firewall-pages';
import { InterruptedError, NO_TIME } from './interruption';
import { shownPaths } from './observe';
import type { Page } from './page';
import { previousAt } from './previous-at';
import { ProbeSession, ProbeSessions } from './probe-session';
import { siteRefusalReason } from './response-trust';
import type { Coverage, PreviousFinding, ScanRequest, Sighting, SkippedCheck } from './scan-request';
import { anotherPageReason, reactionOf, type Snapshot, snapshot } from './snapshot';
import { MAX_LINKED_PAGES } from './site-links';
import { ofAccount, proved, redacted } from './signed-in/in-session';
import { groupedSpots, locationAdoptedBy } from './spots';
import { isWeb, locationOf, parseLocation, type Target } from './target';
import { ExchangeFailed, type FailureCode } from './transport/exchange';
import { NO_PUBLIC_ZONE, type Via } from './transport/transport';
import { type Verification, verify } from './verdict';

const CONCURRENCY = 4;

/** The maximum number of such fixes that one job confirms, each with about twenty requests. The next job continues. */
const MAX_VERIFIED_SPOTS = 20;

const NOT_VERIFIED = `this job has tested ${MAX_VERIFIED_SPOTS} other earlier findings of this check again; the next one goes on`;

/** The number of requests for the page at the end of a job, while it differs from the page at the beginning. */
const LAST_REQUESTS = 3;

const NOT_IN_SCOPE = 'what it addresses is not in the scope of the event';
const NOT_EXPECTED = 'no such service is expected on this port';

/** Whether the check tests pages, not TLS or DNS. */
const isAboutPages = (check: Check): boolean => check.on === 'page' || check.on === 'origin';

/** Failures that show that no web server listens on the port. */
const NOT_HTTP: ReadonlySet<FailureCode> = new Set(['protocol', 'closed', 'reset', 'timeout']);

/** What the checks of one session share, and their coverage until the session is proved. */
interface Lane {
  readonly via: Via;
  readonly session: ProbeSession;
  readonly sessions: ProbeSessions;
}

interface Covering {
  readonly lane: Lane;
  /** Called immediately, or when the session of the account was proved. */
  readonly keep: (keep: () => void) => void;
}

/** One running scan. */
export class ScanRun {
  readonly sightings: Sighting[] = [];
  readonly coverage: Coverage[] = [];
  readonly session: ProbeSession;
  private readonly lanes = new Map<Via['session'], Lane>();
  /** Whether the target as a whole blocks Assay. */
  isBlocked = false;
  private readonly notVulnerablePages = new Set<Coverage>();
  private hasIncompletePages = false;
  /** Everything that must be covered at the end. */
  private readonly places: Planned[] = [];

  private readonly known: ReturnType<typeof previousAt>;

  /** For the requests of the checks. It ends before that of the last look at the target. */
  private readonly via: Via;

  constructor(
    private readonly request: ScanRequest,
    private readonly lastVia: Via,
    private readonly checksOver: AbortSignal,
  ) {
    const { isInScope = () => true } = request;
    const via = { ...lastVia, isInScope, signal: AbortSignal.any([lastVia.signal, checksOver]) };
    this.via = via;
    this.known = previousAt(ofAccount(lastVia, request.previousFindings));
    via.session?.sendThrough?.(lastVia);
    this.session = this.laneOf(via).session;
  }

  /** After a new sign-in, pages of the previous session no longer count. */
  private laneOf(via: Via): Lane {
    const { transport, policy, isInScope = () => true } = this.request;
    const known = this.lanes.get(via.session);
    if (known !== undefined) return known;
    const session = new ProbeSession(transport, via).followLinks(MAX_LINKED_PAGES, isInScope).collectSpots();
    for (const { session: earlier } of this.lanes.values()) session.provoking.push(...earlier.provoking);
    const lane = { via, session, sessions: new ProbeSessions(transport, via, policy?.randomBelow) };
    this.lanes.set(via.session, lane);
    return lane;
  }

  async runAll(): Promise<void> {
    const planned = this.plan();
    this.places.push(...planned);
    this.request.observer?.planned(planned.map(({ check }) => check.id));
    const services = planned.filter(({ check }) => check.on === 'tcp');
    const rest = planned.filter(({ check }) => check.on !== 'tcp');
    const speaksHttp = await this.speaksHttp();
    const known = await this.services(services, speaksHttp);
    const isPointless = ({ check }: Planned): boolean => isWebCheck(check) && speaksHttp === false && known !== null;
    for (const one of rest.filter(isPointless))
      this.skip(one.check, one.place, `the service on this port is not a web server (${known})`);
    const running = rest.filter((one) => !isPointless(one));
    for (const isLast of [false, true]) {
      const now = running.filter(({ check }) => runsLast(check) === isLast);
      await this.forEachConcurrently(now, (one) => this.runInTime(one));
    }
    const { aborted, reason } = this.checksOver;
    if (aborted) this.leave(reason instanceof InterruptedError ? reason.message : NO_TIME);
    await this.recheckTarget();
  }

  private plan(): Planned[] {
    const { target, checks, skipped = [], isInScope = () => true } = this.request;
    for (const { check, reason, outcome } of skipped) this.skip({ id: check }, target, reason, outcome);
    const noZone = this.noZoneReason();
    const placements = checks.flatMap((check) =>
      placementsOf(check, target).map((placement) => ({ check, placement })),
    );
    return placements.flatMap(({ check, placement }) => {
      const reason = placement.applicable ? null : placement.reason;
      const hidden = check.on === 'dns' ? (noZone ?? reason) : reason;
      if (!placement.applicable || hidden !== null) this.skip(check, target, hidden ?? '');
      else if (isInScope(placement.place)) return [{ check, place: placement.place }];
      else this.skip(check, placement.place, NOT_IN_SCOPE);
      return [];
    });
  }

  /** Why the name of the target has no zone that can be tested, or null. */
  private noZoneReason(): string | null {
    const { target, transport, via } = this.request;
    if (via.route) return NO_PUBLIC_ZONE;
    return transport.hasGivenAddress(target, via)
      ? 'the operator gave the address of this name, so its zone is not tested'
      : null;
  }

  /** Null if unknown: the target is down, or must not be contacted. */
  private async speaksHttp(): Promise<boolean | null> {
    const { target } = this.request;
    if (!isWeb(target)) return false;
    try {
      await this.session.page(target, 'page');
      return true;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return NOT_HTTP.has(error.failure.code) ? false : null;
    }
  }

  /** Probes for services on their usual ports, or on any port without a web server. Returns the identified check. */
  private async services(planned: readonly Planned[], speaksHttp: boolean | null): Promise<string | null> {
    const { port } = this.request.target;
    const isUsual = ({ check }: Planned): boolean => check.on === 'tcp' && check.ports.includes(port);
    const others = planned.filter((one) => !isUsual(one));
    const seen = new Map<Planned, Assessment>();
    let known = await this.identifyService(planned.filter(isUsual), seen);
    if (speaksHttp === false) known ??= await this.identifyService(others, seen);
    for (const one of planned) {
      const assessment = seen.get(one);
      const reason = known === null ? NOT_EXPECTED : `another service responds on this port (${known})`;
      if (assessment === undefined) this.skip(one.check, one.place, reason);
      else await this.recordService(one, assessment, known !== null || speaksHttp === true);
    }
    return known;
  }

  /** Stops the other checks as soon as one service is identified. */
  private async identifyService(planned: readonly Planned[], seen: Map<Planned, Assessment>): Promise<string | null> {
    const known = new AbortController();
    const signal = AbortSignal.any([this.via.signal, known.signal]);
    const session = new ProbeSession(this.request.transport, { ...this.via, signal });
    await this.forEachConcurrently(planned, async (one) => {
      if (known.signal.aborted) return;
      this.request.observer?.started(one.check.id);
      try {
        const assessment = await assess(one.check, one.place, session);
        seen.set(one, assessment);
        if (assessment.observation.state !== 'inconclusive') known.abort(one.check.id);
      } catch (error) {
        if (!known.signal.aborted) throw error;
      }
    });
    this.via.signal.throwIfAborted();
    return known.signal.aborted ? String(known.signal.reason) : null;
  }

  private async recordService(one: Planned, seen: Assessment, isAnother: boolean): Promise<void> {
    const { state, detail } = seen.observation;
    if (state === 'inconclusive' && isAnother) this.skip(one.check, one.place, detail);
    else await this.record(one, seen, this.atOnce);
  }

  /** Services are tested without a session. */
  private get atOnce(): Covering {
    return { lane: this.laneOf(this.via), keep: (keep) => keep() };
  }

  /** If a check runs out of time, the others still count. */
  private async runInTime(planned: Planned): Promise<void> {
    try {
      this.checksOver.throwIfAborted();
      await this.run(planned);
    } catch (error) {
      if (!this.checksOver.aborted || this.lastVia.signal.aborted) throw error;
    }
  }

  /** Marks each place that was not covered, whatever the result of its check at other places. */
  private leave(reason: string): void {
    const covered = new Set(this.coverage.map(({ check, location }) => `${check} ${location}`));
    for (const { check, place } of this.places)
      if (!covered.has(`${check.id} ${locationOf(place)}`)) this.skip(check, place, reason, 'inconclusive');
  }

  /** Marks as inconclusive what was not tested, and pages that the last look at the target did not confirm. */
  giveUp(reason: string): void {
    this.leave(reason);
    for (const [at, one] of this.coverage.entries())
      if (this.isUnconfirmed(one)) this.cover({ ...one, outcome: 'inconclusive', reason }, at);
  }

  private async run(planned: Planned): Promise<void> {
    this.request.observer?.started(planned.check.id);
    if (this.via.session === undefined) return this.runIn(planned, this.atOnce);
    const kept = await proved(this.via, async (via) => {
      const all: (() => void)[] = [];
      await this.runIn(planned, { lane: this.laneOf(via), keep: (keep) => void all.push(keep) });
      return all;
    });
    for (const keep of kept) keep();
  }

  private async runIn(planned: Planned, covering: Covering): Promise<void> {
    const { check, place } = planned;
    const look = this.known(check, locationOf(place)) === undefined ? lookFirst : assess;
    await this.record(planned, await look(check, place, covering.lane.session), covering);
    if (isWebCheck(check) && check.parametersIn !== undefined) await this.runSpots(check, covering);
  }

  /** Tests the places that a check has reported, and those of known findings that it has not reported. */
  private async runSpots(check: Check, covering: Covering): Promise<void> {
    const { isInScope = () => true } = this.request;
    const { lane, keep } = covering;
    const earlier = ofAccount(this.via, this.request.previousFindings).filter((one) => one.check === check.id);
    const all = lane.session.spotsOf(check);
    const reported = all.filter(({ place, untested }) => untested === undefined && isInScope(place));
    for (const { place, untested } of all)
      if (untested !== undefined) keep(() => this.skip(check, place, untested, 'inconclusive'));
    const locations = new Set(reported.map(({ place }) => locationOf(place)));
    const adopted = new Set(earlier.map((one) => locationAdoptedBy(check, one, locations)));
    const hasOwnFinding = (place: Target): boolean =>
      adopted.has(locationOf(place)) || this.known(check, locationOf(place)) !== undefined;
    const spots = groupedSpots(reported, hasOwnFinding);
    const tested = new Set(spots.map(({ place }) => locationOf(place)));
    const rest = earlier
      .filter(({ location }) => !tested.has(location))
      .map(({ location, baseline }) => ({ place: parseLocation(location), paths: shownPaths(baseline) }))
      .filter(({ place }) => place.parameter !== undefined)
      // The finding may list a page that was excluded later.
      .filter(({ place, paths }) =>
        [place.path, ...paths].every((path) => isInScope({ ...place, path: path.split('?', 1)[0] ?? '/' })),
      );
    for (const { place } of rest.slice(MAX_VERIFIED_SPOTS))
      keep(() => this.skip(check, place, NOT_VERIFIED, 'inconclusive'));
    const places = [...spots, ...rest.slice(0, MAX_VERIFIED_SPOTS)].map((one) => ({ ...one, check }));
    keep(() => void this.places.push(...places));
    await this.forEachConcurrently(places, async ({ place, paths }) =>
      this.record({ check, place }, await lookFirst(check, place, lane.session, { shown: paths }), covering),
    );
  }

  private async record(planned: Planned, seen: Assessment, { lane, keep }: Covering): Promise<void> {
    const { check, place } = planned;
    const known = this.known(check, locationOf(place));
    if (known === undefined && 'hasNoSubject' in seen.observation)
      return keep(() => this.skip(check, place, seen.observation.detail));
    const confirm = (one: PreviousFinding): Promise<Verification | null> => this.verification(planned, one, lane);
    const result = await resultOf(planned, seen, known, confirm, this.request.policy);
    keep(() => this.keep(planned, redacted(this.via, result)));
  }

  private keep({ check }: Planned, { coverage, sighting }: CheckResult): void {
    this.cover(coverage, this.coverage.length, sighting);
    if (!isAboutPages(check)) return;
    if (coverage.outcome === 'not_vulnerable' || coverage.outcome === 'blocked') this.notVulnerablePages.add(coverage);
    if (coverage.outcome === 'inconclusive') this.hasIncompletePages = true;
  }

  private async verification(
    { check, place }: Planned,
    known: PreviousFinding,
    { via, session, sessions }: Lane,
  ): Promise<Verification | null> {
    const { transport, otherWww, policy } = this.request;
    if (known.baseline === null || this.isAdopted(check, known, session)) return null;
    return verify(known.own ?? check, place, known.baseline, transport, via, otherWww, policy, sessions);
  }

  /** Whether an earlier version recorded the finding at another location, which this job has tested under its new location. */
  private isAdopted(check: Check, known: PreviousFinding, session: ProbeSession): boolean {
    const reported = new Set(session.spotsOf(check).map(({ place }) => locationOf(place)));
    return locationAdoptedBy(check, known, reported) !== null;
  }

  /**
   * Checks that the target still responds to Assay. If it blocks Assay, no page counts as tested, except for weaknesses
   * that were found.
   */
  private async recheckTarget(): Promise<void> {
    if (!this.hasIncompletePages && !this.coverage.some((one) => this.isUnconfirmed(one))) return;
    const reason = await this.blockedReason();
    if (reason === null) return;
    this.isBlocked = true;
    this.giveUp(reason);
  }

  /** A page without the weakness counts only if the target still responds to Assay at the end. */
  private isUnconfirmed(one: Coverage): boolean {
    return this.notVulnerablePages.has(one) && one.verdict?.result !== 'fixed';
  }

  private async blockedReason(): Promise<string | null> {
    const { target, transport } = this.request;
    const session = this.checksOver.aborted ? new ProbeSession(transport, this.lastVia) : this.session;
    try {
      const { page } = await session.page(target, 'followed');
      const missing = async (): Promise<Page> => (await session.page(target, 'missing')).page;
      const refusal = siteRefusalReason(page) ?? (await captchaWallReason(page, missing));
      if (refusal !== null) return `${refusal}; allow Assay to access it, or test another page`;
      const { page: first } = await this.session.page(target, 'page');
      const change = await this.changeSince(await snapshot(first), session);
      return change === null ? null : `the target changed its responses during the test: ${change}`;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return `the target stopped responding during the test: ${error.message}`;
    }
  }

  /** A site may show several pages in turns, so it has changed only if another page comes each time. */
  private async changeSince(before: Snapshot, session: ProbeSession): Promise<string | null> {
    let change: string | null = null;
    for (let request = 0; request < LAST_REQUESTS; request += 1) {
      const again = await session.probe(this.request.target).requestPage({});
      const now = await snapshot(again);
      const reaction = siteRefusalReason(again) ?? reactionOf(before, now);
      if (reaction !== null) return reaction;
      change = anotherPageReason(before, now);
      if (change === null) return null;
    }
    return change;
  }

  private skip(
    { id }: Pick<Check, 'id'>,
    place: Target,
    reason: string,
    outcome: SkippedCheck['outcome'] = 'not_applicable',
  ): void {
    this.cover({ check: id, location: locationOf(place), outcome, reason, controlFailure: null, verdict: null });
  }

  private cover(covered: Coverage, at = this.coverage.length, sighting: Sighting | null = null): void {
    this.coverage[at] = covered;
    if (sighting !== null) this.sightings.push(sighting);
    this.request.observer?.covered(covered, sighting);
  }

  private async forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = [...items];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }
}
