import { type Config, ConfigError, loadConfig } from '../platform/config/load-config';
import { readEnvFile } from '../platform/config/env-file';
import { type Log, createLog, endLog } from '../platform/logging/log';
import { awaitDatabase } from '../platform/database/await-database';

type Stop = () => Promise<void>;

const maxShutdownMs = 14_000;

/**
 * The life of a process: configuration first, with all its problems at once; then the service; then, at SIGTERM, SIGINT or
 * when a parent that watches it is gone, an orderly end, once, and in bounded time.
 */
export function runProcess(name: string, start: (config: Config, log: Log) => Promise<Stop>): void {
  void (async () => {
    // Before anything that takes time: a parent that is gone must not leave a child behind that still starts.
    process.once('disconnect', () => process.exit(1));
    readEnvFile();
    const config = configOrExit();
    const log = createLog(config);
    process.on('uncaughtException', (error) => exitWithError(log, error));
    try {
      await awaitDatabase(config, log);
      const stop = await start(config, log);
      stopOnce(name, log, stop);
      process.send?.({ type: 'ready' });
    } catch (error) {
      exitWithError(log, error);
    }
  })();
}

function configOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** What nobody has caught leaves the process in a state that nobody knows: it says so and ends, and is started again. */
function exitWithError(log: Log, error: unknown): void {
  log.fatal(error instanceof Error ? (error.stack ?? error.message) : String(error));
  void exitAfterLogging(log, 1);
}

async function exitAfterLogging(log: Log, code: number): Promise<never> {
  await endLog(log);
  return process.exit(code);
}

function stopOnce(name: string, log: Log, stop: Stop): void {
  let stopping = false;
  const stopFor = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`the ${name} stops: ${why}`);
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
  process.removeAllListeners('disconnect').on('disconnect', () => stopFor('its parent is gone'));
}
