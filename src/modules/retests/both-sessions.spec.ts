import type { Via } from '../../engine';
import type { AccountSessions } from './account-sessions';
import type { SessionRequest } from './session-request';
import { inBothSessions } from './both-sessions';

const request = {
  turn: { holder: 'job 1', what: 'a scan', priority: 1 },
  beaconId: null,
  eventId: null,
  work: 'job 1',
};

it.each([
  [7, 9],
  [9, 7],
])('asks for the account with the lower id first, and keeps both: %i and %i', async (first, second) => {
  const asked: (readonly [number, boolean | undefined])[] = [];
  const sessions = {
    run: async <T>({ accountId, keepsTurn }: SessionRequest, via: Via, test: (via: Via) => Promise<T>): Promise<T> => {
      asked.push([accountId, keepsTurn]);
      // Nothing is sent in the session of the other account.
      expect(via.session).toBeUndefined();
      return test({ ...via, session: { account: String(accountId) } as Via['session'] });
    },
  } as unknown as AccountSessions;
  const via = { signal: new AbortController().signal };
  const seen = await inBothSessions(sessions, [first, second], request, via, async (one, other) => [
    one.session?.account,
    other.session?.account,
  ]);
  expect(asked).toEqual([
    [7, true],
    [9, true],
  ]);
  expect(seen).toEqual([String(first), String(second)]);
});
