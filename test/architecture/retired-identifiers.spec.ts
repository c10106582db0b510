import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const script = resolve(__dirname, '../../.ci/retired-identifiers.mjs');
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-names-'));
  write('.ci/retired-identifiers.txt', '# Names.\n! docs/adr/0001-names.md\ntellStory setOperationMetadata\n');
});

afterEach(() => {
  rmSync(project, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

const search = () => spawnSync(process.execPath, [script, project], { encoding: 'utf8' });

it.each(['src/a.ts', 'test/e2e/a.spec.ts', 'bench/a.ts', 'migrations/a.ts', 'docs/a.md', 'README.md'])(
  'a retired identifier in %s fails, with its line and its replacement',
  (file) => {
    write(file, 'one\ntwo(tellStory)\n');
    const { status, stderr } = search();
    expect(status).toBe(1);
    expect(stderr).toBe(`${file}:2: \`tellStory\` is retired. Use setOperationMetadata.\n`);
  },
);

it('only whole identifiers are reported, and excluded files are skipped', () => {
  write('src/a.ts', 'tellStoryTwice; retellStory; $tellStory; tellStory2;\n');
  write('docs/adr/0001-names.md', 'tellStory became setOperationMetadata.\n');
  expect(search()).toMatchObject({ status: 0, stderr: '' });
});

it('an entry without a replacement fails', () => {
  write('.ci/retired-identifiers.txt', 'tellStory\n');
  expect(search().stderr).toBe('.ci/retired-identifiers.txt: `tellStory` has no replacement.\n');
});
