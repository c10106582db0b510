import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import express from 'express';
import { load } from 'js-yaml';
import { verifyEvidence as verifyEvidenceOfClient } from '../../clients/sdk/src/evidence';
import { type Answer, JOB, serviceOf, successfulAnswers } from '../../clients/sdk/src/testing/unusual-answers';
import { TargetServer } from '../../src/engine/testing/target-server';
import { serveClient } from '../../src/apps/api/client-program';
import { useApi, useWorker } from '../support/api';
import type { Credentials } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { run, type Run } from '../support/pipeline';
import { distKey } from '../support/programs';

/** A site with a public Git repository. */
const plainText = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
const WEAK = {
  pages: {
    '/.git/HEAD': plainText('ref: refs/heads/main\n'),
    '/.git/config': plainText('[core]\n\trepositoryformatversion = 0\n'),
  },
};
const project = resolve(__dirname, '../..');
let folder: string;
let target: TargetServer;
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

beforeAll(async () => {
  target = await TargetServer.start({});
  folder = mkdtempSync(join(tmpdir(), 'assay-clients-'));
  execFileSync(process.execPath, ['bin/build-clients.mjs', 'sdk', 'cli'], { cwd: project });
  const pack = [
    'pack',
    '--workspace',
    'assay-sdk',
    '--workspace',
    'assay-cli',
    '--ignore-scripts',
    '--pack-destination',
  ];
  execFileSync('npm', [...pack, folder], { cwd: project, stdio: 'pipe' });
  for (const name of ['assay-sdk', 'assay-cli']) {
    const installed = join(folder, 'node_modules', name);
    mkdirSync(installed, { recursive: true });
    const packed = readdirSync(folder).find((file) => file.startsWith(name) && file.endsWith('.tgz')) ?? '';
    execFileSync('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', installed]);
  }
});
afterAll(async () => {
  await target.stop();
  rmSync(folder, { recursive: true });
});

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

interface Team {
  readonly tenant: Tenant;
  readonly url: string;
  readonly environment: Record<string, string>;
}

async function team(): Promise<Team> {
  const tenant = await make.organization();
  const url = `http://127.0.0.1:${target.port}/`;
  await make.asset(tenant.id, { value: url, type: 'url' });
  const { credentials } = await tenant.as('admin');
  return { tenant, url, environment: environmentOf(api.url, credentials) };
}

const environmentOf = (service: string, { accessKey, secret }: Credentials): Record<string, string> => ({
  ASSAY_URL: service,
  ASSAY_API_KEY: accessKey,
  ASSAY_API_SECRET: secret,
  HOME: folder,
});
const program = (): string => join(folder, 'node_modules/assay-cli/dist/assay.cjs');
const assay = (words: readonly string[], environment: Record<string, string>): Run =>
  run(process.execPath, [program(), ...words], environment, folder);

