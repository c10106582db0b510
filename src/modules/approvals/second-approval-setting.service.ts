import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller, ProposedChange } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { ApprovalsService } from './approvals.service';
import { NeedsApprovalError } from './domain/approval.errors';
import { SecondApproval } from './second-approval.service';

const KIND = 'settings.second_approval_change';

/** Whether an organization requires a second approval. Both ways need two admins with proved addresses. */
@Injectable()
export class SecondApprovalSetting implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly approvals: ApprovalsService,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.approval.register<{ second_approval: boolean }>(KIND, (proposer, of, { organizationId, second }) =>
      this.change(proposer, organizationId, of.second_approval, second),
    );
  }

  async get(scope: Scope, organizationId: number): Promise<boolean> {
    return (await this.organizations.get(scope, organizationId)).secondApproval;
  }

  /** Proposes it, whatever the setting is now. Under the lock, so that `second` does not leave meanwhile. */
  async change(caller: Caller, organizationId: number, isNeeded: boolean, second = caller): Promise<void> {
    const { id, secondApproval } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'second-approval' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { from: secondApproval, to: isNeeded } });
    if (secondApproval === isNeeded) return;
    for (const one of [caller, second]) await this.approvals.requireProvedAdmin(one, id, 'decide this');
    const change: ProposedChange = {
      organizationId: id,
      kind: KIND,
      payload: { second_approval: isNeeded },
      seen: secondApproval,
      summary: `Turn the second approval ${isNeeded ? 'on' : 'off'}.`,
    };
    if (caller.actor.approved === undefined)
      throw new NeedsApprovalError(change, () => this.approval.propose(caller.actor, [change]));
    await this.approval.require(caller.actor, change);
    await this.organizations.saveSecondApprovalOfLocked(id, isNeeded);
  }
}
