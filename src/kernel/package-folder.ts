import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const nearestPackage = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : nearestPackage(dirname(folder));

/** The folder of the project. From sources and from `dist`, the nearest package.json above is the one of the project. */
export const packageFolder = nearestPackage(__dirname);
