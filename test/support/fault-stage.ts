import { eventually } from './eventually';
import { MortalPostgres } from './mortal-postgres';
import type { RedisServer } from './redis-server';
import { Seat } from './seat';

/** A deployment of compiled processes on a database of its own, in which everything can fail. */
export class FaultStage {
  readonly postgres = new MortalPostgres();
  readonly api = new Seat('api', () => this.postgres.url());
  readonly workers = [1, 2].map(() => new Seat('worker', () => this.postgres.url()));
  /** What ends later, by itself. */
  private readonly pending = new Set<Promise<void>>();

  constructor(readonly redis?: RedisServer) {}

  get seats(): Seat[] {
    return [this.api, ...this.workers];
  }

  async startProcesses(settings: Record<string, string>): Promise<void> {
    const transport: Record<string, string> = this.redis === undefined ? {} : { REDIS_URL: this.redis.url };
    await Promise.all(this.seats.map((seat) => seat.start({ LOG_LEVEL: 'warn', ...transport, ...settings })));
  }

  /** A worker is at some work of this kind; not for ever, for there may be no more of it. */
  async busyWith(kind: string): Promise<void> {
    await eventually(async () => {
      const running = await this.postgres.query(`SELECT 1 FROM work WHERE state = 'running' AND kind = $1 LIMIT 1`, [
        kind,
      ]);
      if (running.length === 0) throw new Error(`nobody is at ${kind}`);
    }, 5_000).catch(() => undefined);
  }

  later(task: Promise<void>): void {
    this.pending.add(task);
    void task.finally(() => this.pending.delete(task));
  }

  /** All that was to end later has ended. */
  async quiet(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Answers with what the processes ended with. */
  async close(): Promise<(number | null)[]> {
    await this.quiet();
    const codes = await Promise.all(this.seats.map((seat) => seat.close()));
    await this.postgres.remove();
    await this.redis?.stop();
    return codes;
  }
}
