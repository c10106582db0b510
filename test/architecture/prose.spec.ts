import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = resolve(__dirname, '../../.ci/prose.mjs');
const LIMIT = 58_000;
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'assay-prose-'));
  mkdirSync(join(project, 'docs/adr'), { recursive: true });
  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']) write(name, 'A word.\n');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
const words = (count: number): string => 'word '.repeat(count);
const check = (): SpawnSyncReturns<string> => spawnSync(process.execPath, [script, project], { encoding: 'utf8' });

it.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/page.md', 'docs/adr/0001-page.md'])(
  'the documentation fails the check when %s makes it too long',
  (name) => {
    write(name, words(LIMIT + 1));
    const { status, stderr } = check();
    expect([status, stderr]).toEqual([1, expect.stringContaining(`at most ${LIMIT} are allowed`)]);
    expect(stderr).toContain(`The longest pages: ${name} (${LIMIT + 1})`);
  },
);

it('pages up to the limit pass, and generated pages and other files do not count', () => {
  write('docs/page.md', words(LIMIT - 8));
  write('docs/checks.md', words(LIMIT));
  write('docs/openapi.yaml', words(LIMIT));
  expect(check()).toMatchObject({ status: 0, stderr: '' });
  write('docs/page.md', words(LIMIT - 7));
  expect(check().status).toBe(1);
});

it('the lines of a table do not count', () => {
  write('docs/page.md', `${words(LIMIT - 8)}| --- | | -`);
  expect(check().status).toBe(0);
});
