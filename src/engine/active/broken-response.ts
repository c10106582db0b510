import { ExchangeFailed, type FailureCode } from '../transport/exchange';

/** What ends a header, or is in none. */
const BREAKS_RESPONSES = /[^\x20-\x7e]|%0[0ad]/i;
const BROKEN_RESPONSES: ReadonlySet<FailureCode> = new Set(['protocol', 'closed', 'reset']);

/** The application puts the value where it makes its response unreadable. */
export class ResponseBroken extends Error {}

/** Whether the value is what broke the response. */
export const mayBreak = (value: string, error: unknown): error is ExchangeFailed =>
  error instanceof ExchangeFailed && BROKEN_RESPONSES.has(error.failure.code) && BREAKS_RESPONSES.test(value);

/** Null where the application broke the response. */
export async function unlessBroken<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ResponseBroken) return null;
    throw error;
  }
}
