import type { HttpAnswer, HttpHooks, HttpRequest } from './http';
import type { ObservedExchange } from './observed-exchange';
import type { SecretValues } from './secret-values';

/** How a test sends what it sends besides its requests: checks of the session, and sign-ins. */
export interface SessionWay extends HttpHooks {
  readonly signal: AbortSignal;
  readonly observe?: (exchange: ObservedExchange) => void;
}

/** As whom requests are sent. Tests get one from `openSession`, and pass it in `via.session`. */
export interface ViaSession {
  /** Of the account. */
  readonly account: string;
  /** What must not be kept of an exchange. */
  readonly secrets: SecretValues;
  /** The request with what the session adds at the origins of its account. Waits for a sign-in, and throws where there is none. */
  dressed(request: HttpRequest): Promise<HttpRequest>;
  answered(request: HttpRequest, answer: HttpAnswer): void;
  /**
   * Does work whose result counts only if the session was proved before and after it, and was the same one. The work sends its
   * requests through the session that it is given. Null if it does not count.
   */
  attempt<T>(work: (session: ViaSession) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** The same, once more after a new sign-in. Then it throws `SessionEnded`. */
  proved<T>(work: (session: ViaSession) => Promise<T>): Promise<T>;
  /** A request after which alone the session had ended, twice: it is not sent again. */
  leaveOut?(request: { readonly method?: string; readonly path: string }): void;
  /** From now on, checks and sign-ins are part of this test: of its budget, and of its end. */
  sendThrough?(way: SessionWay): void;
}
