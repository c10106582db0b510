import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Fails if `npm pack` would pack files that git does not know, such as deploy/compose/.env with your own secrets:
//
//   node .ci/packed-files.mjs [<folder>]

/** Created by the scripts that run before. */
const isGenerated = (path) => path.startsWith('dist/') || path === 'THIRD-PARTY-LICENSES.txt';

const project = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));

function packedFiles() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  // A list or, in later versions of npm, an object.
  return Object.values(JSON.parse(stdout)).flatMap(({ files }) => files.map(({ path }) => path));
}

if (existsSync(join(project, '.git'))) {
  const known = new Set(execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' }).split('\0'));
  const unknown = packedFiles().filter((path) => !isGenerated(path) && !known.has(path));
  for (const path of unknown) console.error(`${path} would be published, but git does not know it. Move or add it.`);
  if (unknown.length > 0) process.exitCode = 1;
}
