import { basename, join } from 'node:path';
// Here, because their hooks are for all specs of the suite.
import '../support/api';
import '../support/processes';
import specsOfSuite from './specs-of-suite.cjs';

/** Runs each spec of a suite in a block of its own, with the hooks of that spec. */
export function runSuite(file: string): void {
  const suite = basename(file, '.suite.ts');
  for (const spec of specsOfSuite[suite] ?? [])
    describe(spec, () => {
      require(join(__dirname, '..', `${spec}.spec`));
    });
}
