import type { ScannerFileOptions } from './read-scanner-file';
import type { ScannedRow } from './scanner-finding';
import type { ScannerFormat } from './scanner-format';
import type { UnreadableFileError } from './unreadable-file-error';

/** Rows of a file that follow one another. */
export interface RowBatch {
  readonly rows: readonly ScannedRow[];
  /** Null until it is recognized. */
  readonly format: ScannerFormat | null;
  readonly ignoredColumns: readonly string[];
}

/** With how much of the file these rows and those before take. */
export interface ReadBatch extends RowBatch {
  readonly bytesRead: number;
}

/** What a thread reads. */
export interface ThreadTask extends ScannerFileOptions {
  /** The rows at the beginning that are not wanted, because they were read before. */
  readonly skippedRows: number;
}

/** What a thread answers: rows, and what it needs to go on. */
export interface ThreadAnswer extends RowBatch {
  readonly needs: 'part' | 'turn' | 'nothing';
  /** Why the file cannot be read further. */
  readonly failure: Pick<UnreadableFileError, 'line' | 'reason' | 'columns'> | null;
}
