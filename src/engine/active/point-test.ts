import { lookFirst } from '../assess';
import { experimentOf } from '../baseline';
import type { CallbackSyntax, Scout } from '../callbacks';
import { type Check, isWebCheck } from '../check';
import { type CheckResult, resultOf } from '../check-result';
import { ProbeSession, ProbeSessions } from '../probe-session';
import { captchaWallReason } from '../firewall-pages';
import type { Page } from '../page';
import { blockReason } from '../response-trust';
import type { PreviousFinding } from '../scan-request';
import { locationOf, type WebTarget } from '../target';
import { ExchangeFailed } from '../transport/exchange';
import type { Via } from '../transport/transport';
import { type Verification, verify } from '../verdict';
import type { ActiveScanRequest } from './active-scan-request';
import { takeCanary } from './canary';
import type { Canary, EarlierAnswers, InsertionPoint } from '../experiment-record';
import { pathOf, placeOfPoint, requestWith } from './insertion-point';
import { shownOriginal } from './original-answer';
import { usualHeader } from './points/points-of';

/** Per check: more than an experiment and its repeat as a browser need, half of whose responses may be errors. */
const MOST_ERRORS = 90;
const STORM = `the point was left, because more than ${MOST_ERRORS} requests to it were answered with errors of the server`;

const NO_EFFECT = 'what is sent there has no effect that the check could see';

const CLOSED = 'the point was left, because the scope or the consent no longer allows to test its page';

/** Another site can also submit a form that has no token. */
const isCarried = ({ kind, request }: InsertionPoint): boolean =>
  kind === 'query' || kind === 'segment' || (kind === 'form' && request.submits?.fresh.length === 0);
const NOTHING_STORED = 'it tests what forms and writing operations store, and this request only reads';
const NO_LINK = 'no link carries it, so that an attacker cannot choose what a visitor sends there';

class PointLeft extends Error {}

export interface PointToTest {
  readonly key: string;
  readonly point: InsertionPoint;
}

/** Runs all checks at one insertion point. */
export class PointTest {
  readonly results: CheckResult[] = [];
  private point: InsertionPoint;
  private readonly place: WebTarget;
  /** Sends to the page only while the rules allow it. */
  private readonly openVia: Via;
  /** Also ends after too many errors. */
  private readonly via: Via;
  private readonly session: ProbeSession;
  private errors = 0;
  private canary: Canary | null = null;
  /** Lets checks reuse the response to the original request. */
  private prior: EarlierAnswers = {};
  /** Why checks would only see a captcha. */
  private wall: string | null = null;

  constructor(
    private readonly request: ActiveScanRequest,
    readonly tested: PointToTest,
    scanVia: Via,
    /** Sessions of the verifications at one page, by its path. */
    private readonly sessions: Map<string, ProbeSessions>,
  ) {
    this.point = tested.point;
    this.place = placeOfPoint(request.target, tested.point);
    this.openVia = {
      ...scanVia,
      beforeRequest: async (sent) => {
        this.requireOpen();
        await scanVia.beforeRequest?.(sent);
      },
    };
    this.via = {
      ...this.openVia,
      beforeRequest: async (sent) => {
        if (this.errors > MOST_ERRORS) throw new PointLeft(STORM);
        await this.openVia.beforeRequest?.(sent);
      },
      answered: (sent, answer) => {
        scanVia.answered?.(sent, answer);
        // If harmless words get this status too, the application uses it to refuse values.
        if (answer.status >= 500 && answer.status !== this.canary?.answer.status) this.errors += 1;
      },
    };
    this.session = new ProbeSession(request.transport, this.via);
  }

  /** Runs the checks that do not measure time, during which another point may be tested. */
  async runFirst(): Promise<void> {
    try {
      this.canary = await takeCanary(this.point, this.place, this.session);
      if (this.canary.isRaw) this.point = { ...this.point, isRaw: true };
      const { word, answer, original } = this.canary;
      const shown = await shownOriginal(original);
      if (shown !== undefined) this.prior = { original: shown, seen: { original, word: { value: word, answer } } };
      const missing = async (): Promise<Page> => (await this.session.page(this.place, 'missing')).page;
      this.wall = await captchaWallReason(this.canary.original, missing);
      if (this.wall === null && !this.isIgnoredHeader) await this.sendScouts();
    } catch (error) {
      // The checks report the problem themselves.
      if (!(error instanceof ExchangeFailed) && !(error instanceof PointLeft)) throw error;
    }
    await this.run((check) => !measuresTime(check));
  }

