import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, because it runs before the build, and must also run on versions of Node that are too old.

export const project = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const program = join(project, 'dist', 'src', 'apps', 'cli', 'main.js');
/** Written by a complete build. The next build deletes it together with `dist`. */
const stamp = join(project, 'dist', '.built');

function exitWithError(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  exitWithError(`Assay needs Node 20.19 or later, and this is ${process.versions.node}. See https://nodejs.org/.`);
}

function requirePackages() {
  if (require.resolve.paths('pg').some((folder) => existsSync(join(folder, 'pg')))) return;
  exitWithError(`The packages are not installed. Run this first, in ${project}:\n\n  npm install`);
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time counts too: it shows that a file was deleted.
  return readdirSync(path).reduce((time, entry) => Math.max(time, newest(join(path, entry))), stats.mtimeMs);
}

function isBuilt() {
  if (!existsSync(stamp)) return false;
  const sources = [
    'src',
    'migrations',
    'bin',
    'clients/sdk/src',
    'clients/cli/src',
    'clients/mcp/src',
    'package.json',
    '.swcrc',
  ].map((name) => join(project, name));
  return Math.max(...sources.filter((path) => existsSync(path)).map(newest)) < statSync(stamp).mtimeMs;
}

/** What `npm run build` does, without the time that npm takes. */
function build() {
  const { status } = spawnSync(process.execPath, [join(project, 'bin', 'build.mjs')], {
    cwd: project,
    stdio: 'inherit',
  });
  if (status !== 0 || !existsSync(program)) {
    exitWithError(
      'The build failed, see above. If a package is missing, run `npm install --include=dev --include=optional`.',
    );
  }
}

/**
 * Builds `dist` if it is missing or older than the sources, and passes what it does to `announce`. Exits with an error message if
 * that fails.
 */
export function requireBuild(announce) {
  // As a package in another project, whose next `npm install` replaces this folder.
  if (project.split(sep).includes('node_modules') && !process.env.ASSAY_DATA)
    process.env.ASSAY_DATA = resolve('.assay');
  requireNode();
  requirePackages();
  if (isBuilt()) return;
  const canBuild = ['@swc/core', 'esbuild'].every((name) => existsSync(join(project, 'node_modules', name)));
  if (canBuild) {
    announce('Compiling the sources');
    build();
  } else if (!existsSync(program))
    exitWithError('Nothing is built, and the compiler is not installed: npm install --include=dev');
}
