import type { Claim } from './claim';
import type { WorkRepository } from './work.repository';

interface ActiveClaim {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** By id and attempt: a worker that was cut off may come to hold the same work anew, before the old attempt has ended. */
const keyOf = ({ id, attempt }: Pick<Claim, 'id' | 'attempt'>): string => `${id} ${attempt}`;

/** What this worker holds, and the heartbeat that keeps it. */
export class Leases {
  private readonly active = new Map<string, ActiveClaim>();
  private lastRenewal = performance.now();
  private reclaimAfter = 0;

  constructor(
    private readonly rows: WorkRepository,
    private readonly leaseSeconds: number,
  ) {}

  get size(): number {
    return this.active.size;
  }

  countOf(kind: string): number {
    return this.claims.filter((claim) => claim.kind === kind).length;
  }

  get claims(): Claim[] {
    return [...this.active.values()].map(({ claim }) => claim);
  }

  /** Often enough that a beat or two may be lost. */
  get renewalIntervalMs(): number {
    return Math.min(1_000, this.leaseSeconds * 250);
  }

  /**
   * Whoever was cut off from the database takes over from nobody for a while: the others were cut off too, most likely,
   * and their leases have run out without anybody being lost.
   */
  get reclaimExpired(): boolean {
    return performance.now() >= this.reclaimAfter;
  }

  run(claim: Claim, perform: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const key = keyOf(claim);
    const done = perform(abort.signal).finally(() => this.active.delete(key));
    this.active.set(key, { claim, abort, done });
    return done;
  }

  /** Renews all leases; what is no longer ours is told to stop. */
  async renewAll(): Promise<void> {
    for (const lost of await this.rows.renew(this.claims, this.leaseSeconds)) {
      this.active.get(keyOf(lost))?.abort.abort(new Error('canceled, or taken over'));
    }
    const now = performance.now();
    if (now - this.lastRenewal > this.leaseSeconds * 1_000) this.reclaimAfter = now + this.leaseSeconds * 500;
    this.lastRenewal = now;
  }

  async settled(): Promise<void> {
    await Promise.all([...this.active.values()].map(({ done }) => done));
  }

  abortAll(reason: string): void {
    for (const { abort } of this.active.values()) abort.abort(new Error(reason));
  }
}
