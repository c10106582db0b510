import { QueryFailedError } from 'typeorm';
import { DomainError, conflict } from '../../kernel/domain-error';
import { AnswerTimeoutError } from './database-client';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
}

/** The driver's own error, out of TypeORM's wrapping. */
function driverError(error: unknown): PostgresError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as PostgresError;
  return typeof error === 'object' && error !== null && 'message' in error ? (error as PostgresError) : undefined;
}

/** What went wrong, in words: a refused connection may have no message of its own, only a code. */
export function reasonOf(error: unknown): string {
  const { message = '', code = '' } = driverError(error) ?? {};
  return message || code || 'for no reason that it names';
}

/** SQLSTATE classes and codes that say: not now, rather than not so. */
const unavailableStates = /^(08...|53...|57P0[123]|57014|25006|58...|55P03|XX...)$/;
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const unavailableMessages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];

export function isUnavailable(error: unknown): boolean {
  const cause = driverError(error);
  if (cause === undefined) return false;
  const code = cause.code ?? '';
  return (
    unavailableStates.test(code) ||
    unavailableCodes.has(code) ||
    unavailableMessages.some((message) => cause.message.startsWith(message))
  );
}

export const databaseUnavailable = (): DomainError =>
  new DomainError('unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', 5);

function isTimeout(error: unknown): boolean {
  const cause = driverError(error);
  return cause?.code === '57014' || cause instanceof AnswerTimeoutError;
}

/** Races that end in the database although nobody foresaw them by name. */
const conflictStates = new Set(['23505', '23503', '23P01', '40001', '40P01']);

/** Says a database error in the words of the domain; everything that is not the database's own is left as it is. */
export function asDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isTimeout(error)) {
    return new DomainError('unavailable', 'The database took too long to answer. Try again in a few seconds.', 5);
  }
  if (isUnavailable(error)) return databaseUnavailable();
  const state = driverError(error)?.code;
  if (state !== undefined && conflictStates.has(state)) {
    return conflict('Somebody else changed the same thing at the same moment. Read it again and retry.');
  }
  return error;
}

/**
 * Runs a write and says what a violated constraint means, by the constraint's name: the database decides a race, and the
 * loser reads the same sentence as somebody who came late.
 */
export async function onViolation<T>(write: Promise<T>, meaning: Record<string, () => DomainError>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const constraint = driverError(error)?.constraint;
    const domainError = constraint === undefined ? undefined : meaning[constraint];
    throw domainError === undefined ? error : domainError();
  }
}
