import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client as PostgresClient } from 'pg';
import type { Demo } from '../../src/apps/local/demo-file';
import { EmbeddedPostgres } from '../../src/apps/local/postgres/embedded-postgres';
import { freePort } from '../../src/engine/testing/real-server';
import { type Answer, basic } from '../support/client';
import { eventually } from '../support/eventually';
import { distKey, programOf } from '../support/programs';
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
    const text = await this.download(path, method, body);
    return { text, body: JSON.parse(text) };
  }

  async download(path: string, method = 'GET', body?: object): Promise<string> {
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
    return text;
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
    PORTAL_PORT: String(await freePort()),
    DEMO_TARGET_PORT: String(await freePort()),
    ENGINE_REQUESTS_PER_SECOND: '1000',
    ENGINE_PROBE_SPREAD_MS: '10',
    // With other tests a connection may take longer than the default timeout.
    DATABASE_TIMEOUT_MS: '30000',
    // Nothing listens there, so that no request leaves this machine.
    DNS_SERVERS: '127.0.0.1:1',
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

const statusOfJob = async (uuid: string): Promise<string> =>
  (await local.request('GET', `/jobs/${uuid}`)).body.job.status;

/** Runs a command with no other setting than the data folder. */
const cli = (...parameters: string[]) =>
  spawnSync(process.execPath, [programOf('cli'), ...parameters], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ASSAY_DATA: local.dataDir },
  });

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

describe('the demo data', () => {
  it('has an event with findings, retests with each result, and reports', async () => {
    await eventually(async () => expect(local.demo.results).toBe('complete'), timeoutMs);
    const { event_slug: event, retested_finding_ids: retested = [], report_id: pdf, html_report_id: html } = local.ours;
    const results: unknown[] = [];
    for (const id of retested)
      results.push((await local.request('GET', `/events/${event}/findings/${id}/retest`)).body.result);
    expect(results).toEqual(['fixed', 'still_vulnerable', 'inconclusive']);
    const { findings } = (await local.request('GET', `/events/${event}/findings/?per_page=100`)).body;
    expect(findings).toHaveLength(15);
    expect(new Set(findings.map(({ status }: { status: number }) => status)).size).toBeGreaterThan(4);
    for (const { md } of findings) expect(md).toMatch(/\*\*(Remediation|How to fix it)/);
    const { history } = (await local.request('GET', `/findings/${retested[1]}/history`)).body;
    expect(new Set(history.map(({ actor }: { actor: { id: string } }) => actor.id)).size).toBeGreaterThan(2);
    for (const [id, beginning] of [
      [pdf, '%PDF-'],
      [html, '<!doctype html>'],
    ]) {
      await eventually(async () => {
        expect((await local.request('GET', `/reports/${id}/`)).body.generation_date).not.toBeNull();
      }, timeoutMs);
      expect((await local.download(`/reports/${id}/download`)).slice(0, 15)).toMatch(new RegExp(`^${beginning}`, 'i'));
    }
  });
});

const project = resolve(__dirname, '../..');

const blocksOf = (page: string, language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, block = '']) => block);

const commandsOf = (page: string): string => blocksOf(page, 'sh').join('');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The findings that a page shows as the output of a job. */
const findingsShownIn = (page: string): string[] =>
  linesOf(blocksOf(page, 'text').join('')).filter((line) => /^(?:critical|high|medium|low) {2}/.test(line));

/** Runs commands as a user pastes them, in a folder that looks like the project. */
async function paste(commands: string): Promise<{ stdout: string; stderr: string }> {
  const cwd = join(local.dataDir, 'pasted');
  mkdirSync(cwd);
  symlinkSync(join(project, 'examples'), join(cwd, 'examples'));
  symlinkSync(local.dataDir, join(cwd, '.assay'));
  // `npm run -s cli --` would build the project again.
  const cli = `npm() { shift 4; '${process.execPath}' '${programOf('cli')}' "$@"; }\n`;
  return promisify(execFile)('bash', ['--norc', '-uc', cli + commands], { cwd, env: { PATH: process.env['PATH'] } });
}

const tour = readFileSync(join(project, 'docs/tour.md'), 'utf8');
const readme = readFileSync(join(project, 'README.md'), 'utf8');

