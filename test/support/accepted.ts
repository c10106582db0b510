import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from './client';

const againAfterMs = 300;
const mostPatienceMs = 150_000;

/** What says "not now" rather than "no": a connection that broke, a 503, the same request still under way. */
const isTransient = (answer: Answer | undefined): boolean =>
  answer === undefined ||
  answer.status === 503 ||
  (answer.status === 409 && answer.text.includes('A request with this Idempotency-Key is under way'));

/** Sends a request until it is acknowledged, as a careful client does: each time with the same Idempotency-Key. */
export async function acknowledged(client: Client, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  const end = performance.now() + mostPatienceMs;
  for (;;) {
    const answer = await client.post(path, body, headers).catch(unlessRefused);
    if (answer !== undefined && !isTransient(answer)) {
      if (answer.status < 300) return answer;
      throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    }
    if (performance.now() > end) throw new Error(`POST ${path} was not acknowledged: ${answer?.text ?? 'no answer'}`);
    await delay(againAfterMs);
  }
}

/** A delete is its own key: what is gone has been deleted. */
export async function deleted(client: Client, path: string): Promise<void> {
  const end = performance.now() + mostPatienceMs;
  for (;;) {
    const answer = await client.delete(path).catch(unlessRefused);
    if (answer?.status === 200 || answer?.status === 404) return;
    if (!isTransient(answer) || performance.now() > end)
      throw new Error(`DELETE ${path} answered ${answer?.status}: ${answer?.text}`);
    await delay(againAfterMs);
  }
}

/** Nobody answered, or not to the end; an answer that is not in the contract is a failure of the test all the same. */
export function unlessRefused(error: unknown): undefined {
  // By its name: what `fetch` throws is of another realm than the test.
  if ((error as Error).name === 'TypeError') return undefined;
  throw error;
}
