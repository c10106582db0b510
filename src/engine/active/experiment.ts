import { randomInt } from 'node:crypto';
import { isAnsweredAsSent, type Sent } from '../answered-alike';
import type { SentRequest } from '../sent-request';
import { missingPath, type Page } from '../page';
import { type Probe } from '../probe';
import { sentRequest } from '../answered-request';
import { blockReason } from '../response-trust';
import { harmlessLike, randomWord } from '../twins';
import { excerpt } from '../transport/redaction';
import { mayBreak, ResponseBroken } from './broken-response';
import type {
  ExperimentRecord,
  ExperimentRow,
  EarlierAnswers,
  InsertionPoint,
  SeenAnswers,
} from '../experiment-record';
import { nameOfRequest, requestWith } from './insertion-point';
import { changeOfOriginal, failsAsBefore, isOwnFailure, OVERLOADS, REFUSALS, shownOriginal } from './original-answer';
import { type Expectation, type OracleOf, statusAndSize } from './oracle';
import type { AnsweredTwin, Outcome, Proof } from './outcome';
import { MOST_BYTES, TooMuchToKeep } from './too-much-to-keep';

export type Oracle = OracleOf<Experiment>;

const LONGEST_VALUE = 500;
const MAX_ROWS = 60;

/** Sends values at one point, and keeps the requests and responses. */
export class Experiment {
  private readonly rows: ExperimentRow[] = [];
  private harmless = this.prior.seen?.word ?? null;
  private first = this.prior.seen?.original ?? null;
  /** The last request that got a response. */
  private decisive: SentRequest | null = null;
  /** Responses to values that inject nothing. */
  private readonly usual: Sent[] = [];
  /** Why a result without the weakness does not count. */
  private doubtfulBecause: string | null = null;
  private bytes = 0;
  private readonly answers: Sent[] = [];
  /** The duration of the last response. */
  lastMs = 0;

  constructor(
    readonly point: InsertionPoint,
    readonly probe: Probe,
    /** Only in a verification: the syntax that showed the weakness, which is tried first. */
    readonly variant: string | null = null,
    /** A repeat only tries this syntax. */
    readonly isRepeat = false,
    /** In a verification, the absence of the weakness must be beyond doubt. */
    private readonly isVerification = variant !== null,
    /** The responses from when the weakness was seen, or from the scan a moment ago. */
    readonly prior: EarlierAnswers = {},
  ) {}

  /** The value as it was found. */
  async original(): Promise<Page> {
    const answer = await this.send(this.point.value, { expects: 'the page as it is', as: 'as found' });
    this.usual.push({ value: this.point.value, answer });
    this.first ??= answer;
    return answer;
  }

  async firstOriginal(): Promise<Page> {
    return this.first ?? this.original();
  }

  async send(
    value: string,
    { expects, observe = statusAndSize, point = this.point, alone, as }: Expectation,
  ): Promise<Page> {
    const { probe } = this;
    const request = requestWith(point, value);
    const name = nameOfRequest(point, as);
    const started = performance.now();
    const answer = await probe
      .http({ ...request, name, alone })
      .catch((error: unknown) => this.withoutAnswer(value, error));
    const ms = Math.round(answer.ms ?? performance.now() - started);
    // Oracles read the response through this, whether or not it is kept.
    const observed = excerpt(observe(answer), LONGEST_VALUE);
    if (this.rows.length < MAX_ROWS)
      this.rows.push({
        step: this.rows.length + 1,
        sent: excerpt(value, LONGEST_VALUE),
        expects,
        observed,
        status: (answer.hops[0] ?? answer).status,
        ms,
      });
    this.decisive = sentRequest({ key: '', path: request.path, request, answer });
    if (point.request.forged === undefined) this.answers.push({ value, answer });
    this.bytes += answer.body.length;
    if (this.bytes > MOST_BYTES) throw new TooMuchToKeep();
    this.lastMs = answer.ms ?? ms;
    return answer;
  }

  /** In a job, an application whose response the value breaks and that answers the next request proves nothing. */
  private async withoutAnswer(value: string, error: unknown): Promise<never> {
    if (this.isVerification || !mayBreak(value, error)) throw error;
    await this.original();
    throw new ResponseBroken(error.message, { cause: error });
  }

  async run(oracle: Oracle): Promise<Outcome> {
    try {
      const isRetest = this.variant !== null;
      // Once or twice at random. A load balancer that takes turns would otherwise send all payloads to the same server.
      const originals = isRetest ? randomInt(1, 3) : this.prior.original === undefined ? 1 : 0;
      const pages = await Promise.all(Array.from({ length: originals }, () => this.original()));
      for (const page of pages) await this.disturbance(page);
      const outcome = await oracle.observe(this);
      if (!this.isVerification || outcome.state === 'proved') return outcome;
      if (outcome.state === 'disturbed' && outcome.refused !== undefined) return outcome;
      const isSound = outcome.state === 'sound';
      const reason = isSound ? (this.doubtfulBecause ?? (isRetest ? await this.changeSinceProof(oracle) : null)) : null;
      if (reason !== null) return { state: 'disturbed', reason };
      // A firewall may answer a payload with any page, whatever the oracle looks for.
      const judged = await this.sound(isSound ? outcome.detail : '', oracle.mayAnswer);
      return isSound || (judged.state === 'disturbed' && judged.refused !== undefined) ? judged : outcome;
    } catch (error) {
      if (error instanceof TooMuchToKeep) return { state: 'disturbed', reason: error.message };
      throw error;
    }
  }

