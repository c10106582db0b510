import type { AuditEntry } from './audit-entry';

/** Where the entries go. The audit module provides it; it writes in the transaction of the current unit of work. */
export abstract class AuditTrail {
  abstract record(entry: AuditEntry): Promise<void>;
}
