import { migrate } from '../../platform/database/migrate';
import { migrationProblem } from '../../platform/database/migration-problem';
import { commandConfig } from './command-config';

/** Returns the names of the migrations that ran. */
export async function migrateDatabase(): Promise<string[]> {
  const { config, isLocal } = commandConfig();
  const urls = {
    migrationUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
    appUrl: config.DATABASE_URL,
  };
  return migrate(urls).catch((error: unknown) => {
    throw new Error(migrationProblem(error, isLocal ? undefined : urls), { cause: error });
  });
}
