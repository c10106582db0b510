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
  'work',
  'portal',
  'jobs',
  'access',
  'retests',
  'machine-events',
  'domains-and-beacons',
  'contract',
  'accounts-and-operators',
  'architecture',
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

/** Specs that start programs wait for them. Unit specs, which wait for nothing, keep all processors busy until the end. */
const STARTS_PROGRAMS = new RegExp(`\\${sep}(?:test\\${sep}e2e|src\\${sep}apps)\\${sep}`);

const rank = (path) => {
  const at = LONGEST.indexOf(basename(path, '.suite.ts'));
  if (at >= 0) return at - LONGEST.length;
  if (STARTS_PROGRAMS.test(path)) return 0;
  return path.endsWith('.suite.ts') ? 1 : 2;
};
