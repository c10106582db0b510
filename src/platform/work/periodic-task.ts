/** Runs a task periodically, never twice at once. It continues after a failure, which it reports. */
export class PeriodicTask {
  private readonly timer: NodeJS.Timeout;
  private current: Promise<void> | undefined;

  constructor(everyMs: number, task: () => Promise<void>, onError: (error: unknown) => void) {
    this.timer = setInterval(() => {
      this.current ??= task()
        .catch(onError)
        .finally(() => (this.current = undefined));
    }, everyMs);
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }
}
