import { BackgroundTasks } from './background-tasks';
import { eventually } from './eventually';
import { RestartablePostgres } from './restartable-postgres';
import type { RedisServer } from './redis-server';
import { RestartableProcess } from './restartable-process';

/** One API, two workers, a database and optionally Redis, each of which can fail. */
export class FaultDeployment extends BackgroundTasks {
  readonly postgres = new RestartablePostgres();
  readonly api = new RestartableProcess('api', () => this.postgres.url());
  readonly workers = [1, 2].map(() => new RestartableProcess('worker', () => this.postgres.url()));

  constructor(readonly redis?: RedisServer) {
    super();
  }

  get processes(): RestartableProcess[] {
    return [this.api, ...this.workers];
  }

  async startProcesses(settings: Record<string, string>): Promise<void> {
    const transport: Record<string, string> = this.redis === undefined ? {} : { REDIS_URL: this.redis.url };
    await Promise.all(this.processes.map((process) => process.start({ LOG_LEVEL: 'warn', ...transport, ...settings })));
  }

  /** Waits until a worker runs work of this kind; gives up after 5 s, because there may be none left. */
  async waitUntilRunning(kind: string): Promise<void> {
    await eventually(async () => {
      const running = await this.postgres.query(`SELECT 1 FROM work WHERE state = 'running' AND kind = $1 LIMIT 1`, [
        kind,
      ]);
      if (running.length === 0) throw new Error(`no ${kind} is running`);
    }, 5_000).catch(() => undefined);
  }

  /** Returns the exit codes of the processes. Stops them also after a fault that failed. */
  async close(): Promise<(number | null)[]> {
    await Promise.allSettled(this.tasks);
    const codes = await Promise.all(this.processes.map((process) => process.close()));
    await this.postgres.remove();
    await this.redis?.stop();
    return codes;
  }
}
