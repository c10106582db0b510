import { type Baseline, withBrowserView } from './baseline';
import { type Check, isRepeatable, isWebCheck, type Observation, notVulnerable, inconclusive } from './check';
import { askForMissing, confirmAbsence, cachedPageReason, siteChange } from './confirm-absence';
import { type Control, takeControl } from './control';
import { blockReason, isRefusal } from './response-trust';
import { type ProbeContext, initialTrustOf } from './initial-verification';
import { learnBaseline } from './learn-baseline';
import { type Page, redirectOf } from './page';
import type { Replay, TargetProbe } from './probe';
import { isWeb, locationOf, type Target } from './target';
import { type Exchange, ExchangeFailed } from './transport/exchange';
import type { ClientIdentity } from './transport/client-identity';
import type { HttpAnswer } from './transport/http';
import { excerpt } from './transport/redaction';
import type { ProbeSession } from './probe-session';

/** One probe of a target by a check, with what it rests on. */
export interface Assessment {
  /**
   * All that the check asks; the decisive request of an earlier probe once more; the control and how a missing path is
   * answered; or a request in between, so that the order of requests cannot be foreseen.
   */
  readonly kind: 'probe' | 'repeat' | 'control' | 'interleaved';
  readonly started: string;
  readonly observation: Observation;
  /** Why the control did not hold, or null when it did. */
  readonly controlFailure: string | null;
  /** How the decisive request was answered, in a word; null where there was none. */
  readonly answer: string | null;
  /** What the target was like when the weakness showed; null when it did not, or nothing can be compared with it. */
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
}

/** What a probe keeps for those that repeat its decisive request alone. */
export interface ProbeMemory {
  /** A client of another kind may be answered otherwise. */
  readonly identity: ClientIdentity;
  readonly control: Control;
  readonly missing: Page | null;
  readonly replay: Replay;
}

export interface Probed {
  readonly assessment: Assessment;
  readonly memory: ProbeMemory | null;
}

function observe(
  check: Check,
  target: Target,
  probe: TargetProbe,
  { page }: Control,
): Observation | Promise<Observation> {
  if (!isWebCheck(check)) return check.observe({ target, probe });
  if (page === null || !isWeb(target)) throw new Error(`${check.id} needs a page and was given ${locationOf(target)}`);
  return check.observe({ target, page, probe });
}

/** At the initial verification it is enough that an anonymous client does not get the weakness, for whatever reason. */
async function initialObservation(seen: Observation, context: ProbeContext): Promise<Observation> {
  const notes: string[] = [];
  for (const asked of context.probe.requests) {
    const trust = await initialTrustOf(asked, context);
    if (trust.kind === 'untrusted') return inconclusive(trust.reason);
    if (trust.kind === 'restricted') notes.push(trust.note);
  }
  const [note] = notes;
  if (note === undefined) return seen;
  const rest = notes.length > 1 ? `, and ${notes.length - 1} more` : '';
  return notVulnerable(`${seen.detail} for anonymous clients (${note}${rest})`);
}

const LONGEST_DETAIL = 1_000;

const withBoundedDetail = ({ state, detail }: Observation): Observation => ({
  state,
  detail: excerpt(detail, LONGEST_DETAIL),
});

const answerSummary = (page: HttpAnswer): string => {
  const to = redirectOf(page);
  return to === null ? `${page.status}` : `${page.status} to ${to.origin}${to.pathname}`.slice(0, 200);
};

