import { Injectable } from '@nestjs/common';
import { conflict, DomainError } from '../../kernel/domain-error';
import type { Caller, ProposedChange } from '../../platform/api/caller';
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
import { NeedsApprovalError, SecondApproval } from '../approvals';
import { RetestsService } from './retests.service';

/** What is done with each finding. */
export type BulkAction =
  | { readonly kind: 'status'; readonly change: StatusChange }
  | { readonly kind: 'change'; readonly change: FindingChange }
  | { readonly kind: 'comment'; readonly comment: string }
  | { readonly kind: 'retest' };

/** One finding, and what is done with it. */
export interface BulkPart {
  readonly findingId: number;
  readonly action: BulkAction;
  /** Throws if the finding is not as it was shown. It is locked, if the action changes a field. */
  readonly requireAsShown?: () => Promise<void>;
  /** In the unit of work of the finding, after the change. */
  readonly done?: () => Promise<void>;
}

/** The fields of a finding that decide what an action does. */
export type ShownFinding = Parameters<FindingChangesService['wouldChange']>[1] &
  Parameters<FindingsService['wouldChangeStatus']>[1];

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
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** With an organization, findings of other organizations are not found. */
  async apply(
    caller: Caller,
    findingIds: readonly number[],
    action: BulkAction,
    organizationId?: number,
  ): Promise<BulkResult[]> {
    return this.applyParts(
      caller,
      findingIds.map((findingId) => ({ findingId, action })),
      organizationId,
    );
  }

  async applyParts(caller: Caller, parts: readonly BulkPart[], organizationId?: number): Promise<BulkResult[]> {
    const results: BulkResult[] = [];
    const proposed: ProposedChange[] = [];
    for (const part of parts) {
      const error = await this.applyOrRefuse(caller, part, organizationId, proposed);
      results.push({ findingId: part.findingId, error });
    }
    await this.approval.propose(caller.actor, proposed);
    const refused = results.filter(({ error }) => error !== null).length;
    const metadata = { action: parts[0]?.action.kind, changed: results.length - refused, refused };
    this.unitOfWork.note({ metadata });
    return results;
  }

  /** Whether it would change a finding that the caller has read in scope and that is not merged. Throws what would refuse it. */
  async wouldChange(caller: Caller, finding: ShownFinding, action: BulkAction): Promise<boolean> {
    if (action.kind === 'status') return this.findings.wouldChangeStatus(caller, finding, action.change);
    caller.requireRole('member', finding.organizationId);
    return action.kind !== 'change' || this.changes.wouldChange(caller, finding, action.change);
  }

  /** Throws if the database is unavailable: the findings before this one have been changed, and a retry changes the others. */
  private async applyOrRefuse(
    caller: Caller,
    { findingId: id, action, requireAsShown, done }: BulkPart,
    organizationId: number | undefined,
    proposed: ProposedChange[],
  ): Promise<DomainError | null> {
    const resourceId = action.kind === 'retest' ? undefined : String(id);
    try {
      await this.unitOfWork.runPart({ ...OPERATIONS[action.kind], resourceId }, caller.scope, async () => {
        if (organizationId !== undefined) await this.findings.requireInOrganization(caller.scope, id, organizationId);
        if (action.kind === 'status' || action.kind === 'change') {
          if (requireAsShown !== undefined) this.unitOfWork.setCondition(requireAsShown);
        } else await requireAsShown?.();
        await this.applyToOne(caller, id, action).catch((error: unknown) => {
          if (!(error instanceof NeedsApprovalError)) throw error;
          // All of them become one proposal.
          proposed.push(error.change);
          throw conflict(error.message);
        });
        await done?.();
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