describe('the commands of docs/tour.md', () => {
  let run: { readonly stdout: string; readonly stderr: string };

  beforeAll(async () => {
    run = await paste(commandsOf(tour));
  });

  it('fail only where the page says so', () => {
    expect(linesOf(run.stderr)).toEqual(['HTTP 409', 'HTTP 403', 'HTTP 403']);
  });

  it('find the weaknesses that the page and the README show', () => {
    expect(findingsShownIn(tour).length).toBeGreaterThan(8);
    expect(linesOf(run.stdout)).toEqual(expect.arrayContaining([...findingsShownIn(tour), ...findingsShownIn(readme)]));
  });

  it('fix a weakness, and verify its evidence offline', () => {
    expect(run.stdout).toMatch(/^fixed {2}/m);
    expect(run.stdout).toMatch(/^Authentic: /m);
  });

  it('include the commands of the README', () => {
    const [install, ...steps] = blocksOf(readme, 'sh');
    expect(install).toBe('npm install\nnpm start\n');
    expect(steps.length).toBeGreaterThan(3);
    expect(linesOf(commandsOf(tour))).toEqual(expect.arrayContaining(linesOf(steps.join(''))));
  });
});

describe('examples/call.mjs', () => {
  const call = (folder: string, ...words: string[]) =>
    spawnSync(process.execPath, [join(project, 'examples/call.mjs'), ...words], {
      encoding: 'utf8',
      env: { ASSAY_DATA: folder },
    });

  it.each([
    ['there is no demo', [join(local.dataDir, 'none'), 'member', '/me'], /^Cannot read .*demo\.json .*Run `npm start`/],
    ['the caller is unknown', [local.dataDir, 'nobody', '/me'], /^"nobody" is not a role\. Known roles: owner, /],
    ['the service refuses the request', [local.dataDir, 'viewer', '/audit-logs/'], /^HTTP 403/],
  ] as const)('says so and fails when %s', (_case, [folder, ...words], message) => {
    const { status, stderr } = call(folder, ...words);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('the demo', () => {
  /** The finding of the Git repository. */
  let found: number;
  /** The UUID of a job. */
  let interrupted: string;

  it('also works in the demo event, which is running after the start', async () => {
    const event = local.ours.event_slug;
    expect(await finishedJob({ event_slug: event })).toContain(readable);
    const id = await findingOf(`/events/${event}/findings/`, readable);
    await setWeakness('fix/cookie-without-httponly');
    expect(await resultOfRetest(`/events/${event}/findings/${id}`)).toBe('fixed');
    expect(await statusOf(id)).toEqual([5, 1]);
  });

  it('has a command line that finds its database', () => {
    const { stdout, stderr } = cli('create-organization', 'By hand');
    expect(stdout).toMatch(/^Organization \d+ created\.\n$/);
    expect(stderr).toBe(`Using the database of the running Assay in ${local.dataDir}.\n`);
    expect(cli('migrate').stdout).toBe('The schema is up to date.\n');
  });

  it('hands back a job that is running when it stops', async () => {
    found = await findingOf(`/organizations/${local.ours.id}/findings/`, git);
    await local.stop();
    await local.start({ ...environment, ENGINE_REQUESTS_PER_SECOND: '1' });
    ({ uuid: interrupted } = (await local.request('POST', '/jobs/launch', { url: target() })).body);
    await eventually(async () => expect(await statusOfJob(interrupted)).toBe('IN_PROGRESS'), timeoutMs);
    await local.stop();
    const postgres = await EmbeddedPostgres.start({ dataDir: local.dataDir });
    const client = new PostgresClient({ connectionString: postgres.url() });
    await client.connect();
    const { rows } = await client.query(`SELECT state, failures FROM work WHERE kind = 'job' AND state <> 'done'`);
    await client.end();
    await postgres.stop();
    expect(rows).toEqual([{ state: 'waiting', failures: 0 }]);
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

  it('runs the job that the stop interrupted to its end', async () => {
    await eventually(async () => expect(await statusOfJob(interrupted)).toBe('FINISHED'), timeoutMs);
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
