const base = require('./jest.base.js');

/** What takes longer than a person waits: soaks, fault loops, volume. */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/long/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 30 * 60_000,
  maxWorkers: 1,
};
