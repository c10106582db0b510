import type { AssayClient } from './client';
import { dataOf } from './client';
import { limited } from './limited';
import { type GateOptions, type GateResult, launch, type Scan, waitForGate } from './gate';

export interface PipelineOptions extends GateOptions {
  /** Ends the run, because its time is over or somebody stopped it. */
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
  /** Whether a scan that is not waited for any longer goes on. By default it is canceled. */
  readonly keepsScan?: boolean;
  onLaunch?(uuid: string): void;
  onStatus?(status: string): void;
  /** Before the gate of a finished job is read, so that also a pipeline that fails has its reports. */
  onFinished?(uuid: string): Promise<void>;
}

export interface PipelineRun {
  readonly uuid: string | undefined;
  readonly result: GateResult;
  /** Why the result is unknown, if a request failed. */
  readonly error?: unknown;
  /** What became of the scan: `running` also if it could not be canceled. */
  readonly scan: 'ended' | 'canceled' | 'running' | 'none';
}

/** For what must be told to the service after the run was ended. */
const GRACE_MS = 10_000;

/** Launches a scan, waits for it and reads its gate. Never throws: what fails has the gate `unknown`. */
export async function runPipeline(client: AssayClient, scan: Scan, options: PipelineOptions): Promise<PipelineRun> {
  const { signal } = options;
  const late = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => late.abort(signal.reason), GRACE_MS).unref(), { once: true });
  let uuid: string | undefined;
  try {
    // A launch is not cut: the service may have launched the scan, and only its answer has the id.
    uuid = await launch(client, scan, signal, late.signal);
    options.onLaunch?.(uuid);
    const result = await waitForGate(client, uuid, options);
    if (result.gate !== 'unknown') return { uuid, result, scan: 'ended' };
    return { uuid, result, scan: await leave(client, uuid, options) };
  } catch (error) {
    const reason = signal.aborted ? 'The run was ended.' : error instanceof Error ? error.message : String(error);
    const result: GateResult = { gate: 'unknown', status: undefined, reason };
    const left = uuid === undefined ? 'none' : await leave(client, uuid, options);
    return { uuid, result, error, scan: left };
  }
}

async function leave(
  client: AssayClient,
  uuid: string,
  { keepsScan = false }: PipelineOptions,
): Promise<PipelineRun['scan']> {
  if (keepsScan) return 'running';
  try {
    const signal = limited(GRACE_MS);
    await dataOf(client.POST('/v1/jobs/{uuid}/cancel', { params: { path: { uuid } }, signal }));
    return 'canceled';
  } catch (error) {
    // It had ended already.
    return (error as { readonly status?: unknown }).status === 409 ? 'ended' : 'running';
  }
}
