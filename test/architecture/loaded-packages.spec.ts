import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const compiler = JSON.parse(readFileSync(join(__dirname, '../../.swcrc'), 'utf8')) as { module: { lazy: string[] } };

/** The name of a package without the file in it. */
const nameOf = (imported: string): string | undefined => /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0];

it('the modules of the API load the packages of few uses only when they are used', () => {
  const program = join(process.env['ASSAY_TEST_DIST'] ?? '', 'src/apps/api/api.module.js');
  const code = `require(${JSON.stringify(program)}); console.log(Object.keys(require.cache).join('\\n'))`;
  const files = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }).trim().split('\n');
  const loaded = new Set(files.map((file) => nameOf(file.split('/node_modules/')[1] ?? '')));
  expect(loaded).toContain('pg');
  expect(compiler.module.lazy.map(nameOf).filter((name) => loaded.has(name))).toEqual([]);
});
