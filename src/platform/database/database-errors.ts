import { DomainError, conflict } from '../../kernel/domain-error';
import { AnswerTimeoutError, NotPrimaryError } from './database-client';
import { organizationSuspended } from './organization-suspended';
import { storedLimitError } from './stored-limit';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
  detail?: string;
}

/** The error of the driver, unwrapped from the `QueryFailedError` of TypeORM, which short commands do not load. */
function driverError(error: unknown): PostgresError | undefined {
  if (error instanceof Error && 'driverError' in error) return error.driverError as PostgresError;
  return typeof error === 'object' && error !== null && 'message' in error ? (error as PostgresError) : undefined;
}

/** The message, or the code: a refused connection may have no message. */
export function reasonOf(error: unknown): string {
  const { message = '', code = '' } = driverError(error) ?? {};
  return message || code || 'unknown error';
}

/** SQLSTATE classes and codes of temporary failures. */
const UNAVAILABLE_STATES = /^(08...|53...|57P0[123]|57014|25006|58...|55P03|XX...)$/;
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const UNAVAILABLE_MESSAGES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
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
    UNAVAILABLE_STATES.test(code) ||
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_MESSAGES.some((message) => cause.message.startsWith(message))
  );
}

/** The database answers, but a statement takes too long, waits for a lock, or reads damaged data. */
const STATES_OF_STATEMENTS = /^(57014|55P03|XX...)$/;

/** Whether the database itself is unavailable, and not only one statement impossible. */
export const isAway = (error: unknown): boolean =>
  isUnavailable(error) && !STATES_OF_STATEMENTS.test(driverError(error)?.code ?? '');

/** Replay on the standby removes rows or locks that a read needs, or the statement writes. */
const REPLICA_STATES = new Set(['40001', '40P01', '25006']);

export const isRefusedByReplica = (error: unknown): boolean => REPLICA_STATES.has(driverError(error)?.code ?? '');

export const databaseUnavailable = (): DomainError =>
  new DomainError('unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', 5);

function isTimeout(error: unknown): boolean {
  const cause = driverError(error);
  return cause?.code === '57014' || cause instanceof AnswerTimeoutError;
}

/** Violations and conflicts of concurrent transactions that no `onViolation` handles. */
const CONFLICT_STATES = new Set(['23505', '23503', '23P01']);

/** The request is valid: statements waited for each other, often for those of an upgrade. */
const REPEATABLE_STATES = new Set(['40001', '40P01']);

/** Whether a transaction had to give way to another, so that the same may succeed at once. Nothing of it was stored. */
export const isRepeatable = (error: unknown): boolean => REPEATABLE_STATES.has(driverError(error)?.code ?? '');

/** Converts database errors to domain errors. Other errors are returned unchanged. */
export function asDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isTimeout(error)) {
    return new DomainError('unavailable', 'The database took too long to answer. Try again in a few seconds.', 5);
  }
  if (driverError(error) instanceof NotPrimaryError) {
    return new DomainError(
      'unavailable',
      'No server of the database accepts changes now. Try again in a few seconds.',
      5,
    );
  }
  if (isUnavailable(error)) return databaseUnavailable();
  const limitError = storedLimitOf(error);
  if (limitError !== undefined) return limitError;
  const { code: state, constraint } = driverError(error) ?? {};
  if (constraint === 'organization_suspended') return organizationSuspended();
  if (isRepeatable(error))
    return new DomainError('unavailable', 'Changes at the same time waited for each other. Try again at once.', 1);
  if (state !== undefined && CONFLICT_STATES.has(state)) {
    return conflict('A concurrent request changed the same record. Read it again and retry.');
  }
  return error;
}

/** The error for a limit of what an organization stores, if it is the reason. */
export function storedLimitOf(error: unknown): DomainError | undefined {
  const cause = driverError(error);
  return cause && storedLimitError(cause);
}

/** Whether a statement was refused because the organization has the most rows of this table. */
export const isLimitOf = (table: string, error: unknown): boolean =>
  driverError(error)?.constraint === `limit_${table}`;

/**
 * Maps violated constraints to domain errors, by the name of the constraint. Of concurrent requests, the one that fails
 * gets the same error as a request that came later.
 */
export async function onViolation<T>(write: Promise<T>, errors: Record<string, () => DomainError>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const constraint = driverError(error)?.constraint;
    const domainError = constraint === undefined ? undefined : errors[constraint];
    throw domainError === undefined ? error : domainError();
  }
}
