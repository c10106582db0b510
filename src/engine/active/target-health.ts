import { setTimeout as wait } from 'node:timers/promises';
import type { SentRequest } from '../sent-request';

/** An answer to a harmless request; null if there was none. */
export interface Reply {
  readonly ms: number;
  readonly status: number;
}
export type Ask = (request: SentRequest, mostMs: number) => Promise<Reply | null>;

const SLOWER = 5;
/** Less is noise of the network. */
const NOTICED_MS = 400;
/** Answers that are judged together. */
const RECENT = 8;
/** Where an application fails with all values of a point: each look waits for twice as many answers, and no longer than these. */
const MOST_UNJUDGED = 64;
const MAX_REFERENCES = 3;
/** Before each further look. With all that runs, it is over in less than a minute. */
const PAUSES_MS = [0, 2_000, 5_000];
/** No look waits longer. */
const LONGEST_MS = 6_000;

const isFailure = (reply: Reply | null): boolean => reply === null || reply.status === 429 || reply.status >= 500;

interface Reference {
  readonly request: SentRequest;
  readonly usual: Reply;
}

/**
 * Notices that a target gets slow or fails. Experiments provoke errors and delays, so these only cause a look at a few harmless
 * pages, which decide: they are requested again with growing pauses, and nothing else is sent meanwhile.
 */
export class TargetHealth {
  private readonly references: Reference[] = [];
  private recent: (Reply | null)[] = [];
  private looking: Promise<void> | null = null;
  private unjudged = 0;
  /** Answers of the application's own failures before the next look. */
  private patience = RECENT;

  constructor(
    private readonly ask: Ask,
    private readonly stop: (reason: string) => unknown,
    private readonly pausesMs: readonly number[] = PAUSES_MS,
  ) {}

  /** How the target answers before anything was injected. The slower of two answers counts. */
  async learn(request: SentRequest): Promise<void> {
    if (this.references.length >= MAX_REFERENCES) return;
    const replies = [await this.ask(request, Infinity), await this.ask(request, Infinity)];
    const [first, second] = replies;
    if (!first || !second || replies.some(isFailure)) return;
    this.references.push({ request, usual: first.ms > second.ms ? first : second });
  }

  /** Whether any page has answered. */
  get isKnown(): boolean {
    return this.references.length > 0;
  }

  /** An answer to any request, or none. */
  answered(reply: Reply | null): void {
    this.recent = [...this.recent, reply].slice(-RECENT);
    this.unjudged += 1;
  }

  /** Waits while it looks at the target. */
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
    // One such answer takes longer than any delay of an experiment.
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

  /** Why the target is not as it was; null as soon as one page is. */
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
