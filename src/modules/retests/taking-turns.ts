import type { AccountTurn } from '../accounts';
import type { ViaSession } from '../../engine';

/** The most requests of a turn while others wait. */
const MAX_REQUESTS = 50;

/** A turn of an account, and what was sent in it. */
export class CountedTurn {
  sent = 0;
  private running = 0;
  private pause: Promise<void> | null = null;

  constructor(private readonly turn: AccountTurn) {}

  /** Others may go first between two pieces of work, not within one: another sign-in may end the session. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    while (this.pause !== null) await this.pause;
    if (this.sent >= MAX_REQUESTS && this.running === 0) {
      this.pause = this.turn
        .yield()
        .then(() => void (this.sent = 0))
        .finally(() => void (this.pause = null));
      await this.pause;
    }
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }
}

/** A session that lets other work with its account go first, at most 50 requests after its turn began. */
export const takingTurns = (session: ViaSession, turn: CountedTurn): ViaSession => ({
  account: session.account,
  secrets: session.secrets,
  dressed: (request) => session.dressed(request),
  answered: (request, answer) => session.answered(request, answer),
  attempt: (work) => turn.during(() => session.attempt(work)),
  proved: (work) => turn.during(() => session.proved(work)),
  leaveOut: (request) => session.leaveOut?.(request),
  sendThrough: (way) => session.sendThrough?.(way),
});
