import { setTimeout as delay } from 'node:timers/promises';
import { ExchangeError } from '../transport/exchange';
import type { HttpAnswer, HttpRequest } from '../transport/http';
import { SecretValues } from '../transport/secret-values';
import type { SessionWay, ViaSession } from '../transport/via-session';
import {
  type Account,
  type EndingRequest,
  MOST_FAILED_SIGN_INS,
  SessionEnded,
  type SessionObserver,
  type SessionProof,
} from './account';
import { isOwnOrigin } from './account-origin';
import { CheckRounds } from './check-rounds';
import { isNeverSent } from './ending-words';
import { inTwoAttempts } from './in-session';
import { type CheckAnswer, checkSession, proveBoth } from './session-check';
import type { SessionState } from './session-state';
import { type SignInEnvironment, signInOnce, typedSecrets } from './sign-in-once';
import { TotpCodes } from './totp-codes';

/** Requests between two checks. In a retest, each of whose answers decides, there are fewer. */
const CHECKED_AFTER = 50;
/** How often a check without a clear answer is repeated. */
const TIMES_ASKED = 3;
const PAUSE_MS = 1_000;
const MOST_ENDING_IN_A_ROW = 3;

export interface SessionEnvironment extends SignInEnvironment {
  readonly observer?: SessionObserver;
  /** Requests that are not sent, as remembered for the asset. */
  readonly endingRequests?: readonly EndingRequest[];
  readonly checkedAfter?: number;
}

/** One session, from its sign-in until it was found to be over. */
interface Living {
  readonly state: SessionState;
  readonly view: ViaSession;
  readonly checks: CheckRounds;
  /** Requests since the last check began. */
  sent: number;
  isOver: boolean;
}

/** Thrown when a request would be sent in a session that is over. The work begins again. */
class SessionOver extends Error {}

const keyOf = ({ method = 'GET', path }: EndingRequest): string => `${method} ${path}`;

/** The session of a lane, a retest or a second look, with its time line. */
export class AccountSession implements ViaSession {
  readonly account = this.of.id;
  readonly isEntered = this.of.recipe.kind === 'cookie';
  private current: Living | null = null;
  private renewing: Promise<Living> | null = null;
  private ended: SessionEnded | null = null;
  private endingInARow = 0;
  private isRefusalOut = false;
  private way: SessionWay = this.environment.via;
  readonly codes = TotpCodes.of(this.of);
  private readonly ending = new Map((this.environment.endingRequests ?? []).map((one) => [keyOf(one), one]));

  private constructor(
    readonly of: Account,
    readonly proof: SessionProof,
    readonly environment: SessionEnvironment,
    readonly secrets: SecretValues,
  ) {}

  static async open(account: Account, environment: SessionEnvironment): Promise<AccountSession> {
    const { name, proof } = account;
    if (proof === null)
      throw new SessionEnded('unverifiable', `the account "${name}" has no proof of its session, so confirm one first`);
    const session = new AccountSession(account, proof, environment, new SecretValues(typedSecrets(account)));
    const { state } = await session.alive();
    const { isRefusalOut } = await proveBoth(account, proof, state, environment.transport, session.via);
    session.isRefusalOut = isRefusalOut;
    environment.observer?.proved?.(new Date());
    return session;
  }

  sendThrough(way: SessionWay): void {
    this.way = way;
  }

  get endingRequests(): readonly EndingRequest[] {
    return [...this.ending.values()];
  }

  /** Plain JSON without the secrets of the account, and without those that the target has issued. */
  redacted<T>(value: T): T {
    return this.secrets.redactAll(value);
  }

  /** For requests outside of any work: if the session has ended, the next one sends them. */
  async dressed(request: HttpRequest): Promise<HttpRequest> {
    for (;;) {
      const living = await this.alive();
      try {
        return await this.dressedIn(living, request);
      } catch (error) {
        if (!(error instanceof SessionOver)) throw error;
      }
    }
  }

  answered(request: HttpRequest, answer: HttpAnswer): void {
    this.current?.state.answered(request, answer);
  }

  async attempt<T>(work: (session: ViaSession) => Promise<T>): Promise<{ readonly value: T } | null> {
    const living = await this.alive();
    const done = await this.done(living, work);
    if (done === null || living.isOver || !(await living.checks.proved())) return null;
    this.endingInARow = 0;
    return done;
  }

  async proved<T>(work: (session: ViaSession) => Promise<T>): Promise<T> {
    const done = await inTwoAttempts(() => this.attempt(work));
    if (done !== null) return done.value;
    throw this.end(
      'unproved',
      'has ended twice during the same test, so that nothing shows that its requests were signed in',
    );
  }

