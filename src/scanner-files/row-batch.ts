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

/** A batch, with the number of bytes of the file up to its end. */
export interface ReadBatch extends RowBatch {
  readonly bytesRead: number;
}

/** What a thread reads. */
export interface ThreadTask extends ScannerFileOptions {
  /** The number of rows at the beginning to skip, because they were read before. */
  readonly skippedRows: number;
}

/** The answer of a thread: rows, and what it needs to continue. */
export interface ThreadAnswer extends RowBatch {
  readonly needs: 'part' | 'turn' | 'nothing';
  /** Why the file cannot be read further. */
  readonly failure: Pick<UnreadableFileError, 'line' | 'reason' | 'columns'> | null;
}
