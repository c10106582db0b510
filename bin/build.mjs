import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Modules, writeBundle } from './bundle.mjs';
import { bundleProgram } from './client-bundles.mjs';

// Writes the programs of `src` and that of `clients/cli` into a new folder, and notes the time in `.built`, or adds the given programs to an existing one:
//
//   node bin/build.mjs [--out-dir <folder>] [<program> ...]

const project = dirname(dirname(fileURLToPath(import.meta.url)));

/** The programs of a bundle share it, and each process compiles the functions that it calls. */
const BUNDLES = {
  service: [
    'api/main',
    'worker/main',
    'cli/main',
    'local/add-own-targets',
    'local/retire-signing-key',
    'local/demo/seed',
    'local/demo/seed-results',
    'local/demo/add-target',
  ].map((name) => `src/apps/${name}`),
  local: ['src/apps/local/main', 'src/platform/database/find-primary'],
  'demo-target': ['src/apps/local/demo-target/main'],
  beacon: ['src/apps/beacon/main'],
  callbacks: ['src/apps/callbacks/main'],
  report: ['src/modules/reports/rendering/render-report'],
  'job-report': ['src/modules/reports/rendering/render-job-report'],
  'scanner-files': ['src/scanner-files/reading-program'],
};

const { values, positionals } = parseArgs({
  options: { 'out-dir': { type: 'string', default: join(project, 'dist') } },
  allowPositionals: true,
});
const folder = values['out-dir'];

function filesBelow(path) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : filesBelow(below);
    return /\.tsx?$/.test(entry.name) ? [] : [below];
  });
}

/** Fonts, style sheets and programs that are not compiled. */
function copyFilesBelow(path) {
  for (const file of filesBelow(join(project, path))) {
    const target = join(folder, relative(project, file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

async function buildAll() {
  const began = new Date();
  rmSync(folder, { recursive: true, force: true });
  const modules = new Modules(project);
  await Promise.all(Object.entries(BUNDLES).map(([name, programs]) => writeBundle(modules, folder, name, programs)));
  copyFileSync(join(project, 'bin', 'load-bundle.cjs'), join(folder, 'load-bundle.cjs'));
  copyFilesBelow('src');
  await bundleProgram(join(folder, 'src', 'apps', 'api', 'client', 'assay.cjs'));
  // The time of the beginning, so that files that were edited during the build are newer.
  const stamp = join(folder, '.built');
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}

async function buildPrograms() {
  const programs = positionals.map((path) => path.replace(/\.ts$/, ''));
  await writeBundle(new Modules(project), folder, dirname(programs[0]).replaceAll('/', '-'), programs);
  copyFilesBelow(dirname(programs[0]));
}

await (positionals.length === 0 ? buildAll() : buildPrograms()).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
