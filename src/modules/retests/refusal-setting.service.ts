import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { SecondApproval } from '../approvals';
import { OrganizationsService } from '../organizations';

/** Whether each refusal of the site itself counts as a fix. The risk is the owner's: the weakness may still be behind it. */
@Injectable()
export class RefusalSetting {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(scope: Scope, organizationId: number): Promise<boolean> {
    return (await this.organizations.get(scope, organizationId)).refusalsCountAsFixed;
  }

  async change(caller: Caller, organizationId: number, countAsFixed: boolean): Promise<void> {
    const { id, refusalsCountAsFixed } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'refusals' });
    caller.requireRole('owner', id);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { from: refusalsCountAsFixed, to: countAsFixed } });
    if (countAsFixed && !refusalsCountAsFixed)
      await this.approval.require(caller.actor, {
        organizationId: id,
        kind: 'settings.refusals_change',
        payload: { refusals_count_as_fixed: countAsFixed },
        seen: refusalsCountAsFixed,
        summary: 'Let refusals count as fixed.',
      });
    await this.organizations.saveRefusalsOfLocked(id, countAsFixed);
  }
}
