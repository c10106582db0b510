/** The file as a whole cannot be read further. The rows before `line` have been delivered. */
export class UnreadableFileError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
    /** Of a table in which the title or the severity is not found. */
    readonly columns?: readonly string[],
  ) {
    super(`Line ${line}: ${reason}`);
    this.name = 'UnreadableFileError';
  }
}
