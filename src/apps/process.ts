import { type Config, ConfigError, loadConfig } from '../platform/config/load-config';
import { readEnvFile } from '../platform/config/env-file';
import { type Log, createLog } from '../platform/logging/log';
import { awaitDatabase } from '../platform/database/await-database';

type Stop = () => Promise<void>;

const mostShutdownMs = 14_000;

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
    try {
      await awaitDatabase(config, log);
      const stop = await start(config, log);
      stopOnce(name, log, stop);
      process.send?.({ type: 'ready' });
    } catch (error) {
      log.fatal(error instanceof Error ? (error.stack ?? error.message) : String(error));
      log.flush();
      process.exitCode = 1;
      setTimeout(() => process.exit(1), 100);
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

function stopOnce(name: string, log: Log, stop: Stop): void {
  let stopping = false;
  const end = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`the ${name} stops: ${why}`);
    setTimeout(() => process.exit(1), mostShutdownMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.removeAllListeners('disconnect').on('disconnect', () => end('its parent is gone'));
}
