import { Injectable, type BeforeApplicationShutdown, Logger } from '@nestjs/common';

/** Small work that nobody waits for, but that a shutdown waits for and a failure of which is seen. */
@Injectable()
export class BackgroundTasks implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundTasks.name);
  private readonly running = new Set<Promise<void>>();

  run(what: string, work: () => Promise<unknown>): void {
    const promise = work().then(
      () => undefined,
      (error: unknown) => this.logger.error(`${what} failed: ${String(error)}`),
    );
    this.running.add(promise);
    void promise.finally(() => this.running.delete(promise));
  }

  /** All that runs now, for the shutdown and for tests. */
  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }
}
