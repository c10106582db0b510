import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Ajv from 'ajv';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { maxShutdownMs } from '../../src/apps/process';
import { binaryOf } from '../../src/engine/testing/real-server';
import { packageVersion } from '../../src/kernel/package-version';
import { SECRET_KEYS } from '../../src/platform/config/secret-keys';
import {
  accept,
  healthPaths,
  imageEnvironment,
  missingFiles,
  programsIn,
  unknownSettings,
} from '../support/deployed-programs';
import { renderChart } from '../support/helm-chart';
import { kubernetesProblems } from '../support/kubernetes-problems';

const folderOf = (chart: string): string => resolve(__dirname, '../../deploy/helm', chart);

interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
}
interface Container extends Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe | undefined> {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[];
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
  spec: Record<string, unknown> & { template: PodTemplate };
}

const needed = {
  hosts: { api: 'api.example.com', portal: 'assay.example.com' },
  userAgent: 'Assay of example.com (security@example.com)',
};
const complete = {
  ...needed,
  trustedProxies: '10.42.0.0/16',
  settings: { WORK_ATTEMPTS: 4 },
  secrets: { more: ['SECRET_KEY_PREVIOUS'], heads: 'assay-heads' },
  ingress: { enabled: true, tlsSecret: 'certificate' },
  listener: { enabled: true, domain: 'calls.example.com', addresses: '192.0.2.7' },
};

