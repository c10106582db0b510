import { cpSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import swc from '@swc/core';
import { bundleProgram } from './client-bundles.mjs';

// Compiles `src` and `migrations` into a new folder with the program of `clients/cli`, and notes the time in `.built`, or adds the given folders and files to an existing one:
//
//   node bin/build.mjs [--out-dir <folder>] [<folder or file> ...]

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const configFile = join(project, '.swcrc');

const { values, positionals } = parseArgs({
  options: { 'out-dir': { type: 'string', default: join(project, 'dist') } },
  allowPositionals: true,
});

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : filesBelow(path);
    return /\.spec\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

async function build(file) {
  const target = join(values['out-dir'], relative(project, file));
  mkdirSync(dirname(target), { recursive: true });
  if (!/\.tsx?$/.test(file)) {
    cpSync(file, target);
    return;
  }
  const output = target.replace(/\.tsx?$/, '.js');
  const sourceFileName = relative(dirname(target), file);
  const { code, map } = await swc.transformFile(file, { configFile, cwd: project, sourceFileName });
  writeFileSync(`${output}.map`, map ?? '');
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
}

const began = new Date();
const isWhole = positionals.length === 0;
const folders = isWhole ? ['src', 'migrations'] : positionals;
if (isWhole) rmSync(values['out-dir'], { recursive: true, force: true });
const files = folders
  .map((path) => join(project, path))
  .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
const failures = (await Promise.allSettled(files.map(build))).filter(({ status }) => status === 'rejected');
if (isWhole) await bundleProgram(join(values['out-dir'], 'src', 'apps', 'api', 'client', 'assay.cjs'));
for (const { reason } of failures) console.error(reason instanceof Error ? reason.message : reason);
process.exitCode = failures.length === 0 ? 0 : 1;
if (isWhole && failures.length === 0) {
  // The time of the beginning, so that files that were edited during the build are newer.
  const stamp = join(values['out-dir'], '.built');
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}
