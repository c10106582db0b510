import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { system } from '../../../platform/api/caller';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
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

  async perform({ reference }: Claim, signal: AbortSignal): Promise<Completion> {
    const organizationId = Number(reference);
    const removed: Record<string, number> = {};
    for (const table of await this.repository.tablesOfOrganizations()) {
      for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
        signal.throwIfAborted();
        count = await this.repository.removeBatch(table, organizationId, BATCH_SIZE);
        if (count > 0) removed[table] = (removed[table] ?? 0) + count;
      }
    }
    return {
      audit: this.description(organizationId, { removed }),
      apply: () => this.repository.eraseName(organizationId),
    };
  }

  abandon({ reference }: Claim, reason: string): Completion {
    // The data must be deleted, so the purge is retried without a limit.
    const retry = { kind: PURGE_KIND, reference, runAt: new Date(this.clock.now().getTime() + RETRY_AFTER_MS) };
    return {
      audit: this.description(Number(reference), { error: reason }),
      apply: async () => void (await this.work.enqueue(retry)),
    };
  }

  private description(organizationId: number, metadata: Record<string, unknown>): Completion['audit'] {
    return {
      actor: system,
      operation: 'organization.purge',
      resourceType: 'organization',
      resourceId: String(organizationId),
      organizationId,
      metadata,
    };
  }
}
