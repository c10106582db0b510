import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-node-'));
  // Tests run programs as an ordinary user.
  chmodSync(folder, 0o755);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The folder of the `node` program of this version, from the npm package of that name. */
function installNode(version: string): string {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `node@${version}`];
  const { status, stderr } = spawnSync(npm, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`node@${version} could not be installed:\n${stderr}`);
  return join(folder, 'node_modules', 'node', 'bin');
}

it.each(['20.19', '22', '24'])('the specs that depend on the version of Node pass on Node %s', (version) => {
  const bin = installNode(version);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, JEST_WORKER_ID: undefined };
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: project, env, encoding: 'utf8', maxBuffer: 100_000_000 });
  expect(run(join(bin, 'node'), '--version').stdout).toMatch(new RegExp(`^v${version}\\.`));
  const { status, stderr } = run(npm, 'run', 'test:node', '--', '--silent');
  const [, failed = ''] = stderr.split('\nFailed:\n');
  expect({ status, failed }).toEqual({ status: 0, failed: '' });
  expect(run(npm, 'run', 'test:unit', '--', 'src/engine', '--silent').status).toBe(0);
});
