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
  /** The user's own SECRET_KEY. */
  secretKey?: string;
  /** Undefined where there is to be none; without a port any that is free. */
  demoTarget?: { port?: number };
  /** A PostgreSQL of the user's own, instead of the embedded one. */
  external?: { appUrl: string; migrationUrl: string };
}

export const usage = `Assay on this machine: PostgreSQL, the API, a worker and a demo target, all stopped by Ctrl-C.

  npm start                 start; the first start makes demo data
  npm start -- --reset      delete the data and begin anew
  npm start -- --demo       make demo data also in the PostgreSQL that DATABASE_URL names
  npm start -- --help       this text

  PORT               where the API listens (3000)
  ASSAY_DATA         the folder for the data (.assay in the project)
  DATABASE_URL       a PostgreSQL (15 or later) to use instead of the embedded one
  DEMO_TARGET=off    leaves out the demo target, a weak web server for this machine alone
  DEMO_TARGET_PORT   where it listens (100 above the API's, or the next that is free)
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
  const config = loadConfig(isExternal ? local : { ...local, DATABASE_URL: placeholderUrl });
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
    secretKey: config.SECRET_KEY,
    demoTarget: demoTargetOptions(environment, config, isExternal && !flags.demo),
    external: isExternal ? externalUrls(config) : undefined,
  };
}

/** A weak server is for trying out alone, and of use only beside demo data. */
function demoTargetOptions(
  { DEMO_TARGET = '', DEMO_TARGET_PORT = '' }: NodeJS.ProcessEnv,
  { NODE_ENV, PORT }: Config,
  hasNoDemoData: boolean,
): LocalOptions['demoTarget'] {
  if (!['', 'on', 'off'].includes(DEMO_TARGET))
    throw new StartRefused(`DEMO_TARGET is on or off, not "${DEMO_TARGET}".`);
  const port = DEMO_TARGET_PORT === '' ? undefined : Number(DEMO_TARGET_PORT);
  if (port !== undefined && (!/^\d{1,5}$/.test(DEMO_TARGET_PORT) || port < 1 || port > 65_535 || port === PORT)) {
    throw new StartRefused(
      `DEMO_TARGET_PORT is a port from 1 to 65535 that is not the API's, and "${DEMO_TARGET_PORT}" is none.`,
    );
  }
  return DEMO_TARGET === 'off' || NODE_ENV === 'production' || hasNoDemoData ? undefined : { port };
}

/** Satisfies the check of the configuration, which comes before the database has an address. */
const placeholderUrl = 'postgres://embedded/assay';

const externalUrls = ({ DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL }: Config) => ({
  appUrl: DATABASE_URL,
  migrationUrl: MIGRATION_DATABASE_URL,
});
