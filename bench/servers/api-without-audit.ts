import { DatabaseAuditTrail } from '../../src/modules/audit/audit.service';

/** The service with its one promise taken out, to see what it costs. For this comparison alone. */
DatabaseAuditTrail.prototype.statementFor = () => undefined as never;

void import('../../src/apps/api/main.js');
