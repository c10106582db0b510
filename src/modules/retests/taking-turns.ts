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
  let sent = 0;
  let running = 0;
  let pause: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    while (pause !== null) await pause;
    if (sent >= MAX_REQUESTS && running === 0) {
      pause = turn
        .yield()
        .then(() => void (sent = 0))
        .finally(() => void (pause = null));
      await pause;
    }
    running += 1;
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await begin();
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
  return {
    account: session.account,
    secrets: session.secrets,
    dressed: (request) => {
      sent += 1;
      return session.dressed(request);
    },
    answered: (request, answer) => session.answered(request, answer),
    attempt: (work) => inTurn(() => session.attempt(work)),
    proved: (work) => inTurn(() => session.proved(work)),
  };
}
