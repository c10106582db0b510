import { DomainError } from '../../kernel/domain-error';
import { packageVersion } from '../../kernel/package-version';
import { AgentLog } from './agent-log';
import { BeaconAgent } from './beacon-agent';
import { ConnectFailure } from './connect-failure';
import { type GivenOptions, readOptions } from './options';
import { readArguments, usage } from './read-arguments';
import { Registration } from './registration';
import { requestService } from './service-request';

/** As shells and systemd know it: the command line or the environment is wrong, and a restart does not help. */
const USAGE_ERROR = 2;
/** 128 plus the number of the signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** A sentence in place of a stack, if the owner can correct it. */
function exitWith(error: unknown): void {
  if (!(error instanceof DomainError || error instanceof ConnectFailure)) throw error;
  process.stderr.write(`assay-beacon: ${error.message}\n`);
  process.exitCode = error instanceof DomainError ? USAGE_ERROR : 1;
}

function optionsOrExit(): GivenOptions | undefined {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given.help) process.stdout.write(usage);
    else if (given.version) process.stdout.write(`${packageVersion}\n`);
    else return readOptions(given, process.env);
  } catch (error) {
    exitWith(error);
  }
  return undefined;
}

/** Calls the function at the first signal, and ends at once at the second. */
function onSignals(stop: () => void): void {
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(EXIT_CODES[signal]);
      stop();
    });
  }
}

async function deleteBeacon(options: GivenOptions, log: AgentLog, signal: AbortSignal): Promise<void> {
  const { deletion } = options;
  if (deletion === undefined) return;
  await requestService(options, { method: 'DELETE', path: '/v1/beacons/self', credentials: deletion }, signal);
  log.info('deleted', `The beacon ${deletion.id} and its assets were deleted.`, { beacon_id: deletion.id });
}

async function runAgent(options: GivenOptions, log: AgentLog, stopping: AbortController): Promise<void> {
  const { registration } = options;
  const own = registration && (await new Registration(options, registration, log, stopping.signal).credentials());
  if (stopping.signal.aborted) return;
  const agent = new BeaconAgent({ ...options, credentials: own === undefined ? options.credentials : () => own }, log);
  stopping.signal.addEventListener('abort', () => agent.stop());
  await agent.run();
}

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options === undefined) return;
  const log = new AgentLog((line) => process.stdout.write(`${line}\n`), process.stdout.isTTY ? 'text' : 'json');
  const stopping = new AbortController();
  onSignals(() => stopping.abort());
  const run =
    options.deletion === undefined ? runAgent(options, log, stopping) : deleteBeacon(options, log, stopping.signal);
  await run.catch(exitWith);
  // A name that is still being looked up would hold the process.
  setTimeout(() => process.exit(), 1_000).unref();
}

void main();
