import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder';

const { version }: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

export const packageVersion = version;
