import { randomInt } from 'node:crypto';
import { isAnsweredAs } from '../answered-alike';
import type { SentRequest } from '../sent-request';
import { isFirewallPage } from '../firewall-pages';
import type { Page } from '../page';
import { type Probe, sentRequest } from '../probe';
import { blockReason } from '../response-trust';
import { excerpt } from '../transport/redaction';
import { mayBreak, ResponseBroken } from './broken-response';
import type { Canary, ExperimentRecord, ExperimentRow, InsertionPoint, PriorAnswers } from './experiment-record';
import { requestWith } from './insertion-point';
import { changeOfOriginal, shownOriginal } from './original-answer';
import type { IsFix, Outcome, Proof } from './outcome';

export interface Oracle {
  /** Whether it can see anything at a point that is answered so; by default it can. */
  readonly appliesTo?: (canary: Canary) => boolean;
  /** It measures how long answers take, so nothing else is tested meanwhile. */
  readonly measuresTime?: boolean;
  /** Whether the fix may answer the value itself so, although it was answered in another way before. */
  readonly mayAnswer?: (original: Page, value: string) => boolean;
  observe(experiment: Experiment): Promise<Outcome>;
}

const LONGEST_VALUE = 500;
/** More rows show nothing that the first ones do not. */
const MAX_ROWS = 60;

/** Statuses with which a firewall, a limit or a failure answers instead of the application. */
const REFUSALS = new Set([401, 402, 403, 405, 406, 407, 418, 421, 429, 451]);

/** Everybody gets them now, so that they say nothing about a word. */
const OVERLOADS = new Set([429, 503]);

/** Of the answers at one point, which are all kept until it is judged. */
const MOST_BYTES = 64_000_000;

class TooMuchToKeep extends Error {
  constructor() {
    super(`its answers have more than ${MOST_BYTES / 1_000_000} MB together`);
  }
}

interface Expectation {
  /** For people: what the answer has to be. */
  readonly expects: string;
  /** What it was, as soon as that is known. */
  readonly observe?: (answer: Page) => string;
  /** For a control at another place of the request. */
  readonly point?: InsertionPoint;
  /** It is the value itself, which is sent once or twice: the keys of other values must not depend on that. */
  readonly asFound?: boolean;
  /** It measures how long the answer takes. */
  readonly alone?: boolean;
}

/** Sends values at one point, and keeps what was sent and what came. */
export class Experiment {
  private readonly rows: ExperimentRow[] = [];
  private harmless: { readonly value: string; readonly answer: Page } | null = null;
  private first: Page | null = null;
  /** The last request that was answered. */
  private decisive: SentRequest | null = null;
  /** How the application answers to values that inject nothing. */
  private readonly usual: Page[] = [];
  /** Why a result without the weakness shows nothing. */
  private doubtfulBecause: string | null = null;
  private bytes = 0;
  private readonly answers: { readonly value: string; readonly answer: Page }[] = [];
  /** How long the last answer took. */
  lastMs = 0;

  constructor(
    readonly point: InsertionPoint,
    private readonly probe: Probe,
    /** In a verification the syntax that showed the weakness, which is tried first. */
    readonly variant: string | null = null,
    /** A repeat tries this syntax alone. */
    readonly isRepeat = false,
    /** Absence is the answer to a finding: it has to be beyond doubt. */
    readonly isVerification = variant !== null,
    /** How it was answered when the weakness was seen, or a moment ago by the scan. */
    readonly prior: PriorAnswers = {},
  ) {}

  /** The value as it was found. */
  async original(): Promise<Page> {
    const answer = await this.send(this.point.value, { expects: 'the page as it is', asFound: true });
    this.usual.push(answer);
    this.first ??= answer;
    return answer;
  }

  async firstOriginal(): Promise<Page> {
    return this.first ?? this.original();
  }

  async send(
    value: string,
    { expects, observe = defaultObservation, point = this.point, alone, asFound = false }: Expectation,
  ): Promise<Page> {
    const { probe } = this;
    const request = requestWith(point, value);
    // The values are random, so the key in the baseline must not contain them.
    const name = `${point.request.path} [${point.kind} ${point.name}${asFound ? ', as found' : ''}]`;
    const started = performance.now();
    const answer = await probe
      .http({ ...request, name, alone })
      .catch((error: unknown) => this.withoutAnswer(value, error));
    const ms = Math.round(answer.ms ?? performance.now() - started);
    // Oracles read the answer by this, whether or not it is kept.
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
    this.answers.push({ value, answer });
    this.bytes += answer.body.length;
    if (this.bytes > MOST_BYTES) throw new TooMuchToKeep();
    this.lastMs = answer.ms ?? ms;
    return answer;
  }

  /** In a job: who can break the response with such a value, and serves the next request, tells nothing by that. */
  private async withoutAnswer(value: string, error: unknown): Promise<never> {
    if (this.isVerification || !mayBreak(value, error)) throw error;
    await this.original();
    throw new ResponseBroken(error.message, { cause: error });
  }

