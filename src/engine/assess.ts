import type { ExperimentRecord } from './experiment-record';
import { isAnsweredAs } from './answered-alike';
import { type Baseline, decisiveKey, experimentOf, type WebBaseline, withBrowserView } from './baseline';
import { type ChangedSite, newLook, newMissing } from './changed-site';
import {
  type Check,
  isRepeatable,
  isWebCheck,
  sendsAllRequests,
  type Observation,
  notVulnerable,
  inconclusive,
  withBoundedDetail,
} from './check';
import { askForMissing, confirmAbsence, cachedPageReason, siteChange } from './confirm-absence';
import { type Given, NOTHING_GIVEN, observe, shownPaths } from './observe';
import { type Control, isDecisivePage, takeControl } from './control';
import { blockReason, isRefusal } from './response-trust';
import { initialObservation } from './initial-observation';
import { learnBaseline } from './learn-baseline';
import { type Page, redirectOf } from './page';
import type { AcceptedChanges, ProbeMemory } from './probe-memory';
import type { Target } from './target';
import { endOf, type Exchange, ExchangeFailed } from './transport/exchange';
import type { HttpAnswer } from './transport/http';
import type { ProbeSession } from './probe-session';

/** One probe of a target by a check, with its control and exchanges. */
export interface Assessment {
  /**
   * `probe`: all requests of the check. `repeat`: the decisive request of an earlier probe. `control`: the control and the
   * missing path. `interleaved`: a random request, so that the order of requests cannot be predicted,
   * or pages of a further client or another address. `variant`: other spellings of the path, or the other name of the site.
   */
  readonly kind: 'probe' | 'repeat' | 'control' | 'interleaved' | 'variant';
  readonly started: string;
  /** When the deciding response arrived. Absent if nothing was decided, and in evidence of earlier versions. */
  readonly decided?: string;
  readonly observation: Observation;
  /** Why the control failed, or null when it succeeded. */
  readonly controlFailure: string | null;
  /** A summary of the response to the decisive request; null when there was none. */
  readonly answer: string | null;
  /** The state of the target when the weakness was seen; null when it was not seen, or the control failed. */
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
  /** The experiment that showed the weakness, if there was one. */
  readonly experiment?: ExperimentRecord;
  /** How the site has changed since the baseline, if it was still recognized. */
  readonly changes?: readonly string[];
}

export interface Probed {
  readonly assessment: Assessment;
  readonly memory: ProbeMemory | null;
  /** Whether the probe is inconclusive only because the site has changed. */
  readonly isSiteChanged: boolean;
  /** Stored with the baseline: a change that counts if a later probe sees it again. */
  readonly moved: WebBaseline['moved'];
}

const answerSummary = (page: HttpAnswer): string => {
  const to = redirectOf(page);
  return to === null ? `${page.status}` : `${page.status} to ${to.origin}${to.pathname}`.slice(0, 200);
};

/** The purpose of a probe. A reference is not compared with anything; other probes are compared with it. */
type Purpose =
  Assessment['kind'] | 'reference' | 'reference-after-change' | 'reference-pages' | 'first-look' | 'browser';

const KINDS: Readonly<Record<Purpose, Assessment['kind']>> = {
  probe: 'probe',
  repeat: 'repeat',
  control: 'control',
  interleaved: 'interleaved',
  variant: 'variant',
  reference: 'probe',
  'reference-after-change': 'probe',
  'reference-pages': 'control',
  'first-look': 'probe',
  browser: 'probe',
};

