import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { Work } from '../../../platform/work/work';
import { PurgeRepository } from '../data/purge.repository';

export const PURGE_KIND = 'organization.purge';

const BATCH_SIZE = 1_000;
const RETRY_AFTER_MS = 3_600_000;

/**
 * Deletes the data of a deleted organization, in small batches that hold locks briefly. It is idempotent, so a failed attempt
 * can be repeated.
 */
@Injectable()
@WorkKind(PURGE_KIND)
export class OrganizationPurge implements WorkHandler {
  constructor(
    private readonly repository: PurgeRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const organizationId = Number(claim.reference);
    const removed: Record<string, number> = {};
    for (const table of await this.repository.tablesOfOrganizations()) {
      for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
        signal.throwIfAborted();
        count = await this.repository.removeBatch(table, organizationId, BATCH_SIZE);
        if (count > 0) removed[table] = (removed[table] ?? 0) + count;
      }
    }
    return {
      audit: auditOf(claim, { removed }),
      apply: () => this.repository.eraseName(organizationId),
    };
  }

  abandon(claim: Claim, reason: string): Completion {
    // The data must be deleted, so the purge is retried without a limit.
    const runAt = new Date(this.clock.now().getTime() + RETRY_AFTER_MS);
    const retry = { kind: PURGE_KIND, reference: claim.reference, runAt };
    return {
      audit: auditOf(claim, { error: reason }),
      apply: async () => void (await this.work.enqueue(retry)),
    };
  }
}

/** The work itself belongs to no organization. */
const auditOf = (claim: Claim, metadata: Record<string, unknown>): Completion['audit'] =>
  workAudit(claim, {
    operation: PURGE_KIND,
    resourceType: 'organization',
    organizationId: Number(claim.reference),
    metadata,
  });
