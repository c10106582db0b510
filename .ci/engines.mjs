import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

// Lists packages in the lockfile that do not support the oldest supported version of Node:
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
  console.error('Use an older version. For an indirect dependency, set the version in "overrides" in package.json.');
  process.exitCode = 1;
}
