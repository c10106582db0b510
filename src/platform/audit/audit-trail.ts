import type { Sql } from '../database/sql';
import type { AuditEntry } from './audit-entry';

/** Stores audit entries. The audit module provides it. The statement is the last one of the unit of work. */
export abstract class AuditTrail {
  abstract statementFor(entry: AuditEntry): Sql;
}
