import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../../src/apps/local/demo-file';
import { freePort } from '../../src/engine/testing/real-server';
import { type Answer, basic } from '../support/client';
import { eventually } from '../support/eventually';
import { distKey, programOf } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

type ResponseText = Pick<Answer, 'text' | 'body'>;

/** Generous, because other tests run at the same time. */
const timeoutMs = 120_000;
jest.setTimeout(timeoutMs);

/** Runs `npm start` from the compiled code, without the environment of the test. */
class LocalAssay {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'assay-tour-'));
  private child: ChildProcess | undefined;
  output = '';

  async start(environment: Record<string, string>, args: string[] = []): Promise<void> {
    const program = join(process.env[distKey] ?? '', 'src/apps/local/main.js');
    const script = `require(${JSON.stringify(program)}).start(${JSON.stringify(args)}, '.')`;
    const child = spawn(process.execPath, ['-e', script], {
      cwd: this.dataDir,
      env: { PATH: process.env['PATH'], ASSAY_DATA: this.dataDir, ...environment },
    });
    this.child = child;
    this.output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += String(chunk)));
    await eventually(async () => {
      if (child.exitCode === null) expect(this.output).toContain('Ctrl-C stops everything');
    }, timeoutMs);
    if (child.exitCode !== null) throw new Error(`npm start failed:\n${this.output}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }

  get demo(): Demo {
    const demo: Demo = JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8'));
    return demo;
  }

  get ours(): Demo['organizations'][number] {
    const [ours] = this.demo.organizations;
    if (ours === undefined) throw new Error('The demo data has no organization.');
    return ours;
  }

  /** Sends a request as the member of the demo organization. */
  async request(method: string, path: string, body?: object): Promise<ResponseText> {
    const member = this.ours.users.find(({ role }) => role === 'member');
    if (member === undefined) throw new Error('The demo data has no member.');
    const { api_key: accessKey, api_secret: secret } = member;
    const response = await fetch(`${this.demo.base_url}/v1${path}`, {
      method,
      headers: { authorization: basic({ accessKey, secret }), 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return { text, body: JSON.parse(text) };
  }
}

const local = new LocalAssay();
const ownApplication = new VulnerableSite();
ownApplication.state = 'exposed';
const withTarget = ['--target', ownApplication.url.replace('127.0.0.1', 'localhost')];

/** Runs the commands that `npm start` printed for `--target` in a shell, as a user who pastes them. */
async function outputOfPrintedCommands(): Promise<string> {
  const [, commands = ''] = /with these commands:\n([^]*?)\n(?:Nothing listens|Ctrl-C stops)/.exec(local.output) ?? [];
  const shell = spawn('sh', ['-c', commands], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await once(shell, 'close');
  return output;
}
let environment: Record<string, string>;

beforeAll(async () => {
  environment = {
    PORT: String(await freePort()),
    DEMO_TARGET_PORT: String(await freePort()),
    ENGINE_REQUESTS_PER_SECOND: '1000',
    ENGINE_PROBE_SPREAD_MS: '10',
    // With other tests a connection may take longer than the default timeout.
    DATABASE_TIMEOUT_MS: '30000',
  };
  await ownApplication.start();
  await local.start(environment, withTarget);
});

afterAll(async () => {
  await local.stop();
  await ownApplication.stop();
  rmSync(local.dataDir, { recursive: true, force: true });
});

const target = (): string => local.demo.demo_target_url ?? '';

async function setWeakness(path: string): Promise<void> {
  expect((await fetch(`${target()}-/${path}`, { method: 'POST' })).status).toBe(200);
}

async function finishedJob(order: object): Promise<string[]> {
  const { uuid } = (await local.request('POST', '/jobs/launch', { url: target(), ...order })).body;
  let titles: string[] = [];
  await eventually(async () => {
    const { job } = (await local.request('GET', `/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ status: 'FINISHED', error: null });
    titles = job.findings.map(({ title }: { title: string }) => title);
  }, timeoutMs);
  return titles;
}

