import type { Transport, Via } from '../transport/transport';
import type { ViaSession } from '../transport/via-session';
import type { Account, EndingRequest, SessionObserver, SignInBook } from './account';

/** What a sign-in needs. `via` is that of the job, without a session: its beacon, its pace and its end are those of the sign-in too. */
export interface SignInEnvironment {
  readonly transport: Transport;
  readonly via: Via;
  readonly book: SignInBook;
}

export interface SessionEnvironment extends SignInEnvironment {
  readonly observer?: SessionObserver;
  /** Remembered for the asset: they are not sent. */
  readonly endingRequests?: readonly EndingRequest[];
}

/** The session of one lane of a job, of a retest or of a second look. */
export interface AccountSession extends ViaSession {
  /** Remembered ones, and those of this lane. */
  readonly endingRequests: readonly EndingRequest[];
  /** Plain JSON without the secrets of the account, and without those that the target has issued. */
  redacted<T>(value: T): T;
}

/**
 * Signs in, and proves the session with three checks in and three out in random order. Throws `SessionEnded`. Pass the session as
 * `via.session` to `scan`, `activeScan`, `retest`, `refute` or `detect`, one at a time.
 */
export async function openSession(_account: Account, _environment: SessionEnvironment): Promise<AccountSession> {
  throw new Error('not built yet');
}
