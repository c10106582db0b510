export { ApprovalsModule } from './approvals.module';
export { ApprovalsService } from './approvals.service';
export { NeedsApprovalError } from './domain/approval.errors';
export { ApprovalsController } from './http/approvals.controller';
export { ListApprovalsQuery, RejectApprovalRequest, SecondApprovalRequest } from './http/approval.requests';
export { SecondApproval } from './second-approval.service';
export { SecondApprovalSetting } from './second-approval-setting.service';
export type { Approval, ApprovalStatus } from './data/approval.entity';
