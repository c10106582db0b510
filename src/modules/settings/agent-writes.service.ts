import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';

/** Whether agents may change something through the MCP server. What they read may contain instructions of attackers. */
@Injectable()
export class AgentWrites {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(scope: Scope, organizationId: number): Promise<boolean> {
    return (await this.organizations.get(scope, organizationId)).mcpWrite;
  }

  async change(caller: Caller, organizationId: number, mayWrite: boolean): Promise<void> {
    const { id, mcpWrite } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'agents' });
    caller.requireRole('owner', id);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { from: mcpWrite, to: mayWrite } });
    await this.organizations.saveMcpWriteOfLocked(id, mayWrite);
  }
}
