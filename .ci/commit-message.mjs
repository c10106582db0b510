import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Checks commit messages against the rules in CONTRIBUTING.md.
//
//   node .ci/commit-message.mjs <file>     refuses an invalid message in the file (for the hook commit-msg)
//   node .ci/commit-message.mjs --last 20  lists violations in the last commits

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const MAX_SUBJECT = 72;
/** Messages that git writes, and commits that a rebase combines with others. */
const EXEMPT = /^(Merge |Revert "|(fixup|squash|amend)! )/;
/** "Added", "Adding", "Adds"; not "Feed", "Bring", "Pass". */
const NOT_IMPERATIVE = /^(?!(Embed|Shed|String|Alias|Always)\b)[A-Z][a-z]*([a-df-z]ed|[a-z]{3}ing|[a-hj-rtv-z]s)\b/;
/** Areas that are not names of folders. */
const OTHER_AREAS = ['tests', 'ci', 'deps'];

const foldersIn = (path) =>
  readdirSync(join(project, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name);

/** The folders of the project, with two more levels below `src` and one below `test`. */
function areas() {
  const below = (path, levels) =>
    foldersIn(path).flatMap((name) => [name, ...(levels === 0 ? [] : below(join(path, name), levels - 1))]);
  const names = [...foldersIn('.'), ...below('src', 1), ...below('test', 0), ...OTHER_AREAS];
  return [...new Set(names)].sort();
}

/** All violations of a message, as sentences. */
function violationsOf(message) {
  const [text] = message.split(/^# -+ >8 -+$/m);
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  const [subject = '', ...rest] = lines.join('\n').trim().split('\n');
  if (EXEMPT.test(subject)) return [];
  const [, area, sentence] = /^([\w-]+): (.*)$/.exec(subject) ?? [];
  const violations = [];
  if (subject.length > MAX_SUBJECT)
    violations.push(`The first line has ${subject.length} characters; ${MAX_SUBJECT} are allowed.`);
  if (area === undefined)
    violations.push('The first line must have the form "area: Imperative sentence.", for example "jobs: Cap retries."');
  else if (!areas().includes(area)) violations.push(`"${area}" is not an area. Areas: ${areas().join(', ')}.`);
  if (sentence !== undefined && !/^[A-Z`"]/.test(sentence))
    violations.push('The sentence after the area must start with a capital letter.');
  if (sentence !== undefined && NOT_IMPERATIVE.test(sentence))
    violations.push(`"${sentence.split(' ')[0]}" is not imperative: write "Add", not "Adds", "Added" or "Adding".`);
  if (rest.length === 0) violations.push('The message needs a body that says why, after an empty line.');
  else if (rest[0] !== '') violations.push('The second line must be empty.');
  return violations;
}

function lastCommits(count) {
  const log = execFileSync('git', ['log', '--no-merges', `-${count}`, '-z', '--format=%h%n%B'], {
    cwd: project,
    encoding: 'utf8',
  });
  return log.split('\0').filter(Boolean);
}

if (process.argv[2] === '--last') {
  for (const commit of lastCommits(Number(process.argv[3]))) {
    const [hash, ...message] = commit.split('\n');
    for (const violation of violationsOf(message.join('\n'))) console.log(`${hash} ${message[0]}\n  ${violation}`);
  }
} else {
  const violations = violationsOf(readFileSync(process.argv[2], 'utf8'));
  if (violations.length > 0) {
    console.error(['The commit message is refused:', ...violations].join('\n  '));
    console.error('See "Commits" in CONTRIBUTING.md. `git commit --edit --file=.git/COMMIT_EDITMSG` keeps your text.');
    process.exitCode = 1;
  }
}
