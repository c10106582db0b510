import { MAX_REFUSED } from '../domain/import-status';

/** The import ends here. What it has recorded stays. */
export class ImportStoppedError extends Error {}

/** Without a line if an earlier attempt has saved the last row, and not the end. */
export const tooManyRefused = (line: number | undefined): ImportStoppedError =>
  new ImportStoppedError(
    `More than ${MAX_REFUSED.toLocaleString('en')} rows were refused, so the import stopped${line === undefined ? '' : ` at line ${line}`}. The first of them say why. Correct the file or the options of the import, and send it again.`,
  );
