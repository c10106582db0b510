import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from './limits';

interface AddressQueue {
  active: number;
  nextStart: number;
  readonly waiting: (() => void)[];
}

/** Limits the exchanges with one address: how many run at once, and how many start each second. */
export class RateLimiter {
  private readonly queues = new Map<string, AddressQueue>();

  constructor(private readonly limits: Pick<Limits, 'perSecond' | 'concurrency'>) {}

  /** Waits for a slot at this address. The caller releases it with the returned function. */
  async acquire(address: string, signal: AbortSignal): Promise<() => void> {
    const queueFor = this.queueFor(address);
    await this.acquireSlot(queueFor, signal);
    const releaseSlot = (): void => this.releaseSlot(address, queueFor);
    try {
      const gap = 1000 / this.limits.perSecond;
      const start = Math.max(Date.now(), queueFor.nextStart);
      queueFor.nextStart = start + gap;
      if (start > Date.now()) await delay(start - Date.now(), undefined, { signal });
    } catch (error) {
      releaseSlot();
      throw error;
    }
    return releaseSlot;
  }

  private queueFor(address: string): AddressQueue {
    const queueFor = this.queues.get(address) ?? { active: 0, nextStart: 0, waiting: [] };
    this.queues.set(address, queueFor);
    return queueFor;
  }

  private async acquireSlot(queueFor: AddressQueue, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (queueFor.active < this.limits.concurrency) {
      queueFor.active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const granted = (): void => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = (): void => {
        queueFor.waiting.splice(queueFor.waiting.indexOf(granted), 1);
        reject(signal.reason);
      };
      queueFor.waiting.push(granted);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  private releaseSlot(address: string, queueFor: AddressQueue): void {
    const next = queueFor.waiting.shift();
    // The slot passes directly to the next waiter, so that no new caller overtakes it.
    if (next !== undefined) return next();
    queueFor.active -= 1;
    if (queueFor.active > 0) return;
    // Kept until its gap has passed, so that many short jobs on one target share the rate limit.
    setTimeout(
      () => {
        if (queueFor.active === 0 && this.queues.get(address) === queueFor) this.queues.delete(address);
      },
      Math.max(0, queueFor.nextStart - Date.now()),
    ).unref();
  }
}
