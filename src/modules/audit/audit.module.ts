import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from '../../platform/audit/audit-trail';
import { EvidenceModule } from '../evidence';
import { OrganizationsModule } from '../organizations';
import { AuditHeadsService } from './audit-heads.service';
import { AuditService, DatabaseAuditTrail } from './audit.service';
import { AuditHead } from './data/audit-head.entity';
import { AuditHeadsRepository } from './data/audit-heads.repository';
import { AuditLeaves } from './data/audit-leaves.entity';
import { AuditLog } from './data/audit-log.entity';
import { AuditLogsRepository } from './data/audit-logs.repository';
import { AuditHeadSigning } from './work/audit-head-signing';
import { AuditPartitions } from './work/audit-partitions';

/** Global, because every unit of work needs the `AuditTrail` that this module provides. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditLog, AuditLeaves, AuditHead]), OrganizationsModule, EvidenceModule],
  providers: [
    AuditLogsRepository,
    AuditPartitions,
    AuditHeadsRepository,
    AuditHeadsService,
    AuditHeadSigning,
    AuditService,
    { provide: AuditTrail, useClass: DatabaseAuditTrail },
  ],
  exports: [AuditTrail, AuditService, AuditHeadsService],
})
export class AuditModule {}