  /** Sends everything that may call the listener, so that calls have the time of the other checks. */
  private async sendScouts(): Promise<void> {
    const probe = this.session.probe(this.place);
    const { callbacks } = probe;
    if (callbacks === undefined) return;
    const all = new Set(this.request.checks.flatMap((check) => callbacksOf(check)));
    const group = callbacks.newGroup();
    const scouted: Scout[] = [];
    for (const syntax of [...all].filter(({ fits }) => fits?.(this.point.value) !== false)) {
      const scout = { syntax, host: callbacks.newHost(group), sentAt: callbacks.now() };
      scouted.push(scout);
      this.prior = { ...this.prior, scouted };
      const request = requestWith(this.point, syntax.write(this.point.value, scout.host));
      await probe.requestPage(request).catch((error: unknown) => {
        // The value may break the response, after it has acted.
        if (!(error instanceof ExchangeFailed)) throw error;
      });
    }
  }

  /** Runs the checks that measure response times. */
  runLast(): Promise<void> {
    return this.run(measuresTime);
  }

  private async run(isNow: (check: Check) => boolean): Promise<void> {
    for (const check of this.request.checks.filter(isNow)) {
      this.errors = 0;
      try {
        this.results.push(await this.result(check));
      } catch (error) {
        if (!(error instanceof PointLeft)) throw error;
        this.results.push(this.without(check, 'inconclusive', error.message));
      }
    }
  }

  /** The rules may have become stricter since the scan chose this point. */
  private requireOpen(): void {
    const { isInScope = () => true } = this.request;
    if (!isInScope(this.place)) throw new PointLeft(CLOSED);
  }

  private async result(check: Check): Promise<CheckResult> {
    const { place, point, session } = this;
    this.via.signal.throwIfAborted();
    const known = this.finding(check);
    const obstacle = known === undefined ? this.obstacleTo(check) : null;
    const isBlind = obstacle === NO_EFFECT && callbacksOf(check).length > 0 && this.prior.scouted !== undefined;
    if (obstacle !== null && !isBlind) return this.without(check, 'not_applicable', obstacle);
    const before = experimentOf(known?.baseline ?? null) ?? { ...this.prior, isBlind };
    const seen = await lookFirst(check, place, session, { experiment: { ...before, point } });
    if (isBlind && seen.observation.state !== 'vulnerable') return this.without(check, 'not_applicable', NO_EFFECT);
    const confirm = (finding: PreviousFinding): Promise<Verification | null> => this.verification(check, finding);
    return resultOf({ check, place }, seen, known, confirm, this.request.policy);
  }

  /** Ignores the limit of errors, because it repeats what showed the weakness, including errors of the server. */
  private async verification(check: Check, { baseline, own }: PreviousFinding): Promise<Verification | null> {
    const { transport, otherWww, policy } = this.request;
    const sessions = this.sessionsOfPage();
    return baseline && verify(own ?? check, this.place, baseline, transport, this.openVia, otherWww, policy, sessions);
  }

  private sessionsOfPage(): ProbeSessions {
    const path = pathOf(this.point.request.path);
    const { transport, policy } = this.request;
    const sessions = this.sessions.get(path) ?? new ProbeSessions(transport, this.openVia, policy?.randomBelow);
    this.sessions.set(path, sessions);
    return sessions;
  }

  private finding(check: Check): PreviousFinding | undefined {
    const location = locationOf(this.place);
    return this.request.previousFindings?.find((one) => one.check === check.id && one.location === location);
  }

  /** Why the check is left out, or null. */
  private obstacleTo(check: Check): string | null {
    if (isWebCheck(check) && check.needsSubmission === true && this.point.request.submits === undefined)
      return NOTHING_STORED;
    if (needsLink(check) && !isCarried(this.point)) return NO_LINK;
    return this.wall ?? (this.applies(check) ? null : NO_EFFECT);
  }

  /** Few applications read these headers, and every page would have four such points. */
  private get isIgnoredHeader(): boolean {
    const { canary, point } = this;
    const isUsual = point.kind === 'header' && usualHeader(point.name) !== undefined;
    return isUsual && canary !== null && !canary.reflected && !canary.changes;
  }

  private applies(check: Check): boolean {
    const { canary } = this;
    if (canary === null || blockReason(canary.original) !== null) return true;
    if (this.isIgnoredHeader) return false;
    return !isWebCheck(check) || (check.appliesTo?.(canary) ?? true);
  }

  private without({ id }: Check, outcome: 'inconclusive' | 'not_applicable', reason: string): CheckResult {
    const location = locationOf(this.place);
    return { coverage: { check: id, location, outcome, reason, controlFailure: null, verdict: null }, sighting: null };
  }
}

const needsLink = (check: Check): boolean => isWebCheck(check) && check.needsLink === true;
const callbacksOf = (check: Check): readonly CallbackSyntax[] => (isWebCheck(check) ? (check.callbacks ?? []) : []);
const measuresTime = (check: Check): boolean => isWebCheck(check) && check.measuresTime === true;
