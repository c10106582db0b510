import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Finds identifiers that were renamed:  node .ci/retired-identifiers.mjs [<project>]

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const SEARCHED = ['src', 'test', 'bench', 'migrations', 'docs', 'bin', 'examples', 'README.md', 'CONTRIBUTING.md'];
const TEXT = /\.(tsx?|[cm]?js|md|ya?ml|json|typ|sql|html|css|txt|sh)$/;

const lines = readFileSync(join(project, '.ci', 'retired-identifiers.txt'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
const excluded = lines.filter((line) => line.startsWith('! ')).map((line) => line.slice(2));
const replacements = new Map(
  lines.filter((line) => !line.startsWith('! ')).map((line) => /^(\S+)\s+(.+)$/.exec(line)?.slice(1) ?? [line, '']),
);

function filesAt(path) {
  const name = relative(project, path);
  if (excluded.some((entry) => name === entry || name.startsWith(`${entry}/`))) return [];
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) return readdirSync(path).flatMap((entry) => filesAt(join(path, entry)));
  return TEXT.test(name) ? [path] : [];
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

function violationsIn(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      [...new Set(line.match(IDENTIFIER))]
        .filter((identifier) => replacements.has(identifier))
        .map((identifier) => {
          const place = `${relative(project, path)}:${index + 1}`;
          return `${place}: \`${identifier}\` is retired. Use ${replacements.get(identifier)}.`;
        }),
    );
}

const incomplete = [...replacements].filter(([, replacement]) => replacement === '').map(([name]) => name);
const violations = [
  ...incomplete.map((name) => `.ci/retired-identifiers.txt: \`${name}\` has no replacement.`),
  ...SEARCHED.map((name) => join(project, name))
    .flatMap(filesAt)
    .flatMap(violationsIn),
];
for (const violation of violations) console.error(violation);
process.exitCode = violations.length === 0 ? 0 : 1;
