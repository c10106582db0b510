import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { isAtLeast } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { ResourceType } from '../../platform/api/resource-type';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import { Callers, MembersService } from '../identity';
import { OrganizationsService } from '../organizations';
import type { Approval, ApprovalStatus, StoredChange } from './data/approval.entity';
import { ApprovalsRepository } from './data/approvals.repository';
import { approvalNotFound, isDecided, isOwnProposal, needsMember, proposerIsGone } from './domain/approval.errors';
import { SecondApproval } from './second-approval.service';

const NOT_MADE = 'The service stopped before it was made. Propose it again.';

/** What waits for a second admin. Confirmed changes are made as if they were made now, with all checks. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly repository: ApprovalsRepository,
    private readonly approval: SecondApproval,
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly callers: Callers,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(
    scope: Scope,
    organizationId: number,
    status: ApprovalStatus | undefined,
    page: Page,
  ): Promise<Slice<Approval>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.repository.list(scope, id, status, page);
  }

  /**
   * Makes the changes. The decision is committed first, so that of two admins one makes them; each change is a unit of work of
   * its own, and one that is refused undoes no other. After a crash, the rest must be proposed again.
   */
  async confirm(caller: Caller, organizationId: number, id: number): Promise<Approval> {
    await this.organizations.get(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    const part = { operation: 'approval.claim', resourceType: 'approval', resourceId: String(id) } as const;
    const approval = await this.unitOfWork.runPart(part, caller.scope, () => this.claim(caller, organizationId, id));
    const changes: StoredChange[] = [];
    for (const change of approval.changes)
      changes.push({ ...change, error: await this.makeOrRefuse(caller, approval, change) });
    await this.repository.saveChanges(organizationId, id, changes);
    const refused = changes.filter(({ error }) => error !== null).length;
    this.unitOfWork.note({ organizationId, metadata: { made: changes.length - refused, refused } });
    return { ...approval, changes };
  }

  /** How many the caller may confirm. */
  async countFor(caller: Caller, organizationId: number): Promise<number> {
    if (caller.integrator !== null || !caller.hasRole('admin', organizationId)) return 0;
    return this.repository.countPendingOfOthers(caller.scope, organizationId, caller.facts.userId);
  }

  private async claim(caller: Caller, organizationId: number, id: number): Promise<Approval> {
    const approval = await this.decide(caller, organizationId, id, 'confirmed');
    const unmade = approval.changes.map((change) => ({ ...change, error: NOT_MADE }));
    await this.repository.saveChanges(organizationId, id, unmade);
    return approval;
  }

  /** Also by the user who proposed it. */
  reject(caller: Caller, organizationId: number, id: number, reason: string | null): Promise<Approval> {
    return this.decide(caller, organizationId, id, 'rejected', reason);
  }

  /** The lock of the organization keeps its members as they are. Keys belong to people: another key of the proposer is no second one. */
  private async decide(
    caller: Caller,
    organizationId: number,
    id: number,
    status: 'confirmed' | 'rejected',
    reason: string | null = null,
  ): Promise<Approval> {
    await this.organizations.lockForShare(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    const approval = orThrow(await this.repository.lockOne(caller.scope, organizationId, id), approvalNotFound);
    this.unitOfWork.note({ metadata: { proposed_by: approval.proposedBy, reason } });
    const now = this.clock.now();
    if (approval.status !== 'pending') throw isDecided(approval.status);
    if (approval.expires <= now) throw isDecided('expired');
    if (status === 'confirmed') {
      if (caller.facts.userId === approval.proposedBy) throw isOwnProposal();
      await this.requireProvedAdmin(caller, organizationId, 'confirm it');
    }
    const decision = { status, reason, decidedBy: caller.facts.userId, decidedAt: now };
    await this.repository.saveDecision(approval, decision);
    return { ...approval, ...decision };
  }

  /** An integrator is no member: whoever has its keys could be both persons. */
  async requireProvedAdmin(caller: Caller, organizationId: number, what: string): Promise<void> {
    if (caller.integrator !== null) throw needsMember(what);
    const { role, isAddressProved } = await this.members.get(organizationId, caller.facts.userId);
    if (!isAtLeast(role, 'admin') || !isAddressProved) throw needsMember(what);
  }

  /** Returns why the change was refused. */
  private async makeOrRefuse(second: Caller, approval: Approval, change: StoredChange): Promise<string | null> {
    const { organizationId, id, proposedBy } = approval;
    const { kind: operation, payload } = change;
    // The services that know better name it.
    const named = [payload['finding_id'], payload['asset_id']].find((one) => typeof one === 'number');
    const resourceId = String(named ?? organizationId);
    const resourceType = operation.split('.')[0] as ResourceType;
    try {
      await this.unitOfWork.runPart({ operation, resourceType, resourceId }, second.scope, async () => {
        this.unitOfWork.note({ organizationId, metadata: { approval: id, proposed_by: proposedBy } });
        const proposer = orThrow(await this.callers.find(proposedBy), proposerIsGone);
        await this.approval.requireProved(proposer.actor, organizationId);
        // Either may have lost the role since the decision was committed.
        await this.requireProvedAdmin(second, organizationId, 'confirm it');
        const make = this.approval.makerOf(operation);
        await make(proposer.with({ organizationId, ...change }), payload, { organizationId, second });
      });
      return null;
    } catch (thrown) {
      const error = asDomainError(thrown);
      if (error instanceof DomainError && error.kind !== 'unavailable') return error.message;
      throw thrown;
    }
  }
}
