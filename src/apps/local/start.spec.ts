import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A project folder with only the start script. */
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  cpSync(resolve(__dirname, '../../../bin'), join(project, 'bin'), { recursive: true });
});

afterEach(() => {
  rmSync(project, { recursive: true, force: true });
});

function start(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['bin/start.mjs', ...args], { cwd: project, encoding: 'utf8' });
}

function write(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

/** A fake compiler: every compiled file becomes this program, which prints its arguments. */
const program = `exports.start = async (args) => console.log('started', ...args);`;
const compiler = `exports.transformFile = async (file) => {
  if (file.endsWith('local/main.ts')) console.log('built');
  return { code: ${JSON.stringify(program)}, map: '{"version":3,"sources":[],"names":[],"mappings":""}' };
};`;
const bundler = `exports.build = async ({ outfile }) => {
  if (outfile !== undefined) require('node:fs').writeFileSync(outfile, '');
  return { outputFiles: [{ text: 'module.exports = {}' }] };
};`;
const PROGRAMS = [
  'api/main',
  'callbacks/main',
  'worker/main',
  'cli/main',
  'beacon/main',
  'local/main',
  'local/demo-target/main',
  'local/add-own-targets',
  'local/retire-signing-key',
  'local/demo/seed',
  'local/demo/seed-results',
  'local/demo/add-target',
].map((name) => `src/apps/${name}.ts`);
const OTHERS = [
  'src/platform/database/find-primary.ts',
  'src/modules/reports/rendering/render-report.ts',
  'src/modules/reports/rendering/render-job-report.ts',
  'src/scanner-files/reading-program.ts',
];

function install(): void {
  write('node_modules/pg/package.json', '{}');
  write('package.json', '{}');
  for (const path of [...PROGRAMS, ...OTHERS]) write(path, '');
  write('node_modules/@swc/core/index.js', compiler);
  write('node_modules/esbuild/index.js', bundler);
  for (const name of [
    'openapi-fetch',
    'commander',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/core',
    'zod',
  ])
    write(`node_modules/${name}/LICENSE`, '');
}

/** The lines without the time since the start. */
const steps = (output: string): string[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ +\d+\.\d s {2}/, ''));

describe('bin/start.mjs', () => {
  it('prints only the help with --help', () => {
    install();
    start();
    expect(start('--help').stdout).toBe('started --help\n');
  });

  it('asks the user to install the packages', () => {
    const { status, stderr } = start();
    expect(status).toBe(1);
    expect(stderr).toContain(`The packages are not installed. Run this first, in ${project}:\n\n  npm install`);
  });

  it('runs as a package of another project, and keeps its data in that project', () => {
    write('node_modules/pg/package.json', '{}');
    cpSync(join(project, 'bin'), join(project, 'node_modules/assay/bin'), { recursive: true });
    write('node_modules/assay/dist/src/apps/cli/main.js', '');
    write(
      'node_modules/assay/dist/src/apps/local/main.js',
      'exports.start = () => console.log(process.env.ASSAY_DATA);',
    );
    const env = { PATH: process.env['PATH'] };
    const options = { cwd: project, env, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/assay/bin/start.mjs'], options);
    expect([steps(stdout), stderr]).toEqual([['Starting Assay', join(project, '.assay')], '']);
  });

  it('builds if the build is missing, and only then', () => {
    install();
    expect(steps(start('--reset').stdout)).toEqual([
      'Starting Assay',
      'Compiling the sources',
      'built',
      'started --reset',
    ]);
    expect(steps(start().stdout)).toEqual(['Starting Assay', 'started']);
  });

  it('builds again if the sources are newer', () => {
    install();
    start();
    write('src/new.ts', '');
    expect(steps(start().stdout)).toEqual(['Starting Assay', 'Compiling the sources', 'built', 'started']);
  });

  it('prints instructions if the build fails', () => {
    install();
    write('node_modules/@swc/core/index.js', `throw new Error('no binding')`);
    const { status, stderr } = start();
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /no binding[^]*\n\nThe build failed, see above.*npm install --include=dev --include=optional/,
    );
  });

  it('prints instructions if both the build and the compiler are missing', () => {
    install();
    rmSync(join(project, 'node_modules', '@swc'), { recursive: true });
    expect(start().stderr).toContain('Nothing is built, and the compiler is not installed: npm install --include=dev');
  });
});
