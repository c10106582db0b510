import type { Claim } from './claim';
import { FairShare, type Queue, withClaimed } from './fair-share';
import type { Leases } from './leases';
import { ownerKey, QueueWalks } from './queue-walks';
import type { WorkRegistry } from './work-registry';
import { type ClaimTerms, PLACED_AT_ONCE, type WorkRepository } from './work.repository';
import type { WorkerSlots } from './worker-slots';

/** In one round, past queues that are held. The next round continues behind them. */
const MAX_WALKS = 50;

/** Fills the free slots of a worker with what `FairShare` chooses of the queues that come next. */
export class FairClaims {
  private readonly walks = new QueueWalks();
  private readonly fairShare: FairShare;

  constructor(
    private readonly rows: WorkRepository,
    private readonly leases: Leases,
    private readonly slots: WorkerSlots,
    private readonly registry: WorkRegistry,
    private readonly worker: { begin(claim: Claim): void; isStopping(): boolean },
  ) {
    this.fairShare = new FairShare(
      (kind) => slots.of(kind),
      (kind) => registry.onePerOrganization.includes(kind),
    );
  }

  /** Returns false if there is more than one round can place in the queues. */
  async claimAll(terms: ClaimTerms): Promise<boolean> {
    const kinds = this.registry.kinds.filter((kind) => this.freeOf(kind) > 0);
    if (kinds.length === 0) return true;
    const placed = await this.rows.place(kinds, terms);
    for (let walks = 0; walks < MAX_WALKS && (await this.claimOnWalk(kinds, terms)); walks++);
    return placed < PLACED_AT_ONCE;
  }

  /** Returns whether the next walk may find more. */
  private async claimOnWalk(kinds: readonly string[], terms: ClaimTerms): Promise<boolean> {
    // A slot that becomes free meanwhile is left to the next walk, which reads the queues again.
    const active = this.leases.all;
    const walks = this.walks.next(kinds, (kind) => this.freeOf(kind));
    const found = await this.rows.queues(walks, this.walks.innerWalks);
    const served = new Set<string>();
    let queues: readonly Queue[] = found;
    while (!this.worker.isStopping()) {
      const picks = this.fairShare.pick(queues, active);
      if (picks.length === 0) return this.walks.advance(walks, found, served);
      const claims = await this.rows.claim(picks, terms);
      if (this.worker.isStopping()) await this.rows.release(claims);
      else for (const claim of claims) this.begin(claim);
      for (const claim of claims) served.add(ownerKey(claim));
      active.push(...claims.map((claim) => ({ claim, hasSlot: true })));
      queues = queues.map((queue) => withClaimed(queue, picks, claims));
    }
    return false;
  }

  private freeOf(kind: string): number {
    return this.slots.of(kind) - this.leases.countOf(kind);
  }

  private begin(claim: Claim): void {
    this.fairShare.serve(claim);
    this.worker.begin(claim);
  }
}
