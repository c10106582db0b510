import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../kernel/domain-error';
import { asDomainError, databaseUnavailable } from './database-errors';

const pauseMs = 250;

/** Retries while the database is unavailable, until `until` (by `performance.now()`). */
export async function retryWhileUnavailable<T>(read: () => Promise<T>, until: number): Promise<T> {
  const finished = new AbortController();
  const remainingMs = Math.max(0, until - performance.now());
  const end = delay(remainingMs, undefined, { signal: finished.signal }).then(() =>
    Promise.reject(databaseUnavailable()),
  );
  try {
    // Does not wait for a database that hangs.
    return await Promise.race([attempts(read, until), end]);
  } finally {
    finished.abort();
    end.catch(() => undefined);
  }
}

async function attempts<T>(read: () => Promise<T>, until: number): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const cause = asDomainError(error);
      const isTemporary = cause instanceof DomainError && cause.kind === 'unavailable';
      if (!isTemporary || performance.now() + pauseMs > until) throw error;
      await delay(pauseMs);
    }
  }
}
