import type { Claim } from './claim';
import type { WorkRepository } from './work.repository';

interface ActiveClaim {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** With the attempt: a worker that lost a lease may claim the same work again before its old attempt ends. */
const keyOf = ({ id, attempt }: Pick<Claim, 'id' | 'attempt'>): string => `${id} ${attempt}`;

/** The claims of this worker, and the renewal of their leases. */
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

  /** Short enough that one or two renewals may fail. */
  get renewalIntervalMs(): number {
    return Math.min(1_000, this.leaseSeconds * 250);
  }

  /**
   * Whether expired leases of other workers may be reclaimed. False for a while after this worker could not reach the
   * database: then the other workers probably could not renew their leases either.
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

  /** Renews all leases, and aborts the work whose lease is lost. */
  async renewAll(): Promise<void> {
    for (const lost of await this.rows.renew(this.claims, this.leaseSeconds)) {
      this.active.get(keyOf(lost))?.abort.abort(new Error('the work was canceled or claimed by another worker'));
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
