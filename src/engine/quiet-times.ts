/** Lets probes that measure time send alone, and others concurrently. */
export class QuietTimes {
  private readonly running = new Set<Promise<unknown>>();
  private quiet: Promise<unknown> = Promise.resolve();
  private owner: object | null = null;
  private readonly next: { readonly owner: object; readonly start: () => void }[] = [];

  async beside<T>(owner: object, work: () => Promise<T>): Promise<T> {
    while (this.owner !== null && this.owner !== owner) await this.quiet;
    const working = work();
    this.running.add(working);
    return working.finally(() => this.running.delete(working));
  }

  /**
   * Runs the work while nothing else is sent. It first waits until nothing is running. When several wait, they run one after the
   * other, so that the others do not wait for each of them separately.
   */
  async alone<T>(owner: object, work: () => Promise<T>): Promise<T> {
    while (this.owner === null && this.running.size > 0) await Promise.allSettled(this.running);
    if (this.owner !== null) await new Promise<void>((start) => this.next.push({ owner, start }));
    this.owner = owner;
    const working = work().finally(() => {
      const next = this.next.shift();
      this.owner = next?.owner ?? null;
      next?.start();
    });
    this.quiet = working.catch(() => undefined);
    return working;
  }
}

/** Starts the first one alone, until it ends or calls `goOn`. None is started after a result. */
export async function overlapping<T>(
  { times, pause }: { readonly times: number; readonly pause: () => Promise<void> },
  start: (at: number, goOn: () => void) => Promise<T | null>,
): Promise<(T | null)[]> {
  let goOn: () => void = () => {};
  const isUnshown = new Promise<null>((resolve) => {
    goOn = () => resolve(null);
  });
  const started: Promise<T | null>[] = [];
  try {
    for (let at = 0; at < times; at += 1) {
      if (at > 0) await pause();
      started.push(start(at, goOn));
      if ((await Promise.race([...started, isUnshown])) !== null) break;
    }
  } finally {
    await Promise.allSettled(started);
  }
  return Promise.all(started);
}