/** One running probe. */
class Examination {
  private missing: Page | null = null;
  private readonly changes: string[] = [];
  private accepted: AcceptedChanges = this.memory?.accepted ?? { page: null, answers: [] };
  /** Set if the control is the response for missing paths, and that has changed. */
  private missingControl: string | null = null;
  private isSiteChanged = false;
  private moved: WebBaseline['moved'];
  private readonly twins = this.memory?.twins ?? this.session.twins;
  private decided: string | undefined;
  private ahead: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly session: ProbeSession,
    private readonly before: Baseline | null,
    private readonly purpose: Purpose,
    private readonly memory: ProbeMemory | null,
    private readonly given: Given = NOTHING_GIVEN,
    private readonly probe = session.probe(
      place,
      sendsAllRequests(check, before) ? null : (memory?.replay ?? null),
      decisiveKey(before),
      check,
    ),
  ) {}

  private get kind(): Assessment['kind'] {
    return KINDS[this.purpose];
  }

  private get isReference(): boolean {
    return this.purpose.startsWith('reference');
  }

  async run(): Promise<Probed> {
    const started = this.session.now().toISOString();
    const { kind, probe } = this;
    const { exchanges } = probe;
    if (this.given.goOn !== undefined) probe.markAsUnshown = () => this.goOn();
    let control: Control | null = null;
    try {
      control = await this.control();
      const observation = await this.observation(control);
      const { state } = observation;
      const isLearned = state === 'vulnerable' || (this.isReference && state === 'not_vulnerable');
      const baseline = isLearned
        ? await learnBaseline(this.check, this.place, control, probe, this.session, observation)
        : null;
      const { controlFailure } = control;
      const answer = this.answer(control);
      const assessment = {
        kind,
        started,
        observation: withBoundedDetail(observation),
        controlFailure,
        answer,
        baseline,
        exchanges,
        ...(this.decided !== undefined && { decided: this.decided }),
        ...(probe.experiment !== null && { experiment: probe.experiment }),
        ...(this.changes.length > 0 && { changes: this.changes }),
      };
      const { isSiteChanged, moved } = this;
      return { assessment, memory: this.memoryOf(control), isSiteChanged, moved };
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      if (!exchanges.includes(error.exchange)) exchanges.push(error.exchange);
      const controlFailure = control === null ? error.message : control.controlFailure;
      const observation = inconclusive(error.message);
      return {
        assessment: { kind, started, observation, controlFailure, answer: null, baseline: null, exchanges },
        memory: null,
        isSiteChanged: false,
        moved: undefined,
      };
    } finally {
      await this.ahead;
    }
  }

  /** Lets another probe begin. Meanwhile this one requests a missing path, with which the responses will be compared. */
  private goOn(): void {
    const { before, place, session, probe, given, kind } = this;
    if (before?.on !== 'web' || (given.goOn === undefined && kind !== 'control')) return;
    this.ahead = askForMissing(before, place, session, probe).catch(() => null);
    given.goOn?.();
  }

  /** A repeat reuses the control, unless the control page itself showed the weakness. */
  private async control(): Promise<Control> {
    const { check, place, before, probe, session, memory, kind } = this;
    if (kind === 'control' && experimentOf(before) !== null) this.goOn();
    if (memory !== null && memory.replay.decisive.kind !== 'page') return memory.control;
    const taken = await takeControl(check, place, before, probe, session);
    const earlier = memory?.control.page ?? undefined;
    const control = earlier === undefined ? taken : { ...taken, earlier };
    const { page, blocked, controlFailure } = control;
    if (before?.on !== 'web' || page === null || blocked !== null || controlFailure === null) return control;
    this.isSiteChanged = true;
    if (!(await this.isRecognized(before, page, controlFailure))) return control;
    this.isSiteChanged = false;
    return { ...control, controlFailure: null };
  }

  /** Whether the site is that of the baseline, although its control has changed. */
  private async isRecognized(before: WebBaseline, page: Page, change: string): Promise<boolean> {
    const { check } = this;
    if (isDecisivePage(check, before)) return false;
    if (isWebCheck(check) && check.control === 'missing') {
      // Compared with other missing paths once the decisive request has been answered.
      this.missingControl = change;
      return before.decisive.kind === 'http';
    }
    const look = await newLook(this.changedSite(before), page);
    if (look === null) return false;
    this.changes.push(look.note);
    this.accepted = { ...this.accepted, page: look.page };
    return true;
  }

  private async observation(control: Control): Promise<Observation> {
    const { controlFailure } = control;
    const proves = isWebCheck(this.check) && this.check.selfEvident === true;
    if (controlFailure !== null && !proves) return inconclusive(controlFailure);
    const { check, place, probe, session, before, given, purpose } = this;
    const isRepeat = purpose === 'repeat' || purpose === 'browser';
    const seen =
      this.kind === 'control'
        ? notVulnerable('the target matches its baseline')
        : await observe(check, place, probe, control, session, before, given, isRepeat);
    // Before the requests that are only for comparison.
    this.decided = endOf(this.probe.exchanges);
    if (seen.state === 'vulnerable')
      return this.missingControl === null || proves
        ? this.confirmVulnerable(seen, proves)
        : inconclusive(this.missingControl);
    if (controlFailure !== null) return inconclusive(controlFailure);
    if (seen.state === 'inconclusive' && seen.hasNoSubject === true) return this.confirmWithoutSubject(seen, control);
    return seen.state === 'not_vulnerable' ? this.confirmNotVulnerable(seen, control) : seen;
  }

  /** The page of a firewall lacks everything that a check looks for. */
  private async confirmWithoutSubject(seen: Observation, control: Control): Promise<Observation> {
    if (this.before !== null) return inconclusive(seen.detail);
    const confirmed = await this.confirmNotVulnerable(notVulnerable(seen.detail), control);
    return confirmed.state === 'not_vulnerable' ? seen : confirmed;
  }

  /** A check for something that is missing would also match the page of a rate limit or a firewall. */
  private confirmVulnerable(seen: Observation, proves: boolean): Observation {
    const asked = this.probe.requests.at(-1);
    if (proves || this.before?.on !== 'web' || asked === undefined) return seen;
    const { answer, key } = asked;
    if (answer.status === this.before.answers[key]) return seen;
    const blockage = blockReason(answer) ?? (isRefusal(answer) ? `it is refused with ${answer.status}` : null);
    return blockage === null ? seen : inconclusive(`${asked.path}: ${blockage}`);
  }

  /** `not_vulnerable` requires a response that can be trusted. */
  private async confirmNotVulnerable(seen: Observation, { page }: Control): Promise<Observation> {
    const { probe, place, session, before } = this;
    if (this.kind === 'probe' && probe.exchanges.length === 0)
      return inconclusive('the check sent no request to the target');
    if (page === null) return seen;
    if (before === null) {
      const isFirstLook = this.purpose === 'first-look';
      const isMissingControl = isWebCheck(this.check) && this.check.control === 'missing';
      const context = { place, control: page, probe, session, isFirstLook, isMissingControl };
      const isAfterChange = this.purpose === 'reference-after-change';
      return initialObservation(this.check, seen, context, { isReference: this.isReference, isAfterChange });
    }
    if (before.on !== 'web') return seen;
    const mustDecide = sendsAllRequests(this.check, before);
    const isPageJudged = this.check.on !== 'tls' && this.kind !== 'control' && probe.requests.length === 0;
    const stale = isPageJudged ? cachedPageReason(before, page) : null;
    if (stale !== null) return inconclusive(stale);
    const isAboutSite = before.decisive.kind === 'http' || probe.requests.length > 0;
    const shown = this.accepted.page ?? page;
    const front = async (): Promise<Page> => (await session.page({ ...place, path: '/' }, 'page')).page;
    const { check, twins } = this;
    const absence = { before, control: shown, probe, mustDecide, check, twins, front, listed: before.listed };
    if (!isAboutSite) return confirmAbsence(seen, { ...absence, missing: shown });
    this.missing = this.memory?.missing ?? (await askForMissing(before, place, session, probe));
    const change = this.memory === null ? await this.changeOfSite(before, this.missing) : await this.deviation(before);
    return change === null ? confirmAbsence(seen, { ...absence, missing: this.missing }) : inconclusive(change);
  }

  /** Why the site as a whole is not that of the baseline, or null. */
  private async changeOfSite(before: WebBaseline, missing: Page): Promise<string | null> {
    const { place, session, probe } = this;
    const change = await siteChange(before, missing, place, session, probe);
    if (change === null) return this.missingControl;
    this.isSiteChanged = true;
    const recognized = change.isOfMissing ? await newMissing(this.changedSite(before), missing) : null;
    if (recognized === null) return change.reason;
    if (recognized.kind === 'too_early') {
      this.moved = recognized.moved;
      return recognized.reason;
    }
    this.isSiteChanged = false;
    if (recognized.note !== null) this.changes.push(recognized.note);
    this.accepted = { ...this.accepted, answers: recognized.answers };
    return null;
  }

  private changedSite(before: WebBaseline): ChangedSite {
    const { place, session, probe, kind } = this;
    const { turn = 0 } = session.via;
    return { before, place, session, probe, isFirst: turn === 0, asksPages: turn < 2 || kind === 'control' };
  }

  /** Null if every repeat is answered like the missing paths with which the first probe was compared. */
  private async deviation({ decisive }: WebBaseline): Promise<string | null> {
    const asked = this.probe.requests.find(({ key }) => decisive.kind === 'http' && decisive.key === key);
    for (const answer of asked === undefined ? [] : this.accepted.answers)
      if (asked !== undefined && !(await isAnsweredAs(answer, asked.answer)))
        return `${asked.path} is no longer answered like missing paths`;
    return null;
  }

  private answer({ page }: Control): string | null {
    if (this.kind === 'control' || page === null) return null;
    const decisive = decisiveKey(this.before);
    const asked = this.probe.requests.find(({ key }) => key === decisive);
    if (decisive === null)
      return this.before?.on === 'web' && this.before.decisive.kind === 'page' ? answerSummary(page) : null;
    return asked === undefined ? null : answerSummary(asked.answer.hops[0] ?? asked.answer);
  }

  private memoryOf(control: Control): ProbeMemory | null {
    const { before, missing, probe } = this;
    if (before?.on !== 'web') return null;
    const answers = new Map(probe.requests.map(({ key, answer }) => [key, answer]));
    const { identity } = this.session.behavior;
    const { accepted, twins } = this;
    return {
      identity,
      control,
      accepted,
      missing,
      twins,
      replay: { decisive: before.decisive, answers, handshakes: probe.handshakes },
    };
  }
}

