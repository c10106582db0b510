import { DomainError } from '../../kernel/domain-error';
import { packageVersion } from '../../kernel/package-version';
import { AgentLog } from './agent-log';
import { BeaconAgent } from './beacon-agent';
import { type AgentOptions, readOptions } from './options';
import { readArguments, usage } from './read-arguments';

/** As shells and systemd know it: the command line or the environment is wrong, and a restart does not help. */
const USAGE_ERROR = 2;
/** 128 plus the number of the signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

function optionsOrExit(): AgentOptions | undefined {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given.help) process.stdout.write(usage);
    else if (given.version) process.stdout.write(`${packageVersion}\n`);
    else return readOptions(given, process.env);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    process.stderr.write(`assay-beacon: ${error.message}\n`);
    process.exitCode = USAGE_ERROR;
  }
  return undefined;
}

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options === undefined) return;
  const format = process.stdout.isTTY ? 'text' : 'json';
  const agent = new BeaconAgent(options, new AgentLog((line) => process.stdout.write(`${line}\n`), format));
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(EXIT_CODES[signal]);
      agent.stop();
    });
  }
  await agent.run();
  // A name that is still being looked up would hold the process.
  setTimeout(() => process.exit(), 1_000).unref();
}

void main();
