import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../kernel/domain-error';
import { asDomainError, databaseUnavailable, isAway, isUnavailable } from './database-errors';

const PAUSE_MS = 250;
/** After a statement that took too long: at once it would only take as long again, from everybody. */
const LONG_PAUSE_MS = 5_000;

/**
 * Repeats an operation, which must be safe to repeat, while the database is unavailable. `deadline` is a value of
 * `performance.now()`.
 */
export async function retryWhileUnavailable<T>(operation: () => Promise<T>, deadline: number): Promise<T> {
  const finished = new AbortController();
  const remainingMs = Math.max(0, deadline - performance.now());
  const timeout = delay(remainingMs, undefined, { signal: finished.signal }).then(() =>
    Promise.reject(databaseUnavailable()),
  );
  try {
    // An attempt may hang, so the deadline does not depend on it.
    return await Promise.race([attempts(operation, deadline), timeout]);
  } finally {
    finished.abort();
  }
}

async function attempts<T>(operation: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      const converted = asDomainError(error);
      const isTemporary = converted instanceof DomainError && converted.kind === 'unavailable';
      const pauseMs = isUnavailable(error) && !isAway(error) ? LONG_PAUSE_MS : PAUSE_MS;
      if (!isTemporary || performance.now() + pauseMs > deadline) throw error;
      await delay(pauseMs);
    }
  }
}