describe('the chart of the service', () => {
  const folder = folderOf('assay');
  const resources = renderChart<Resource>(folder, complete);
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

  it('names every value in its schema, which refuses others', () => {
    const read = (name: string): unknown => load(readFileSync(join(folder, name), 'utf8'));
    const validate = new Ajv({ allErrors: true, strict: true }).compile(read('values.schema.json') as object);
    expect([validate(read('values.yaml')), validate(complete)]).toEqual([true, true]);
    const wrong = [{ replicas: 2 }, { worker: { maxReplica: 3 } }, { redis: 'yes' }, { hosts: { api: 'https://x' } }];
    expect(wrong.filter((values) => validate(values))).toEqual([]);
  });

  it.each([
    [{}, 'Set userAgent: a contact'],
    [{ ...needed, hosts: { portal: 'x.example' } }, 'Set hosts.api: the host of the API.'],
    [{ ...needed, ingress: { enabled: true } }, 'Set ingress.tlsSecret'],
    [{ ...needed, listener: { enabled: true } }, 'Set listener.domain'],
    [{ ...needed, worker: { maxReplicas: 60 } }, '64 processes need more connections than database.connections has.'],
  ])('says what is wrong in %j', (values, sentence) => {
    expect(() => renderChart(folder, values)).toThrow(sentence);
  });

  // Skipped without helm, which Debian does not have. The renderer of these tests refuses what it does not know.
  const helm = binaryOf('helm');
  (helm === null ? it.skip : it).each([
    ['install', needed],
    ['install', complete],
    ['upgrade', { ...complete, redis: false, image: { pullSecrets: [{ name: 'registry' }] } }],
  ])('is rendered by helm as by these tests (%s)', (command, values) => {
    const options = command === 'upgrade' ? ['--is-upgrade'] : [];
    const text = execFileSync(helm ?? '', ['template', 'assay', folder, '--values', '-', ...options], {
      input: JSON.stringify(values),
      encoding: 'utf8',
    });
    const byHelm = (loadAll(text, { schema: YAML11_SCHEMA }) as Resource[]).filter(Boolean);
    const byName = (all: Resource[]) => Object.fromEntries(all.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
    expect(byName(byHelm)).toEqual(byName(renderChart<Resource>(folder, values, command === 'install')));
  });

  it('migrates as a hook before everything else, and makes a new schema only when it is installed', () => {
    const migration = (isInstall: boolean) =>
      renderChart<Resource & { metadata: { annotations?: object } }>(folder, needed, isInstall).find(
        ({ kind }) => kind === 'Job',
      );
    expect(migration(true)?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const commands = [true, false].map((isInstall) => migration(isInstall)?.spec.template.spec.containers[0].command);
    expect(commands.map((command) => command?.slice(2))).toEqual([['migrate', '--new'], ['migrate']]);
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
    const poolSizeWith = (values: object): number => {
      const deployment = renderChart<Resource>(folder, { ...needed, ...values }).find(
        ({ kind }) => kind === 'Deployment',
      );
      const [container] = deployment?.spec.template.spec.containers ?? [];
      return Number(container?.env.find(({ name }) => name === 'DATABASE_POOL_SIZE')?.value);
    };
    const surges = ofKind('Deployment').map(
      ({ spec }) => (spec['strategy'] as { rollingUpdate: { maxSurge: number } }).rollingUpdate.maxSurge,
    );
    expect(surges).toEqual([1, 1, 1]);
    expect(poolSizeWith({})).toBe(6);
    expect(poolSizeWith({ redis: false })).toBe(4);
    expect(poolSizeWith({ database: { connections: 400 }, api: { replicas: 4 }, worker: { maxReplicas: 34 } })).toBe(
      10,
    );
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
    const [{ env, image, command = [], volumeMounts }] = containers;
    expect(image).toBe(`assay:${packageVersion}`);
    expect(missingFiles(programsIn(command.join(' ')))).toEqual([]);
    const given = env.map(({ name, value, valueFrom }) => [
      name,
      value ?? (valueFrom?.fieldRef.fieldPath === 'status.podIP' ? '10.42.0.7' : ''),
    ]);
    const environment: Record<string, string> = { ...imageEnvironment, ...Object.fromEntries(given) };
    expect(Object.keys(environment)).toHaveLength(given.length + Object.keys(imageEnvironment).length);
    expect(unknownSettings(Object.keys(environment))).toEqual([]);
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
      const name = key.replace(/_FILE$/, '');
      expect(SECRET_KEYS).toContain(name);
      const isOfListener = volumes.some((one) => one.secret?.secretName === 'assay-listener');
      const others: Record<string, string> = {
        MIGRATION_DATABASE_URL: 'assay-migration',
        AUDIT_HEAD_KEY: 'assay-heads',
      };
      const own = isOfListener ? 'assay-listener' : 'assay';
      expect([name, secret]).toEqual([name, others[name] ?? own]);
      if (isOfListener) expect(['CALLBACK_DATABASE_URL', 'CALLBACK_KEY']).toContain(name);
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

  it.each(workloads.filter(([name]) => name !== 'assay-migration'))(
    'probe ports and paths of %s that exist, and let it stop',
    (_name, { metadata, spec }) => {
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = spec.containers;
      const ports = portsOf(metadata.labels);
      for (const probe of [startupProbe, livenessProbe, readinessProbe].filter((one) => one !== undefined)) {
        expect(ports).toContain(probe.httpGet?.port ?? probe.tcpSocket?.port);
        if (probe.httpGet !== undefined) expect(healthPaths).toContain(probe.httpGet.path);
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

  it('mount the key of the audit log in the workers alone', () => {
    const withKey = workloads.filter(([, { spec: pod }]) => JSON.stringify(pod).includes('assay-heads'));
    expect(withKey.map(([name]) => name)).toEqual(['assay-worker']);
    const [container] = withKey[0]?.[1].spec.containers ?? [];
    expect(container?.env).toContainEqual(expect.objectContaining({ name: 'AUDIT_HEAD_KEY_FILE' }));
    const without = renderChart<Resource>(folder, { ...complete, secrets: {} });
    expect(JSON.stringify(without)).not.toContain('AUDIT_HEAD_KEY');
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
    const { rules } = load(readFileSync(folderOf('prometheus-adapter.yaml'), 'utf8')) as {
      rules: { external: { seriesQuery: string; name: { as: string } }[] };
    };
    const [{ spec } = { spec: {} as Resource['spec'] }] = ofKind('HorizontalPodAutoscaler');
    expect(named('Deployment', (spec['scaleTargetRef'] as { name: string }).name)).toBeDefined();
    expect(spec['metrics']).toMatchObject([{ external: { metric: { name: rules.external[0]?.name.as } } }]);
    expect(readFileSync(resolve(__dirname, '../../docs/observability.md'), 'utf8')).toContain(
      `| \`${rules.external[0]?.seriesQuery}\` `,
    );
  });
});
