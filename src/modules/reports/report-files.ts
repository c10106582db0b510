import type { Scope } from '../../platform/api/scope';

/** The file of a report. */
export interface StoredFile {
  readonly id: number;
  /** In hex. */
  readonly sha256: string;
  readonly size: number;
}

/** Where the files of reports are kept. */
export abstract class ReportFiles {
  /** Stores a file of an organization in the current unit of work. The same bytes give the same file. */
  abstract put(organizationId: number, content: Buffer): Promise<StoredFile>;

  /**
   * The requested range of bytes, chunk by chunk. No connection is held between two chunks. The caller has checked that
   * the report is in its scope.
   */
  abstract read(file: StoredFile, range: { readonly from: number; readonly to: number }): AsyncIterable<Buffer>;

  /** Removes a batch of files that no report uses and returns their number; 0 means that none are left. */
  abstract removeUnusedBatch(scope: Scope): Promise<number>;
}
