import { reasonOf } from './database-errors';
import type { MigrationUrls } from './migrate';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Why a migration failed, with the setting to change. The embedded database has no setting. */
export function migrationProblem(error: unknown, configured: MigrationUrls | undefined): string {
  const setting = configured === undefined ? '' : ` in ${settingOf(configured)}`;
  const isForbidden = error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
  const remedy = isForbidden ? ' Set MIGRATION_DATABASE_URL to the role that owns the tables.' : '';
  return `The database${setting} could not be prepared: ${reasonOf(error).replace(/\.$/, '')}.${remedy}`;
}

const settingOf = ({ migrationUrl, appUrl }: MigrationUrls): string =>
  migrationUrl === appUrl ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
