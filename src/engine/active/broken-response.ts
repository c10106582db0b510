import { ExchangeFailed, type FailureCode } from '../transport/exchange';

/** Characters that end a header line or are not allowed in one. */
const BREAKS_RESPONSES = /[^\x20-\x7e]|%0[0ad]/i;
const BROKEN_RESPONSES: ReadonlySet<FailureCode> = new Set(['protocol', 'closed', 'reset']);

/** Thrown if the application puts the value where it makes the response unreadable. */
export class ResponseBroken extends Error {}

/** Whether the value may have broken the response. */
export const mayBreak = (value: string, error: unknown): error is ExchangeFailed =>
  error instanceof ExchangeFailed && BROKEN_RESPONSES.has(error.failure.code) && BREAKS_RESPONSES.test(value);

/** Returns null if the application broke the response. */
export async function unlessBroken<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ResponseBroken) return null;
    throw error;
  }
}
