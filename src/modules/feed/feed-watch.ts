import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DatabaseContext } from '../../platform/database/database-context';
import { PeriodicTask } from '../../platform/work/periodic-task';
import { FeedRepository, type FeedState } from './data/feed.repository';

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
    private readonly feed: FeedRepository,
    private readonly context: DatabaseContext,
  ) {}

  /** Whether the process stops: nobody should wait any longer. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** The position from which to wait: what is read after this call has all that comes before. */
  async newest(organizationId: number): Promise<number> {
    const [state] = await this.feed.statesOf([organizationId]);
    return state?.newest ?? 0;
  }

  /** Resolves when the organization has entries after this position, or the time is over, or the caller is gone. */
  async next(organizationId: number, after: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.closed || signal.aborted) return;
    // The first one who waits must not pay for all others with its share of the connections.
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
    const ids = new Set([...this.waiters].map(({ organizationId }) => organizationId));
    for (const state of await this.feed.statesOf([...ids])) {
      const newest = state.isWaiting ? await this.append(state) : state.newest;
      for (const waiter of this.waiters) if (waiter.organizationId === state.id && newest > waiter.after) waiter.wake();
    }
  }

  /** Each organization by itself, so that one whose changes cannot be appended delays no other one. */
  private async append({ id, newest }: FeedState): Promise<number> {
    try {
      return await this.feed.appendWithoutWaiting(id);
    } catch (error) {
      this.logger.warn(`appending the changes of organization ${id}: ${String(error)}`);
      return newest;
    }
  }
}
