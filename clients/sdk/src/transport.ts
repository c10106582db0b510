import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AssayError, ConnectionError, errorOf, TimeoutError } from './errors';

export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Sends one request. By default that of Node. */
  readonly fetch?: Fetch;
  /** For one attempt with its response. The service waits up to 20 seconds for a database. */
  readonly timeoutMs?: number;
  /** The first attempt included. `Infinity` repeats until the signal aborts. */
  readonly attempts?: number;
  /** The longest time between two attempts; a longer `Retry-After` ends them. */
  readonly maxDelayMs?: number;
  /** Is called before each repetition. */
  readonly onRetry?: (error: AssayError, delayMs: number) => void;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 4;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** Statuses of responses that cannot have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A fetch that throws for every response that is no success, and repeats what may succeed later. A POST gets one
 * `Idempotency-Key` before its first attempt, so that a repetition has no second effect.
 */
export function transport({
  fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
  attempts = ATTEMPTS,
  maxDelayMs = MAX_DELAY_MS,
  onRetry,
}: TransportOptions = {}): Fetch {
  return async (request) => {
    const { method, url, signal } = request;
    const headers = new Headers(request.headers);
    if (method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID());
    // Read once, because a stream could not be sent again.
    const body = request.body === null ? undefined : await request.arrayBuffer();
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(fetch, url, { method, headers, body, redirect: 'manual' }, signal, timeoutMs);
      } catch (error) {
        if (!(error instanceof AssayError) || !error.retryable || attempt >= attempts) throw error;
        const delayMs = delayOf(attempt, error);
        if (delayMs > maxDelayMs) throw error;
        onRetry?.(error, delayMs);
        await delay(delayMs, undefined, { signal });
      }
    }
  };
}

async function once(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Response> {
  const limit = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let bytes: ArrayBuffer;
  try {
    response = await fetch(new Request(url, { ...init, signal: AbortSignal.any([signal, limit]) }));
    // Here, so that a connection that breaks in the middle of the response is repeated too.
    bytes = await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    throw limit.aborted
      ? new TimeoutError(`${new URL(url).origin} did not answer within ${timeoutMs / 1_000} seconds.`, {
          retryable: true,
        })
      : new ConnectionError(`Cannot reach ${new URL(url).origin}: ${reasonOf(error)}.`, {
          retryable: true,
          cause: error,
        });
  }
  if (!response.ok) throw errorOf(response.status, response.headers, new TextDecoder().decode(bytes));
  const { status, statusText, headers } = response;
  return new Response(WITHOUT_BODY.has(status) ? null : bytes, { status, statusText, headers });
}

/** As the service wishes, else twice as long each time; with jitter, so that clients do not come back together. */
function delayOf(attempt: number, { retryAfter }: AssayError): number {
  const jitter = Math.random();
  if (retryAfter !== undefined) return retryAfter * 1_000 + jitter * 250;
  return Math.min(10_000, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + jitter / 2);
}

/** Node hides the reason of a failed fetch in its cause, and that of several addresses in a list. */
function reasonOf(error: unknown): string {
  const { cause, errors, message, name } = error as Partial<AggregateError>;
  if (cause !== undefined && cause !== null) return reasonOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return message || name || String(error);
}
