import { Injectable } from '@nestjs/common';
import type { Claim } from '../../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../../platform/work/work-handler';
import { workAudit } from '../../../../platform/work/work-audit';
import { FindingSlaRepository } from '../data/finding-sla.repository';
import { DUE_DATES_KIND } from '../finding-sla.service';

const BATCH_SIZE = 1_000;

/** Moves the due dates of open findings after a change of the SLA, in batches that hold locks briefly. It is idempotent. */
@Injectable()
@WorkKind(DUE_DATES_KIND)
export class DueDates implements WorkHandler {
  readonly isRepeatable = true;

  constructor(private readonly slas: FindingSlaRepository) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const organizationId = organizationOf(claim.reference);
    let total = 0;
    for (let after: number | null = 0; after !== null;) {
      signal.throwIfAborted();
      const { last, moved } = await this.slas.moveDueDates(organizationId, after, BATCH_SIZE);
      total += moved;
      after = last;
    }
    return { audit: auditOf(claim, { moved: total }), apply: async () => undefined };
  }

  /** The next change of the SLA moves the due dates again. */
  abandon(claim: Claim, reason: string): Completion {
    const audit = { ...auditOf(claim, { error: reason }), outcome: 'failure' as const };
    return { audit, apply: async () => undefined };
  }
}

const organizationOf = (reference: string): number => Number.parseInt(reference, 10);

const auditOf = (claim: Claim, metadata: Record<string, unknown>): Completion['audit'] =>
  workAudit(claim, {
    operation: 'settings.sla_apply',
    resourceType: 'settings',
    resourceId: 'sla',
    organizationId: organizationOf(claim.reference),
    metadata,
  });
