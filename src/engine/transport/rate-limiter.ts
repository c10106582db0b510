import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from './limits';

interface AddressQueue {
  active: number;
  nextStart: number;
  readonly waiting: (() => void)[];
}

/** Politeness: at most so many exchanges at once with one address, begun at most so many a second. */
export class RateLimiter {
  private readonly queues = new Map<string, AddressQueue>();

  constructor(private readonly limits: Pick<Limits, 'perSecond' | 'concurrency'>) {}

  /** Waits for a turn at this address; the caller gives it back with the function that it gets. */
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
      const seated = (): void => {
        signal.removeEventListener('abort', given);
        resolve();
      };
      const given = (): void => {
        queueFor.waiting.splice(queueFor.waiting.indexOf(seated), 1);
        reject(signal.reason);
      };
      queueFor.waiting.push(seated);
      signal.addEventListener('abort', given, { once: true });
    });
  }

  private releaseSlot(address: string, queueFor: AddressQueue): void {
    const next = queueFor.waiting.shift();
    // The seat is handed on, not given back, so that nobody slips in between.
    if (next !== undefined) return next();
    queueFor.active -= 1;
    if (queueFor.active > 0) return;
    // Forgotten only when its gap has passed, or a target tested by many short jobs would have no pace at all.
    setTimeout(
      () => {
        if (queueFor.active === 0 && this.queues.get(address) === queueFor) this.queues.delete(address);
      },
      Math.max(0, queueFor.nextStart - Date.now()),
    ).unref();
  }
}
