import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { migrations } from '../../migrations';
import { migrate } from '../../src/platform/database/migrate';
import { administer, roleOf, server, urlOf } from './database';

type Migration = new () => MigrationInterface;

/** A database as it was before a migration: for data that the migration changes. */
export class OldDatabase {
  private constructor(
    readonly ownerUrl: string,
    readonly appUrl: string,
  ) {}

  static async before(migration: Migration): Promise<OldDatabase> {
    const from = server();
    const [timestamp = ''] = /\d+$/.exec(migration.name) ?? [];
    const name = `assay_${from.run}_${process.env['JEST_WORKER_ID'] ?? '0'}_before_${timestamp}`;
    await administer(`DROP DATABASE IF EXISTS ${name}`);
    await administer(`CREATE DATABASE ${name} OWNER ${roleOf(from.owner)}`);
    const ownerUrl = urlOf(from, name, 'owner');
    const earlier: Migration[] = migrations.slice(
      0,
      migrations.findIndex((one) => one === migration),
    );
    const source = new DataSource({
      type: 'postgres',
      url: ownerUrl,
      migrations: earlier,
      migrationsTableName: 'migrations',
    });
    await source.initialize();
    await source.runMigrations({ transaction: 'each' });
    await source.destroy();
    return new OldDatabase(ownerUrl, urlOf(from, name, 'app'));
  }

  /** Brings it up to date, as an operator does. */
  migrate(): Promise<string[]> {
    return migrate({ migrationUrl: this.ownerUrl, appUrl: this.appUrl });
  }

  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.ownerUrl });
    await client.connect();
    try {
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
    }
  }
}
