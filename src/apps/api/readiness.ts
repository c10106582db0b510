import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { Database } from '../../platform/database/database';
import { DatabaseClock } from '../../platform/database/database-clock';
import { schemaState } from '../../platform/database/schema-state';
import { sql } from '../../platform/database/sql';
import { Metrics } from '../../platform/metrics/metrics';
import { WorkNotifier } from '../../platform/work/work-notifier';

export interface LivenessResponse {
  readonly status: 'ok';
}

export interface ReadinessResponse {
  readonly status: 'ready' | 'degraded';
  readonly description?: string;
}

@Injectable()
export class Readiness {
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly notifier: WorkNotifier,
    private readonly clock: DatabaseClock,
    metrics: Metrics,
  ) {
    const degraded = metrics.gauge({
      name: 'assay_degraded',
      help: '1 if `/readyz` of this process of the API says that it is degraded, else 0',
    });
    metrics.onScrape('readiness', [degraded], async () => {
      const { status } = await this.check();
      return () => degraded.set({}, status === 'degraded' ? 1 : 0);
    });
  }

  /** From now on a load balancer should use other processes. */
  stop(): void {
    this.stopping = true;
  }

  /** Fails only while the process stops. */
  alive(): LivenessResponse {
    this.throwIfStopping();
    return { status: 'ok' };
  }

  /** Fails without the database, and on an older schema. Delayed work notifications only degrade the service. */
  async check(): Promise<ReadinessResponse> {
    this.throwIfStopping();
    const { missing, isNewer } = schemaState(await this.ranMigrations());
    if (missing.length > 0) throw new DomainError('unavailable', OLDER_SCHEMA, 5);
    const reasons = [isNewer ? NEWER_SCHEMA : undefined, this.notifier.degradedReason].filter(Boolean);
    await this.clock.measure();
    const difference = this.clock.reportedDifferenceMs;
    const all = [...reasons, ...(difference === null ? [] : [wrongClock(difference)])];
    const description = all.length === 0 ? {} : { description: all.join(' ') };
    return { status: reasons.length === 0 ? 'ready' : 'degraded', ...description };
  }

  private throwIfStopping(): void {
    if (this.stopping) throw new DomainError('unavailable', 'The service is stopping.', 5);
  }

  /** None if there is no schema, for example after the database was replaced by an empty one. */
  private async ranMigrations(): Promise<string[]> {
    const row = await this.database.row<{ exists: boolean }>(
      sql`SELECT to_regclass('migrations') IS NOT NULL AS exists`,
    );
    if (row?.exists !== true) return [];
    return (await this.database.rows<{ name: string }>(sql`SELECT name FROM migrations`)).map(({ name }) => name);
  }
}

/** Harmless: the time of the database counts. */
const wrongClock = (differenceMs: number): string =>
  `The clock of this process is ${Math.round(Math.abs(differenceMs) / 1_000)} seconds ${differenceMs > 0 ? 'ahead of' : 'behind'} that of the database: correct the clocks of both hosts.`;

const OLDER_SCHEMA = 'The schema of the database is older than this version: run "npm run migration:run".';

/** Ready nevertheless: during an update the newer version migrates first, and the older processes serve until they end. */
const NEWER_SCHEMA =
  'The schema of the database is newer than this version: an update is running, or this process is left over from it.';
