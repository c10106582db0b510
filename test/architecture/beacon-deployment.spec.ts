import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { OPTIONS } from '../../src/apps/beacon/read-arguments';
import { STATE_KEYS } from '../../src/apps/beacon/agent-state';
import { binaryOf } from '../../src/engine/testing/real-server';
import { packageVersion } from '../../src/kernel/package-version';
import { stageOf, valuesOf } from '../support/dockerfile';
import { renderChart } from '../support/helm-chart';
import { kubernetesProblems } from '../support/kubernetes-problems';

const project = resolve(__dirname, '../..');
const read = (...path: string[]): string => readFileSync(join(project, ...path), 'utf8');
const variables = new Set<string>(Object.values(OPTIONS).map(({ environment }) => environment));
const unknownVariables = (names: readonly string[]): string[] => names.filter((name) => !variables.has(name));
const variablesIn = (text: string): string[] => Array.from(text.matchAll(/\bASSAY_[A-Z_]+/g), ([name]) => name);
/** Running connections have 30 seconds. */
const STOP_SECONDS = 30;

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly rules?: object[];
  readonly spec: { readonly template: { readonly spec: Pod } };
}
interface Pod {
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly hostNetwork?: boolean;
  readonly securityContext: object;
  readonly volumes: { readonly name: string; readonly secret?: { readonly items: { readonly key: string }[] } }[];
  readonly containers: [
    { image: string; command?: string[]; env: { name: string; value: string }[]; securityContext: object },
  ];
}

