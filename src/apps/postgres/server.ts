import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Installation } from './installation';
import { StartRefused } from './start-refused';

export type StopMode = 'fast' | 'immediate';

const signals: Record<StopMode, NodeJS.Signals> = { fast: 'SIGINT', immediate: 'SIGQUIT' };

/** How long a stop may take before a more forceful signal. Committed data is in the write-ahead log. */
const stopTimeoutMs = 1_000;

/** A running PostgreSQL server, a child of this process. */
export class Server {
  /** Settles when the server has exited for any reason. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly installation: Installation,
    private readonly cluster: string,
  ) {
    this.ended = once(child, 'close').then(() => undefined);
  }

  /** Resolves when the server accepts connections. */
  static async launch(
    installation: Installation,
    cluster: string,
    args: string[],
    log: (line: string) => void,
  ): Promise<Server> {
    const child = installation.processUser.spawn(installation.binaries.program('postgres'), ['-D', cluster, ...args], {
      env: programEnvironment(),
      // Its own process group: Ctrl-C in a terminal reaches only the supervisor, which stops the database last.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = new Server(child, installation, cluster);
    const lastLines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
        lastLines.push(line);
        if (lastLines.length > 20) lastLines.shift();
        if (line.includes('database system is ready to accept connections')) resolve();
        log(line);
      });
      child.once('error', reject);
      child.once('close', () => {
        reject(new StartRefused(`PostgreSQL did not start on the data in ${cluster}:\n  ${lastLines.join('\n  ')}`));
      });
    });
    return server;
  }

  async stop(mode: StopMode): Promise<void> {
    if (this.hasEnded()) return;
    if (process.platform === 'win32') {
      this.installation.processUser.output(
        this.installation.binaries.program('pg_ctl'),
        'stop',
        '-D',
        this.cluster,
        '-m',
        mode,
      );
      return this.ended;
    }
    this.child.kill(signals[mode]);
    const quitTimer = setTimeout(() => this.child.kill('SIGQUIT'), stopTimeoutMs);
    const killTimer = setTimeout(() => this.child.kill('SIGKILL'), 2 * stopTimeoutMs);
    await this.ended;
    clearTimeout(quitTimer);
    clearTimeout(killTimer);
  }

  /** Requests a stop without waiting for it. */
  interrupt(): void {
    this.child.kill('SIGINT');
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

/** Removes PostgreSQL's own variables (PGPORT, PGOPTIONS ...), and sets English messages, which this code parses. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'TZ'];
  const environment = kept.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(environment), LC_ALL: 'C' };
}