  /** After this request alone the session had ended, twice. It is not sent again. */
  leaveOut(request: EndingRequest): void {
    this.endingInARow += 1;
    if (this.endingInARow >= MOST_ENDING_IN_A_ROW) throw this.end('unproved', 'ends after each request');
    this.ending.set(keyOf(request), request);
    this.environment.observer?.endsSession?.(request);
  }

  get via(): SignInEnvironment['via'] {
    return { ...this.environment.via, ...this.way, session: undefined };
  }

  private end(end: SessionEnded['end'], what: string): SessionEnded {
    this.ended ??= new SessionEnded(end, this.secrets.redact(`the session of "${this.of.name}" ${what}`), this.account);
    return this.ended;
  }

  private async done<T>(
    living: Living,
    work: (session: ViaSession) => Promise<T>,
  ): Promise<{ readonly value: T } | null> {
    try {
      return { value: await living.checks.during(() => work(living.view)) };
    } catch (error) {
      if (!(error instanceof SessionOver)) throw error;
      return null;
    }
  }

  private async alive(): Promise<Living> {
    if (this.ended !== null) throw this.ended;
    if (this.current !== null && !this.current.isOver) return this.current;
    this.renewing ??= this.signedIn().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async signedIn(): Promise<Living> {
    const { of, secrets, codes, environment } = this;
    for (let failures = 0; ;) {
      const { state, result, reason } = await signInOnce(of, { ...environment, via: this.via }, secrets, codes);
      if (state !== null) return this.begin(state);
      failures += result === 'failed' ? 1 : 0;
      if (result === 'not_possible') throw this.end('unproved', `could not be opened: ${reason}`);
      if (failures >= MOST_FAILED_SIGN_INS)
        throw this.end(
          'stopped',
          `could not be opened, ${failures} times in a row: ${reason}. Then resume the account`,
        );
    }
  }

  private begin(state: SessionState): Living {
    const { account, isEntered, secrets } = this;
    const view: ViaSession = {
      account,
      isEntered,
      secrets,
      dressed: (request) => this.dressedIn(living, request),
      answered: (request, answer) => state.answered(request, answer),
      attempt: (work) => work(view).then((value) => ({ value })),
      proved: (work) => work(view),
    };
    const checks = new CheckRounds(() => this.checkNow(living));
    const living: Living = { state, view, checks, sent: 0, isOver: false };
    this.current = living;
    // The sign-in itself ended with a check.
    this.environment.observer?.proved?.(new Date());
    return living;
  }

  private async dressedIn(living: Living, request: HttpRequest): Promise<HttpRequest> {
    if (!isOwnOrigin(this.of.origins, request)) return request;
    const { method = 'GET', path } = request;
    if (this.ending.has(keyOf({ method, path })) || isNeverSent(path))
      throw new ExchangeError('egress', 'the request would end the session or change the account, and is not sent');
    if (living.sent >= (this.environment.checkedAfter ?? CHECKED_AFTER)) await living.checks.now();
    if (living.isOver) throw new SessionOver();
    living.sent += 1;
    this.environment.observer?.sent?.();
    return living.state.dressed(request);
  }

  private async checkNow(living: Living): Promise<boolean> {
    if (living.isOver || living.sent === 0) return !living.isOver;
    living.sent = 0;
    const at = new Date();
    const { state, reason } = await this.answer(living);
    if (state === 'in') {
      this.environment.observer?.proved?.(at);
      return true;
    }
    living.isOver = true;
    this.environment.observer?.lost?.(at, this.secrets.redact(reason));
    if (state === 'unclear')
      throw this.end('unproved', `could not be checked: ${reason}. Test again when the target answers`);
    return false;
  }

  private async answer({ state }: Living): Promise<CheckAnswer> {
    const { of, proof, environment } = this;
    for (let asked = 1; ; asked += 1) {
      const seen = await checkSession(of, proof, environment.transport, { ...this.via, session: state });
      const answer =
        seen.state !== 'refused'
          ? seen
          : { ...seen, state: this.isRefusalOut ? ('out' as const) : ('unclear' as const) };
      if (answer.state !== 'unclear' || asked === TIMES_ASKED) return answer;
      await delay(PAUSE_MS, undefined, { signal: this.way.signal });
    }
  }
}

/**
 * Signs in, and proves the session with three checks with it and three without, in random order. Throws `SessionEnded`. Pass the session as
 * `via.session` to `scan`, `activeScan`, `retest`, `refute` or `detect`, one at a time.
 */
export const openSession = (account: Account, environment: SessionEnvironment): Promise<AccountSession> =>
  AccountSession.open(account, environment);
