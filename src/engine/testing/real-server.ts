import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Servers of distributions live where an ordinary user's PATH does not look. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Where a server of the real kind is installed, or null: its tests are skipped then. */
export const binaryOf = (name: string): string | null =>
  PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null;

/** A file for each port that a test process has taken, so that no other takes it before the first listens on it. */
const CLAIMS = join(tmpdir(), 'assay-test-ports');

/** A port that belongs to this process until it ends, below those that systems give out by themselves. */
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
    // Of a process that has ended: the next one that draws this port may have it.
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

/** A server of the real kind as a child process, up when it takes connections. */
export class RealServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(binary: string, port: number, args: readonly string[]): Promise<RealServer> {
    const child = spawn(binary, args, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (await accepts(port)) return new RealServer(child, port);
      if (child.exitCode !== null) break;
      await delay(50);
    }
    child.kill('SIGKILL');
    throw new Error(`${binary} does not listen on port ${port}`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.kill('SIGKILL');
    });
  }
}
