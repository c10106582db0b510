import { Body, Controller, Query } from '@nestjs/common';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { operationsTagged } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { ApprovalsService } from '../approvals.service';
import { SecondApprovalSetting } from '../second-approval-setting.service';
import { ListApprovalsQuery, RejectApprovalRequest, SecondApprovalRequest } from './approval.requests';
import {
  approvalExample,
  ApprovalListResponse,
  ApprovalResponse,
  presentApproval,
  SecondApprovalResponse,
} from './approval.responses';

const operation = operationsTagged('Approvals');
const decided = { ...approvalExample, decided_by: 5, decided_at: '2026-12-01T10:00:00.000Z' };
const rejected = { ...decided, status: 'rejected', reason: 'The page is public.' };

@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly setting: SecondApprovalSetting,
  ) {}

  @operation('GET /v1/organizations/{organization_id}/approvals/', {
    id: 'listApprovals',
    summary: 'List what needs a second approval',
    description: 'Proposals, and what was decided about them within the last year.',
    role: 'viewer',
    query: ListApprovalsQuery,
    success: {
      description: 'The approvals, newest first.',
      body: ApprovalListResponse,
      example: { approvals: [approvalExample] },
      paged: true,
    },
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListApprovalsQuery,
  ): Promise<PagedBody<ApprovalListResponse>> {
    const slice = await this.approvals.list(caller.scope, organizationId, query.status, query.slice);
    return new PagedBody({ approvals: slice.items.map(presentApproval) }, query.slice, slice);
  }

  @operation('POST /v1/organizations/{organization_id}/approvals/{approval_id}/confirm', {
    id: 'confirmApproval',
    summary: 'Confirm a proposed change',
    description:
      'The change is made now, with the rights that its proposer has now. `error` of a change says why it was not made: what it is about has changed since, for example. The caller must be another member with the role admin, and with a proved e-mail address. Integrators cannot confirm.',
    role: 'admin',
    success: { description: 'The approval.', body: ApprovalResponse, example: { ...decided, status: 'confirmed' } },
    errors: [401, 403, 404, 409],
    audit: { operation: 'approval.confirm', resource: 'approval', id: 'approval_id' },
  })
  async confirm(@InOrganization('approval_id') { caller, organizationId, id }: RecordPlace): Promise<ApprovalResponse> {
    return presentApproval(await this.approvals.confirm(caller, organizationId, id));
  }

  @operation('POST /v1/organizations/{organization_id}/approvals/{approval_id}/reject', {
    id: 'rejectApproval',
    summary: 'Reject a proposed change',
    description: 'Also withdraws a proposal of your own.',
    role: 'admin',
    body: { example: { reason: rejected.reason } },
    success: { description: 'The approval.', body: ApprovalResponse, example: rejected },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'approval.reject', resource: 'approval', id: 'approval_id' },
  })
  async reject(
    @InOrganization('approval_id') { caller, organizationId, id }: RecordPlace,
    @Body() { reason }: RejectApprovalRequest,
  ): Promise<ApprovalResponse> {
    return presentApproval(await this.approvals.reject(caller, organizationId, id, reason ?? null));
  }

  @operation('GET /v1/organizations/{organization_id}/settings/second-approval', {
    id: 'getSecondApproval',
    summary: 'Read whether decisions need a second approval',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The setting.', body: SecondApprovalResponse, example: { second_approval: false } },
  })
  async get(@InOrganization() { caller, organizationId }: Place): Promise<SecondApprovalResponse> {
    return { second_approval: await this.setting.get(caller.scope, organizationId) };
  }

  @operation('PUT /v1/organizations/{organization_id}/settings/second-approval', {
    id: 'changeSecondApproval',
    summary: 'Propose that decisions need a second approval, or no longer',
    description:
      'A change returns 409 and becomes a proposal, which another admin confirms. Both must be members with proved e-mail addresses. While it is on, every move of a finding into the statuses 6 to 10, merges, verdicts by hand, confirmed pages and refusals, accepted checks, and labels of assets for which checks are accepted return 409 and become proposals, of users with proved addresses; `incomplete=allow` has no effect; and the organization keeps two admins with proved addresses.',
    role: 'admin',
    body: { example: { second_approval: true } },
    ifMatch: 'getSecondApproval',
    success: { description: 'It is so already.', body: SecondApprovalResponse, example: { second_approval: true } },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'settings.second_approval_propose', resource: 'settings' },
  })
  async change(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { second_approval }: SecondApprovalRequest,
  ): Promise<SecondApprovalResponse> {
    await this.setting.change(caller, organizationId, second_approval);
    return { second_approval };
  }
}
