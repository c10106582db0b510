import { Injectable, type BeforeApplicationShutdown, Logger } from '@nestjs/common';

/** Small tasks that callers do not wait for. Shutdown waits for them, and failures are logged. */
@Injectable()
export class BackgroundTasks implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundTasks.name);
  private readonly running = new Set<Promise<void>>();

  run(name: string, work: () => Promise<unknown>): void {
    const promise = work().then(
      () => undefined,
      (error: unknown) => this.logger.error(`${name} failed: ${String(error)}`),
    );
    this.running.add(promise);
    void promise.finally(() => this.running.delete(promise));
  }

  /** Resolves when all running tasks have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
  }
}
