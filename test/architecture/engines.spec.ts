import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = resolve(__dirname, '../../.ci/engines.mjs');

/** Runs the check on a project for Node 20.19 or later whose lockfile contains this package. */
function check(entry: object): { status: number | null; stderr: string } {
  const project = mkdtempSync(join(tmpdir(), 'assay-engines-'));
  try {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ engines: { node: '>=20.19' } }));
    const packages = { 'node_modules/some': { version: '1.2.3', ...entry } };
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }));
    return spawnSync(process.execPath, [script, project], { encoding: 'utf8' });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

it.each([{}, { engines: { node: '>=18' } }, { engines: { node: '^20.19.0 || >=22.12.0' } }])(
  'a package that runs on Node 20.19 passes: %j',
  (entry) => {
    expect(check(entry)).toMatchObject({ status: 0, stderr: '' });
  },
);

it.each(['>=22', '^20.20.0 || >=22', '>=18 <20'])(
  'the check fails and names a package that requires Node %s',
  (node) => {
    const { status, stderr } = check({ engines: { node } });
    expect(status).toBe(1);
    expect(stderr).toContain(`node_modules/some@1.2.3 requires Node ${node}, not 20.19.0.\n`);
  },
);

it('the check ignores optional packages', () => {
  expect(check({ optional: true, engines: { node: '>=22' } }).status).toBe(0);
});
