const base = require('./jest.config.js');

/** `npm run test:watch -- PATH` keeps PostgreSQL and the compiled programs from one run to the next. */
module.exports = {
  ...base,
  globalSetup: '<rootDir>/test/support/watch-setup.ts',
  globalTeardown: undefined,
};
