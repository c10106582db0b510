import { Comment, Flag, OneOf } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { APPROVAL_STATUSES, type ApprovalStatus } from '../data/approval.entity';

export class ListApprovalsQuery extends PageQuery {
  @OneOf(APPROVAL_STATUSES, { optional: true, description: 'Only those with this status.' })
  status?: ApprovalStatus;
}

export class RejectApprovalRequest {
  @Comment(500, { optional: true, description: 'Why it is rejected.' })
  reason?: string;
}

export class SecondApprovalRequest {
  @Flag({ description: 'Whether decisions need a second admin.' })
  second_approval!: boolean;
}