describe('the chart of a beacon', () => {
  const folder = join(project, 'deploy/helm/assay-beacon');
  const needed = {
    url: 'https://assay.example.com',
    beacon: { name: 'lan' },
    credentials: { existingSecret: 'lan-credentials' },
  };
  const complete = {
    ...needed,
    beacon: { name: 'lan', cidrs: ['10.20.0.0/16', 'fd00:20::/48'] },
    ca: 'authorities',
    env: { ASSAY_PROXY: 'http://proxy:3128' },
  };
  const resources = renderChart<Resource>(folder, complete);
  const podOf = (kind: string): Pod => resources.find((one) => one.kind === kind)?.spec.template.spec as Pod;

  it.each([needed, complete])('has only fields of Kubernetes, with the right types (%#)', (values) => {
    const rendered = renderChart<Resource>(folder, values);
    expect(rendered.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Job',
      'NetworkPolicy',
      'Role',
      'RoleBinding',
      'ServiceAccount',
    ]);
    expect(kubernetesProblems(rendered)).toEqual([]);
  });

  // Skipped without helm, which Debian does not have. The renderer of these tests refuses what it does not know.
  const helm = binaryOf('helm');
  (helm === null ? it.skip : it).each([needed, complete])('is rendered by helm as by these tests (%#)', (values) => {
    const options = { input: JSON.stringify(values), encoding: 'utf8' } as const;
    const text = execFileSync(helm ?? '', ['template', 'assay', folder, '--values', '-'], options);
    const byName = (all: Resource[]) => Object.fromEntries(all.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
    const byHelm = (loadAll(text, { schema: YAML11_SCHEMA }) as Resource[]).filter(Boolean);
    expect(byName(byHelm)).toEqual(byName(renderChart(folder, values)));
  });

  it.each([
    [{ ...needed, url: '' }, 'Set url:'],
    [{ ...needed, beacon: {} }, 'Set beacon.name:'],
    [{ ...needed, credentials: {} }, 'Set credentials.existingSecret:'],
  ])('says what is missing in %j', (values, sentence) => {
    expect(() => renderChart(folder, values)).toThrow(sentence);
  });

  it('runs the agent with options that exist and no rights, and lets it stop', () => {
    const pod = podOf('Deployment');
    const [{ image, env, securityContext }] = pod.containers;
    expect(image).toBe(`assay-beacon:${packageVersion}`);
    expect(unknownVariables(env.map(({ name }) => name))).toEqual([]);
    expect(Object.fromEntries(env.map(({ name, value }) => [name, value]))).toMatchObject({
      ASSAY_STATE_SECRET: 'lan-credentials',
      ASSAY_BEACON_NAME: 'lan',
      ASSAY_BEACON_ALLOW: '10.20.0.0/16,fd00:20::/48',
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS);
    expect(pod.hostNetwork).toBeUndefined();
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('lets the agent read and change its own Secret, and nothing else', () => {
    expect(resources.find(({ kind }) => kind === 'Role')?.rules).toEqual([
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['lan-credentials'], verbs: ['get', 'patch'] },
    ]);
    expect(STATE_KEYS).toContain('registration-token');
  });

  it('deletes the beacon before its deletion only with a token in the Secret', () => {
    const job = resources.find(({ kind }) => kind === 'Job');
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-delete');
    const { automountServiceAccountToken, containers, volumes } = podOf('Job');
    expect([automountServiceAccountToken, volumes.at(-1)?.secret]).toEqual([
      false,
      {
        secretName: 'lan-credentials',
        defaultMode: 0o440,
        optional: true,
        items: [expect.objectContaining({ key: 'deletion-token' })],
      },
    ]);
    const [program = '', ...args] = containers[0].command ?? [];
    const run = (file: string) =>
      spawnSync(program, [args[0] ?? '', (args[1] ?? '').replace('exec node assay-beacon.cjs', 'echo deleted')], {
        env: { PATH: process.env['PATH'], ASSAY_DELETION_TOKEN_FILE: file },
        encoding: 'utf8',
      });
    expect([run('/no/such/file'), run(__filename)]).toMatchObject([
      { status: 0, stdout: '' },
      { status: 0, stdout: 'deleted\n' },
    ]);
    expect(unknownVariables(containers[0].env.map(({ name }) => name))).toEqual([]);
  });
});

describe('the compose file of a beacon', () => {
  const { services } = load(read('deploy/compose/beacon.yml'), { schema: YAML11_SCHEMA }) as {
    services: { beacon: Record<string, unknown> & { environment: Record<string, string> } };
  };

  it('runs the image of this version with options that exist, and no rights', () => {
    const { beacon } = services;
    expect(beacon).toMatchObject({
      image: `assay-beacon:${packageVersion}`,
      build: { target: 'beacon' },
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(beacon).not.toHaveProperty('ports');
    expect(unknownVariables(Object.keys(beacon.environment))).toEqual([]);
    expect(parseInt(String(beacon['stop_grace_period']))).toBeGreaterThan(STOP_SECONDS);
    const [volume] = valuesOf(stageOf('beacon'), 'VOLUME');
    expect(beacon['volumes']).toEqual([`state:${volume}`]);
    expect(beacon.environment['ASSAY_STATE_FILE']).toMatch(new RegExp(`^${volume}/`));
  });
});

describe('the role of Ansible', () => {
  const role = join(project, 'deploy/ansible/assay_beacon');
  const text = readdirSync(role, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

  it('uses only variables and options that exist, and shows no token', () => {
    const defaults = Object.keys(load(read('deploy/ansible/assay_beacon/defaults/main.yml')) as object);
    const used = Array.from(text.matchAll(/\bassay_beacon_\w+/g), ([name]) => name);
    expect(used.filter((name) => !defaults.includes(name))).toEqual([]);
    expect(unknownVariables(variablesIn(text))).toEqual([]);
    const tasks = load(read('deploy/ansible/assay_beacon/tasks/main.yml')) as Record<string, unknown>[];
    const secret = tasks.filter((task) => JSON.stringify(task).includes('assay_beacon_registration_token'));
    expect(secret).toEqual([expect.objectContaining({ no_log: true })]);
  });

  it('changes the unit to options that exist', () => {
    const conf = read('deploy/ansible/assay_beacon/files/registration.conf');
    const flags = Array.from(conf.matchAll(/ --([a-z-]+)/g), ([, name = '']) => name);
    expect(flags).toEqual(['registration-token-file', 'state-file']);
    expect(flags.filter((name) => !Object.hasOwn(OPTIONS, name))).toEqual([]);
  });

  // Skipped in containers, which have no systemd.
  (binaryOf('systemd-analyze') === null ? it.skip : it)('makes a unit that is valid for systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-unit-'));
    const unit = join(folder, 'assay-beacon.service');
    cpSync(join(project, 'deploy/systemd/assay-beacon.service'), unit);
    cpSync(join(role, 'files/registration.conf'), join(`${unit}.d`, 'registration.conf'), { recursive: true });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    rmSync(folder, { recursive: true });
  });
});
