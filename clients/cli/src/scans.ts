import {
  type AssayClient,
  dataOf,
  type GateOptions,
  type GateResult,
  launch,
  limited,
  NotLaunchableError,
  readGate,
  runPipeline,
  safeLine,
  type Scan,
  waitForGate,
} from '../../sdk/src';
import { showGate, showUnknown } from './gate-output';
import { EXIT, Problem } from './problem';
import { ReportFiles, type ReportFlags } from './report-files';
import type { Session } from './session';

export interface GateFlags extends ReportFlags {
  readonly wait?: boolean;
  readonly timeout?: number;
  readonly incomplete?: string;
  readonly failOn?: string;
  readonly reference?: string;
}
export interface ScanFlags extends GateFlags {
  readonly beacon?: number;
  readonly checks?: readonly string[];
  readonly account?: readonly string[];
}

const TIMEOUT_SECONDS = 600;
const ACTIVE_TIMEOUT_SECONDS = 7_200;
const INTERVAL_MS = 2_000;
const DEFAULT_REFERENCE = 'main';
/** Options that decide nothing without the end of the scan. */
const OF_THE_END = ['report', 'record', 'failOn', 'timeout', 'incomplete'] as const;

export async function scan(session: Session, url: string, flags: ScanFlags): Promise<number> {
  const { settings, output } = session;
  const { event, depth } = settings;
  if (depth !== undefined && depth !== 'standard' && depth !== 'active')
    throw new Problem(`The depth is standard or active, not ${depth}.`);
  const order: Scan = { url, event, beacon: flags.beacon, checks: flags.checks, depth, accounts: flags.account };
  const options = gateOptionsOf(session, flags);
  const files = new ReportFiles(session, flags);
  if (flags.wait !== true) {
    const late = OF_THE_END.find((name) => flags[name] !== undefined);
    if (late !== undefined)
      throw new Problem(`--${late === 'failOn' ? 'fail-on' : late} is for a scan that is waited for.`, 'Add --wait.');
    const uuid = await launch(session.client(), order, session.signal).catch(refused);
    output.record({ uuid, url }, () => uuid);
    output.say(`The scan of ${safeLine(url)} is launched. Next: assay gate ${uuid} --wait`);
    return EXIT.success;
  }
  const limit = limitOf(session, flags, depth === 'active' ? ACTIVE_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
  const { signal } = limit;
  const run = await runPipeline(session.client({ attempts: Infinity, signal: new AbortController().signal }), order, {
    signal,
    ...options,
    intervalMs: INTERVAL_MS,
    keepsScan: session.isInteractive,
    onLaunch: (uuid) => output.say(`Scan ${uuid} of ${safeLine(url)}`),
    onStatus: (status) => output.progress(`Scan: ${safeLine(status)}`),
    onFinished: (uuid) => files.finished(session.client({ attempts: Infinity, signal }), uuid),
  });
  const result = limit.explained(run.result);
  files.ended(result);
  if (run.error instanceof NotLaunchableError) refused(run.error);
  if (result.gate === 'unknown') return showUnknown(session, run, result.reason);
  return showGate(session, run.uuid ?? '', result, url);
}

/** The gate of a scan that was launched before. */
export async function gate(session: Session, uuid: string, flags: GateFlags): Promise<number> {
  const options = gateOptionsOf(session, flags);
  const files = new ReportFiles(session, flags);
  const limit = limitOf(session, flags, TIMEOUT_SECONDS);
  const { signal } = limit;
  const isWaiting = flags.wait === true;
  const client = session.client({ attempts: isWaiting ? Infinity : undefined, signal });
  const onFinished = (): Promise<void> => files.finished(client, uuid);
  let result: GateResult;
  try {
    result = isWaiting
      ? await waitForGate(client, uuid, {
          ...options,
          signal,
          intervalMs: INTERVAL_MS,
          onStatus: (status) => session.output.progress(`Scan ${uuid}: ${safeLine(status)}`),
          onFinished,
        })
      : await gateNow(client, uuid, options, onFinished);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    result = { gate: 'unknown', status: undefined, reason };
    if (!signal.aborted) {
      files.ended(result);
      throw error;
    }
  }
  result = limit.explained(result);
  files.ended(result);
  if (result.gate !== 'unknown') return showGate(session, uuid, result);
  return showUnknown(session, { uuid, result, scan: 'running' }, result.reason);
}

async function gateNow(
  client: AssayClient,
  uuid: string,
  options: GateOptions,
  onFinished: () => Promise<void>,
): Promise<GateResult> {
  const { status } = await dataOf(client.GET('/v1/jobs/{uuid}/status', { params: { path: { uuid } } }));
  const { success, isKnown } = await readGate(client, uuid, options);
  if (!isKnown) return { gate: 'unknown', status, reason: `The scan is ${status}.` };
  if (status === 'FINISHED') await onFinished();
  return { gate: success.success === true && status === 'FINISHED' ? 'passed' : 'failed', status, success };
}

export async function cancel(session: Session, uuid: string): Promise<void> {
  const answer = await dataOf(session.client().POST('/v1/jobs/{uuid}/cancel', { params: { path: { uuid } } }));
  session.output.say(safeLine(answer.description));
}

function refused(error: unknown): never {
  if (error instanceof NotLaunchableError) throw new Problem(error.message, undefined, EXIT.nothingTested);
  throw error;
}

/** Ends with the user, or with the time. */
function limitOf(session: Session, { timeout }: GateFlags, otherwise: number) {
  const seconds = timeout ?? otherwise;
  const over = limited(seconds * 1_000);
  return {
    signal: limited(Infinity, session.signal, over),
    /** An unknown result says that the time was over. */
    explained: (result: GateResult): GateResult =>
      result.gate === 'unknown' && over.aborted && !session.signal.aborted
        ? {
            ...result,
            reason: `There is no result after ${seconds} ${seconds === 1 ? 'second' : 'seconds'} (--timeout).`,
          }
        : result,
  };
}

function gateOptionsOf({ settings: { severity } }: Session, flags: GateFlags): GateOptions {
  const { failOn = 'all', reference } = flags;
  if (failOn !== 'all' && failOn !== 'new') throw new Problem(`--fail-on is all or new, not ${failOn}.`);
  if (reference !== undefined && failOn === 'all')
    throw new Problem('--reference is for --fail-on new.', 'Add --fail-on new.');
  const newSince = failOn === 'new' ? { newSince: reference ?? DEFAULT_REFERENCE } : {};
  return { severity, allowIncomplete: isAllowed(flags), ...newSince };
}

function isAllowed({ incomplete }: GateFlags): boolean {
  if (incomplete === undefined || incomplete === 'allow') return incomplete === 'allow';
  throw new Problem(`--incomplete is allow or nothing, not ${incomplete}.`);
}
