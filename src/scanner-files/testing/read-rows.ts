import { readScannerFile, type ScannedRow, type ScannerFileOptions, UnreadableFileError } from '..';

/** The rows of a file and the error that it ended with. */
export interface ReadRows {
  readonly rows: readonly ScannedRow[];
  readonly error: UnreadableFileError | null;
}

export async function* chunksOf(content: Buffer, cuts: readonly number[] = []): AsyncGenerator<Buffer> {
  let from = 0;
  for (const cut of [...cuts, content.length]) {
    yield content.subarray(from, cut);
    from = cut;
  }
}

export async function readRows(
  content: string | Buffer | AsyncIterable<Buffer>,
  options: Partial<ScannerFileOptions> = {},
): Promise<ReadRows> {
  const input = typeof content === 'string' ? Buffer.from(content) : content;
  const file = readScannerFile(Buffer.isBuffer(input) ? chunksOf(input) : input, { format: null, ...options });
  const rows: ScannedRow[] = [];
  try {
    for await (const row of file.rows) rows.push(row);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { rows, error };
  }
  return { rows, error: null };
}

/** The refused rows as `line: reason`. */
export const refusals = ({ rows }: ReadRows): string[] =>
  rows.flatMap(({ refused }) => (refused === undefined ? [] : [`${refused.line}: ${refused.reason}`]));

export const findings = ({ rows }: ReadRows) => rows.flatMap(({ finding }) => (finding === undefined ? [] : [finding]));
