import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../../platform/config/load-config';
import { StartRefused } from './postgres/start-refused';

export interface Flags {
  help: boolean;
  /** Delete the data first. */
  reset: boolean;
  /** Demo data also in a database that is not ours. */
  demo: boolean;
}

export interface LocalOptions extends Flags {
  port: number;
  host: string;
  /** What people on this machine open. */
  baseUrl: string;
  dataDir: string;
  /** A PostgreSQL of the user's own, instead of the embedded one. */
  external?: { appUrl: string; migrationUrl: string };
}

export const usage = `Assay on this machine: PostgreSQL, the API and a worker, all stopped by Ctrl-C.

  npm start                 start; the first start makes demo data
  npm start -- --reset      delete the data and begin anew
  npm start -- --demo       make demo data also in the PostgreSQL that DATABASE_URL names
  npm start -- --help       this text

  PORT           where the API listens (3000)
  ASSAY_DATA     the folder for the data (.assay in the project)
  DATABASE_URL   a PostgreSQL (15 or later) to use instead of the embedded one
`;

export function readFlags(args: string[]): Flags {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args, options: { help: flag, reset: flag, demo: flag } }).values;
  } catch {
    const unknown = args.find((arg) => !['--help', '--reset', '--demo'].includes(arg));
    throw new StartRefused(`npm start knows no "${unknown}". \`npm start -- --help\` shows what it knows.`);
  }
}

export function readOptions(flags: Flags, environment: NodeJS.ProcessEnv, projectDir: string): LocalOptions {
  const isExternal = Boolean(environment['DATABASE_URL'] || environment['DATABASE_URL_FILE']);
  // What prints credentials to a terminal is for this machine, until somebody says otherwise.
  const local = { ...environment, HOST: environment['HOST'] || '127.0.0.1' };
  const config = loadConfig(isExternal ? local : { ...local, DATABASE_URL: embeddedLater });
  if (config.PORT === 0) throw new StartRefused('PORT=0 names no port: give one from 1 to 65535.');
  if (isExternal && flags.reset) {
    throw new StartRefused('--reset deletes the embedded database alone, and DATABASE_URL names another.');
  }
  return {
    ...flags,
    port: config.PORT,
    host: config.HOST,
    baseUrl: `http://localhost:${config.PORT}`,
    dataDir: resolve(projectDir, environment['ASSAY_DATA'] || '.assay'),
    external: isExternal ? externalUrls(config) : undefined,
  };
}

/** Satisfies the check of the configuration, which comes before the database has an address. */
const embeddedLater = 'postgres://embedded/assay';

const externalUrls = ({ DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL }: Config) => ({
  appUrl: DATABASE_URL,
  migrationUrl: MIGRATION_DATABASE_URL,
});
