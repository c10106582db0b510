import { conflict } from '../../kernel/domain-error';
import { migrate, ranMigrations } from '../../platform/database/migrate';
import { migrationProblem } from '../../platform/database/migration-problem';
import { schemaState } from '../../platform/database/schema-state';
import { commandConfig } from './command-config';

export interface MigrateOptions {
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly new?: boolean;
}

/** Returns what the command prints. */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const { config, isLocal } = commandConfig();
  const urls = {
    migrationUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
    appUrl: config.DATABASE_URL,
    callbackUrl: config.CALLBACK_DATABASE_URL,
  };
  const explained = (error: unknown): never => {
    throw new Error(migrationProblem(error, isLocal ? undefined : urls), { cause: error });
  };
  const ran = await ranMigrations(urls.migrationUrl).catch(explained);
  const { missing } = schemaState(ran);
  if (options.list === true) return [...ran.map((name) => `Ran: ${name}`), ...missing.map((name) => `Waits: ${name}`)];
  // After a restore that failed, a new schema would look as if it had succeeded.
  const isUnexpected = ran.length === 0 && config.NODE_ENV === 'production' && !isLocal && options.new !== true;
  if (isUnexpected && options.dryRun !== true)
    throw conflict('The database has no schema. Add --new for a new installation, or restore the backup first.');
  if (missing.length === 0 && options.dryRun === true) return [UP_TO_DATE];
  if (options.dryRun === true) return missing.map((name) => `Would migrate: ${name}`);
  const done = await migrate(urls).catch(explained);
  return done.length === 0 ? [UP_TO_DATE] : done.map((name) => `Migrated: ${name}`);
}

const UP_TO_DATE = 'The schema is up to date.';
