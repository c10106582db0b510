/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

interface Timer {
  /** By this clock. */
  readonly due: number;
  readonly act: () => void;
  handle: NodeJS.Timeout | undefined;
}

/** The time that a test has run. It stands still while the test waits for others, and so do its timers. */
export class TestClock {
  private readonly began = performance.now();
  private readonly timers = new Set<Timer>();
  private waitedMs = 0;
  private waitsSince: number | null = null;

  get ms(): number {
    return (this.waitsSince ?? performance.now()) - this.began - this.waitedMs;
  }

  /** Returns what cancels it. */
  after(ms: number, act: () => void): () => void {
    const timer: Timer = { due: this.ms + ms, act, handle: undefined };
    this.timers.add(timer);
    if (this.waitsSince === null) this.start(timer);
    return () => this.cancel(timer);
  }

  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    if (this.waitsSince !== null) return wait();
    this.waitsSince = performance.now();
    for (const { handle } of this.timers) clearTimeout(handle);
    try {
      return await wait();
    } finally {
      this.waitedMs += performance.now() - this.waitsSince;
      this.waitsSince = null;
      for (const timer of this.timers) this.start(timer);
    }
  }

  private start(timer: Timer): void {
    const ms = Math.max(0, Math.min(timer.due - this.ms, LONGEST_MS));
    timer.handle = setTimeout(() => {
      this.cancel(timer);
      timer.act();
    }, ms).unref();
  }

  private cancel(timer: Timer): void {
    clearTimeout(timer.handle);
    this.timers.delete(timer);
  }
}
