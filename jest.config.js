const base = require('./jest.base.js');

/** Specs of src that start programs of the build or other processes of ours. */
const WITH_PROGRAMS = ['<rootDir>/src/apps/', '<rootDir>/src/modules/reports/.*process.spec.ts$'];

const { globalSetup, globalTeardown, maxWorkers, testTimeout, ...shared } = base;

/** `npx jest PATH` runs one spec. Only specs of the second project wait for a build and a database. */
module.exports = {
  maxWorkers,
  testTimeout,
  projects: [
    {
      ...shared,
      roots: ['<rootDir>/src', '<rootDir>/clients'],
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...WITH_PROGRAMS],
    },
    {
      ...shared,
      globalSetup,
      globalTeardown,
      testPathIgnorePatterns: [
        ...base.testPathIgnorePatterns,
        '<rootDir>/clients/',
        `<rootDir>/src/(?!${WITH_PROGRAMS.map((path) => path.replace('<rootDir>/src/', '')).join('|')})`,
      ],
    },
  ],
};
