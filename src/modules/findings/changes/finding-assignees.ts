import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnedRecords, storedOwner } from '../../identity';
import { AssignedFindingsRepository } from './data/assigned-findings.repository';

/** Unassigns findings when their assignee is removed from the organization. */
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
