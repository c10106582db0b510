import { raw, type Sql } from '../../../platform/database/sql';

/** `countedSeverity` in SQL, for a row of findings: the higher severity of those that a person and the scanner state. */
export const countedSeverityOf = (finding: string): Sql =>
  raw(`greatest(${finding}.severity, (${finding}.edits #>> '{pins,severity,severity}')::int)`);
