import { type Config, loadConfig } from '../../platform/config/load-config';
import { dataFolder } from '../postgres/data-folder';
import { runningDatabase } from '../postgres/running-database';
import { packageFolder } from '../../kernel/package-folder';

export interface CommandConfig {
  readonly config: Config;
  /** Whether the database is that of a running `npm start`. */
  readonly isLocal: boolean;
}

const DATABASE_KEYS = ['DATABASE_URL', 'MIGRATION_DATABASE_URL'].flatMap((key) => [key, `${key}_FILE`]);

/**
 * The shell of an operator may lack the settings of the service. Without NODE_ENV, nothing is encrypted with the key of development,
 * which everyone knows.
 */
function ofService(environment: NodeJS.ProcessEnv): Config {
  const config = loadConfig(environment);
  return environment['NODE_ENV'] ? config : Object.assign({}, config, { NODE_ENV: 'production' } as const);
}

/** The configuration of a command. If it names no database, the command uses that of a running `npm start`. */
export function commandConfig(environment: NodeJS.ProcessEnv = process.env): CommandConfig {
  if (DATABASE_KEYS.some((key) => environment[key])) return { config: ofService(environment), isLocal: false };
  const dataDir = dataFolder(environment, packageFolder);
  const { appUrl, migrationUrl } = runningDatabase(dataDir);
  process.stderr.write(`Using the database of the running Assay in ${dataDir}.\n`);
  const config = loadConfig({ ...environment, DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: migrationUrl });
  return { config, isLocal: true };
}
