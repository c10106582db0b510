import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../kernel/domain-error';
import { asDomainError } from './database-errors';

const longestMs = 20_000;
const pauseMs = 250;

/** Asks again while the database is away: common clients of a pipeline take a 503 for success. */
export async function patiently<T>(read: () => Promise<T>, withinMs = longestMs): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const cause = asDomainError(error);
      const isAway = cause instanceof DomainError && cause.kind === 'unavailable';
      if (!isAway || performance.now() + pauseMs > end) throw error;
      await delay(pauseMs);
    }
  }
}