describe('the clients, from their packages in an empty folder', () => {
  it('the SDK scans, reads pages, retests and verifies the evidence offline, as a module and with require()', async () => {
    target.site = WEAK;
    const { url, environment, tenant } = await team();
    writeFileSync(
      join(folder, 'program.mjs'),
      `import { createAssay, dataOf, launch, pages, readGate, verifyEvidence, waitForJob, waitForRetest, BadRequestError } from 'assay-sdk';
      const { ASSAY_URL: url, ASSAY_API_KEY: key, ASSAY_API_SECRET: secret } = process.env;
      const client = createAssay({ url, key, secret });
      const organization_id = ${tenant.id};
      const uuid = await launch(client, { url: ${JSON.stringify(url)}, checks: ['exposed-git'] });
      const job = await waitForJob(client, uuid, { intervalMs: 200 });
      const { success } = await readGate(client, uuid, {});
      const list = [];
      for await (const one of pages(client, '/v1/organizations/{organization_id}/findings/', { path: { organization_id }, query: { per_page: 1 } })) list.push(one);
      const finding_id = list[0].id;
      const path = { finding_id };
      await client.POST('/v1/findings/{finding_id}/retest/', { params: { path } });
      const retest = await waitForRetest(client, finding_id, { intervalMs: 200 });
      const evidence = JSON.stringify(await dataOf(client.GET('/v1/findings/{finding_id}/retest/evidence', { params: { path } })));
      const keys = JSON.stringify(await dataOf(client.GET('/v1/evidence-keys')));
      const refused = await client.GET('/v1/jobs', { params: { query: { per_page: 0 } } }).catch((error) => error);
      console.log(JSON.stringify({
        job, success: success.success, list: list.length, retest: retest.state.result, evidence, keys,
        authentic: verifyEvidence(evidence, keys).authentic,
        altered: verifyEvidence(evidence.replace('"still_vulnerable"', '"fixed"'), keys).authentic,
        refused: [refused instanceof BadRequestError, refused.status, refused.fields?.[0]?.field, typeof refused.requestId],
      }));`,
    );
    writeFileSync(
      join(folder, 'program.cjs'),
      `const { createAssay, dataOf } = require('assay-sdk');
      const { ASSAY_URL: url, ASSAY_API_KEY: key, ASSAY_API_SECRET: secret } = process.env;
      dataOf(createAssay({ url, key, secret }).GET('/v1/me')).then(({ organizations }) => console.log(organizations[0].id));`,
    );
    const module = run(process.execPath, ['program.mjs'], environment, folder);
    expect([await module.exit, module.errors()]).toEqual([0, '']);
    const { evidence, keys, ...shown } = JSON.parse(module.output()) as Record<string, string>;
    expect(shown).toEqual({
      job: { ended: true, state: { status: 'FINISHED' } },
      success: false,
      list: 1,
      retest: 'still_vulnerable',
      authentic: true,
      altered: false,
      refused: [true, 400, 'per_page', 'string'],
    });
    expectSameVerification(evidence ?? '', keys ?? '');
    const required = run(process.execPath, ['program.cjs'], environment, folder);
    expect([await required.exit, required.output()]).toEqual([0, `${tenant.id}\n`]);
  });

  /** A client must not be more lenient than the service. */
  function expectSameVerification(evidence: string, keys: string): void {
    const signature = (JSON.parse(evidence) as { signature: { value: string } }).signature.value;
    for (const [text, isAuthentic] of [
      [evidence, true],
      [evidence.replace('{', '{ '), true],
      [evidence.replace('"uuid"', '"other":1,"uuid"'), false],
      [evidence.replace('"uuid"', '"uuid":"x","uuid"'), false],
      [evidence.replace(signature, `${signature.slice(0, -4)}AAAA`), false],
      [evidence.replace('"algorithm"', '"more":1,"algorithm"'), false],
      [evidence.replace('"uuid":"', '"uuid":"0'), false],
      ['[]', false],
    ] as const)
      expect([text, verifyEvidenceOfClient(text, keys).authentic]).toEqual([text, isAuthentic]);
    const [key] = (JSON.parse(keys) as { keys: object[] }).keys;
    expect(verifyEvidenceOfClient(evidence, JSON.stringify({ keys: [{ ...key, id: '0000000000000000' }] }))).toEqual({
      authentic: false,
      reason: 'A key does not match its id.',
    });
  }

  it('the program scans, fails for what it finds, works with it, and succeeds after the fix', async () => {
    target.site = WEAK;
    const { url, environment } = await team();
    const scan = ['scan', url, '--wait', '--checks', 'exposed-git', '--report', 'sarif'];
    const red = assay(scan, environment);
    expect([await red.exit, red.output()]).toEqual([1, expect.stringContaining('\tproved\t')]);
    expect(red.errors().trimEnd().split('\n').at(-1)).toBe('Coverage: all checks complete.');
    expect(readFileSync(join(folder, 'assay.sarif'), 'utf8')).toContain('exposed-git');

    const list = assay(['findings', '--json', '--no-input'], environment);
    expect(await list.exit).toBe(0);
    const { id, status } = JSON.parse(list.output()) as { id: number; status: number };
    expect(status).toBe(1);
    const commented = run(
      'sh',
      ['-c', `echo 'From a pipe' | "$0" "$@"`, process.execPath, program(), 'comment', String(id)],
      environment,
    );
    expect(await commented.exit).toBe(0);
    const shown = assay(['show', String(id)], environment);
    expect([await shown.exit, shown.output()]).toEqual([0, expect.stringMatching(/^Belief: +proved$/m)]);

    target.site = {};
    const retest = assay(['retest', String(id), '--wait'], environment);
    expect([await retest.exit, retest.output()]).toEqual([0, expect.stringMatching(/^fixed: /)]);
    const green = assay(scan, environment);
    expect([await green.exit, green.output()]).toEqual([0, '']);
  });

  it('the program is the one that the service offers, with its SHA-256', async () => {
    const app = express();
    serveClient(app, join(process.env[distKey] ?? '', 'src/apps/api/client'));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client`;
    const [served, hash] = [
      await (await fetch(`${base}/assay.cjs`)).text(),
      await (await fetch(`${base}/assay.cjs.sha256`)).text(),
    ];
    expect(hash).toBe(`${createHash('sha256').update(served).digest('hex')}  assay.cjs\n`);
    expect(served).toBe(readFileSync(program(), 'utf8'));
    for (const name of ['..%2Fmain.js', 'other']) expect((await fetch(`${base}/${name}`)).status).not.toBe(200);
    server.closeAllConnections();
    server.close();
  });

  it('the file of the action is the bundle of its sources: run npm run build:clients after a change', () => {
    const file = join(project, 'clients/action/action.cjs');
    const before = readFileSync(file, 'utf8');
    const script = `import('./bin/client-bundles.mjs').then(({ bundleClient }) => bundleClient('action', 'main.ts', process.argv[1]))`;
    execFileSync(process.execPath, ['-e', script, join(folder, 'action.cjs')], { cwd: project });
    expect(readFileSync(join(folder, 'action.cjs'), 'utf8') === before).toBe(true);
  });
});

const REPORTS = ['assay.sarif', 'gl-dast-report.json', 'assay-junit.xml'];
const TEXT =
  'It is public.\n\n**How to fix it.** Move it away, in nginx:\n\nSeen at\n\n    x\n\nwhich showed\n\n    ref: refs/heads/main';
const STOPPED = {
  success: false,
  description: '1 found by this job.',
  failing: 1,
  incomplete_checks: [],
  refused_checks: [],
  link: 'https://assay.example/o/1/findings/7',
  failing_findings: [
    {
      id: 7,
      title: 'A Git repository is public',
      severity: 'high',
      proved: true,
      place: 'https://www.example.com/.git/HEAD',
      check: 'exposed-git',
      url: 'https://assay.example/o/1/findings/7',
    },
  ],
};
const decoded = (markdown: string): string =>
  markdown.replaceAll('<!-- -->', '').replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));

interface GitlabJob {
  readonly script: readonly string[];
  readonly variables: Record<string, string>;
}

describe('a pipeline with a client', () => {
  let server: Server;
  let answers: Readonly<Record<string, Answer>> = successfulAnswers;
  let requests: string[] = [];
  let service: string;

  beforeAll(async () => {
    const served = readFileSync(program());
    const hash = createHash('sha256').update(served).digest('hex');
    const listener = serviceOf(
      () => ({
        'assay.cjs': (_request, response) => void response.end(served),
        'assay.cjs.sha256': (_request, response) => void response.end(`${hash}  assay.cjs\n`),
        ...answers,
      }),
      (request) => requests.push(request),
    );
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    requests = [];
    answers = successfulAnswers;
  });

  const template_ = readFileSync(join(project, 'clients/gitlab/templates/assay/template.yml'), 'utf8');
  const [, template = ''] = template_.split('\n---\n');
  const component = Object.values(load(template) as Record<string, GitlabJob>)[0];

  const starters = {
    action: (more: Record<string, string>, cwd: string): Run => {
      const inputs = {
        URL: 'https://www.example.com/',
        'ASSAY-URL': service,
        'API-KEY': 'ak_key',
        'API-SECRET': 'as_secret',
        TIMEOUT: '60',
        ...more,
      };
      const environment = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name}`, value]));
      if (more['SUMMARY'] !== undefined) environment['GITHUB_STEP_SUMMARY'] = more['SUMMARY'];
      return run(process.execPath, [join(project, 'clients/action/action.cjs')], environment, cwd);
    },
    component: (more: Record<string, string>, cwd: string): Run => {
      const inputs: Record<string, string> = {
        url: 'https://www.example.com/',
        'assay-url': service,
        timeout: '60',
        sha256: 'any',
        'fail-on': 'all',
        reference: 'main',
        record: '',
        incomplete: 'fail',
        severity: 'medium',
        depth: 'standard',
        ...more,
      };
      const variables = Object.entries(component?.variables ?? {}).map(([name, text]) => [
        name,
        text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/, (_all, input: string) => inputs[input] ?? ''),
      ]);
      const environment = {
        ...Object.fromEntries(variables),
        ASSAY_API_KEY: 'ak_key',
        ASSAY_API_SECRET: 'as_secret',
        HOME: cwd,
      };
      return run('sh', ['-ec', component?.script.join('\n') ?? 'exit 9'], environment as Record<string, string>, cwd);
    },
    program: (more: Record<string, string>, cwd: string): Run =>
      run(
        process.execPath,
        [
          program(),
          'scan',
          'https://www.example.com/',
          '--wait',
          '--timeout',
          more['timeout'] ?? '60',
          '--report',
          'sarif',
        ],
        { ...environmentOf(more['assay-url'] ?? service, { accessKey: 'ak_key', secret: 'as_secret' }) },
        cwd,
      ),
  };
  const kinds = ['action', 'component', 'program'] as const;
  const start = (
    kind: (typeof kinds)[number],
    more: Record<string, string> = {},
    full: readonly string[] = [],
  ): Run => {
    const cwd = mkdtempSync(join(folder, 'run-'));
    for (const file of full) symlinkSync('/dev/full', join(cwd, file));
    const given =
      kind === 'action'
        ? Object.fromEntries(Object.entries(more).map(([name, value]) => [name.toUpperCase(), value]))
        : more;
    return starters[kind](given, cwd);
  };

  /** The table of docs/pipelines.md: what a pipeline loses, and that it never succeeds then. */
  const losses: readonly (readonly [
    what: string,
    more: Partial<Record<'assay-url' | 'full', string>>,
    answer: object,
  ])[] = [
    ['no network', { 'assay-url': 'http://127.0.0.1:9' }, {}],
    ['a network that breaks', {}, { status: (request: IncomingMessage) => void request.socket.destroy() }],
    [
      'a network that breaks before the report',
      {},
      { report: (request: IncomingMessage) => void request.socket.destroy() },
    ],
    ['a key that is revoked', {}, { status: [401, '{"code":401,"description":"Wrong credentials."}'] }],
    [
      'a key that is revoked before the result',
      {},
      { success: [401, '{"code":401,"description":"Wrong credentials."}'] },
    ],
    ['a service that restarts', {}, { status: [503, '{"code":503,"description":"Try again."}'] }],
    ['a service that fails', {}, { success: [500, '{"code":500,"description":"Something failed."}'] }],
    ['a proxy that answers', {}, { success: [200, '<html>A proxy</html>'] }],
    ['a service without an end', {}, { status: [200, '{"status":"IN_PROGRESS"}'] }],
    ['a full disk', { full: 'yes' }, {}],
  ];
  const cases = kinds.flatMap((kind) => losses.map(([what, more, answer]) => [kind, what, more, answer] as const));

  it.each(kinds)('succeeds with an answer of the service: %s', async (kind) => {
    const green = start(kind);
    expect([await green.exit, green.errors()]).toEqual([0, expect.any(String)]);
  });

  it.each(cases)('with the %s does not succeed with %s', async (kind, _what, { full, ...more }, answer) => {
    answers = { ...successfulAnswers, ...answer };
    const red = start(kind, { timeout: '2', ...more }, full === undefined ? [] : REPORTS);
    expect(await red.exit).toBe(2);
    expect(red.output() + red.errors()).not.toMatch(/passed/i);
  });

  it.each(kinds.flatMap((kind) => (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => [kind, signal] as const)))(
    'with the %s that is stopped by %s cancels its scan and does not succeed',
    async (kind, signal) => {
      answers = { ...successfulAnswers, status: [200, '{"status":"IN_PROGRESS"}'] };
      const stopped = start(kind);
      await eventually(async () => expect(requests).toContain(`GET /v1/jobs/${JOB}/status`));
      stopped.child.kill(signal);
      expect(await stopped.exit).toBe(2);
      expect(requests.at(-1)).toBe(`POST /v1/jobs/${JOB}/cancel`);
    },
  );

  it('does not succeed when what it writes besides reports has no room', async () => {
    const full = (words: string[], environment: Record<string, string>): Run =>
      run('sh', ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, ...words], environment, folder);
    const credentials = { accessKey: 'ak_key', secret: 'as_secret' };
    expect(await full([program(), 'gate', JOB, '--json'], environmentOf(service, credentials)).exit).toBe(2);
    const inputs = {
      'INPUT_SARIF-FILE': 'a.sarif',
      INPUT_URL: 'https://x/',
      'INPUT_ASSAY-URL': service,
      'INPUT_API-KEY': 'a',
      'INPUT_API-SECRET': 'b',
      GITHUB_STEP_SUMMARY: '/dev/full',
    };
    const action = run(process.execPath, [join(project, 'clients/action/action.cjs')], inputs, folder);
    expect([await action.exit, action.output()]).toEqual([2, expect.stringContaining('ENOSPC')]);
  });

  it.each(kinds)('names in its summary what is known of each finding that stops it: %s', async (kind) => {
    answers = {
      ...successfulAnswers,
      success: [200, JSON.stringify(STOPPED)],
      report: [200, JSON.stringify({ version: '2.1.0', runs: [{}], findings: [{ id: 7, md: TEXT }] })],
    };
    const summary = join(mkdtempSync(join(folder, 'summary-')), 'summary');
    const red = start(kind, { summary });
    expect(await red.exit).toBe(1);
    const text = kind === 'action' ? decoded(readFileSync(summary, 'utf8')) : red.output() + red.errors();
    for (const said of [
      'high',
      'proved',
      'A Git repository is public',
      'https://www.example.com/.git/HEAD',
      STOPPED.link,
    ])
      expect([said, text.includes(said)]).toEqual([said, true]);
    expect(text).toMatch(/Proved: ref: refs\/heads\/main/);
    expect(text).toMatch(/How to fix it: Move it away\./);
    expect(text).toContain('assay scan https://www.example.com/ --wait --checks exposed-git');
  });

  it('of GitLab names no image by a tag, which others may change, and no client without a decision', () => {
    const [spec = ''] = template_.split('\n---\n');
    const { inputs } = (load(spec) as { spec: { inputs: Record<string, { default?: unknown; regex?: string }> } }).spec;
    const digest = `@sha256:${'a'.repeat(64)}`;
    const isAllowed = (name: string, text: string): boolean => new RegExp(inputs[name]?.regex ?? '$^').test(text);
    for (const name of ['image', 'sha256']) expect(inputs[name]).not.toHaveProperty('default');
    expect([`node:24-slim${digest}`, 'node:24-slim', `x y${digest}`, ''].map((one) => isAllowed('image', one))).toEqual(
      [true, false, false, false],
    );
    expect(['a'.repeat(64), 'any', ''].map((one) => isAllowed('sha256', one))).toEqual([true, true, false]);
  });

  it('of GitLab runs no client with another hash than the one that it trusts', async () => {
    const refused = start('component', { sha256: '0'.repeat(64) });
    expect([await refused.exit, refused.errors()]).toEqual([2, expect.stringContaining('The client has the SHA-256')]);
    expect(requests).toEqual(['GET /client/assay.cjs']);
  });
});
