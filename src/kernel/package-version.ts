import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From sources and from `dist`, the nearest package.json above is the one of the package. */
function findVersion(folder: string): string {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return findVersion(join(folder, '..'));
  }
}

export const packageVersion = findVersion(__dirname);
