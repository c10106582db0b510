import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Counts lines of code by room, per operation and entity, and compares them with the budget in .ci/mass.json:
//
//   node .ci/mass.mjs [--write] [<project>]     `--write` stores the counts of today as the budget
//
// A line of code is no blank line, comment, import, re-export or lone bracket. Code in `testing/` counts as tests.

const options = process.argv.slice(2);
const project = resolve(
  options.find((one) => !one.startsWith('--')) ?? dirname(dirname(fileURLToPath(import.meta.url))),
);
const BUDGET = join(project, '.ci', 'mass.json');

const CODE = new Set(['.ts', '.tsx', '.css']);
/** What a build wrote, and types that are written from the document of the API. */
const GENERATED = /(?:^|\/)dist\/|\/api-types\.ts$/;
const isTest = (name) => /\.spec\.tsx?$/.test(name) || /(?:^|\/)testing\//.test(name);
const STATEMENT_OF_IMPORT = /^(?:import\b[^;]*;|export (?:type )?(?:\*|\{[^}]*\})[^;]*;)/gm;
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$|^[ \t]*\/\/.*$/gm;
/** Brackets, with what joins them to the next line. */
const LONE = /^[\s()[\]{}<>/;,]*$/;

const linesOf = (text) =>
  text
    .replace(COMMENT, '')
    .replace(STATEMENT_OF_IMPORT, '')
    .split('\n')
    .filter((line) => !LONE.test(line)).length;

const filesBelow = (folder) =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.has(extname(entry.name)))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !GENERATED.test(name));

/** `src/modules/findings`, `src/engine`. */
const roomOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('src/modules/') ? 3 : 2)
    .join('/');

const rooms = {};
let tests = 0;
const clients = existsSync(join(project, 'clients')) ? filesBelow('clients') : [];
for (const name of [...filesBelow('src'), ...clients, ...filesBelow('test')]) {
  const lines = linesOf(readFileSync(join(project, name), 'utf8'));
  if (name.startsWith('test/') || isTest(name)) {
    tests += lines;
    continue;
  }
  rooms[roomOf(name)] = (rooms[roomOf(name)] ?? 0) + lines;
}
const operations = readFileSync(join(project, 'docs/openapi.yaml'), 'utf8').match(/^ *operationId:/gm)?.length ?? 0;
const entities = filesBelow('src/modules').filter((name) => name.endsWith('.entity.ts')).length;
const sumOf = (counts) => counts.reduce((sum, lines) => sum + lines, 0);
const code = sumOf(Object.values(rooms));
const ofModules = sumOf(Object.keys(rooms).map((room) => (room.startsWith('src/modules/') ? rooms[room] : 0)));

for (const [room, lines] of Object.entries(rooms).sort(([, one], [, other]) => other - one))
  console.log(`${String(lines).padStart(7)}  ${room}`);
console.log(`${String(code).padStart(7)}  in all, beside ${tests} of tests`);
console.log(
  `Modules: ${Math.round(ofModules / operations)} for each of ${operations} operations, ${Math.round(ofModules / entities)} for each of ${entities} entities.`,
);

if (options.includes('--write')) {
  writeFileSync(BUDGET, `${JSON.stringify({ code }, null, 2)}\n`);
} else {
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')).code;
  if (code > budget) {
    console.error(
      `src and clients have ${code} lines of code, and .ci/mass.json allows ${budget}. Remove ${code - budget}, or raise it.`,
    );
    process.exitCode = 1;
  }
}
