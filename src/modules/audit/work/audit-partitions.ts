import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../../platform/work/work-handler';
import { AuditLogsRepository } from '../data/audit-logs.repository';

/** Adds the partitions of the next months. Only the operator removes some, with `archive-history` and `drop-history`. */
@Injectable()
export class AuditPartitions {
  constructor(private readonly logs: AuditLogsRepository) {}

  @Scheduled({ name: 'audit_log.partitions', everySeconds: 3_600 })
  async run(): Promise<void> {
    await this.logs.keepPartitions();
  }
}
