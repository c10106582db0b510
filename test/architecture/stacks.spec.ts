import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');

/** Fails in line 7, with a stack that was read before, and takes too long in line 12. */
const SPEC = `interface Erased {
  readonly lines: number;
}

it('throws', () => {
  const erased: Erased = { lines: 3 };
  const error = new Error(String(erased.lines));
  void error.stack;
  throw error;
});

it('takes too long', () => new Promise(() => undefined), 1);
`;

it('a failed test names the line of its source, although stacks are formatted without source maps before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stacks-'));
  try {
    writeFileSync(join(folder, 'fails.spec.ts'), SPEC);
    const base = `require(${JSON.stringify(join(project, 'jest.base.js'))})`;
    const settings = '{ ...base, roots: [__dirname], globalSetup: undefined, globalTeardown: undefined,';
    const ignored = 'setupFiles: [], testPathIgnorePatterns: [] }';
    writeFileSync(join(folder, 'jest.config.js'), `const base = ${base};\nmodule.exports = ${settings} ${ignored};\n`);
    const jest = join(project, 'node_modules/jest/bin/jest.js');
    const { stderr } = spawnSync(process.execPath, [jest, '--config', join(folder, 'jest.config.js')], {
      encoding: 'utf8',
      env: { ...process.env, FORCE_COLOR: '0', JEST_WORKER_ID: undefined, ASSAY_TEST_TIMES: undefined },
    });
    expect(stderr).toContain('fails.spec.ts:7:');
    expect(stderr).toContain('> 12 | it(');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
