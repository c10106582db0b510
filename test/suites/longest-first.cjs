const { basename, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** They wait long, so that a run that begins with others ends with one of them alone. The longest first. */
const LONGEST = [
  'units-engine',
  'active-jobs',
  'assets',
  'findings',
  'active-launches',
  'platform',
  'reports',
  'browser',
];

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
  const at = LONGEST.indexOf(basename(path).replace(/\.(?:suite|spec)\.ts$/, ''));
  if (at >= 0) return at - LONGEST.length;
  if (path.endsWith('.suite.ts')) return 0;
  return path.includes(`${sep}test${sep}`) ? 1 : 2;
};
