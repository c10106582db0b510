import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from './limits';

interface Lane {
  active: number;
  nextStart: number;
  readonly waiting: (() => void)[];
}

/** Politeness: at most so many exchanges at once with one address, begun at most so many a second. */
export class RateLimiter {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly limits: Pick<Limits, 'perSecond' | 'concurrency'>) {}

  /** Waits for a turn at this address; the caller gives it back with the function that it gets. */
  async enter(address: string, signal: AbortSignal): Promise<() => void> {
    const lane = this.lane(address);
    await this.takeSeat(lane, signal);
    const leave = (): void => this.leave(address, lane);
    try {
      const gap = 1000 / this.limits.perSecond;
      const start = Math.max(Date.now(), lane.nextStart);
      lane.nextStart = start + gap;
      if (start > Date.now()) await delay(start - Date.now(), undefined, { signal });
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  private lane(address: string): Lane {
    const lane = this.lanes.get(address) ?? { active: 0, nextStart: 0, waiting: [] };
    this.lanes.set(address, lane);
    return lane;
  }

  private async takeSeat(lane: Lane, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (lane.active < this.limits.concurrency) {
      lane.active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const seated = (): void => {
        signal.removeEventListener('abort', given);
        resolve();
      };
      const given = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(seated), 1);
        reject(signal.reason);
      };
      lane.waiting.push(seated);
      signal.addEventListener('abort', given, { once: true });
    });
  }

  private leave(address: string, lane: Lane): void {
    const next = lane.waiting.shift();
    // The seat is handed on, not given back, so that nobody slips in between.
    if (next !== undefined) return next();
    lane.active -= 1;
    if (lane.active > 0) return;
    // Forgotten only when its gap has passed, or a target tested by many short jobs would have no pace at all.
    setTimeout(
      () => {
        if (lane.active === 0 && this.lanes.get(address) === lane) this.lanes.delete(address);
      },
      Math.max(0, lane.nextStart - Date.now()),
    ).unref();
  }
}