async function findingOf(list: string, title: string): Promise<number> {
  const { findings } = (await local.request('GET', `${list}?per_page=100`)).body;
  const found = findings.find((finding: { title: string }) => finding.title === title);
  if (found === undefined) throw new Error(`${title} is not in ${list}`);
  return found.id;
}

async function resultOfRetest(finding: string): Promise<string> {
  await local.request('POST', `${finding}/retest`);
  let result = '';
  await eventually(async () => {
    const { body } = await local.request('GET', `${finding}/retest`);
    expect(body.status).toBe('finished');
    result = body.result;
  }, timeoutMs);
  return result;
}

async function statusOf(id: number): Promise<unknown[]> {
  const [finding] = (await local.request('GET', `/findings/${id}`)).body.findings;
  return [finding.status, finding.previous_status];
}

const git = 'A Git repository is public';
const readable = 'A session cookie can be read by scripts';

describe('the tutorial of the README', () => {
  let found: number;

  it('finds the weaknesses of the demo target, and verifies a fix', async () => {
    expect(await finishedJob({})).toEqual(expect.arrayContaining([git, readable, 'Pages are served over plain HTTP']));
    found = await findingOf(`/organizations/${local.ours.id}/findings/`, git);
    expect(await resultOfRetest(`/findings/${found}`)).toBe('still_vulnerable');
    await setWeakness('fix/exposed-git');
    expect(await resultOfRetest(`/findings/${found}`)).toBe('fixed');
    expect(await statusOf(found)).toEqual([5, 1]);
  });

  it('stores evidence that can be verified offline', async () => {
    const [evidence, keys] = [join(local.dataDir, 'evidence.json'), join(local.dataDir, 'keys.json')];
    writeFileSync(evidence, (await local.request('GET', `/findings/${found}/retest/evidence`)).text);
    writeFileSync(keys, (await local.request('GET', '/evidence-keys')).text);
    const checked = spawnSync(process.execPath, [programOf('cli'), 'verify-evidence', evidence, '--keys', keys]);
    expect(String(checked.stdout)).toMatch(/^Authentic/);
  });

  it('also works in the demo event, which is running after the start', async () => {
    const event = local.ours.event_slug;
    expect(await finishedJob({ event_slug: event })).toContain(readable);
    const id = await findingOf(`/events/${event}/findings/`, readable);
    await setWeakness('fix/cookie-without-httponly');
    expect(await resultOfRetest(`/events/${event}/findings/${id}`)).toBe('fixed');
    expect(await statusOf(id)).toEqual([5, 1]);
  });

  it('works with a data folder of a version without demo target and secret key', async () => {
    await local.stop();
    const before = local.ours;
    const { demo_target_url: _target, ...older } = local.demo;
    writeFileSync(join(local.dataDir, 'demo.json'), JSON.stringify(older));
    for (const name of ['secret-key', 'secret-key.sha256']) rmSync(join(local.dataDir, name));
    await local.start(environment, withTarget);
    // After the restart the target is vulnerable again, and evidence is signed with a new key.
    expect(await resultOfRetest(`/findings/${found}`)).toBe('still_vulnerable');
    expect(await statusOf(found)).toEqual([1, 5]);
    expect((await local.request('GET', '/evidence-keys')).body.keys).toHaveLength(2);
    expect(local.ours).toEqual(before);
  });

  it('tests the application of --target with the printed commands, also after a restart', async () => {
    const output = await outputOfPrintedCommands();
    expect(output).toMatch(/\{"status":"FINISHED"\}/);
    expect(output).toContain('"title": "A Git repository is public"');
    expect(output).toMatch(/\{"success":false,"description":"Findings of at least high severity: 1 found by this job/);
    const { assets } = (await local.request('GET', `/organizations/${local.ours.id}/assets/?per_page=100`)).body;
    expect(assets.filter(({ value }: { value: string }) => value.endsWith(`:${ownApplication.port}/`))).toHaveLength(1);
  });

  it('explains in the job that the application of --target does not run', async () => {
    await ownApplication.stop();
    const output = await outputOfPrintedCommands();
    expect(output).toMatch(/\{"status":"ERROR"\}/);
    expect(output).toMatch(/nothing could be tested: http:\/\/localhost:\d+\/: the connection was refused/);
  });
});