/** One probe under way. */
class Examination {
  private missing: Page | null = null;

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly session: ProbeSession,
    private readonly before: Baseline | null,
    private readonly kind: Assessment['kind'],
    private readonly memory: ProbeMemory | null,
    private readonly probe = session.probe(place, memory?.replay ?? null, decisiveKey(before)),
  ) {}

  async run(): Promise<Probed> {
    const started = new Date().toISOString();
    const { kind, probe } = this;
    const { exchanges } = probe;
    let control: Control | null = null;
    try {
      control = await this.control();
      const observation = await this.observation(control);
      const isVulnerable = observation.state === 'vulnerable';
      const baseline = isVulnerable ? await learnBaseline(this.check, this.place, control, probe, this.session) : null;
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
      };
      return { assessment, memory: this.memoryOf(control) };
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      if (!exchanges.includes(error.exchange)) exchanges.push(error.exchange);
      const controlFailure = control === null ? error.message : control.controlFailure;
      const observation = inconclusive(error.message);
      return {
        assessment: { kind, started, observation, controlFailure, answer: null, baseline: null, exchanges },
        memory: null,
      };
    }
  }

  /** Where the control is not what showed the weakness, a repeated request needs no other one. */
  private control(): Promise<Control> {
    const { check, place, before, probe, session, memory } = this;
    const isKnown = memory !== null && memory.replay.decisive.kind !== 'page';
    return isKnown ? Promise.resolve(memory.control) : takeControl(check, place, before, probe, session);
  }

  private async observation(control: Control): Promise<Observation> {
    const { controlFailure } = control;
    const proves = isWebCheck(this.check) && this.check.selfEvident === true;
    if (controlFailure !== null && !proves) return inconclusive(controlFailure);
    const seen =
      this.kind === 'control'
        ? notVulnerable('the target matches its baseline')
        : await observe(this.check, this.place, this.probe, control);
    if (seen.state === 'vulnerable') return this.confirmVulnerable(seen, proves);
    if (controlFailure !== null) return inconclusive(controlFailure);
    return seen.state === 'not_vulnerable' ? this.confirmNotVulnerable(seen, control) : seen;
  }

  /** What lacks something is vulnerable to some checks, and so is the page of a limit or a wall that stands in its place. */
  private confirmVulnerable(seen: Observation, proves: boolean): Observation {
    const asked = this.probe.requests.at(-1);
    if (proves || this.before?.on !== 'web' || asked === undefined) return seen;
    const { answer, key } = asked;
    if (answer.status === this.before.answers[key]) return seen;
    const blockage = blockReason(answer) ?? (isRefusal(answer) ? `it is refused with ${answer.status}` : null);
    return blockage === null ? seen : inconclusive(`${asked.path}: ${blockage}`);
  }

  /** Not vulnerable is what an answer shows, never what the lack of one does. */
  private async confirmNotVulnerable(seen: Observation, { page }: Control): Promise<Observation> {
    const { probe, place, session, before } = this;
    if (this.kind === 'probe' && probe.exchanges.length === 0)
      return inconclusive('the check sent no request to the target');
    if (page === null) return seen;
    if (before === null) return initialObservation(seen, { place, control: page, probe, session });
    if (before.on !== 'web') return seen;
    const isPageJudged = this.check.on !== 'tls' && this.kind !== 'control' && probe.requests.length === 0;
    const stale = isPageJudged ? cachedPageReason(before, page) : null;
    if (stale !== null) return inconclusive(stale);
    const isAboutSite = before.decisive.kind === 'http' || probe.requests.length > 0;
    if (!isAboutSite) return confirmAbsence(seen, before, page, page, probe);
    this.missing = this.memory?.missing ?? (await askForMissing(before, place, session, probe));
    const change = this.memory === null ? await siteChange(before, this.missing, place, session, probe) : null;
    return change === null ? confirmAbsence(seen, before, page, this.missing, probe) : inconclusive(change);
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
    return { identity, control, missing, replay: { decisive: before.decisive, answers, handshakes: probe.handshakes } };
  }
}

export const decisiveKey = (before: Baseline | null): string | null =>
  before?.on === 'web' && before.decisive.kind === 'http' ? before.decisive.key : null;

/** All that a check asks, and what is kept for repeating the decisive part of it. */
export const examine = (check: Check, place: Target, session: ProbeSession, before: Baseline | null): Promise<Probed> =>
  new Examination(check, place, session, before, 'probe', null).run();

/** A weakness that was just seen, seen as a browser as well: what that is shown may be in another language. */
export async function seenAsBrowser(
  check: Check,
  place: Target,
  session: ProbeSession,
  { observation, baseline }: Assessment,
): Promise<Baseline | null> {
  if (observation.state !== 'vulnerable' || baseline?.on !== 'web') return baseline;
  if (check.on === 'tls' || !isRepeatable(check)) return baseline;
  const { assessment } = await examine(check, place, session.asBrowser, null);
  return withBrowserView(baseline, assessment.baseline);
}

/**
 * The control, then the check, then whether its answers can be trusted: detection and every probe of a verification are
 * this. Given the baseline of an earlier probe, the control is compared with it.
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

/** The request once more that showed the weakness, on a connection of its own, judged beside the rest of an earlier probe. */
export const repeat = async (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline,
  memory: ProbeMemory | null,
): Promise<Assessment> => (await new Examination(check, place, session, before, 'repeat', memory).run()).assessment;

/** The site without the check: a target that breaks down after a probe may have been breaking down during it. */
export const probeControlAgain = async (
  check: Check,
  place: Target,
  session: ProbeSession,
  before: Baseline,
): Promise<Assessment> => (await new Examination(check, place, session, before, 'control', null).run()).assessment;
