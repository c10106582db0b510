export interface MinimumSpeed {
  /** What a reader has to take in each period. */
  readonly bytes: number;
  readonly milliseconds: number;
}

const MIN_BYTES = 256 * 1_024;

export const minimumSpeed = (seconds: number): MinimumSpeed => ({ bytes: MIN_BYTES, milliseconds: seconds * 1_000 });

/**
 * How fast a reader takes an answer. One that takes less in a period than the least is given up, so that nobody keeps a
 * large answer in memory for as long as they like. Only the time counts in which it is the reader who is waited for.
 */
export class DownloadSpeed {
  private waitedMs = 0;
  private taken = 0;

  constructor(
    private readonly minimum: MinimumSpeed,
    private readonly abort: () => void,
  ) {}

  /** So many bytes are on their way, and the reader is waited for until it has taken them. */
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

  /** So many bytes were taken at once. */
  add(bytes: number): void {
    this.taken += bytes;
  }
}
