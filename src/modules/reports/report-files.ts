/** A file as its report knows it. */
export interface StoredFile {
  readonly id: number;
  /** In hex. */
  readonly sha256: string;
  readonly size: number;
}

/** Where the files of reports are kept. */
export abstract class ReportFiles {
  /** Keeps it for an organization, in the current unit of work. The same bytes again are the same file. */
  abstract put(organizationId: number, content: Buffer): Promise<StoredFile>;

  /**
   * The bytes from the first to the last that is asked for, piece by piece; between two pieces nothing is held. The file is
   * of a report that the caller of this has found in its scope.
   */
  abstract read(file: StoredFile, range: { readonly from: number; readonly to: number }): AsyncIterable<Buffer>;

  /** Removes some of those that are of no report any more; how many, so that the caller goes on until there are none. */
  abstract removeUnusedBatch(): Promise<number>;
}
