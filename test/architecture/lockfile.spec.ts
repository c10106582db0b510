import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const script = resolve(__dirname, '../../.ci/lockfile.mjs');
const integrity = `sha512-${'A'.repeat(86)}==`;

/** Runs the check on a project whose lockfile has this package. */
function check(
  entry: object,
  allowScripts: object = {},
  dependencies: object = {},
): { status: number | null; stderr: string } {
  const project = mkdtempSync(join(tmpdir(), 'assay-lockfile-'));
  try {
    const packages = {
      '': { name: 'project' },
      'node_modules/a/node_modules/@some/one': { version: '1.2.3', ...entry },
    };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ allowScripts, dependencies }));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }));
    const { status, stderr } = spawnSync(process.execPath, [script, project], { encoding: 'utf8' });
    return { status, stderr };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Runs the check on a project with a workspace, whose manifest has these dependencies, and this link. */
function checkWorkspace(link: object, dependencies: object = {}): { status: number | null; stderr: string } {
  const project = mkdtempSync(join(tmpdir(), 'assay-lockfile-'));
  try {
    const packages = { '': {}, 'clients/one': { version: '1.0.0' }, 'node_modules/one': { link: true, ...link } };
    mkdirSync(join(project, 'clients/one'), { recursive: true });
    writeFileSync(join(project, 'clients/one/package.json'), JSON.stringify({ dependencies }));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ workspaces: ['clients/one'] }));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }));
    const { status, stderr } = spawnSync(process.execPath, [script, project], { encoding: 'utf8' });
    return { status, stderr };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

describe('the check of the lockfile', () => {
  it('passes workspaces of the project, but no other folder, and reads their manifests', () => {
    expect(checkWorkspace({ resolved: 'clients/one' })).toEqual({ status: 0, stderr: '' });
    expect(checkWorkspace({ resolved: 'clients/two' }).stderr).toContain('node_modules/one is clients/two');
    expect(checkWorkspace({ resolved: 'clients/one' }, { other: '^1.0.0' }).stderr).toContain('other is ^1.0.0');
  });

  it('passes packages of the registry with a hash, and decisions about all install scripts', () => {
    expect(check({ integrity })).toEqual({ status: 0, stderr: '' });
    for (const decision of [true, false])
      expect(check({ integrity, hasInstallScript: true }, { '@some/one': decision })).toEqual({
        status: 0,
        stderr: '',
      });
  });

  it.each([
    undefined,
    'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
    `${integrity} sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=`,
    'sha512-AAAA==',
  ])('names a package whose hash is %s', (other) => {
    const { status, stderr } = check({ integrity: other });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^node_modules\/a\/node_modules\/@some\/one has no SHA-512/),
    ]);
  });

  it.each([
    [{ resolved: 'https://registry.example.com/@some/one/-/one-1.2.3.tgz' }, 'https://registry.example.com/'],
    [{ resolved: 'git+ssh://git@example.com/some/one.git#0123456' }, 'git+ssh://'],
    [{ resolved: '../elsewhere', link: true }, '../elsewhere'],
    [{ link: true }, 'a folder'],
  ])('names a package that is not one of the registry: %j', (entry, source) => {
    const { status, stderr } = check({ integrity, ...entry });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`@some/one is ${source}`)]);
  });

  it.each(['^1.2.3', '~1.2.3', '>=1', '1.2', '*', 'latest'])('names a package whose version is %s', (version) => {
    const { status, stderr } = check({ integrity }, {}, { other: '1.2.3-beta.17', '@some/one': version });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^@some\/one is /)]);
  });

  it('names an install script that nobody has decided about', () => {
    expect(check({ integrity, hasInstallScript: true }, {})).toEqual({
      status: 1,
      stderr: '@some/one has an install script. Read it, and set it to true or false in "allowScripts".\n',
    });
  });

  it('knows a package with another name by its own name', () => {
    const entry = { integrity, name: 'other', hasInstallScript: true };
    expect([check(entry, { other: false }).status, check(entry, { '@some/one': false }).status]).toEqual([0, 1]);
  });

  it('names a decision about a package without an install script', () => {
    expect(check({ integrity }, { '@some/one': true })).toEqual({
      status: 1,
      stderr: '@some/one has no install script. Remove it from "allowScripts".\n',
    });
  });
});
