import { MAX_REFUSED } from '../domain/import-status';

/** The import ends here. What it has recorded stays. */
export class ImportStoppedError extends Error {}

export const tooManyRefused = (line: number): ImportStoppedError =>
  new ImportStoppedError(
    `Line ${line}: more than ${MAX_REFUSED.toLocaleString('en')} rows were refused, so the import stopped here. The first of them say why. Correct the file or the options of the import, and send it again.`,
  );
