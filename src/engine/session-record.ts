import type { AccessRow, NamedAccount } from './access-record';

/**
 * `token`: a JWT whose signature is not checked. `url`: the id of a session in an address. `fixation`: an id from before the
 * sign-in. `sign_out`: a session after its sign-out.
 */
export type SessionKind = 'token' | 'url' | 'fixation' | 'sign_out';

export const CHECK_OF_SESSION: Readonly<Record<SessionKind, string>> = {
  token: 'unverified-jwt',
  url: 'session-id-in-url',
  fixation: 'session-fixation',
  sign_out: 'session-after-sign-out',
};

const ALL: ReadonlySet<string> = new Set(Object.values(CHECK_OF_SESSION));
/** Whether it tests how the sessions of one account are checked. */
export const isOfSession = ({ id }: { readonly id: string }): boolean => ALL.has(id);

const ENDING: ReadonlySet<string> = new Set([CHECK_OF_SESSION.fixation, CHECK_OF_SESSION.sign_out]);

/** Whether it signs in and out, and so needs the consent to full tests. */
export const endsSessions = ({ id }: { readonly id: string }): boolean => ENDING.has(id);

/** One request, and whether its answer showed what only a signed-in user sees. It has no token and no id of a session. */
export interface SessionRow extends Pick<AccessRow, 'expects' | 'status' | 'bytes' | 'at'> {
  readonly as: 'genuine' | 'suspect' | 'control' | 'twin' | 'nobody';
  readonly sent: string;
  readonly observed: string;
}

/** What showed that a session is not checked as it should be, and what a retest repeats. Plain JSON. */
export interface SessionRecord {
  readonly kind: SessionKind;
  readonly account: NamedAccount;
  /** Where requests have the session: `the header Authorization`, `the cookie sid`. */
  readonly carrier: string;
  /** In words: `a JWT with alg none`. */
  readonly variant: string;
  /** Of the request that only a session opens. */
  readonly path: string;
  /** Of the page that leads to the sign-out. */
  readonly page?: string;
  readonly rows: readonly SessionRow[];
}
