/** The rest of the file cannot be read. The rows before `line` have been delivered. */
export class UnreadableFileError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
    /** Set for a table without a column for the title or the severity. */
    readonly columns?: readonly string[],
  ) {
    super(`Line ${line}: ${reason}`);
    this.name = 'UnreadableFileError';
  }
}
