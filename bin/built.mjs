import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, for it runs before anything is built, and on a Node that may be too old for the rest.

export const project = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(project, 'dist', 'src', 'apps', 'cli', 'main.js');
/** Written after a whole build, and deleted by the next one together with `dist`. */
const stamp = join(project, 'dist', '.built');

function refuse(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

function demandNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  refuse(`Assay needs Node 20.19 or later, and this is ${process.versions.node}. See https://nodejs.org/.`);
}

function demandPackages() {
  if (existsSync(join(project, 'node_modules', 'pg'))) return;
  refuse(`The packages are not installed. Run this first, in ${project}:\n\n  npm install`);
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time counts too: it shows that a file was deleted.
  return readdirSync(path).reduce((time, entry) => Math.max(time, newest(join(path, entry))), stats.mtimeMs);
}

function isBuilt() {
  if (!existsSync(stamp)) return false;
  const sources = ['src', 'migrations', 'package.json', '.swcrc'].map((name) => join(project, name));
  return Math.max(...sources.filter((path) => existsSync(path)).map(newest)) < statSync(stamp).mtimeMs;
}

/** What `npm run build` does, without the time that npm takes. */
function build() {
  const began = new Date();
  const { status } = spawnSync(process.execPath, [join(project, 'bin', 'build.mjs')], {
    cwd: project,
    stdio: 'inherit',
  });
  if (status !== 0 || !existsSync(program)) {
    refuse(
      'The build failed, see above. When it misses a package, run `npm install --include=dev --include=optional`.',
    );
  }
  // As old as the beginning: what was edited meanwhile is newer.
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}

/** Sees to it that `dist` is there and as new as the sources; ends the process with a sentence where it cannot be. */
export function demandBuilt() {
  demandNode();
  demandPackages();
  if (isBuilt()) return;
  const canBuild = existsSync(join(project, 'node_modules', '@swc', 'core'));
  if (canBuild) build();
  else if (!existsSync(program))
    refuse('Nothing is built, and the compiler is not installed: npm install --include=dev');
}
