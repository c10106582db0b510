import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Counts the words of the documentation:  node .ci/prose.mjs [<project>]

// The aim is 55,000, which a new maintainer reads in three hours. Lower the limit when pages become shorter; do not raise it.
const MAX_WORDS = 58_000;
const ROOT = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
const FOLDERS = ['docs', join('docs', 'adr')];
const GENERATED = join('docs', 'checks.md');

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const pages = FOLDERS.flatMap((folder) => readdirSync(join(project, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.md') && path !== GENERATED)
  .concat(ROOT);

/** Lines of tables are no words. */
const wordsOf = (path) => readFileSync(join(project, path), 'utf8').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

const counts = pages.map((path) => [path, wordsOf(path)]).sort(([, one], [, other]) => other - one);
const total = counts.reduce((sum, [, words]) => sum + words, 0);

if (total > MAX_WORDS) {
  const longest = counts.slice(0, 5).map(([path, words]) => `${path} (${words})`);
  console.error(`The documentation has ${total} words, and at most ${MAX_WORDS} are allowed. Say each thing once.`);
  console.error(`The longest pages: ${longest.join(', ')}.`);
  process.exitCode = 1;
}
