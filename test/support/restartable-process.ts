import { freePort } from '../../src/engine/testing/real-server';
import { DatabaseProxy } from './database-proxy';
import { launchProcess, type RunningProcess } from './processes';

/** An API or worker process with its own database proxy, which can be killed, paused and started again on the same port. */
export class RestartableProcess {
  readonly proxy: DatabaseProxy;
  isPaused = false;
  private running: RunningProcess | undefined;
  private settings: Record<string, string> = {};
  private port = 0;
  private isClosed = false;

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

  /** Resolves when the process is ready. Retries, because the start fails when the database is away for long. */
  async start(settings = this.settings, retries = 3): Promise<void> {
    this.settings = settings;
    if (this.port === 0) {
      this.port = await freePort();
      await this.proxy.start();
    }
    const environment = {
      ...settings,
      DATABASE_URL: this.proxy.url,
      HOST: '127.0.0.1',
      PORT: String(this.port),
      PORTAL_PORT: 'off',
    };
    try {
      await launchProcess(this.program, environment, (begun) => (this.running = begun));
    } catch (error) {
      if (retries === 0 || this.isClosed) throw error;
      await this.start(settings, retries - 1);
    }
  }

  /** Returns the exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { running } = this;
    this.resume();
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

  resume(): void {
    if (this.isPaused) this.running?.kill('SIGCONT');
    this.isPaused = false;
  }

  async close(): Promise<number | null> {
    this.isClosed = true;
    const code = await this.end('SIGTERM');
    await this.proxy.disconnect();
    return code;
  }
}
