const { tmpdir } = require('node:os');
const { join } = require('node:path');
const base = require('./jest.base.js');
const specsOfSuite = require('./test/suites/specs-of-suite.cjs');

const inSuites = Object.values(specsOfSuite)
  .flat()
  .map((spec) => join('<rootDir>', 'test', `${spec}.spec.ts$`));

/** The processes of the run inherit it. */
process.env.ASSAY_TEST_TIMES ??= join(tmpdir(), `assay-test-times-${process.pid}.jsonl`);

/** All tests, in as few Jest environments as possible. `npx jest PATH` runs one spec by itself. */
module.exports = {
  ...base,
  testMatch: [...base.testMatch, '<rootDir>/test/suites/*.suite.ts'],
  // Each failure is printed once, when its file ends, and named again at the end of the run.
  reporters: [
    ['default', { summaryThreshold: 10_000 }],
    '<rootDir>/test/suites/processor-time.cjs',
    '<rootDir>/test/suites/failed-tests.cjs',
  ],
  testSequencer: '<rootDir>/test/suites/longest-first.cjs',
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...inSuites],
};
