export { AuditModule } from './audit.module';
export { AuditService } from './audit.service';
export type { ChangedRecord } from './data/audit-logs.repository';
export type { AuditLog } from './data/audit-log.entity';
export { AuditController } from './http/audit.controller';
export { ListAuditLogsQuery } from './http/audit.requests';
export { presentAuditLog } from './http/audit.responses';