/** Makes a full probe, and returns the state that its repeats reuse. */
export const examine = (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline | null,
  goOn?: () => void,
): Promise<Probed> => new Examination(check, place, session, before, 'probe', null, { ...NOTHING_GIVEN, goOn }).run();

export interface Reference extends Assessment {
  /** The keys of the requests that the check sent. */
  readonly requested: readonly string[];
}

/**
 * Probes a target without the weakness. Its baseline describes how the target responds now, not when the weakness was there: no
 * response is trusted because it resembles an earlier one.
 */
export async function takeReference(
  check: Check,
  place: Target,
  session: ProbeSession,
  isAfterChange: boolean,
): Promise<Reference> {
  const probe = async (as: ProbeSession, purpose: Purpose): Promise<Assessment> =>
    (await new Examination(check, place, as, null, purpose, null).run()).assessment;
  const seen = await probe(session, isAfterChange ? 'reference-after-change' : 'reference');
  const { baseline } = seen;
  if (baseline?.on !== 'web' || seen.observation.state === 'vulnerable') return { ...seen, requested: [] };
  const requested = Object.keys(baseline.answers);
  const browsers =
    check.on === 'tls' || !isRepeatable(check) ? null : (await probe(session.asBrowser, 'reference-pages')).baseline;
  const both = withBrowserView(baseline, browsers);
  return { ...seen, baseline: both?.on === 'web' ? { ...both, answers: {}, empty: [] } : both, requested };
}

