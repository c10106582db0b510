import type { AccountSession, Via } from '../../engine';
import type { TurnRequest, WaitForTurn } from '../accounts';
import type { LaunchRequest } from './launch';

/** Where an account is used: its launch rule is that of active tests. */
export type UseOfAccount = Pick<LaunchRequest, 'eventId' | 'test'> & {
  readonly beaconId: number | null;
  /** For the audit log. */
  readonly work: string;
};

/** What a lane of a job, or a retest, needs to run as an account. */
export interface SessionRequest extends UseOfAccount {
  readonly accountId: number;
  readonly turn: TurnRequest;
  /**
   * It gives the account to no others meanwhile: with two accounts at once they could wait for each other for ever, and a sign-out may
   * end their sessions.
   */
  readonly keepsTurn?: boolean;
  /** Hears why the test waits; null when it goes on. */
  readonly waiting?: (reason: string | null) => void;
  /** Does the waiting: the work gives its slot back meanwhile, and its time does not run. */
  readonly whileWaiting?: WaitForTurn['whileWaiting'];
}

/** `via` sends as the account. Work that signs in and out by itself takes the session instead. */
export type TestInSession<T> = (via: Via, session: AccountSession) => Promise<T>;
