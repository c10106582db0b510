import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../../kernel/domain-error';
import type { Caller } from '../../../platform/api/caller';
import { everything, type Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { type AcceptanceSetting, OrganizationsService } from '../../organizations';
import { FINDING_STATUS, type FindingStatus } from '../domain/finding-status';
import type { TransitionDetails } from './finding-status-writer';

const scope = everything('the finding was read in the scope of the caller');

const required = (field: string, what: string) =>
  unprocessable(`${field} must ${what}: this organization requires it of each accepted risk.`);

/** What an organization requires of those who accept the risk of a finding. */
@Injectable()
export class AcceptanceRules {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(callerScope: Scope, organizationId: number): Promise<AcceptanceSetting> {
    const { acceptanceNeedsComment, acceptanceNeedsEnd } = await this.organizations.get(callerScope, organizationId);
    return { acceptanceNeedsComment, acceptanceNeedsEnd };
  }

  /** Risks that are accepted already stay as they are. */
  async change(caller: Caller, organizationId: number, setting: AcceptanceSetting): Promise<void> {
    const { id, ...from } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'acceptance' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    const { acceptanceNeedsComment, acceptanceNeedsEnd } = from;
    this.unitOfWork.note({ metadata: { from: { acceptanceNeedsComment, acceptanceNeedsEnd }, to: setting } });
    await this.organizations.saveAcceptanceOfLocked(id, setting);
  }

  /** Throws if the acceptance lacks a comment or an end date that the organization requires. */
  async require(organizationId: number, to: FindingStatus, { comment, until }: TransitionDetails): Promise<void> {
    if (to !== FINDING_STATUS.risk_accepted) return;
    const { acceptanceNeedsComment, acceptanceNeedsEnd } = await this.get(scope, organizationId);
    if (acceptanceNeedsComment && (comment == null || comment.trim() === ''))
      throw required('comment', 'say why the risk is accepted');
    if (acceptanceNeedsEnd && until == null) throw required('until', 'name the last day of the acceptance');
  }
}
