import type { Via } from '../../engine';
import type { AccountSessions } from './account-sessions';
import type { SessionRequest } from './session-request';

/**
 * Does work in a session of each of two accounts, which are opened for it. All work asks for the account with the lower id first,
 * so that none waits for what another one has that waits for it.
 */
export function inBothSessions<T>(
  sessions: AccountSessions,
  [first, second]: readonly [number, number],
  request: Omit<SessionRequest, 'accountId' | 'keepsTurn'>,
  via: Via,
  work: (first: Via, second: Via) => Promise<T>,
): Promise<T> {
  const [lower, higher] = first < second ? [first, second] : [second, first];
  const run = <R>(accountId: number, nobody: Via, test: (via: Via) => Promise<R>): Promise<R> =>
    sessions.run({ ...request, accountId, keepsTurn: true }, nobody, test);
  return run(lower, via, (one) =>
    run(higher, { ...one, session: undefined }, (other) => (lower === first ? work(one, other) : work(other, one))),
  );
}
