import { Injectable } from '@nestjs/common';
import { type ReadBatch, readInThread, type ScannedRow } from '../../../scanner-files';
import type { BegunImport } from '../data/import.entity';
import { ImportsRepository } from '../data/imports.repository';
import { KeptFilesRepository } from '../data/kept-files.repository';
import { isRefusal, scannedResultOf } from '../domain/scanned-result';
import type { BatchRow } from './batch-location';
import type { ReadProgress } from './import-batches';
import { ReadingTurns } from './reading-turns';
import { StoredFile } from './stored-file';

/** Reads the files of imports, and keeps those of dry runs. */
@Injectable()
export class ImportReading {
  private readonly turns = new ReadingTurns();

  constructor(
    private readonly imports: ImportsRepository,
    private readonly files: KeptFilesRepository,
  ) {}

  /** The caller has locked the dry run. */
  keep(id: number): Promise<void> {
    return this.files.keep(id);
  }

  /** Can be iterated once. Begins with the first row that no earlier attempt has saved. */
  of(begun: BegunImport) {
    const { turns } = this;
    const stored = new StoredFile(this.imports, begun.id, begun.chunks);
    const options = { format: begun.statedFormat, ...(begun.csvMapping && { csvMapping: begun.csvMapping }) };
    const task = { ...options, skippedRows: begun.rowsDone };
    let read: Omit<ReadBatch, 'rows'> = { bytesRead: 0, format: null, ignoredColumns: [] };
    return {
      async *batches(signal: AbortSignal): AsyncGenerator<BatchRow[]> {
        let number = begun.rowsDone;
        for await (const batch of readInThread(stored.chunks(), task, { signal, inTurn: turns.take })) {
          signal.throwIfAborted();
          read = batch;
          yield batch.rows.map((row) => batchRowOf(row, ++number, begun));
        }
      },
      progress: (): ReadProgress => ({
        bytesDone: read.bytesRead,
        format: read.format,
        ignoredColumns: read.ignoredColumns,
      }),
    };
  }
}

function batchRowOf(
  { finding, refused }: ScannedRow,
  number: number,
  { sightedAt, assetValue }: BegunImport,
): BatchRow {
  if (finding === undefined) return { number, line: refused.line, refusal: refused.reason };
  const result = scannedResultOf(finding, { sightedAt, assetValue });
  const { line } = finding;
  return isRefusal(result) ? { number, line, ...result } : { number, line, result };
}
