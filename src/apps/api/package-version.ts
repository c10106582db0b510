import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiled or not, the package's manifest is the nearest one above. */
function findVersion(folder: string): string {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return findVersion(join(folder, '..'));
  }
}

export const packageVersion = findVersion(__dirname);
