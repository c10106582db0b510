import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const script = resolve(__dirname, '../../.ci/mass.mjs');
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-mass-'));
  write('docs/openapi.yaml', '      operationId: one\n      operationId: two\n');
  write('src/modules/things/data/thing.entity.ts', 'export const thing = 1;\n');
  write('test/e2e/things.spec.ts', 'one();\ntwo();\n');
  write('.ci/mass.json', '{ "code": 1 }');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}
const mass = (...options: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [script, ...options, project], { encoding: 'utf8' });

it.each([
  ['blank lines', '\n  \n'],
  ['comments', '/** What it is,\n * in two lines. */\n// And one.\n'],
  ['imports of several lines', "import {\n  one,\n  two,\n} from './numbers';\nimport './effects';\n"],
  ['re-exports', "export * from './one';\nexport type {\n  Two,\n} from './two';\n"],
  ['lone brackets', '{\n  [\n  ]\n});\n/>\n'],
])('%s are no code', (_what, text) => {
  write('src/kernel/numbers.ts', text);
  expect(mass()).toMatchObject({ status: 0, stderr: '' });
});

it.each(['src/kernel/numbers.ts', 'clients/sdk/src/client.ts', 'src/portal/page.tsx', 'src/portal/page.css'])(
  'a line of code in %s beyond the budget fails the check',
  (name) => {
    write(name, 'const two = 2;\n');
    const { status, stderr } = mass();
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('src and clients have 2 lines of code, and .ci/mass.json allows 1'),
    ]);
  },
);

it.each([
  'src/kernel/numbers.spec.ts',
  'clients/sdk/src/client.spec.ts',
  'src/engine/testing/site.ts',
  'test/support/app.ts',
])('the code of %s counts as tests', (name) => {
  write(name, 'const two = 2;\n');
  const { status, stdout } = mass();
  expect([status, stdout]).toEqual([0, expect.stringContaining('1  in all, beside 3 of tests')]);
});

it.each(['clients/sdk/dist/index.d.ts', 'clients/sdk/src/api-types.ts'])(
  'the code of %s was generated and does not count',
  (name) => {
    write(name, 'const two = 2;\n');
    expect(mass()).toMatchObject({ status: 0, stderr: '' });
  },
);

it('counts the code of modules for each operation of the API and each entity', () => {
  write('src/modules/things/things.service.ts', 'one();\ntwo();\nthree();\n');
  expect(mass().stdout).toContain('Modules: 2 for each of 2 operations, 4 for each of 1 entities.');
});

it('stores the counts of today as the budget on demand', () => {
  write('src/kernel/numbers.ts', 'const two = 2;\n');
  expect(mass('--write').status).toBe(0);
  expect(JSON.parse(readFileSync(join(project, '.ci/mass.json'), 'utf8'))).toEqual({ code: 2 });
  expect(mass().status).toBe(0);
});
