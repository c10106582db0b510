import { freePort } from '../../src/engine/testing/real-server';
import { DatabaseProxy } from './database-proxy';
import { type RunningProcess, startProcess } from './processes';

/** Where a process of a deployment runs, with a connection to the database of its own, and is started again when it ends. */
export class Seat {
  readonly proxy: DatabaseProxy;
  isPaused = false;
  private running: RunningProcess | undefined;
  private settings: Record<string, string> = {};
  private port = 0;

  constructor(
    private readonly program: 'api' | 'worker',
    database: () => string,
  ) {
    this.proxy = new DatabaseProxy(database);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.running?.child.pid ?? 0;
  }

  /** Settles when the process is ready; one that could not start, with the database away for long, is started again. */
  async start(settings = this.settings, moreTimes = 3): Promise<void> {
    this.settings = settings;
    if (this.port === 0) {
      this.port = await freePort();
      await this.proxy.start();
    }
    const environment = { ...settings, DATABASE_URL: this.proxy.url, HOST: '127.0.0.1', PORT: String(this.port) };
    try {
      this.running = await startProcess(this.program, environment);
    } catch (error) {
      if (moreTimes === 0) throw error;
      await this.start(settings, moreTimes - 1);
    }
  }

  /** Answers with what the process ended with. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { running } = this;
    this.wake();
    running?.kill(signal);
    return (await running?.exited) ?? null;
  }

  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.end(signal);
    await this.start();
  }

  pause(): void {
    this.isPaused = true;
    this.running?.kill('SIGSTOP');
  }

  wake(): void {
    if (this.isPaused) this.running?.kill('SIGCONT');
    this.isPaused = false;
  }

  /** In order, as a deployment ends. */
  async close(): Promise<number | null> {
    const code = await this.end('SIGTERM');
    await this.proxy.takeAway();
    return code;
  }
}