/** Probes a found weakness as a browser as well, because browsers may get another page, for example in another language. */
export async function seenAsBrowser(
  check: Check,
  place: Target,
  session: ProbeSession,
  { observation, baseline }: Assessment,
): Promise<Baseline | null> {
  if (observation.state !== 'vulnerable' || baseline?.on !== 'web') return baseline;
  if (check.on === 'tls' || !isRepeatable(check)) return baseline;
  const given = { shown: shownPaths(baseline), experiment: baseline.experiment ?? null };
  const browser = new Examination(check, place, session.asBrowser, null, 'browser', null, given);
  const { assessment } = await browser.run();
  return withBrowserView(baseline, assessment.baseline);
}

/**
 * Runs the control and the check, and decides whether the responses can be trusted. With a baseline, the control is
 * compared with it.
 */
export async function assess(
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline | null = null,
): Promise<Assessment> {
  const { assessment } = await examine(check, place, session, before);
  return { ...assessment, baseline: await seenAsBrowser(check, place, session, assessment) };
}

/** The first probe of a job at a place where its check has never shown a weakness, or has just shown one with these requests. */
export async function lookFirst(
  check: Check,
  place: Target,
  session: ProbeSession,
  given: Partial<Given> = {},
): Promise<Assessment> {
  const first = new Examination(check, place, session, null, 'first-look', null, { ...NOTHING_GIVEN, ...given });
  const { assessment } = await first.run();
  return { ...assessment, baseline: await seenAsBrowser(check, place, session, assessment) };
}

/** Repeats the decisive request on a new connection. The other responses are reused from an earlier probe. */
export const repeat = async (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline,
  memory: ProbeMemory | null,
): Promise<Assessment> => (await repeatWithMemory(check, place, session, before, memory)).assessment;

/** The same, and also returns the response to the decisive request. */
export const repeatWithMemory = (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline,
  memory: ProbeMemory | null,
): Promise<Probed> => new Examination(check, place, session, before, 'repeat', memory).run();

/** Requests the control again: a target that fails after a probe may have been failing during the probe. */
export const probeControlAgain = (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline,
): Promise<Probed> => new Examination(check, place, session, before, 'control', null).run();
