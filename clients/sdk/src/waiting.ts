import { setTimeout as delay } from 'node:timers/promises';
import { type AssayClient, dataOf, type Schemas } from './client';
import { limited } from './limited';

export interface WaitOptions<State> {
  /** The wait ends then, whatever the state is. */
  readonly signal?: AbortSignal;
  /** The longest wait. By default as long as it takes. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** Is called with the first state and each other one. */
  readonly onState?: (state: State) => void;
}

/** The last state that was read. Only with `ended` it is the final one, and a wait that was cut has no verdict. */
export type Waited<State> =
  | { readonly ended: true; readonly state: State }
  | { readonly ended: false; readonly state: State | undefined; readonly cutBy: 'timeout' | 'signal' };

const INTERVAL_MS = 2_000;

/** Reads a state until it is final. A state that this version does not know is not final. */
async function waitUntil<State>(
  read: (signal: AbortSignal) => Promise<State>,
  isFinal: (state: State) => boolean,
  { signal, timeoutMs, intervalMs = INTERVAL_MS, onState }: WaitOptions<State>,
): Promise<Waited<State>> {
  const either = limited(timeoutMs ?? Infinity, signal);
  let state: State | undefined;
  let shown = '';
  try {
    for (;;) {
      state = await read(either);
      if (JSON.stringify(state) !== shown) onState?.(state);
      shown = JSON.stringify(state);
      if (isFinal(state)) return { ended: true, state };
      await delay(intervalMs, undefined, { signal: either });
    }
  } catch (error) {
    if (!either.aborted) throw error;
    return { ended: false, state, cutBy: signal?.aborted === true ? 'signal' : 'timeout' };
  }
}

export type JobState = Schemas['JobStatusResponse'];
const ENDED_JOBS: ReadonlySet<string> = new Set(['FINISHED', 'ERROR', 'CANCELED']);

export const waitForJob = (
  client: AssayClient,
  uuid: string,
  options: WaitOptions<JobState> = {},
): Promise<Waited<JobState>> =>
  waitUntil(
    (signal) => dataOf(client.GET('/v1/jobs/{uuid}/status', { params: { path: { uuid } }, signal })),
    ({ status }) => ENDED_JOBS.has(status),
    options,
  );

export type RetestState = Schemas['RetestResponse'];
const ENDED_RETESTS: ReadonlySet<string> = new Set(['finished', 'error', 'canceled']);

export const waitForRetest = (
  client: AssayClient,
  findingId: number,
  options: WaitOptions<RetestState> = {},
): Promise<Waited<RetestState>> =>
  waitUntil(
    (signal) =>
      dataOf(client.GET('/v1/findings/{finding_id}/retest/', { params: { path: { finding_id: findingId } }, signal })),
    ({ status }) => ENDED_RETESTS.has(status),
    options,
  );

export type ImportState = Schemas['ImportResponse'];
const ENDED_IMPORTS: ReadonlySet<string> = new Set(['FINISHED', 'ERROR', 'CANCELED', 'UNDONE']);

export const waitForImport = (
  client: AssayClient,
  importId: number,
  options: WaitOptions<ImportState> = {},
): Promise<Waited<ImportState>> =>
  waitUntil(
    (signal) => dataOf(client.GET('/v1/imports/{import_id}', { params: { path: { import_id: importId } }, signal })),
    ({ status }) => ENDED_IMPORTS.has(status),
    options,
  );

export type ObservationState = Schemas['ObservationResponse'];

export const waitForObservation = (
  client: AssayClient,
  uuid: string,
  options: WaitOptions<ObservationState> = {},
): Promise<Waited<ObservationState>> =>
  waitUntil(
    (signal) =>
      dataOf(
        client.GET('/v1/observations/{observation_uuid}', { params: { path: { observation_uuid: uuid } }, signal }),
      ),
    ({ status }) => ENDED_JOBS.has(status),
    options,
  );
