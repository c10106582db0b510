const PING_MS = 5_000;
/** A connection without any traffic for this time counts as lost. */
const SILENCE_MS = 15_000;

/** Pings the other side, and reports when nothing was received from it for too long. */
export class Heartbeat {
  private lastReceived = Date.now();
  private readonly timer: NodeJS.Timeout;

  constructor(ping: () => void, lose: (reason: string) => void) {
    this.timer = setInterval(() => {
      if (Date.now() - this.lastReceived < SILENCE_MS) ping();
      else lose(`nothing was received for ${SILENCE_MS / 1_000} seconds`);
    }, PING_MS);
  }

  /** Called with everything that arrives. */
  received(): void {
    this.lastReceived = Date.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
