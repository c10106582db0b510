import { join } from 'node:path';
import { readEnvFile } from '../../platform/config/env-file';
import { ConfigError } from '../../platform/config/load-config';
import { confirmReset } from './confirm-reset';
import { readFlags, readOptions, usage } from './options';
import type { Programs } from './programs';
import { StartRefused } from '../postgres/start-refused';
import { StartOutput } from './start-output';
import { Supervisor } from './supervisor';

const apps = join(__dirname, '..');
const programs: Programs = {
  api: join(apps, 'api', 'main.js'),
  worker: join(apps, 'worker', 'main.js'),
  listener: join(apps, 'callbacks', 'main.js'),
  seeder: join(__dirname, 'demo', 'seed.js'),
  demoTarget: join(__dirname, 'demo-target', 'main.js'),
  resultSeeder: join(__dirname, 'demo', 'seed-results.js'),
  targetAdder: join(__dirname, 'demo', 'add-target.js'),
  ownTargetsAdder: join(__dirname, 'add-own-targets.js'),
  keyRetirer: join(__dirname, 'retire-signing-key.js'),
};

/** `npm start`. */
export async function start(args: string[], projectDir: string): Promise<void> {
  const output = new StartOutput(process.stdout);
  try {
    readEnvFile();
    const flags = readFlags(args, process.env);
    if (flags.help) {
      output.print(usage);
      return;
    }
    const options = readOptions(flags, process.env, projectDir);
    if (options.reset) await confirmReset(options, { input: process.stdin, output: process.stdout });
    const supervisor = new Supervisor(options, programs, process.env, output);
    stopOnSignals(supervisor, output);
    await supervisor.run();
  } catch (error) {
    const isPlain = error instanceof StartRefused || error instanceof ConfigError;
    console.error(`\n${isPlain ? error.message : error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}

/** npm forwards a Ctrl-C that the terminal has already sent. A second signal within this time is the same one. */
const repeatedSignalMs = 500;

function stopOnSignals(supervisor: Supervisor, output: StartOutput): void {
  let first = 0;
  const stop = (): void => {
    if (first === 0) {
      first = Date.now();
      output.print('Stopping ...');
      void supervisor.stop().then(() => output.print('Stopped.'));
    } else if (Date.now() - first > repeatedSignalMs) {
      void supervisor.kill().finally(() => process.exit(130));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent(stop);
}

/** A SIGTERM that npm receives ends only the shell between npm and this process. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 250).unref();
}
