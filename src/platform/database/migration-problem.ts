import { reasonOf } from './database-errors';
import type { MigrationUrls } from './migrate';

const insufficientPrivilege = '42501';

/** Why a migration failed, in a sentence that names the setting that changes it; of a database of ours there is none. */
export function migrationProblem(error: unknown, configured: MigrationUrls | undefined): string {
  const names = configured === undefined ? '' : ` that ${settingOf(configured)} names`;
  const isForbidden = error instanceof Error && 'code' in error && error.code === insufficientPrivilege;
  const remedy = isForbidden ? ' Name the role that owns the tables in MIGRATION_DATABASE_URL.' : '';
  return `The database${names} could not be prepared: ${reasonOf(error).replace(/\.$/, '')}.${remedy}`;
}

const settingOf = ({ migrationUrl, appUrl }: MigrationUrls): string =>
  migrationUrl === appUrl ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
