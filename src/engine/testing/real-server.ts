import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Servers of distributions live where an ordinary user's PATH does not look. */
const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Where a server of the real kind is installed, or null: its tests are skipped then. */
export const binaryOf = (name: string): string | null =>
  PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null;

/** A port that nobody listened on a moment ago, below those that systems give out by themselves. */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return free ? port : freePort();
}

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
