interface Waiting {
  readonly result: Promise<boolean>;
  readonly settle: (result: Promise<boolean>) => void;
}

function waiting(): Waiting {
  let settle: Waiting['settle'] = () => undefined;
  const result = new Promise<boolean>((resolve) => (settle = resolve));
  return { result, settle };
}

/** The checks of one session, one at a time. Finished work waits for the work that still runs, so that one check proves all of it. */
export class CheckRounds {
  private underWay: Promise<boolean> | null = null;
  /** The check after the one under way. */
  private next: Waiting | null = null;
  private running = 0;

  constructor(private readonly check: () => Promise<boolean>) {}

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.beginForWaiting();
    }
  }

  /** The result of the next check, which has not begun. It begins when all work has ended, or when one is needed at once. */
  proved(): Promise<boolean> {
    this.next ??= waiting();
    const { result } = this.next;
    this.beginForWaiting();
    return result;
  }

  /** A check at once, or the one under way. */
  now(): Promise<boolean> {
    if (this.underWay !== null) return this.underWay;
    const covered = this.next;
    this.next = null;
    const checked = this.check();
    this.underWay = checked;
    covered?.settle(checked);
    const over = (): void => {
      this.underWay = null;
      this.beginForWaiting();
    };
    void checked.then(over, over);
    return checked;
  }

  private beginForWaiting(): void {
    // The waiting work gets the error.
    if (this.running === 0 && this.next !== null && this.underWay === null) void this.now().catch(() => undefined);
  }
}
