import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSecondsOf } from './cpu-seconds';

export type Program = 'raw' | 'api' | 'api-without-audit' | 'worker' | 'noop-worker';

const secretKey = randomBytes(32).toString('base64');

const programs: Record<Program, string> = {
  raw: join(__dirname, 'raw-server.js'),
  api: join(__dirname, '../../src/apps/api/main.js'),
  'api-without-audit': join(__dirname, 'api-without-audit.js'),
  worker: join(__dirname, '../../src/apps/worker/main.js'),
  'noop-worker': join(__dirname, 'noop-worker.js'),
};

/** A program in its own process on a loopback port, with its CPU time and memory. */
export class Server {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    /** From the start of the process until its ready message. */
    readonly startMs: number,
  ) {}

  static async start(program: Program, port: number, environment: NodeJS.ProcessEnv): Promise<Server> {
    const began = performance.now();
    const child = fork(programs[program], [], {
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        PORTAL_PORT: 'off',
        DATABASE_POOL_SIZE: '16',
        LIMIT_READS_PER_MINUTE: '1000000',
        LIMIT_WRITES_PER_MINUTE: '1000000',
        LIMIT_LAUNCHES_PER_MINUTE: '1000000',
        SECRET_KEY: secretKey,
        ENGINE_USER_AGENT: 'Assay benchmark (nobody@example.com)',
        ...environment,
      },
      // The log is written as in a deployment, and discarded.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // As in the image.
      execArgv: ['--max-semi-space-size=16'],
    });
    const ended = once(child, 'exit').then(() => false);
    const ready = once(child, 'message').then(() => true);
    if (!(await Promise.race([ready, ended]))) throw new Error(`${program} did not start`);
    return new Server(`http://127.0.0.1:${port}`, child, performance.now() - began);
  }

  get cpuSeconds(): number {
    return cpuSecondsOf(this.child.pid ?? 0);
  }

  get memoryMb(): number {
    return Number(/^VmRSS:\s+(\d+)/m.exec(this.proc('status'))?.[1]) / 1_024;
  }

  kill(): Promise<unknown> {
    return this.end('SIGKILL');
  }

  stop(): Promise<unknown> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }

  private proc(file: string): string {
    return readFileSync(`/proc/${this.child.pid}/${file}`, 'utf8');
  }
}
