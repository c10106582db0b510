import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/apps/postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { type QueriedDatabase, queryOnce } from './database';

/** A migrated PostgreSQL server for one test, which can be stopped, crashed and started again on the same data. */
export class RestartablePostgres implements QueriedDatabase {
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

  /** The URL since the last start; it changes with every start. */
  url(role: 'assay_app' | 'assay_owner' = 'assay_app'): string {
    if (this.last === undefined) throw new Error('call start() first');
    return this.last[role];
  }

  /** `immediate` is a crash: the next start recovers from the write-ahead log. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.postgres?.stop(mode);
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Queries the database as the owner of the tables. */
  async query<T extends object>(text: string, values?: unknown[]): Promise<T[]> {
    return queryOnce(this.url('assay_owner'), text, values);
  }
}
