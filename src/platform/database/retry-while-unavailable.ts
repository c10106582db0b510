import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../kernel/domain-error';
import { asDomainError, databaseUnavailable } from './database-errors';

const pauseMs = 250;

/** Asks again while the database is away, until this moment on the clock of `performance` and no longer. */
export async function retryWhileUnavailable<T>(read: () => Promise<T>, until: number): Promise<T> {
  const over = new AbortController();
  const left = Math.max(0, until - performance.now());
  const end = delay(left, undefined, { signal: over.signal }).then(() => Promise.reject(databaseUnavailable()));
  try {
    // A database that hangs answers when it likes: who waits does not wait for that.
    return await Promise.race([attempts(read, until), end]);
  } finally {
    over.abort();
    end.catch(() => undefined);
  }
}

async function attempts<T>(read: () => Promise<T>, until: number): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const cause = asDomainError(error);
      const isAway = cause instanceof DomainError && cause.kind === 'unavailable';
      if (!isAway || performance.now() + pauseMs > until) throw error;
      await delay(pauseMs);
    }
  }
}