  /**
   * Why the result may miss an existing weakness, or null: the response to the value itself has changed since the proof. The page
   * may ask for a login, or what the value named may have been deleted.
   */
  private async changeSinceProof({ mayAnswer }: Oracle): Promise<string | null> {
    const page = await this.firstOriginal();
    const { original } = this.prior;
    // A page instead of a redirect may come from anyone.
    if (mayAnswer?.(page) === true && (page.status >= 300 || original?.redirect == null)) return null;
    return changeOfOriginal(original, page);
  }

  /** Makes a verification without the weakness inconclusive. By default because a proof failed halfway. */
  readonly doubt = (reason = 'one answer showed the weakness, and a later one did not'): void => {
    this.doubtfulBecause ??= reason;
  };

  /** Marks the response as one of the application: the oracle has judged it. */
  trust(answer: Page): void {
    this.probe.markAsJudged(answer);
  }

  /**
   * Why a response did not come from the application, or null. A response that harmless words get as well counts as its own: a
   * server that refuses every word where it expects a number is fixed if it answers the number.
   */
  async disturbance(answer: Page): Promise<string | null> {
    const reason = blockReason(answer) ?? (REFUSALS.has(answer.status) ? `it is refused with ${answer.status}` : null);
    // In a job, a program that fails with the payload is merely not proved.
    const isOwn = this.isVerification ? await this.failsAsRecorded(answer) : isOwnFailure(answer);
    const isOfWords = async (): Promise<boolean> =>
      !OVERLOADS.has(answer.status) && (await this.works()) && (await this.isAnsweredAsWord({ value: '', answer }));
    if (reason !== null && !isOwn && !(await isOfWords())) return reason;
    this.trust(answer);
    return null;
  }

  /**
   * Returns that the weakness is absent, if nothing disturbed the experiment. A firewall may use any page and status, so in a
   * verification every response must be like that of the value or of a harmless word.
   */
  async sound(detail: string, mayAnswer?: Oracle['mayAnswer']): Promise<Outcome> {
    for (const { value, answer } of this.answers.slice()) {
      const isMended = answer.status >= 300 && mayAnswer?.(answer) === true;
      const reason = isMended ? null : await this.unusual({ value, answer });
      const twin = reason !== null && this.isVerification ? await this.twinOf(value, answer, mayAnswer) : null;
      if (reason === null || twin?.isAlike === true) {
        this.trust(answer);
        continue;
      }
      const sent = `the value of ${this.point.name}: ${reason}, for ${JSON.stringify(excerpt(value, 60))}`;
      return { state: 'disturbed', reason: sent, ...(twin !== null && { refused: { answer, ...twin } }) };
    }
    return { state: 'sound', detail };
  }

  private async unusual(sent: Sent): Promise<string | null> {
    const { answer } = sent;
    const disturbance = await this.disturbance(answer);
    if (disturbance !== null || !this.isVerification || (await this.isUsual(sent))) return disturbance;
    return `it gets a page (${answer.status}) that neither the value nor a harmless word gets`;
  }

  /** If a harmless value of that length is refused too, the application itself validates. Null if this is unknown. */
  private async twinOf(value: string, answer: Page, mayAnswer: Oracle['mayAnswer']): Promise<AnsweredTwin | null> {
    if (!(await this.works())) return null;
    const harmless = mayAnswer === undefined ? harmlessLike(value) : missingPath();
    const twin = await this.send(harmless, { expects: 'control: a harmless value like it', as: 'harmless' });
    if (blockReason(twin) !== null) return null;
    this.trust(twin);
    const isAlike = await isAnsweredAsSent({ value, answer }, { value: harmless, answer: twin });
    if (isAlike) this.usual.push({ value, answer });
    return isAlike || !REFUSALS.has(twin.status) ? { harmless, twin, isAlike } : null;
  }

  /** Returns the response to a harmless word. */
  async word(): Promise<SeenAnswers['word']> {
    const value = randomWord();
    const ask = () => this.send(value, { expects: 'control: a harmless word', as: 'harmless' });
    this.harmless ??= { value, answer: await ask() };
    return this.harmless;
  }

  /** In an outage, every word gets the same failure, and so does the original value. */
  private async works(): Promise<boolean> {
    if (!this.isVerification) return true;
    const first = await this.firstOriginal();
    const isDisturbed = blockReason(first) !== null || REFUSALS.has(first.status);
    if (isDisturbed && !(await this.failsAsRecorded(first))) return false;
    this.trust(first);
    return true;
  }

  /** Whether it fails as when the weakness was seen. Another value must be answered, since all fail in an outage. */
  private async failsAsRecorded(answer: Page): Promise<boolean> {
    const isUp = this.answers.some((one) => blockReason(one.answer) === null);
    return isUp && failsAsBefore(this.prior.original, answer);
  }

  private async isAnsweredAsWord(sent: Sent): Promise<boolean> {
    const word = await this.word();
    // An error page may quote the value that failed.
    const isSame = (sent.answer.status === 500 && word.answer.status === 500) || (await isAnsweredAsSent(sent, word));
    if (isSame || (await this.failsAsRecorded(word.answer))) this.trust(word.answer);
    return isSame;
  }

  private async isUsual(sent: Sent): Promise<boolean> {
    for (const known of this.usual) if (await isAnsweredAsSent(known, sent)) return true;
    if (!(await this.isAnsweredAsWord(sent))) return false;
    this.usual.push(sent);
    return true;
  }

  async record({ variant, certainty, distinction, appearsAt }: Proof): Promise<ExperimentRecord> {
    const { point, rows, decisive } = this;
    const original = (await shownOriginal(this.first)) ?? this.prior.original;
    return { point, variant, certainty, rows, decisive, original, distinction, ...(appearsAt && { appearsAt }) };
  }
}
