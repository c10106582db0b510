import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/apps/local/postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { eventually } from './eventually';

/** A PostgreSQL of one test's own, migrated, that may be stopped or crashed and started again on the same data. */
export class MortalPostgres {
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'assay-faults-'));
  private postgres: EmbeddedPostgres | undefined;
  private last: Readonly<Record<'assay_app' | 'assay_owner', string>> | undefined;

  async start(): Promise<void> {
    const postgres = await EmbeddedPostgres.start({ dataDir: this.dataDir });
    const isFirst = this.last === undefined;
    this.postgres = postgres;
    this.last = {
      assay_app: postgres.url(undefined, 'assay_app'),
      assay_owner: postgres.url(undefined, 'assay_owner'),
    };
    if (isFirst) await migrate({ appUrl: this.last.assay_app, migrationUrl: this.last.assay_owner });
  }

  /** Where it listens, or listened last: that changes with every start. */
  url(role: 'assay_app' | 'assay_owner' = 'assay_app'): string {
    if (this.last === undefined) throw new Error('it was never started');
    return this.last[role];
  }

  /** `immediate` is a crash: what was committed is found in the log at the next start. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.postgres?.stop(mode);
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** A look at the rows themselves, as the role that owns them. */
  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.url('assay_owner') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Waits until a question has an answer. */
  eventuallyHas(text: string, values: unknown[] = [], withinMs?: number): Promise<void> {
    return eventually(async () => expect(await this.query(text, values)).not.toEqual([]), withinMs);
  }
}
