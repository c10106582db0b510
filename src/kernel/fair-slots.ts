interface Waiting {
  readonly start: () => void;
}

/** With fewer slots, keeping one free would cost a tenant that is alone too much. */
const MIN_SIZE_TO_KEEP_ONE = 4;

/**
 * Slots that tenants share. Those who wait get free slots in turn, one of each tenant, however many of one tenant wait. No
 * tenant has all slots, so that another one need not wait for it.
 */
export class FairSlots {
  private readonly perTenant: number;
  private readonly held = new Map<string, number>();
  /** In the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private used = 0;

  constructor(
    private readonly size: number,
    /** What a tenant leaves to the others. */
    kept = 1,
  ) {
    this.perTenant = size < MIN_SIZE_TO_KEEP_ONE ? size : size - kept;
  }

  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  get waitingTenants(): number {
    return this.queues.size;
  }

  /**
   * Calls `start` when the tenant has a slot. If that is at once, it returns undefined, else how to stop waiting. The caller
   * returns the slot with `release`.
   */
  take(tenant: string, start: () => void): (() => void) | undefined {
    const queue = this.queues.get(tenant);
    if (queue === undefined && this.isFreeFor(tenant)) {
      this.give(tenant, start);
      return undefined;
    }
    const waiting: Waiting = { start };
    if (queue === undefined) this.queues.set(tenant, [waiting]);
    else queue.push(waiting);
    return () => this.leave(tenant, waiting);
  }

  /** Waits for a slot of the tenant, and returns it after the work. */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => void this.take(tenant, start));
    try {
      return await work();
    } finally {
      this.release(tenant);
    }
  }

  release(tenant: string): void {
    this.used -= 1;
    const left = (this.held.get(tenant) ?? 1) - 1;
    if (left === 0) this.held.delete(tenant);
    else this.held.set(tenant, left);
    this.startNext();
  }

  private isFreeFor(tenant: string): boolean {
    return this.used < this.size && (this.held.get(tenant) ?? 0) < this.perTenant;
  }

  private give(tenant: string, start: () => void): void {
    this.used += 1;
    this.held.set(tenant, (this.held.get(tenant) ?? 0) + 1);
    start();
  }

  private startNext(): void {
    for (const [tenant, queue] of this.queues) {
      if (!this.isFreeFor(tenant)) continue;
      const next = queue.shift();
      this.queues.delete(tenant);
      // At the end: the others have their turns first.
      if (queue.length > 0) this.queues.set(tenant, queue);
      if (next !== undefined) this.give(tenant, next.start);
      return;
    }
  }

  private leave(tenant: string, waiting: Waiting): void {
    const queue = this.queues.get(tenant);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.queues.delete(tenant);
  }
}
