/** Something that is done again and again, never twice at once; a failure is told, and the next time comes all the same. */
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

  /** Settles when what is being done right now is done. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }
}
