import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

// Names the packages of the lockfile that ask for more than the oldest Node this project supports:
//
//   node .ci/engines.mjs [<project>]

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const read = (name) => JSON.parse(readFileSync(join(project, name), 'utf8'));
const oldest = semver.minVersion(read('package.json').engines.node);

const violations = Object.entries(read('package-lock.json').packages)
  .filter(([, { engines, optional }]) => engines?.node !== undefined && optional !== true)
  .filter(([, { engines }]) => !semver.satisfies(oldest, engines.node))
  .map(([name, { version, engines }]) => `${name}@${version} requires Node ${engines.node}, not ${oldest.version}.`);

if (violations.length > 0) {
  console.error(violations.join('\n'));
  console.error('Take an older version, or, for a package of a package, name one in "overrides" of package.json.');
  process.exitCode = 1;
}
