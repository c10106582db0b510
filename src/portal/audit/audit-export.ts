import { type AuditLog, presentAuditLog } from '../../modules/audit';
import type { ExportedRecords } from '../http/export-file';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = [
  'id',
  'timestamp',
  'actor_type',
  'actor_id',
  'operation',
  'operation_category',
  'resource_type',
  'resource_id',
  'status',
] as const;

export const auditExport = (pieces: AsyncIterable<readonly AuditLog[]>, name: string): ExportedRecords<AuditLog> => ({
  name,
  pieces,
  columns: [...COLUMNS, 'metadata'],
  cellsOf: (log) => {
    const entry = presentAuditLog(log);
    return [...COLUMNS.map((column) => entry[column]), entry.metadata === null ? '' : JSON.stringify(entry.metadata)];
  },
  present: presentAuditLog,
});
