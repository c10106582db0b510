export interface MinimumSpeed {
  /** The bytes that a client must receive in each period. */
  readonly bytes: number;
  readonly milliseconds: number;
}

const MIN_BYTES = 256 * 1_024;

export const minimumSpeed = (seconds: number): MinimumSpeed => ({ bytes: MIN_BYTES, milliseconds: seconds * 1_000 });

/**
 * Aborts a response if the client reads less than the minimum in a period, so that slow clients cannot keep large responses
 * in memory. Only the time in which the server waits for the client counts.
 */
export class DownloadSpeed {
  private waitedMs = 0;
  private taken = 0;

  constructor(
    private readonly minimum: MinimumSpeed,
    private readonly abort: () => void,
  ) {}

  /** Waits until the client has received the bytes. */
  async waitFor(bytes: number, taken: Promise<unknown>): Promise<void> {
    let started = performance.now();
    const endPeriod = (): void => {
      if (this.taken < this.minimum.bytes) {
        this.abort();
        return;
      }
      this.waitedMs = 0;
      this.taken = 0;
      started = performance.now();
      timer = setTimeout(endPeriod, this.minimum.milliseconds);
    };
    let timer = setTimeout(endPeriod, Math.max(0, this.minimum.milliseconds - this.waitedMs));
    try {
      await taken;
      this.add(bytes);
    } finally {
      clearTimeout(timer);
      this.waitedMs += performance.now() - started;
    }
  }

  /** Counts bytes that were sent without waiting. */
  add(bytes: number): void {
    this.taken += bytes;
  }
}
