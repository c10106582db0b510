/** The time limit of an exchange. It is paused while the exchange waits for its turn at the target. */
export class ExchangeClock {
  readonly signal: AbortSignal;
  waitedMs = 0;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private started = 0;
  private waiting = 0;

  constructor(
    private left: number,
    private readonly reason: () => Error,
  ) {
    this.signal = this.controller.signal;
    this.start();
  }

  private start(): void {
    this.started = performance.now();
    this.timer = setTimeout(() => this.end(this.reason()), Math.max(0, this.left));
  }

  end(reason: Error): void {
    clearTimeout(this.timer);
    this.controller.abort(reason);
  }

  /** Several may wait at the same time. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    const began = performance.now();
    if (this.waiting === 0) {
      clearTimeout(this.timer);
      this.left -= began - this.started;
    }
    this.waiting += 1;
    try {
      return await wait();
    } finally {
      this.waiting -= 1;
      this.waitedMs += performance.now() - began;
      if (this.waiting === 0 && !this.signal.aborted) this.start();
    }
  }
}
