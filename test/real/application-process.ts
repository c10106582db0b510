import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Distributions install servers in folders that are not in the PATH of an ordinary user. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of an installed program, or null. */
export const programNamed = (name: string): string | null =>
  PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null;

const START_TIMEOUT_MS = 60_000;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** A server as a child process. */
export class ApplicationProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Waits until it listens on the port. */
  static async start(
    program: string,
    args: readonly string[],
    { port, cwd, env = {} }: { port: number; cwd?: string; env?: Record<string, string> },
  ): Promise<ApplicationProcess> {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
    let output = '';
    child.stderr.on('data', (chunk) => (output = `${output}${String(chunk)}`.slice(-2_000)));
    const application = new ApplicationProcess(child);
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(50)) {
      if (await accepts(port)) return application;
      if (child.exitCode !== null) break;
    }
    await application.stop();
    throw new Error(`${program} does not listen on port ${port}: ${output}`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await Promise.race([exited, delay(5_000, undefined, { ref: false })]);
    this.child.kill('SIGKILL');
  }
}
