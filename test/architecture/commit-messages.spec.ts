import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const body = '\n\nThe old limit refused valid requests.\n';

let checkout: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** Configures the hook as `npm install` does. */
function useHooks(environment: Record<string, string | undefined> = {}): void {
  const env = { ...process.env, CI: undefined, ...environment };
  execFileSync(process.execPath, [join(checkout, '.ci/use-hooks.cjs')], { env });
}

const commit = (message: string): { accepted: boolean; stderr: string } => {
  const { status, stderr } = spawnSync(
    'git',
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--allow-empty', '-F', '-'],
    { cwd: checkout, input: message, encoding: 'utf8' },
  );
  return { accepted: status === 0, stderr };
};

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'assay-commits-'));
  for (const folder of ['.ci', '.githooks']) cpSync(join(project, folder), join(checkout, folder), { recursive: true });
  for (const folder of ['src/modules/jobs', 'src/platform/http', 'test', 'docs'])
    mkdirSync(join(checkout, folder), { recursive: true });
  git('init', '--quiet');
  useHooks();
});

afterAll(() => {
  rmSync(checkout, { recursive: true, force: true });
});

it.each([
  `jobs: Raise the limit of concurrent jobs.${body}`,
  `http: Focus the error on the field${body}`,
  `tests: Bring the fixtures up to date${body}`,
  `jobs: ${'A'.repeat(66)}${body}`,
  'fixup! anything at all\n',
  'Merge branch "other"\n',
  'Revert "anything at all"\n\nThis reverts commit 0000000.\n',
])('the hook accepts the message %j', (message) => {
  expect(commit(message)).toMatchObject({ accepted: true });
});

it.each([
  [`Raise the limit${body}`, 'must have the form "area: Imperative sentence."'],
  [`portal: Raise the limit${body}`, '"portal" is not an area. Areas: ci, deps, docs, http, jobs, modules, platform'],
  [`jobs: raise the limit${body}`, 'must start with a capital letter'],
  [`jobs: Raised the limit${body}`, '"Raised" is not imperative'],
  [`jobs: Raises the limit${body}`, '"Raises" is not imperative'],
  [`jobs: Raising the limit${body}`, '"Raising" is not imperative'],
  [`jobs: ${'A'.repeat(67)}${body}`, 'The first line has 73 characters; 72 are allowed.'],
  ['jobs: Raise the limit\n', 'needs a body that says why'],
  ['jobs: Raise the limit\nThe old one was low.\n', 'The second line must be empty.'],
])('the hook refuses the message %j with a sentence', (message, sentence) => {
  const { accepted, stderr } = commit(message);
  expect(accepted).toBe(false);
  expect(stderr).toContain(sentence);
});

it('--last names the commits that break the rule and exits with 0', () => {
  git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'Whatever');
  commit(`jobs: Raise the limit${body}`);
  const report = execFileSync(process.execPath, [join(checkout, '.ci/commit-message.mjs'), '--last', '2'], {
    encoding: 'utf8',
  });
  expect(report).toMatch(/^\w{7,} Whatever\n {2}The first line must have the form/);
  expect(report).not.toContain('Raise the limit');
});

describe('npm install sets up the hook', () => {
  const hooksPath = (): string => spawnSync('git', ['config', 'core.hooksPath'], { cwd: checkout }).stdout.toString();
  beforeEach(() => git('config', '--unset-all', 'core.hooksPath'));
  afterEach(() => git('config', 'core.hooksPath', '.githooks'));

  it('in a checkout of this repository', () => {
    useHooks();
    expect(hooksPath()).toBe('.githooks\n');
  });

  it('but not in a CI environment', () => {
    useHooks({ CI: 'true' });
    expect(hooksPath()).toBe('');
  });

  it('but not over hooks that are already configured', () => {
    git('config', 'core.hooksPath', 'of-mine');
    useHooks();
    expect(hooksPath()).toBe('of-mine\n');
  });

  it('but not in a repository that only contains the project', () => {
    const inner = join(checkout, 'node_modules/assay');
    cpSync(join(project, '.ci'), join(inner, '.ci'), { recursive: true });
    const env = { ...process.env, CI: undefined };
    execFileSync(process.execPath, [join(inner, '.ci/use-hooks.cjs')], { env });
    expect(hooksPath()).toBe('');
  });
});
