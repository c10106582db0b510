import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const compiler = JSON.parse(readFileSync(join(__dirname, '../../.swcrc'), 'utf8')) as { module: { lazy: string[] } };

/** The name of a package without the file in it. */
const nameOf = (imported: string): string | undefined => /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0];

it('the API loads the packages of few uses that are not in its bundle only when they are used', () => {
  const program = join(process.env['ASSAY_TEST_DIST'] ?? '', 'src/apps/api/main.js');
  // It loads all its modules before it reads the configuration, which lacks the database here.
  const code = `process.on('exit', () => console.log(Object.keys(require.cache).join('\\n'))); require(${JSON.stringify(program)})`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '' },
  });
  expect(stderr).toContain('DATABASE_URL');
  const loaded = new Set(stdout.split('\n').map((file) => nameOf(file.split('/node_modules/')[1] ?? '')));
  expect(loaded).toContain('pg');
  expect(compiler.module.lazy.map(nameOf).filter((name) => loaded.has(name))).toEqual([]);
});
