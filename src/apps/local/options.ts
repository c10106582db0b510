import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../../platform/config/load-config';
import { dataFolder } from './postgres/data-folder';
import { StartRefused } from './postgres/start-refused';

export interface Flags {
  help: boolean;
  /** Deletes the data first. */
  reset: boolean;
  /** Deletes them without a question. */
  yes: boolean;
  /** Adds demo data to an external database too. */
  demo: boolean;
}

export interface LocalOptions extends Flags {
  port: number;
  host: string;
  /** The URL of the API for users on this machine. */
  baseUrl: string;
  dataDir: string;
  /** How long a stopping worker waits for its work before it hands it back. */
  workerGraceSeconds: number;
  /** The user's own SECRET_KEY. */
  secretKey?: string;
  /** Undefined if it is disabled. Without a port, a free one is chosen. */
  demoTarget?: { port?: number };
  /** A PostgreSQL of the user's own, instead of the embedded one. */
  external?: { appUrl: string; migrationUrl: string };
}

export const usage = `Assay on this machine: PostgreSQL, the API, a worker and a demo target, all stopped by Ctrl-C.

  npm start                 start; the first start adds demo data
  npm start -- --reset      delete the data and start again; asks first, or with --yes does not ask
  npm start -- --demo       add demo data to the PostgreSQL of DATABASE_URL too
  npm start -- --help       show this text

  PORT               the port of the API (3000)
  LOG_LEVEL          the log lines that are shown (warn); info shows each request
  ASSAY_DATA         the folder for the data (.assay in the project)
  DATABASE_URL       your own PostgreSQL (15 or later) instead of the embedded one
  DEMO_TARGET=off    start without the demo target, a vulnerable web server on this machine only
  DEMO_TARGET_PORT   the port of the demo target (PORT plus 100, or the next free one)
`;

export function readFlags(args: string[]): Flags {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args, options: { help: flag, reset: flag, yes: flag, demo: flag } }).values;
  } catch {
    const unknown = args.find((arg) => !['--help', '--reset', '--yes', '--demo'].includes(arg));
    throw new StartRefused(`"${unknown}" is not an option of npm start. Run \`npm start -- --help\` for a list.`);
  }
}

export function readOptions(flags: Flags, environment: NodeJS.ProcessEnv, projectDir: string): LocalOptions {
  const isExternal = Boolean(environment['DATABASE_URL'] || environment['DATABASE_URL_FILE']);
  // It prints credentials to a terminal, so by default only this machine can connect.
  const local = {
    ...environment,
    HOST: environment['HOST'] || '127.0.0.1',
    // Short, because a user waits for Ctrl-C: the next start continues the jobs that are handed back.
    WORK_GRACE_SECONDS: environment['WORK_GRACE_SECONDS'] || '1',
  };
  const config = loadConfig(isExternal ? local : { ...local, DATABASE_URL: placeholderUrl });
  if (config.PORT === 0) throw new StartRefused('PORT=0 is not allowed here. Set a port from 1 to 65535.');
  if (isExternal && flags.reset) {
    throw new StartRefused(
      '--reset deletes only the embedded database, but DATABASE_URL is set. Unset DATABASE_URL first.',
    );
  }
  return {
    ...flags,
    port: config.PORT,
    host: config.HOST,
    baseUrl: `http://localhost:${config.PORT}`,
    dataDir: dataFolder(environment, projectDir),
    workerGraceSeconds: config.WORK_GRACE_SECONDS,
    secretKey: config.SECRET_KEY,
    demoTarget: demoTargetOptions(environment, config, isExternal && !flags.demo),
    external: isExternal ? externalUrls(config) : undefined,
  };
}

/** A vulnerable server must not run in production, and is useful only with demo data. */
function demoTargetOptions(
  { DEMO_TARGET = '', DEMO_TARGET_PORT = '' }: NodeJS.ProcessEnv,
  { NODE_ENV, PORT }: Config,
  hasNoDemoData: boolean,
): LocalOptions['demoTarget'] {
  if (!['', 'on', 'off'].includes(DEMO_TARGET))
    throw new StartRefused(`DEMO_TARGET must be on or off, not "${DEMO_TARGET}".`);
  const port = DEMO_TARGET_PORT === '' ? undefined : Number(DEMO_TARGET_PORT);
  if (port !== undefined && (!/^\d{1,5}$/.test(DEMO_TARGET_PORT) || port < 1 || port > 65_535 || port === PORT)) {
    throw new StartRefused(
      `DEMO_TARGET_PORT must be a port from 1 to 65535 other than PORT, not "${DEMO_TARGET_PORT}".`,
    );
  }
  return DEMO_TARGET === 'off' || NODE_ENV === 'production' || hasNoDemoData ? undefined : { port };
}

/** For the validation of the configuration, which runs before the database has an address. */
const placeholderUrl = 'postgres://embedded/assay';

const externalUrls = ({ DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL }: Config) => ({
  appUrl: DATABASE_URL,
  migrationUrl: MIGRATION_DATABASE_URL,
});
