import { type Config, ConfigError, loadConfig } from '../platform/config/load-config';
import { readEnvFile } from '../platform/config/env-file';
import { type Log, createLog, endLog } from '../platform/logging/log';
import { nameProgram } from '../platform/database/application-name';
import { awaitDatabase } from '../platform/database/await-database';

type Stop = () => Promise<void>;

/** Service managers need a longer grace period. */
export const maxShutdownMs = 14_000;

/**
 * Runs a process: reads the configuration and reports all its problems, starts the service, and shuts down once on SIGTERM,
 * SIGINT or when the parent process is gone.
 */
export function runProcess(
  name: string,
  start: (config: Config, log: Log) => Promise<Stop>,
  { awaitsDatabase = true }: { readonly awaitsDatabase?: boolean } = {},
): void {
  void (async () => {
    // Registered before anything slow: if the parent exits, this process must not continue to start.
    process.once('disconnect', () => process.exit(1));
    readEnvFile();
    nameProgram(name);
    const config = await configOrExit();
    const log = createLog(config);
    process.on('uncaughtException', (error) => exitWithError(log, error));
    try {
      if (awaitsDatabase) await awaitDatabase(config, log);
      const stop = await start(config, log);
      stopOnce(name, log, stop);
      process.send?.({ type: 'ready' });
    } catch (error) {
      exitWithError(log, error);
    }
  })();
}

async function configOrExit(): Promise<Config> {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Programs that read the log read lines of JSON only.
    if (process.env['LOG_FORMAT'] === 'json') {
      const log = createLog({ LOG_LEVEL: 'fatal', LOG_FORMAT: 'json' });
      log.fatal({ problems: error.problems }, error.message);
      return exitAfterLogging(log, 1);
    }
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** After an uncaught error the state of the process is unknown: it logs the error and exits, and is started again. */
function exitWithError(log: Log, error: unknown): void {
  if (error instanceof ConfigError) log.fatal(error.message);
  else log.fatal(error instanceof Error ? (error.stack ?? error.message) : String(error));
  void exitAfterLogging(log, 1);
}

async function exitAfterLogging(log: Log, code: number): Promise<never> {
  await endLog(log);
  return process.exit(code);
}

function stopOnce(name: string, log: Log, stop: Stop): void {
  let stopping = false;
  const stopFor = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping the ${name}: ${reason}`);
    setTimeout(() => void exitAfterLogging(log, 1), maxShutdownMs).unref();
    stop().then(
      () => exitAfterLogging(log, 0),
      (error: unknown) => {
        log.error(String(error));
        return exitAfterLogging(log, 1);
      },
    );
  };
  process.on('SIGTERM', () => stopFor('SIGTERM'));
  process.on('SIGINT', () => stopFor('SIGINT'));
  process.removeAllListeners('disconnect').on('disconnect', () => stopFor('the parent process is gone'));
}
