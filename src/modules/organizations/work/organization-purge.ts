import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { system } from '../../../platform/api/caller';
import type { Claim } from '../../../platform/work/claim';
import type { Completion, WorkHandler } from '../../../platform/work/work-handler';
import { Work } from '../../../platform/work/work';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { PurgeRepository } from '../data/purge.repository';

export const purgeKind = 'organization.purge';

const batch = 1_000;
const retryAfterMs = 3_600_000;

/**
 * Removes what a deleted organization held, in batches that lock little. Removing twice removes nothing more, so an
 * attempt that died is simply begun again.
 */
@Injectable()
export class OrganizationPurge implements WorkHandler, OnModuleInit {
  readonly kind = purgeKind;

  constructor(
    private readonly rows: PurgeRepository,
    private readonly registry: WorkRegistry,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  async perform({ reference }: Claim, signal: AbortSignal): Promise<Completion> {
    const organizationId = Number(reference);
    const removed: Record<string, number> = {};
    for (const table of await this.rows.tablesOfOrganizations()) {
      for (let count = batch; count === batch;) {
        signal.throwIfAborted();
        count = await this.rows.removeSome(table, organizationId, batch);
        if (count > 0) removed[table] = (removed[table] ?? 0) + count;
      }
    }
    return {
      audit: this.description(organizationId, { removed }),
      apply: () => this.rows.eraseName(organizationId),
    };
  }

  abandon({ reference }: Claim, reason: string): Completion {
    // What is deleted has to go: it is tried again, however often it failed.
    const again = { kind: purgeKind, reference, runAt: new Date(this.clock.now().getTime() + retryAfterMs) };
    return {
      audit: this.description(Number(reference), { error: reason }),
      apply: async () => void (await this.work.enqueue(again)),
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
