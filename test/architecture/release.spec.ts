import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): SpawnSyncReturns<string> => spawnSync(process.execPath, args, { encoding: 'utf8' });

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const CLIENTS = ['sdk', 'cli', 'action'].map((name) => `clients/${name}/package.json`);

describe('npm run release-notes', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  const files = [
    'package.json',
    'package-lock.json',
    'docs/openapi.yaml',
    'Dockerfile',
    'docker-compose.yml',
    'deploy/compose/beacon.yml',
  ];

  const notes = () => run(join(project, '.ci/release-notes.mjs'), folder);

  function edit(name: string, change: (text: string) => string): void {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(join(folder, name), change(text));
  }

  beforeEach(() => {
    for (const name of [...files, 'deploy/helm', ...CLIENTS])
      cpSync(join(project, name), join(folder, name), { recursive: true });
    write(
      'CHANGELOG.md',
      `# Changelog\n\n## [${version}] - 2027-01-31\n\n### Added\n\n- A.\n\n## [0.0.1] - 2026-01-01\n\n- B.\n`,
    );
  });

  it('prints the section of the version, when all files of this project agree', () => {
    expect(notes()).toMatchObject({ status: 0, stdout: '### Added\n\n- A.\n', stderr: '' });
  });

  it.each([
    'package-lock.json',
    'docs/openapi.yaml',
    'Dockerfile',
    'docker-compose.yml',
    'deploy/helm/assay/Chart.yaml',
    'deploy/helm/assay-beacon/Chart.yaml',
    'deploy/compose/beacon.yml',
    'clients/cli/package.json',
  ])('fails and names %s when its version differs', (name) => {
    const marker = name === 'docs/openapi.yaml' ? '\n  version: ' : name.endsWith('lock.json') ? '"version": "' : '';
    edit(name, (text) => text.replace(`${marker}${version}`, `${marker}9.9.9`));
    const { status, stderr } = notes();
    expect([status, stderr]).toEqual([1, `${name} has version 9.9.9, and package.json has ${version}.\n`]);
  });

  it.each([
    [`## [${version}] - unreleased\n\n- A.\n`, `no date in "## [${version}] - unreleased"`],
    ['## [0.0.1] - 2026-01-01\n\n- B.\n', `no section "## [${version}] - <date>"`],
    [`## [${version}] - 2027-01-31\n\n## [0.0.1] - 2026-01-01\n\n- B.\n`, 'has nothing in'],
  ])('fails when the changelog is not ready: %j', (changelog, reason) => {
    write('CHANGELOG.md', `# Changelog\n\n${changelog}`);
    const { status, stderr } = notes();
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  });
});

describe('npm run licenses', () => {
  const licenses = (of: string) => run(join(project, 'bin/licenses.mjs'), '--project', of);

  function projectWith(name: string, manifest: object, license?: string): void {
    const path = `node_modules/${name}`;
    const entry = { version: '1.0.0' };
    write(
      'package-lock.json',
      JSON.stringify({ packages: { '': {}, [path]: entry, 'node_modules/tool': { ...entry, dev: true } } }),
    );
    write(`${path}/package.json`, JSON.stringify({ name, ...entry, ...manifest }));
    if (license !== undefined) write(`${path}/LICENSE`, license);
    write('src/modules/reports/rendering/pdf/fonts/OFL.txt', 'SIL OPEN FONT LICENSE\n');
  }

  it('prints the license of every production package, of the fonts and of the bundles, the same each time', () => {
    const { status, stdout, stderr } = licenses(project);
    expect([status, stderr]).toEqual([0, '']);
    expect(licenses(project).stdout).toBe(stdout);
    for (const text of ['\nhtmx.org@', '\nswagger-ui-dist@', '\nexpress@', 'SIL OPEN FONT LICENSE', 'Apache License'])
      expect(stdout).toContain(text);
    expect(stdout).not.toMatch(/\n(jest|typescript-eslint|prettier)@/);
  });

  it('contains the text of a license, and not the packages for development', () => {
    projectWith('some', { license: 'MIT' }, 'Copyright of some\r\n');
    const { status, stdout } = licenses(folder);
    expect(status).toBe(0);
    expect(stdout).toContain('\nsome@1.0.0\nLicense: MIT\n\nCopyright of some\n');
    expect(stdout).not.toContain('tool');
  });

  it.each<[string, object, string | undefined, string]>([
    ['no license', {}, 'Text', 'some@1.0.0 names no license.'],
    [
      'a license that is not allowed',
      { license: 'GPL-3.0-only' },
      'Text',
      'has the license GPL-3.0-only, which is not in',
    ],
    ['no text, and no other package has it', { license: 'MIT' }, undefined, 'has no text of its license MIT'],
  ])('fails for a package with %s', (_name, manifest, text, problem) => {
    projectWith('some', manifest, text);
    expect(licenses(folder)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(problem) });
  });
});

