import { DatabaseAuditTrail } from '../../src/modules/audit/audit.service';

/** The API without audit entries, to measure their cost. Only for the benchmark. */
DatabaseAuditTrail.prototype.statementFor = () => undefined as never;

void import('../../src/apps/api/main.js');
