export { AuditModule } from './audit.module';
export { AuditController } from './http/audit.controller';
