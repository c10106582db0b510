import { Injectable } from '@nestjs/common';
import { system } from '../../../../platform/api/caller';
import { everything } from '../../../../platform/api/scope';
import { UnitOfWork } from '../../../../platform/audit/unit-of-work';
import type { Claim } from '../../../../platform/work/claim';
import { Work } from '../../../../platform/work/work';
import { workAudit } from '../../../../platform/work/work-audit';
import { type Completion, type WorkHandler, WorkKind } from '../../../../platform/work/work-handler';
import { MergedFindingsRepository } from '../data/merged-findings.repository';
import { FindingMergesService } from '../finding-merges.service';

const KIND = 'finding.merge';

const scope = everything('a worker merges findings of all organizations');

/** Merges findings that one check has confirmed at one place. It is enqueued when the second one is confirmed. */
@Injectable()
@WorkKind(KIND)
export class AlikeFindings implements WorkHandler {
  readonly maxConcurrent = 1;

  constructor(
    private readonly merged: MergedFindingsRepository,
    private readonly merges: FindingMergesService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Call it in the unit of work that has confirmed the finding. The merge is separate work, because it locks the organization
   * first.
   */
  async request(organizationId: number, id: number): Promise<void> {
    if ((await this.merged.listAlike(organizationId, id)).length === 0) return;
    await this.work.enqueue({ kind: KIND, reference: String(id), organizationId });
  }

  async perform(claim: Claim): Promise<Completion> {
    const { organizationId, reference: resourceId } = claim;
    if (organizationId !== null) {
      const entry = { actor: system, operation: 'finding.merge_alike', resourceType: 'finding', resourceId } as const;
      await this.unitOfWork.runIfDue({ ...entry, organizationId }, scope, () =>
        this.merges.mergeAlike(organizationId, Number(resourceId)),
      );
    }
    return this.abandon(claim);
  }

  /** Nothing to clean up: people can merge the findings. */
  abandon(claim: Claim): Completion {
    const audit = workAudit(claim, { operation: KIND, resourceType: 'finding' });
    return { audit, isSilent: true, apply: async () => undefined };
  }
}
