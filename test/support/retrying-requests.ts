import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from './client';

const retryIntervalMs = 300;
/** A claim of a request that was interrupted expires after a minute, which may happen to the repetition as well. */
const timeoutMs = 600_000;

/** A broken connection, a 503, or a 409 because the same request is still being processed. */
const isTransient = (answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer.status === 503 ||
  (answer.status === 409 && answer.text.includes('A request with this Idempotency-Key is running'));

/** Repeats a request with the same Idempotency-Key until it is acknowledged. */
export async function postUntilAcknowledged(client: Client, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await client.post(path, body, headers).catch(ignoreConnectionError);
    if (answer !== undefined && !isTransient(answer)) {
      if (answer.status < 300) return answer;
      throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    }
    if (performance.now() > end)
      throw new Error(`POST ${path} was not acknowledged within ${timeoutMs} ms: ${answer?.text ?? 'no answer'}`);
    await delay(retryIntervalMs);
  }
}

/** Deleting is idempotent by itself: a 404 means that an earlier attempt succeeded. */
export async function deleteUntilAcknowledged(client: Client, path: string): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await client.delete(path).catch(ignoreConnectionError);
    if (answer?.status === 200 || answer?.status === 404) return;
    if (!isTransient(answer) || performance.now() > end)
      throw new Error(`DELETE ${path} answered ${answer?.status}: ${answer?.text}`);
    await delay(retryIntervalMs);
  }
}

/** Ignores a failed connection. A response that breaks the contract still fails the test. */
export function ignoreConnectionError(error: unknown): undefined {
  // Compared by name, because `fetch` throws an error of another realm.
  if ((error as Error).name === 'TypeError') return undefined;
  throw error;
}
