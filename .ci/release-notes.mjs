import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Prints the section of CHANGELOG.md of the current version. Fails if the files of the release name different versions:
//
//   node .ci/release-notes.mjs [<project>]

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const read = (name) => readFileSync(join(project, name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const problems = [];

function requireVersion(name, found) {
  if (found.length === 0) problems.push(`${name} names no version.`);
  for (const other of new Set(found.filter((one) => one !== version)))
    problems.push(`${name} has version ${other}, and package.json has ${version}.`);
}

const matches = (name, pattern) => [...read(name).matchAll(pattern)].map(([, found]) => found);

const lock = JSON.parse(read('package-lock.json'));
requireVersion('package-lock.json', [lock.version, lock.packages[''].version]);
for (const path of JSON.parse(read('package.json')).workspaces ?? [])
  requireVersion(`${path}/package.json`, [JSON.parse(read(`${path}/package.json`)).version]);
requireVersion('docs/openapi.yaml', matches('docs/openapi.yaml', /^ {2}version: (\S+)$/gm));
requireVersion('Dockerfile', matches('Dockerfile', /org\.opencontainers\.image\.version="([^"]*)"/g));
requireVersion('docker-compose.yml', matches('docker-compose.yml', /^ *image: assay:(\S+)$/gm));
requireVersion('deploy/compose/beacon.yml', matches('deploy/compose/beacon.yml', /^ *image: assay-beacon:(\S+)$/gm));
for (const chart of readdirSync(join(project, 'deploy/helm')).filter((one) => !one.includes('.'))) {
  const name = `deploy/helm/${chart}/Chart.yaml`;
  requireVersion(name, matches(name, /^(?:appVersion|version): (\S+)$/gm));
}

const sections = read('CHANGELOG.md').split(/^(?=## )/m);
const section = sections.find((text) => text.startsWith(`## [${version}]`)) ?? '';
const [heading = '', ...lines] = section.split('\n');
const notes = lines.join('\n').trim();
if (section === '') problems.push(`CHANGELOG.md has no section "## [${version}] - <date>".`);
else if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) problems.push(`CHANGELOG.md has no date in "${heading}".`);
else if (notes === '') problems.push(`CHANGELOG.md has nothing in "${heading}".`);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else console.log(notes);
