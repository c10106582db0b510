import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../../platform/config/load-config';
import { ownListeners, type Listener } from '../../platform/config/own-listeners';
import { portalPort } from '../../platform/config/portal-address';
import { type OwnTarget, parseOwnTargets } from './own-targets';
import { dataFolder } from '../postgres/data-folder';
import { StartRefused } from '../postgres/start-refused';

export interface Flags {
  help: boolean;
  /** Deletes the data first. */
  reset: boolean;
  /** Deletes them without a question. */
  yes: boolean;
  /** Adds demo data to an external database too. */
  demo: boolean;
  /** The URLs of applications to test. */
  target?: string[];
}

export interface LocalOptions extends Flags {
  port: number;
  host: string;
  /** The URL of the API for users on this machine. */
  baseUrl: string;
  /** The port of the portal; undefined if it is disabled. */
  portalPort?: number;
  dataDir: string;
  /** How long a stopping worker waits for its work before it hands it back. */
  workerGraceSeconds: number;
  /** The user's own SECRET_KEY. */
  secretKey?: string;
  /** Undefined if it is disabled. Without a port, a free one is chosen. */
  demoTarget?: { port?: number };
  /** The applications of `--target`, and what must not be one of them. */
  ownTargets?: { targets: OwnTarget[]; listeners: Listener[] };
  /** A PostgreSQL of the user's own, instead of the embedded one. */
  external?: { appUrl: string; migrationUrl: string; callbackUrl?: string | undefined };
}

export const usage = `Assay on this machine: PostgreSQL, the API, a worker and a demo target, all stopped by Ctrl-C.

  npm start                 start; the first start adds demo data
  npm start -- --reset      delete the data and start again; asks first, or with --yes does not ask
  npm start -- --demo       add demo data to the PostgreSQL of DATABASE_URL too
  npm start -- --target URL make your application at this URL a target, and show the commands to test it; repeatable
  npm start -- --help       show this text

  PORT               the port of the API (3000)
  PORTAL_PORT        the port of the portal (PORT plus 1), or off
  LOG_LEVEL          the log lines that are shown (warn); info shows each request
  ASSAY_DATA         the folder for the data (.assay in the project)
  DATABASE_URL       your own PostgreSQL (15 or later) instead of the embedded one
  DEMO_TARGET=off    start without the demo target, a vulnerable web server on this machine only
  DEMO_TARGET_PORT   the port of the demo target (PORT plus 100, or the next free one)
`;

/** npm keeps options without `--` before them for itself: they are only in the environment, and would have no effect. */
function refuseOptionsOfNpm(
  args: string[],
  { npm_config_target: target = '', ...environment }: NodeJS.ProcessEnv,
): void {
  const isUrl = (text = ''): boolean => /^https?:\/\//i.test(text);
  const url = [target, ...args.slice(0, 1)].find(isUrl);
  const flag = ['reset', 'demo'].find((name) => environment[`npm_config_${name}`] === 'true');
  const option = url === undefined ? flag : `target ${url}`;
  if (option !== undefined) throw new StartRefused(`npm needs -- before the options: npm start -- --${option}`);
}

export function readFlags(args: string[], environment: NodeJS.ProcessEnv = {}): Flags {
  refuseOptionsOfNpm(args, environment);
  const flag = { type: 'boolean', default: false } as const;
  try {
    const target = { type: 'string', multiple: true } as const;
    return parseArgs({ args, options: { help: flag, reset: flag, yes: flag, demo: flag, target } }).values;
  } catch {
    const isTarget = (arg: string, at: number): boolean => arg.startsWith('--target') || args[at - 1] === '--target';
    const known = new Set(['--help', '--reset', '--yes', '--demo']);
    const unknown = args.find((arg, at) => !known.has(arg) && !isTarget(arg, at));
    if (unknown === undefined)
      throw new StartRefused('--target needs the URL of your application, such as --target http://127.0.0.1:8080');
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
    portalPort: portalPort(config),
    dataDir: dataFolder(environment, projectDir),
    workerGraceSeconds: config.WORK_GRACE_SECONDS,
    secretKey: config.SECRET_KEY,
    demoTarget: demoTargetOptions(environment, config, isExternal && !flags.demo),
    ownTargets: ownTargetOptions(flags, config, isExternal),
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

/** The embedded database listens on a Unix socket, or on a free port. */
function ownTargetOptions({ target }: Flags, config: Config, isExternal: boolean): LocalOptions['ownTargets'] {
  if (target === undefined) return undefined;
  if (config.NODE_ENV === 'production') {
    throw new StartRefused(
      '--target is for development. With NODE_ENV=production, set EGRESS_ALLOW with an organization, such as ' +
        'EGRESS_ALLOW=7@10.20.0.0/16:443 (docs/targets.md).',
    );
  }
  const { DATABASE_URL: _url, MIGRATION_DATABASE_URL: _migrationUrl, ...withoutDatabase } = config;
  const placeholder = { ...withoutDatabase, DATABASE_URL: 'postgres:///assay?host=/' };
  return { targets: parseOwnTargets(target), listeners: ownListeners(isExternal ? config : placeholder) };
}

/** For the validation of the configuration, which runs before the database has an address. */
const placeholderUrl = 'postgres://embedded/assay';

const externalUrls = ({ DATABASE_URL, MIGRATION_DATABASE_URL = DATABASE_URL, CALLBACK_DATABASE_URL }: Config) => ({
  appUrl: DATABASE_URL,
  migrationUrl: MIGRATION_DATABASE_URL,
  callbackUrl: CALLBACK_DATABASE_URL,
});
