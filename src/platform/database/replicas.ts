import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/load-config';
import { Metrics } from '../metrics/metrics';
import { DatabaseContext } from './database-context';
import { isUnavailable } from './database-errors';
import { DatabasePool } from './database-pool';
import { PrimaryHost } from './primary-host';
import { Replica } from './replica';
import { parsePosition, Samples } from './wal-position';

/** How often the primary and the replicas are asked how far they are. */
const EVERY_MS = 250;
/** Positions that every replica in use has replayed long ago are removed once a minute. */
const POLLS_UNTIL_CLEANING = 240;

/**
 * Which replica may answer the reads of a caller: one that is at most two seconds behind the primary and has replayed what this
 * caller last wrote. The positions of writes are in the database, because the next request may reach another process.
 */
@Injectable()
export class Replicas implements OnModuleDestroy {
  private readonly replicas: readonly Replica[];
  private readonly samples = new Samples();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();
  private turn = 0;
  private polls = 0;
  private readonly requests;
  private readonly unnoted;

  constructor(
    config: Config,
    metrics: Metrics,
    private readonly primary: DatabasePool,
    private readonly context: DatabaseContext,
    private readonly host: PrimaryHost,
  ) {
    this.replicas = config.DATABASE_REPLICA_URLS.map((url) => new Replica(config, url, context));
    this.requests = metrics.counter({
      name: 'assay_database_reads_total',
      help: 'Requests that only read, where replicas are configured, by the server that answered them',
      labels: { server: ['replica', 'primary'] },
    });
    this.unnoted = metrics.counter({
      name: 'assay_database_unnoted_writes_total',
      help: 'Writes whose position could not be stored, so that a replica may answer without them for two seconds',
    });
  }

  get areUsed(): boolean {
    return this.replicas.length > 0;
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** Lets the current request read from a replica, if one is as far as it must be. */
  async chooseForRequest(): Promise<void> {
    this.start();
    const replica = await this.replicaFor(this.context.reader);
    this.requests({ server: replica === undefined ? 'primary' : 'replica' });
    this.context.readFrom(replica?.pool);
  }

  /** What this caller reads next is at least as new. After a commit, before it is confirmed. */
  async notePosition(): Promise<void> {
    const { reader } = this.context;
    if (!this.areUsed || reader === undefined) return;
    this.context.readFrom(undefined);
    try {
      await this.context.runForSystem(() =>
        this.primary.query(
          `INSERT INTO written_positions (reader, position) VALUES ($1, pg_current_wal_insert_lsn())
           ON CONFLICT (reader) DO UPDATE SET position = excluded.position, written = now()`,
          [reader],
        ),
      );
    } catch {
      // What is committed stays committed. For two seconds a replica may lack it, which the metric shows.
      this.unnoted({});
    }
  }

  /** Called by the first read, so that workers, which have none, never poll. */
  private start(): void {
    this.timer ??= setInterval(() => {
      this.polling = this.context.runForSystem(() => this.poll());
    }, EVERY_MS);
  }

  private async replicaFor(reader: string | undefined): Promise<Replica | undefined> {
    const least = this.samples.positionBefore(performance.now());
    if (reader === undefined || least === undefined) return undefined;
    // One that follows a former primary has other changes at the same positions.
    const { timeline } = this.host;
    const near = this.replicas.filter(
      (replica) =>
        replica.position !== undefined &&
        replica.position >= least &&
        (timeline === undefined || replica.timeline === timeline),
    );
    if (near.length === 0) return undefined;
    const written = await this.writtenBy(reader);
    const fit = near.filter(({ position }) => position !== undefined && position >= written);
    this.turn = (this.turn + 1) % 1_000_000;
    return fit[this.turn % fit.length];
  }

  private async writtenBy(reader: string): Promise<bigint> {
    const { rows } = await this.primary.query<{ position: string }>({
      name: 'written_position',
      text: 'SELECT position::text FROM written_positions WHERE reader = $1',
      values: [reader],
    });
    return rows[0] === undefined ? 0n : parsePosition(rows[0].position);
  }

  /** Of work of the process itself, and in this order: a replica must have replayed what the primary had before. */
  private async poll(): Promise<void> {
    const asked = performance.now();
    try {
      const { rows } = await this.primary.query<{ position: string }>(
        'SELECT pg_current_wal_insert_lsn()::text AS position',
      );
      if (rows[0] !== undefined) this.samples.add(asked, parsePosition(rows[0].position));
    } catch {
      // The primary is unavailable, or now a standby. Without new samples no replica is near enough.
    }
    await Promise.all(this.replicas.map((replica) => replica.poll()));
    this.polls += 1;
    if (this.polls % POLLS_UNTIL_CLEANING === 0) await this.removeOld();
  }

  private async removeOld(): Promise<void> {
    try {
      await this.primary.query(`DELETE FROM written_positions WHERE written < now() - interval '1 minute'`);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}