  async run(oracle: Oracle): Promise<Outcome> {
    try {
      const isRetest = this.variant !== null;
      // Once or twice, so that a balancer which takes turns does not send all payloads to the same server.
      const originals = isRetest ? randomInt(1, 3) : this.prior.original === undefined ? 1 : 0;
      for (let sent = 0; sent < originals; sent += 1) await this.disturbance(await this.original());
      const outcome = await oracle.observe(this);
      if (!this.isVerification || outcome.state !== 'sound') return outcome;
      const reason = this.doubtfulBecause ?? (isRetest ? await this.changeSinceProof(oracle) : null);
      return reason === null ? outcome : { state: 'disturbed', reason };
    } catch (error) {
      if (error instanceof TooMuchToKeep) return { state: 'disturbed', reason: error.message };
      throw error;
    }
  }

  /**
   * Why nothing shows the weakness even if it is there, or null: the value is no longer answered as it was then. The page
   * may ask for a login, or what it was about may have been deleted.
   */
  private async changeSinceProof({ mayAnswer }: Oracle): Promise<string | null> {
    const page = await this.firstOriginal();
    if (mayAnswer?.(page, this.point.value) === true) return null;
    return changeOfOriginal(this.prior.original, page);
  }

  /** Makes a verification inconclusive that shows no weakness. By default its proof has failed half-way. */
  readonly doubt = (reason = 'one answer showed the weakness, and a later one did not'): void => {
    this.doubtfulBecause ??= reason;
  };

  /** The answer counts as one of the application: the oracle has judged it. */
  trust(answer: Page): void {
    this.probe.markAsJudged(answer);
  }

  /**
   * Why an answer is none of the application, or null. An answer that a harmless word gets as well is one: a server that
   * refuses every word where it expects a number is fixed, if it answers the number.
   */
  async disturbance(answer: Page): Promise<string | null> {
    const reason = blockReason(answer) ?? (REFUSALS.has(answer.status) ? `it is refused with ${answer.status}` : null);
    // In a job a program that fails with what it was sent is not proved, and no more.
    const isOwnFailure = !this.isVerification && answer.status === 500 && !isFirewallPage(answer);
    const isOfWords = async (): Promise<boolean> =>
      !OVERLOADS.has(answer.status) && (await this.works()) && (await this.isAnsweredAsWord(answer));
    if (reason !== null && !isOwnFailure && !(await isOfWords())) return reason;
    this.trust(answer);
    return null;
  }

  /**
   * The weakness is not there, if nothing disturbed the experiment. A firewall may show any page with any status, so in a
   * verification everything has to be answered as the value is, or as a harmless word.
   */
  async sound(detail: string, isFix: IsFix = () => false): Promise<Outcome> {
    for (const { value, answer } of this.answers.slice()) {
      const reason =
        (await this.disturbance(answer)) ??
        (this.isVerification && !isFix(answer) && !(await this.isUsual(answer))
          ? `it gets a page (${answer.status}) that neither the value nor a harmless word gets`
          : null);
      if (reason !== null) return { state: 'disturbed', reason: `${JSON.stringify(excerpt(value, 200))}: ${reason}` };
    }
    return { state: 'sound', detail };
  }

  /** How a harmless word is answered. */
  async word(): Promise<{ readonly value: string; readonly answer: Page }> {
    const value = randomWord();
    this.harmless ??= { value, answer: await this.send(value, { expects: 'control: a harmless word' }) };
    return this.harmless;
  }

  /** In an outage every word gets the same failure, and so does the value that the page expects. */
  private async works(): Promise<boolean> {
    if (!this.isVerification) return true;
    const first = await this.firstOriginal();
    if (blockReason(first) !== null || REFUSALS.has(first.status)) return false;
    this.trust(first);
    return true;
  }

  private async isAnsweredAsWord(answer: Page): Promise<boolean> {
    const { answer: word } = await this.word();
    // A page about a failure may quote what failed.
    const isSame = (answer.status === 500 && word.status === 500) || (await isAnsweredAs(answer, word));
    if (isSame) this.trust(word);
    return isSame;
  }

  private async isUsual(answer: Page): Promise<boolean> {
    for (const known of this.usual) if (await isAnsweredAs(known, answer)) return true;
    if (!(await this.isAnsweredAsWord(answer))) return false;
    this.usual.push(answer);
    return true;
  }

  async record({ variant, certainty, distinction }: Proof): Promise<ExperimentRecord> {
    const { point, rows, decisive, first, prior } = this;
    const original = (await shownOriginal(first)) ?? prior.original;
    return { point, variant, certainty, rows, decisive, original, distinction };
  }
}

const defaultObservation = ({ status, body }: Page): string => `${status}, ${body.length} bytes`;

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';

/** No word of a language, and nothing that a filter looks for. */
export const randomWord = (length = 9): string =>
  Array.from({ length }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join('');
