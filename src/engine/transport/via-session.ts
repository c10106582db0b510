import type { HttpAnswer, HttpRequest } from './http';
import type { SecretValues } from './secret-values';

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
}
