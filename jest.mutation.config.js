const base = require('./jest.base.js');

/** `npm run test:mutation` has a PostgreSQL server and compiled programs for all runs. The specs may be long ones. */
module.exports = {
  ...base,
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/mutation-setup.ts',
  globalTeardown: undefined,
};
