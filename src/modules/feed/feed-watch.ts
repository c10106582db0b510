import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DatabaseContext } from '../../platform/database/database-context';
import { PeriodicTask } from '../../platform/work/periodic-task';
import { FeedService } from './feed.service';

interface Waiter {
  readonly organizationId: number;
  readonly after: number;
  wake(): void;
}

const INTERVAL_MS = 1_000;

/**
 * Wakes those who wait for entries. One statement a second asks for all of them, also for the entries of other processes: a NOTIFY
 * in the transaction of a change would make commits wait for each other.
 */
@Injectable()
export class FeedWatch implements BeforeApplicationShutdown {
  private readonly logger = new Logger('feed');
  private readonly waiters = new Set<Waiter>();
  private task: PeriodicTask | undefined;
  private closed = false;

  constructor(
    private readonly feed: FeedService,
    private readonly context: DatabaseContext,
  ) {}

  /** Whether the process stops: nobody should wait any longer. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** The position from which to wait: what is read after this call has all that comes before. */
  newest(organizationId: number): Promise<number> {
    return this.feed.lastKnownOfVisible(organizationId);
  }

  /** Resolves when the organization has entries after this position, or the time is over, or the caller is gone. */
  async next(organizationId: number, after: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.closed || signal.aborted) return;
    // The first tenant that waits must not use its share of the connections for all others.
    this.task ??= this.context.runForSystem(
      () =>
        new PeriodicTask(
          INTERVAL_MS,
          () => this.poll(),
          (error) => this.logger.warn(`reading new entries: ${String(error)}`),
        ),
    );
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.wake(), timeoutMs);
      const waiter: Waiter = {
        organizationId,
        after,
        wake: () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', waiter.wake);
          this.waiters.delete(waiter);
          resolve();
        },
      };
      signal.addEventListener('abort', waiter.wake);
      this.waiters.add(waiter);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters) waiter.wake();
    await this.task?.stop();
  }

  private async poll(): Promise<void> {
    if (this.waiters.size === 0) return;
    const newest = await this.feed.newestOfAll([
      ...new Set([...this.waiters].map(({ organizationId }) => organizationId)),
    ]);
    for (const waiter of this.waiters) if ((newest.get(waiter.organizationId) ?? 0) > waiter.after) waiter.wake();
  }
}
