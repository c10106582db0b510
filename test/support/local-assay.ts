import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../../src/apps/local/demo-file';
import { freePort } from '../../src/engine/testing/real-server';
import { type Answer, basic } from './client';
import { eventually } from './eventually';
import { distKey } from './programs';

type ResponseText = Pick<Answer, 'text' | 'body'>;

type DemoUser = Demo['organizations'][number]['users'][number];

export function userOf({ users }: Demo['organizations'][number], role: string): DemoUser {
  const user = users.find((one) => one.role === role);
  if (user === undefined) throw new Error(`The demo data has no ${role}.`);
  return user;
}

/** Generous, because other tests run at the same time. */
export const localTimeoutMs = 120_000;

/** Runs `npm start` from the compiled code, without the environment of the test. */
export class LocalAssay {
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
      if (child.exitCode !== null) return;
      expect(this.output).toContain('Ctrl-C stops everything');
      if (existsSync(join(this.dataDir, 'demo.json'))) expect(this.demo.records).toBeUndefined();
    }, localTimeoutMs);
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

  /** Sends a request, by default as the member of the demo organization. */
  async request(method: string, path: string, body?: object, user?: DemoUser): Promise<ResponseText> {
    const text = await this.download(path, method, body, user);
    return { text, body: JSON.parse(text) };
  }

  async download(path: string, method = 'GET', body?: object, user = userOf(this.ours, 'member')): Promise<string> {
    const { api_key: accessKey, api_secret: secret } = user;
    const response = await fetch(`${this.demo.base_url}/v1${path}`, {
      method,
      headers: { authorization: basic({ accessKey, secret }), 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text;
  }

  async findingOf(list: string, title: string): Promise<number> {
    const { findings } = (await this.request('GET', `${list}?per_page=100`)).body;
    const found = findings.find((finding: { title: string }) => finding.title === title);
    if (found === undefined) throw new Error(`${title} is not in ${list}`);
    return found.id;
  }

  async resultOfRetest(finding: string): Promise<string> {
    await this.request('POST', `${finding}/retest`);
    let result = '';
    await eventually(async () => {
      const { body } = await this.request('GET', `${finding}/retest`);
      expect(body.status).toBe('finished');
      result = body.result;
    }, localTimeoutMs);
    return result;
  }

  async statusOf(findingId: number): Promise<unknown[]> {
    const [finding] = (await this.request('GET', `/findings/${findingId}`)).body.findings;
    return [finding.status, finding.previous_status];
  }

  /** Stops it and deletes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Settings for tests, which need no pauses between requests to a target. */
export const localSettings = async (): Promise<Record<string, string>> => ({
  PORT: String(await freePort()),
  PORTAL_PORT: String(await freePort()),
  DEMO_TARGET_PORT: String(await freePort()),
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
  // With other tests a connection may take longer than the default timeout.
  DATABASE_TIMEOUT_MS: '30000',
  // Nothing listens there, so that no request leaves this machine.
  DNS_SERVERS: '127.0.0.1:1',
});

/** Runs the commands that `npm start` printed for `--target` in a shell, as a user who pastes them. */
export async function outputOfPrintedCommands(local: LocalAssay): Promise<string> {
  const [, commands = ''] = /with these commands:\n([^]*?)\n(?:Nothing listens|Ctrl-C stops)/.exec(local.output) ?? [];
  const shell = spawn('sh', ['-c', commands], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await once(shell, 'close');
  return output;
}
