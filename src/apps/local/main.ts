import { join } from 'node:path';
import { readEnvFile } from '../../platform/config/env-file';
import { ConfigError } from '../../platform/config/load-config';
import { LogBuffer } from './log-buffer';
import { readFlags, readOptions, usage } from './options';
import { StartRefused } from './postgres/start-refused';
import { Supervisor, type Programs } from './supervisor';

const apps = join(__dirname, '..');
const programs: Programs = {
  api: join(apps, 'api', 'main.js'),
  worker: join(apps, 'worker', 'main.js'),
  seeder: join(__dirname, 'demo', 'seed.js'),
  demoTarget: join(__dirname, 'demo-target', 'main.js'),
  targetAdder: join(__dirname, 'demo', 'add-target.js'),
  ownTargetsAdder: join(__dirname, 'add-own-targets.js'),
  keyRetirer: join(__dirname, 'retire-signing-key.js'),
};

/** `npm start`. */
export async function start(args: string[], projectDir: string): Promise<void> {
  const log = new LogBuffer(process.stdout);
  try {
    readEnvFile();
    const flags = readFlags(args);
    if (flags.help) {
      log.print(usage);
      return;
    }
    const supervisor = new Supervisor(readOptions(flags, process.env, projectDir), programs, process.env, log);
    stopOnSignals(supervisor, log);
    await supervisor.run();
  } catch (error) {
    // The output of the other processes may explain the error.
    log.release();
    const isPlain = error instanceof StartRefused || error instanceof ConfigError;
    console.error(`\n${isPlain ? error.message : error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}

/** npm forwards a Ctrl-C that the terminal has already sent. A second signal within this time is the same one. */
const repeatedSignalMs = 500;

function stopOnSignals(supervisor: Supervisor, log: LogBuffer): void {
  let first = 0;
  const stop = (): void => {
    if (first === 0) {
      first = Date.now();
      log.print('Stopping ...');
      void supervisor.stop();
    } else if (Date.now() - first > repeatedSignalMs) {
      void supervisor.kill().finally(() => process.exit(130));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}
