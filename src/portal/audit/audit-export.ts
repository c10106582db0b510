import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { type AuditLog, presentAuditLog } from '../../modules/audit';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

type Entries = readonly AuditLog[];

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

/** An apostrophe precedes what a spreadsheet would run as a formula: names and addresses come from people. */
const CSV_OPTIONS = { escape_formulas: true, quoted_string: true, record_delimiter: 'windows' } as const;

function* csvOf(entries: Entries, isFirst: boolean): Generator<string> {
  if (isFirst) yield stringify([[...COLUMNS, 'metadata']], { ...CSV_OPTIONS, bom: true });
  const rows = entries
    .map(presentAuditLog)
    .map((entry) => [
      ...COLUMNS.map((column) => entry[column]),
      entry.metadata === null ? '' : JSON.stringify(entry.metadata),
    ]);
  if (rows.length > 0) yield stringify(rows, CSV_OPTIONS);
}

function* ndjsonOf(entries: Entries): Generator<string> {
  if (entries.length > 0) yield entries.map((entry) => `${JSON.stringify(presentAuditLog(entry))}\n`).join('');
}

const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', textOf: csvOf },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', textOf: ndjsonOf },
} as const;

/** A file of all entries. It is made while it is sent, so that its length needs no memory. */
export function auditFile(pieces: AsyncIterable<Entries>, format: ExportFormat, name: string): StreamableFile {
  const { contentType: type, textOf } = FORMATS[format];
  async function* text(): AsyncGenerator<Buffer> {
    let isFirst = true;
    for await (const entries of pieces) {
      for (const part of textOf(entries, isFirst)) yield Buffer.from(part);
      isFirst = false;
    }
  }
  const disposition = `attachment; filename="${name}.${format}"`;
  return new StreamableFile(Readable.from(text(), { objectMode: false }), { type, disposition });
}
