import type { AccountTurn } from '../accounts';
import type { AccountSession } from '../../engine';

/** Others wait no longer. */
const MAX_REQUESTS = 50;

type Session = Pick<AccountSession, 'account' | 'secrets' | 'dressed' | 'answered' | 'attempt' | 'proved'>;

/**
 * A session that lets those who wait for its account go first, at most 50 requests after its turn began: between attempts, because
 * another sign-in may end the session.
 */
export function takingTurns(session: Session, turn: AccountTurn): Session {
  const now: { sent: number; running: number; pause: Promise<void> | null } = { sent: 0, running: 0, pause: null };
  const begin = async (): Promise<void> => {
    while (now.pause !== null) await now.pause;
    if (now.sent >= MAX_REQUESTS && now.running === 0) {
      now.pause = turn
        .yield()
        .then(() => void (now.sent = 0))
        .finally(() => void (now.pause = null));
      await now.pause;
    }
    now.running += 1;
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await begin();
    try {
      return await work();
    } finally {
      now.running -= 1;
    }
  };
  return {
    account: session.account,
    secrets: session.secrets,
    dressed: (request) => {
      now.sent += 1;
      return session.dressed(request);
    },
    answered: (request, answer) => session.answered(request, answer),
    attempt: (work) => inTurn(() => session.attempt(work)),
    proved: (work) => inTurn(() => session.proved(work)),
  };
}
