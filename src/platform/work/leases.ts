import type { ActiveWork, Claim } from './claim';
import type { WorkRepository } from './work.repository';

interface ActiveClaim {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  hasSlot: boolean;
}

/** So many pieces of a kind wait without a slot in one worker. Others keep theirs, since what waits takes memory. */
const MAX_WITHOUT_SLOT = 20;

/** With the attempt: a worker that lost a lease may claim the same work again before its old attempt ends. */
const keyOf = ({ id, attempt }: Pick<Claim, 'id' | 'attempt'>): string => `${id} ${attempt}`;

/** The claims of this worker, and the renewal of their leases. */
export class Leases {
  private readonly active = new Map<string, ActiveClaim>();
  private readonly returning: { readonly kind: string; readonly admit: () => void }[] = [];
  private lastRenewal = performance.now();
  private reclaimAfter = 0;

  constructor(
    private readonly rows: WorkRepository,
    private readonly leaseSeconds: number,
    private readonly slots: { of(kind: string): number },
    /** Hears that work has given its slot back. */
    private readonly freed: () => void = () => undefined,
  ) {}

  get size(): number {
    return this.active.size;
  }

  /** Those that have a slot. */
  countOf(kind: string): number {
    return this.ofKind(kind).filter(({ hasSlot }) => hasSlot).length;
  }

  get all(): ActiveWork[] {
    return [...this.active.values()].map(({ claim, hasSlot }) => ({ claim, hasSlot }));
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

  run(claim: Claim, perform: (claim: Claim, signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const key = keyOf(claim);
    const whileWaiting: Claim['whileWaiting'] = (wait) => this.withoutSlot(key, wait);
    const done = perform({ ...claim, whileWaiting }, abort.signal).finally(() => {
      this.active.delete(key);
      this.admit(claim.kind);
    });
    this.active.set(key, { claim, abort, done, hasSlot: true });
    return done;
  }

  private ofKind(kind: string): ActiveClaim[] {
    return [...this.active.values()].filter(({ claim }) => claim.kind === kind);
  }

  private async withoutSlot<T>(key: string, wait: () => Promise<T>): Promise<T> {
    const active = this.active.get(key);
    if (active?.hasSlot !== true) return wait();
    const { kind } = active.claim;
    if (this.ofKind(kind).length - this.countOf(kind) >= MAX_WITHOUT_SLOT) return wait();
    active.hasSlot = false;
    this.admit(kind);
    this.freed();
    const value = await wait();
    await this.slotOf(active);
    return value;
  }

  /** One after another, before what no worker has begun. */
  private async slotOf(active: ActiveClaim): Promise<void> {
    const { claim, abort } = active;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.returning.splice(this.returning.indexOf(one), 1);
        abort.signal.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        leave();
        reject(abort.signal.reason as Error);
      };
      const one = {
        kind: claim.kind,
        admit: () => {
          leave();
          active.hasSlot = true;
          resolve();
        },
      };
      this.returning.push(one);
      abort.signal.addEventListener('abort', stop, { once: true });
      this.admit(claim.kind);
    });
    abort.signal.throwIfAborted();
  }

  private admit(kind: string): void {
    while (this.countOf(kind) < this.slots.of(kind)) {
      const next = this.returning.find((one) => one.kind === kind);
      if (next === undefined) return;
      next.admit();
    }
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
