import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Lists packages in the lockfile that are not pinned by a hash, that come from elsewhere than the configured registry, whose
// install scripts nobody has decided about, or of which package.json names no exact version. Runs without packages, so before they are installed:
//
//   node .ci/lockfile.mjs [<project>]

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const read = (name) => JSON.parse(readFileSync(join(project, name), 'utf8'));
const { allowScripts = {}, dependencies = {}, devDependencies = {}, workspaces = [] } = read('package.json');
/** The workspaces of this project, and the links to them in `node_modules`. */
const isOurs = ([path, { resolved, link, name }]) =>
  path === '' || workspaces.includes(path) || (link === true && workspaces.includes(resolved) && name === undefined);
const locked = Object.entries(read('package-lock.json').packages);
const packages = locked.filter((entry) => !isOurs(entry));
const ofWorkspaces = workspaces.flatMap((path) => {
  const { dependencies = {}, devDependencies = {} } = read(join(path, 'package.json'));
  return Object.entries({ ...dependencies, ...devDependencies });
});

/** SHA-512 in base64: 86 digits and two for the length. */
const isPinned = ({ integrity }) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '');
const nameOf = ([path, { name }]) => name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const withScripts = new Set(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(nameOf));
const decided = Object.keys(allowScripts);

const violations = [
  ...[...Object.entries({ ...dependencies, ...devDependencies }), ...ofWorkspaces]
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} is ${version} in package.json. Name one version, the one of the lockfile.`),
  ...packages
    .filter(([, entry]) => !isPinned(entry))
    .map(([path]) => `${path} has no SHA-512 hash. Remove its entry and run npm install, which adds it again.`),
  ...packages
    .filter(([, { resolved, link }]) => resolved !== undefined || link === true)
    .map(
      ([path, { resolved = 'a folder' }]) =>
        `${path} is ${resolved}. Use a package of the registry, without its address.`,
    ),
  ...[...withScripts]
    .filter((name) => !decided.includes(name))
    .map((name) => `${name} has an install script. Read it, and set it to true or false in "allowScripts".`),
  ...decided
    .filter((name) => !withScripts.has(name))
    .map((name) => `${name} has no install script. Remove it from "allowScripts".`),
];

if (violations.length > 0) {
  console.error(violations.join('\n'));
  process.exitCode = 1;
}
