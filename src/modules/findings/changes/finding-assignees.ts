import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnedRecords, storedOwner } from '../../identity';
import { AssignedFindingsRepository } from './data/assigned-findings.repository';

/** What was assigned to a member has no assignee when the member is removed. */
@Injectable()
export class FindingAssignees implements OnModuleInit {
  constructor(
    private readonly findings: AssignedFindingsRepository,
    private readonly owned: OwnedRecords,
  ) {}

  onModuleInit(): void {
    this.owned.register('finding_ids', async (organizationId, owner, limit) => {
      const { ownerUserId } = storedOwner(owner);
      return ownerUserId === null ? [] : this.findings.removeAssignee(organizationId, ownerUserId, limit);
    });
  }
}
