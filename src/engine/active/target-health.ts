import { setTimeout as wait } from 'node:timers/promises';
import type { SentRequest } from '../sent-request';

/** The response to a harmless request; null if there was none. */
export interface Reply {
  readonly ms: number;
  readonly status: number;
}
export type Ask = (request: SentRequest, mostMs: number) => Promise<Reply | null>;

const SLOWER = 5;
/** Smaller differences are network noise. */
const NOTICED_MS = 400;
/** The number of responses that are judged together. */
const RECENT = 8;
/**
 * If an application fails with all values of a point, each look waits for twice as many responses as the one before, up to this
 * number.
 */
const MOST_UNJUDGED = 64;
const MAX_REFERENCES = 3;
/** Pauses before each further look. With them, checking all pages takes less than a minute. */
const PAUSES_MS = [0, 2_000, 5_000];
/** The longest wait for a response to a look. */
const LONGEST_MS = 6_000;

const isFailure = (reply: Reply | null): boolean => reply === null || reply.status === 429 || reply.status >= 500;

interface Reference {
  readonly request: SentRequest;
  readonly usual: Reply;
}

/**
 * Detects that a target becomes slow or fails. Experiments provoke errors and delays, so these only trigger a look at a few
 * harmless pages, which decide. The pages are requested again with growing pauses, and nothing else is sent meanwhile.
 */
export class TargetHealth {
  private readonly references: Reference[] = [];
  private recent: (Reply | null)[] = [];
  private looking: Promise<void> | null = null;
  private unjudged = 0;
  /** The number of responses with the application's own failures before the next look. */
  private patience = RECENT;

  constructor(
    private readonly ask: Ask,
    private readonly stop: (reason: string) => unknown,
    private readonly pausesMs: readonly number[] = PAUSES_MS,
  ) {}

  /** Measures the response time before anything is injected. The slower of two responses counts. */
  async learn(request: SentRequest): Promise<void> {
    if (this.references.length >= MAX_REFERENCES) return;
    const replies = [await this.ask(request, Infinity), await this.ask(request, Infinity)];
    const [first, second] = replies;
    if (!first || !second || replies.some(isFailure)) return;
    this.references.push({ request, usual: first.ms > second.ms ? first : second });
  }

  /** Whether any page has answered so far. */
  get isKnown(): boolean {
    return this.references.length > 0;
  }

  /** Records the response to any request; null if there was none. */
  answered(reply: Reply | null): void {
    this.recent = [...this.recent, reply].slice(-RECENT);
    this.unjudged += 1;
  }

  /** Resolves immediately, or when a look at the target has ended. */
  async ready(): Promise<void> {
    if (this.looking === null && !this.needsLook()) return;
    this.looking ??= this.look().finally(() => {
      this.recent = [];
      this.unjudged = 0;
      this.looking = null;
    });
    await this.looking;
  }

  private needsLook(): boolean {
    const { recent } = this;
    const usual = Math.max(...this.references.map((one) => one.usual.ms));
    if (!this.isKnown || recent.length === 0) return false;
    const last = recent.at(-1) ?? null;
    // One response that is slower than any delay of an experiment is enough.
    if (last === null || last.ms > LONGEST_MS + usual) return true;
    if (recent.length < RECENT) return false;
    if (this.isMost((one) => isSlow(one, usual))) return true;
    if (!this.isMost(isFailure)) {
      this.patience = RECENT;
      return false;
    }
    if (this.isMost((one) => isFailure(one) && one?.status !== 500)) return true;
    if (this.unjudged < this.patience) return false;
    this.patience = Math.min(2 * this.patience, MOST_UNJUDGED);
    return true;
  }

  private isMost(is: (reply: Reply | null) => boolean): boolean {
    return this.recent.filter(is).length > RECENT / 2;
  }

  private async look(): Promise<void> {
    let reason: string | null = null;
    for (const pause of this.pausesMs) {
      await wait(pause);
      reason = await this.complaint();
      if (reason === null) return;
    }
    this.stop(reason ?? '');
  }

  /** How the target has changed; null as soon as one page is as before. */
  private async complaint(): Promise<string | null> {
    let reason: string | null = null;
    for (const { request, usual } of this.references) {
      const reply = await this.ask(request, LONGEST_MS);
      if (reply === null) return `the target stopped responding: ${request.path} got no answer in time`;
      if (isFailure(reply)) reason = `the target began to fail: ${request.path} responds with ${reply.status}`;
      else if (isSlow(reply, usual.ms))
        reason = `the target became slow: ${request.path} took ${Math.round(reply.ms)} ms instead of ${Math.round(usual.ms)} ms`;
      else return null;
    }
    return reason;
  }
}

const isSlow = (reply: Reply | null, usualMs: number): boolean =>
  reply === null || (reply.ms > usualMs * SLOWER && reply.ms > usualMs + NOTICED_MS);
