import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksPage } from './checks-page';

// Started by `npm run docs:checks` in the project folder, as compiled code.
writeFileSync(join(process.cwd(), 'docs', 'checks.md'), checksPage());
