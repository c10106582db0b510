import type { HttpAnswer, HttpHooks, HttpRequest } from './http';
import type { ObservedExchange } from './observed-exchange';
import type { SecretValues } from './secret-values';

/** How a test sends requests in addition to its own: those that check the session, and those that sign in. */
export interface SessionWay extends HttpHooks {
  readonly signal: AbortSignal;
  readonly observe?: (exchange: ObservedExchange) => void;
}

/** The account as which requests are sent. Tests get it from `openSession`, and pass it in `via.session`. */
export interface ViaSession {
  /** The id of the account. */
  readonly account: string;
  /** Whether its cookies were entered, so that their `SameSite` is not known. */
  readonly isEntered?: boolean;
  /** Values that must not be stored with an exchange. */
  readonly secrets: SecretValues;
  /** Adds the session to a request for an origin of its account. Waits for a sign-in, and throws if there is none. */
  dressed(request: HttpRequest): Promise<HttpRequest>;
  answered(request: HttpRequest, answer: HttpAnswer): void;
  /**
   * Runs work whose result only counts if the session was proved before and after it, and was the same one. The work sends its
   * requests through the session that it receives. Null if the result does not count.
   */
  attempt<T>(work: (session: ViaSession) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** Like `attempt`, but repeats the work once after a new sign-in. After that it throws `SessionEnded`. */
  proved<T>(work: (session: ViaSession) => Promise<T>): Promise<T>;
  /** Called with a request that alone ended the session twice. It is not sent again. */
  leaveOut?(request: { readonly method?: string; readonly path: string }): void;
  /** From then on, checks and sign-ins are part of this test, with its budget and its end. */
  sendThrough?(way: SessionWay): void;
}
