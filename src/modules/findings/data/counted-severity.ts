import { raw, type Sql } from '../../../platform/database/sql';

/** As `countedSeverity`, of a row of findings: the higher of what a person and the scanner say. */
export const countedSeverityOf = (finding: string): Sql =>
  raw(`greatest(${finding}.severity, (${finding}.edits #>> '{pins,severity,severity}')::int)`);
