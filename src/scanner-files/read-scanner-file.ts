import type { CsvMapping } from './csv-mapping';
import type { ScannedRow } from './scanner-finding';
import type { ScannerFormat } from './scanner-format';
import { UnreadableFileError } from './unreadable-file-error';

export interface ScannerFileOptions {
  /** `null`: the format is recognized by the content of the file. */
  readonly format: ScannerFormat | null;
  /** Only for CSV. Without it the header has to be that of `CSV_TEMPLATE`. */
  readonly csvMapping?: CsvMapping;
}

export interface ScannerFile {
  /** Known after the beginning of the file was read. Rejects with an `UnreadableFileError`, as `rows` does. */
  readonly format: Promise<ScannerFormat>;
  /** Can be iterated once. Throws an `UnreadableFileError` at the line that cannot be read, after the rows before it. */
  readonly rows: AsyncIterable<ScannedRow>;
}

/** Reads the results in the file of a scanner. The memory it takes does not depend on the size of the file. */
export function readScannerFile(input: AsyncIterable<Buffer>, options: ScannerFileOptions): ScannerFile {
  void input;
  void options;
  const refusal = new UnreadableFileError(1, 'No format is known yet.');
  const format = Promise.reject<ScannerFormat>(refusal);
  format.catch(() => undefined);
  return {
    format,
    // eslint-disable-next-line require-yield
    rows: (async function* (): AsyncGenerator<ScannedRow> {
      throw refusal;
    })(),
  };
}
