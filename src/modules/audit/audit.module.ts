import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from '../../platform/audit/audit-trail';
import { OrganizationsModule } from '../organizations';
import { AuditService, DatabaseAuditTrail } from './audit.service';
import { AuditLog } from './data/audit-log.entity';
import { AuditLogsRepository } from './data/audit-logs.repository';
import { AuditPartitions } from './work/audit-partitions';

/** Global, because every unit of work needs the `AuditTrail` that this module provides. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditLog]), OrganizationsModule],
  providers: [
    AuditLogsRepository,
    AuditPartitions,
    AuditService,
    { provide: AuditTrail, useClass: DatabaseAuditTrail },
  ],
  exports: [AuditTrail, AuditService],
})
export class AuditModule {}
