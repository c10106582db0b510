import { basename, join } from 'node:path';
import specsOfSuite from './specs-of-suite.cjs';

/** Runs each spec of a suite in a block of its own, with the hooks of that spec. */
export function runSuite(file: string): void {
  const specs = specsOfSuite[basename(file, '.suite.ts')] ?? [];
  if (specs.some(usesApplication)) {
    // Here, because their hooks are for all specs of the suite. They load the application, which unit specs do without.
    require('../support/api');
    require('../support/chromium');
    require('../support/processes');
  }
  for (const spec of specs)
    describe(spec, () => {
      require(join(__dirname, '..', `${spec}.spec`));
    });
}

const usesApplication = (spec: string): boolean => /^(?:browser|e2e|contract)\//.test(spec);
