import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { ApprovalsService } from './approvals.service';
import { ApprovalRow } from './data/approval.entity';
import { ApprovalsRepository } from './data/approvals.repository';
import { SecondApproval } from './second-approval.service';
import { SecondApprovalSetting } from './second-approval-setting.service';
import { ApprovalExpiry } from './work/approval-expiry';

@Module({
  imports: [TypeOrmModule.forFeature([ApprovalRow]), IdentityModule, OrganizationsModule],
  providers: [ApprovalsRepository, SecondApproval, ApprovalsService, SecondApprovalSetting, ApprovalExpiry],
  exports: [SecondApproval, ApprovalsService, SecondApprovalSetting],
})
export class ApprovalsModule {}
