import { join } from 'node:path';

/** The environment variable with the folder of the compiled programs. */
export const distKey = 'ASSAY_TEST_DIST';

export const programOf = (name: 'api' | 'worker' | 'cli'): string =>
  join(process.env[distKey] ?? '', 'src/apps', name, 'main.js');
