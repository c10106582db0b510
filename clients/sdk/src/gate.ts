import { setTimeout as delay } from 'node:timers/promises';
import { type AssayClient, dataOf, type Schemas } from './client';
import { AssayError, InvalidResponseError } from './errors';
import { parseUnambiguousJson } from './unambiguous-json';
import { waitForJob } from './waiting';

export interface Scan {
  readonly url: string;
  readonly event?: string;
  readonly beacon?: number;
  readonly checks?: readonly string[];
  readonly depth?: 'standard' | 'active';
  /** The accounts of the asset with which it is scanned as well. */
  readonly accounts?: readonly string[];
}

export interface GateOptions {
  /** The lowest severity that fails. */
  readonly severity?: string;
  /** Continue although checks are incomplete, within the limits of docs/pipelines.md. */
  readonly allowIncomplete?: boolean;
  /** Fail only for what this reference did not have (`fail_on=new`): its name, or the id of an asset and a name (`12/main`). */
  readonly newSince?: string;
}

export type JobSuccess = Schemas['JobSuccessResponse'];

/** Only `passed` is a success. `unknown` has no result, such as that of a wait that was cut. */
export type GateResult =
  | { readonly gate: 'passed' | 'failed'; readonly status: string; readonly success: JobSuccess }
  | { readonly gate: 'unknown'; readonly status: string | undefined; readonly reason: string };

/** Nothing was tested, because the URL may not be tested. */
export class NotLaunchableError extends AssayError {}

/** Launches a scan and returns its UUID. Throws a NotLaunchableError with what is missing if the URL may not be tested. */
export async function launch(
  client: AssayClient,
  scan: Scan,
  signal?: AbortSignal,
  signalOfLaunch: AbortSignal | undefined = signal,
): Promise<string> {
  const { url, event, beacon, checks = [], depth, accounts = [] } = scan;
  const body = {
    url,
    ...(event !== undefined && { event_slug: event }),
    ...(beacon !== undefined && { beacon_id: beacon }),
    ...(checks.length > 0 && { checks: [...checks] }),
    ...(depth !== undefined && { depth }),
  };
  const launched = { ...body, ...(accounts.length > 0 && { accounts: [...accounts] }) };
  const { valid, reason } = await dataOf(client.POST('/v1/jobs/check', { body, signal }));
  // Also not for the word "true", whatever answers here.
  if ((valid as unknown) !== true) throw new NotLaunchableError(reason ?? `${url} may not be tested.`);
  const { uuid } = await dataOf(client.POST('/v1/jobs/launch', { body: launched, signal: signalOfLaunch }));
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid))
    throw new InvalidResponseError('The response to the launch has no id of a job.');
  return uuid;
}

/** What /success says of a job that has ended. Anything but a plain answer throws. */
export async function readGate(
  client: AssayClient,
  uuid: string,
  { severity = 'medium', allowIncomplete = false, newSince }: GateOptions,
  signal?: AbortSignal,
): Promise<{ readonly success: JobSuccess; readonly isKnown: boolean }> {
  const query = {
    severity,
    ...(allowIncomplete && { incomplete: 'allow' }),
    ...(newSince !== undefined && { fail_on: 'new', reference: newSince }),
  } as never;
  const { response, data } = await client.GET('/v1/jobs/{uuid}/success', {
    params: { path: { uuid }, query },
    parseAs: 'text',
    signal,
  });
  const success = response.status === 200 ? answerIn(String(data)) : undefined;
  if (success === undefined) throw new InvalidResponseError('The response is not the result of a job.');
  return { success, isKnown: success.success !== null };
}

/** Undefined unless it is one object with a boolean or null, each name once. */
function answerIn(text: string): JobSuccess | undefined {
  try {
    const answer = parseUnambiguousJson(text) as JobSuccess;
    const { success, description } = answer;
    return [true, false, null].includes(success) && typeof description === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Records a finished job as a reference of its asset. An admin must have named the key for it. */
export async function recordReference(
  client: AssayClient,
  uuid: string,
  reference: string,
  signal?: AbortSignal,
): Promise<string> {
  const options = { params: { path: { uuid } }, body: { reference }, signal };
  return (await dataOf(client.POST('/v1/jobs/{uuid}/reference', options))).description;
}

/** Waits for a job and reads its gate. The signal ends the wait, and then the gate is unknown. */
export async function waitForGate(
  client: AssayClient,
  uuid: string,
  options: GateOptions & {
    readonly signal: AbortSignal;
    readonly intervalMs?: number;
    onStatus?(status: string): void;
    onFinished?(uuid: string): Promise<void>;
  },
): Promise<GateResult> {
  const { signal, intervalMs, onStatus } = options;
  const waited = await waitForJob(client, uuid, { signal, intervalMs, onState: ({ status }) => onStatus?.(status) });
  const status = waited.state?.status;
  if (!waited.ended)
    return { gate: 'unknown', status, reason: `The wait ended while the job was ${status ?? 'unread'}.` };
  if (status === 'FINISHED') await options.onFinished?.(uuid);
  for (;;) {
    const { success, isKnown } = await readGate(client, uuid, options, signal);
    if (isKnown) {
      const passed = success.success === true && waited.state.status === 'FINISHED';
      return { gate: passed ? 'passed' : 'failed', status: waited.state.status, success };
    }
    await delay(intervalMs ?? 1_000, undefined, { signal });
  }
}
