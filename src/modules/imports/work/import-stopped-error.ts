import { MAX_REFUSED } from '../domain/import-status';

/** Ends the import. What it has recorded stays. */
export class ImportStoppedError extends Error {}

/** `line` is undefined if an earlier attempt saved the last row but did not end the import. */
export const tooManyRefused = (line: number | undefined): ImportStoppedError =>
  new ImportStoppedError(
    `More than ${MAX_REFUSED.toLocaleString('en')} rows were refused, so the import stopped${line === undefined ? '' : ` at line ${line}`}. The first of them say why. Correct the file or the options of the import, and send it again.`,
  );
