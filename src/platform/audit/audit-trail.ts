import type { Sql } from '../database/sql';
import type { AuditEntry } from './audit-entry';

/** Where the entries go. The audit module provides it; the statement is the last one of the unit of work. */
export abstract class AuditTrail {
  abstract statementFor(entry: AuditEntry): Sql;
}
