import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Distributions install servers in folders that are not in the PATH of an ordinary user. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of an installed server, or null; then its tests are skipped. */
export const binaryOf = (name: string): string | null =>
  PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null;

/**
 * Contains a file for each port that a test process reserved, so that no other process uses the port before the server listens on
 * it.
 */
const CLAIMS = join(tmpdir(), 'assay-test-ports');

/** A port that is reserved for this process until it ends, below the ephemeral range. */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  return claims(port) && (await isFree(port)) ? port : freePort();
}

function claims(port: number): boolean {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    // The process has ended, so the next process that picks this port may have it.
    if (!isRunning(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

const launchProcess = (binary: string, args: readonly string[]): ChildProcess =>
  spawn(binary, args, { stdio: 'ignore' });

/** Starts a real server as a child process, and waits until it accepts connections. */
export class RealServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** `launch` starts the process. It is needed for a server that runs as another user. */
  static async start(
    binary: string,
    port: number,
    args: readonly string[],
    launch: typeof launchProcess = launchProcess,
  ): Promise<RealServer> {
    const child = launch(binary, args);
    // Starting a server takes long on a busy machine.
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      if (await accepts(port)) return new RealServer(child, port);
      if (child.exitCode !== null) break;
      await delay(50);
    }
    child.kill('SIGKILL');
    throw new Error(`${binary} does not listen on port ${port}`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** A server with child processes needs a signal that lets it stop them. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.kill(signal);
    });
  }
}
