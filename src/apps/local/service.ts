import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** In the order in which they stop. `helper` is a program that runs once, such as the seeder. */
export const SERVICE_NAMES = ['helper', 'worker', 'API', 'listener', 'demo target'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A program of Assay in a child process, which sends `ready` over the IPC channel and stops on request. */
export class Service {
  /** Settles when the process has exited, for any reason. */
  readonly exited: Promise<Exit>;
  /** True when it is ready, false if it exited before. */
  readonly ready: Promise<boolean>;
  private readonly child: ChildProcess;

  constructor(
    readonly name: ServiceName,
    private readonly program: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly output: (stream: Readable) => void,
  ) {
    this.child = fork(program, [], {
      env: environment,
      // Its own process group: Ctrl-C in a terminal reaches only the supervisor, which stops the processes in order.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // As in the image, so that the memory stays small.
      execArgv: ['--max-semi-space-size=16'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) if (stream) output(stream);
    this.exited = once(this.child, 'close').then(() => ({
      code: this.child.exitCode,
      signal: this.child.signalCode,
    }));
    const readyMessage = new Promise<boolean>((resolve) => {
      this.child.on('message', (message) => {
        if (isReady(message)) resolve(true);
      });
    });
    this.ready = Promise.race([readyMessage, this.exited.then(() => false)]);
  }

  /** Starts the same program again. */
  again(): Service {
    return new Service(this.name, this.program, this.environment, this.output);
  }

  /** Asks the process to stop, and kills it after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    // Windows has no signal for this; closing the channel replaces it.
    if (process.platform === 'win32') this.child.disconnect();
    else this.child.kill('SIGTERM');
    const force = setTimeout(() => this.kill(), timeoutMs);
    await this.exited;
    clearTimeout(force);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

export const describeExit = ({ code, signal }: Exit): string => (signal ? `by ${signal}` : `with exit code ${code}`);

const isReady = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
