import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { Caller } from '../../platform/api/caller';
import type { AuditPart } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import {
  type FindingChange,
  FindingChangesService,
  FindingCommentsService,
  FindingsService,
  type StatusChange,
} from '../findings';
import { RetestsService } from './retests.service';

/** What is done with each of the findings. */
export type BulkAction =
  | { readonly kind: 'status'; readonly change: StatusChange }
  | { readonly kind: 'change'; readonly change: FindingChange }
  | { readonly kind: 'comment'; readonly comment: string }
  | { readonly kind: 'retest' };

export interface BulkResult {
  readonly findingId: number;
  /** Why it was refused; null if it was done. */
  readonly error: DomainError | null;
}

/** As the operations for one finding name them. */
const OPERATIONS: Readonly<Record<BulkAction['kind'], Pick<AuditPart, 'operation' | 'resourceType'>>> = {
  status: { operation: 'finding.status_update', resourceType: 'finding' },
  change: { operation: 'finding.change', resourceType: 'finding' },
  comment: { operation: 'finding.comment', resourceType: 'finding' },
  retest: { operation: 'retest.start', resourceType: 'retest' },
};

/** Does the same with many findings. Each is a unit of work of its own, so that one that is refused undoes no other. */
@Injectable()
export class FindingBulkService {
  constructor(
    private readonly findings: FindingsService,
    private readonly changes: FindingChangesService,
    private readonly comments: FindingCommentsService,
    private readonly retests: RetestsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** With an organization, findings of others do not exist. */
  async apply(
    caller: Caller,
    findingIds: readonly number[],
    action: BulkAction,
    organizationId?: number,
  ): Promise<BulkResult[]> {
    const results: BulkResult[] = [];
    for (const findingId of findingIds) {
      results.push({ findingId, error: await this.applyOrRefuse(caller, findingId, action, organizationId) });
    }
    const refused = results.filter(({ error }) => error !== null).length;
    this.unitOfWork.note({ metadata: { action: action.kind, changed: results.length - refused, refused } });
    return results;
  }

  /** Throws if the database is unavailable: the findings before this one have been changed, and a retry changes the others. */
  private async applyOrRefuse(
    caller: Caller,
    id: number,
    action: BulkAction,
    organizationId: number | undefined,
  ): Promise<DomainError | null> {
    const resourceId = action.kind === 'retest' ? undefined : String(id);
    try {
      await this.unitOfWork.runPart({ ...OPERATIONS[action.kind], resourceId }, caller.scope, async () => {
        if (organizationId !== undefined) await this.findings.requireInOrganization(caller.scope, id, organizationId);
        await this.applyToOne(caller, id, action);
      });
      return null;
    } catch (thrown) {
      const error = asDomainError(thrown);
      if (error instanceof DomainError && error.kind !== 'unavailable') return error;
      throw thrown;
    }
  }

  private async applyToOne(caller: Caller, id: number, action: BulkAction): Promise<void> {
    if (action.kind === 'status') await this.findings.changeStatus(caller, id, action.change);
    else if (action.kind === 'change') await this.changes.change(caller, id, action.change);
    else if (action.kind === 'comment') await this.comments.comment(caller, id, action.comment);
    else await this.retests.start(caller, { findingId: id });
  }
}