it('npm pack fails when it would pack files that git does not know, such as secrets next to the examples', () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  const check = () => run(join(project, '.ci/packed-files.mjs'), folder);
  cpSync(join(project, 'package.json'), join(folder, 'package.json'));
  write('deploy/compose/roles.sql', 'x');
  for (const name of ['dist/src/main.js', 'THIRD-PARTY-LICENSES.txt']) write(name, 'x');
  git('init', '--quiet');
  git('add', 'package.json', 'deploy');
  expect(check()).toMatchObject({ status: 0, stderr: '' });
  write('deploy/compose/.env', 'SECRET_KEY=x');
  write('deploy/helm/settings.yaml', 'x');
  const { status, stderr } = check();
  expect([status, stderr.trim().split('\n').sort()]).toEqual([
    1,
    ['deploy/compose/.env', 'deploy/helm/settings.yaml'].map(
      (path) => `${path} would be published, but git does not know it. Move or add it.`,
    ),
  ]);
  rmSync(join(folder, '.git'), { recursive: true });
  expect(check()).toMatchObject({ status: 0, stderr: '' });
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['prepack']).toContain('.ci/packed-files.mjs');
});

it('npm pack has the compiled programs, their licenses and no sources or tests', () => {
  const { files = [], bin = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    files?: string[];
    bin?: Record<string, string>;
  };
  // What npm packs depends on the build, so this lists a small copy.
  for (const name of ['package.json', 'bin', 'LICENSE'])
    cpSync(join(project, name), join(folder, name), { recursive: true });
  const others = [
    'dist/src/apps/api/main.js',
    'dist/load-bundle.cjs',
    'dist/service.bundle.js',
    'dist/service.lines',
    'dist/service.lines.json',
    'dist/service.api-main.0-1.compiled',
    'dist/test/mutation/main.js',
  ];
  const secrets = ['deploy/compose/secrets/secret_key', '.env'];
  for (const name of [...others, ...secrets, 'src/index.ts', 'test/a.spec.ts', 'THIRD-PARTY-LICENSES.txt'])
    write(name, 'x');
  const npm = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' });
  const listed = JSON.parse(npm.stdout) as
    { files: { path: string }[] }[] | Record<string, { files: { path: string }[] }>;
  const packed = Object.values(listed).flatMap((one) => one.files.map(({ path }) => path));
  expect(packed).toEqual(
    expect.arrayContaining([
      ...Object.values(bin),
      'dist/src/apps/api/main.js',
      'dist/load-bundle.cjs',
      'dist/service.bundle.js',
      'dist/service.lines',
      'dist/service.lines.json',
      'LICENSE',
      'THIRD-PARTY-LICENSES.txt',
    ]),
  );
  expect(
    packed.filter((path) =>
      /^(src|test|dist\/test)\/|\.compiled$|secret_key|^\.env$|bin\/(build|bundle)|licenses\.mjs/.test(path),
    ),
  ).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
});
