const config = require('./jest.config.js');

/** `npm run test:watch -- PATH` keeps PostgreSQL and the compiled programs from one run to the next. */
module.exports = {
  ...config,
  projects: config.projects.map(({ globalTeardown, ...project }) =>
    globalTeardown === undefined ? project : { ...project, globalSetup: '<rootDir>/test/support/watch-setup.ts' },
  ),
};
