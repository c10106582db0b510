const { sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Jest runs the tests that took longest first. In a new checkout it knows no times and takes the largest files first, which
 * would leave the suites, whose files have three lines, until the end.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a.path) - rank(b.path));
  }
};

const rank = (path) => {
  if (path.endsWith('.suite.ts')) return 0;
  return path.includes(`${sep}test${sep}`) ? 1 : 2;
};
