import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '../../src/apps/local/demo-file';
import { CHECKS } from '../../src/engine';
import { freePort } from './counting-proxy';

export interface JobResult {
  readonly status: string;
  readonly error: string | null;
  readonly seconds: number;
  /** Such as `missing-nosniff /`. */
  readonly findings: readonly string[];
  readonly incomplete: readonly string[];
}

const START_TIMEOUT_MS = 180_000;
const JOB_TIMEOUT_MS = 360_000;
const POLL_MS = 500;

interface StoredFinding {
  readonly title: string;
  readonly md: string | null;
}

/** The check and the path of a finding of a job, such as `missing-nosniff /`. */
function placeOf({ title, md }: StoredFinding): string {
  const location = /^Seen at\n\n {4}(\S+)/m.exec(md ?? '')?.[1] ?? '';
  const check = CHECKS.find((one) => one.title === title)?.id ?? title;
  return `${check} ${URL.parse(location)?.pathname ?? location}`;
}

/** A service with its own data, as `npm start` runs it, with these targets. */
export class AssayInstallation {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly data: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /** `dist` is the folder of the compiled program. */
  static async start(
    dist: string,
    targets: readonly string[],
    settings: Record<string, string> = {},
  ): Promise<AssayInstallation> {
    const data = mkdtempSync(join(tmpdir(), 'assay-real-'));
    const args = targets.flatMap((url) => ['--target', url]);
    const program = join(dist, 'src/apps/local/main.js');
    const child = spawn(
      process.execPath,
      ['-e', `require(${JSON.stringify(program)}).start(${JSON.stringify(args)}, '.')`],
      {
        cwd: data,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          ASSAY_DATA: data,
          PORT: String(await freePort()),
          PORTAL_PORT: String(await freePort()),
          DEMO_TARGET: 'off',
          ...settings,
        },
      },
    );
    const installation = new AssayInstallation(child, data);
    await installation.isReady();
    return installation;
  }

  private async isReady(): Promise<void> {
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(POLL_MS)) {
      if (this.output.includes('Ctrl-C stops everything')) return;
      if (this.child.exitCode !== null) break;
    }
    await this.stop();
    throw new Error(`Assay did not start:\n${this.output}`);
  }

  async runJob(url: string): Promise<JobResult> {
    const { uuid } = await this.call<{ uuid: string }>('POST', '/jobs/launch', { url });
    const end = Date.now() + JOB_TIMEOUT_MS;
    for (;;) {
      const { status } = await this.call<{ status: string }>('GET', `/jobs/${uuid}/status`);
      if (['FINISHED', 'ERROR', 'CANCELED'].includes(status) || Date.now() > end) return this.resultOf(uuid, url);
      await delay(POLL_MS);
    }
  }

  private async resultOf(uuid: string, url: string): Promise<JobResult> {
    const { job } = await this.call<{
      job: {
        status: string;
        error: string | null;
        started: string;
        finished: string | null;
        incomplete_checks: { id: string; place: string; reason: string }[];
      };
    }>('GET', `/jobs/${uuid}`);
    const asset = await this.assetOf(url);
    const { findings } = await this.call<{ findings: StoredFinding[] }>(
      'GET',
      `/organizations/${this.organization.id}/findings/?per_page=100&asset_id=${asset}`,
    );
    return {
      status: job.status,
      error: job.error,
      seconds: (Date.parse(job.finished ?? job.started) - Date.parse(job.started)) / 1_000,
      findings: findings.map(placeOf).sort(),
      incomplete: job.incomplete_checks.map(({ id, place, reason }) => `${id} (${place}: ${reason})`),
    };
  }

  private async assetOf(url: string): Promise<number> {
    const path = `/organizations/${this.organization.id}/assets/?per_page=100`;
    const { assets } = await this.call<{ assets: { id: number; value: string }[] }>('GET', path);
    const found = assets.find(({ value }) => URL.parse(value)?.host === new URL(url).host);
    if (found === undefined) throw new Error(`${url} is no asset`);
    return found.id;
  }

  private get demo(): Demo {
    return JSON.parse(readFileSync(join(this.data, 'demo.json'), 'utf8')) as Demo;
  }

  private get organization(): Demo['organizations'][number] {
    const [first] = this.demo.organizations;
    if (first === undefined) throw new Error('The demo data has no organization.');
    return first;
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const member = this.organization.users.find(({ role }) => role === 'member');
    const credentials = Buffer.from(`${member?.api_key}:${member?.api_secret}`).toString('base64');
    const response = await fetch(`${this.demo.base_url}/v1${path}`, {
      method,
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const exited = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      await exited;
    }
    rmSync(this.data, { recursive: true, force: true });
  }
}
