/** What a request needs that may change the target. */
export interface Submission {
  /** The page with the form, which is read before each submission; null for an operation of an API. */
  readonly page: string | null;
  /** The fields whose values come from the form each time, such as CSRF tokens. */
  readonly fresh: readonly string[];
  /** The boxes that it did not tick when it was found. A form with another one asks for more. */
  readonly unticked?: readonly string[];
  /** Whether its form may have more hidden tokens than when it was found. They are filled in as well. */
  readonly mayGainTokens?: boolean;
  /** The step before it, whose response has the form in place of the page. */
  readonly after?: SentRequest;
}

/** Who sends a form from another site: the account, or a visitor without one who has the cookies of the page. */
export interface Forged {
  readonly as: 'account' | 'visitor';
  /** What the browser says about that site. */
  readonly sender: string;
  readonly page: string | null;
}

/** A request as plain JSON. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Replaces the path in the key, if requests of the same path differ in other parts. */
  readonly name?: string;
  /** Set if it submits a form or calls a writing operation. It is sent only where submissions are allowed. */
  readonly submits?: Submission;
  /** Set if another site sends it. */
  readonly forged?: Forged;
}
