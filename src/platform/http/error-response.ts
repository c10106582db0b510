import { HttpException, type Logger } from '@nestjs/common';
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import type { ApiRequest } from '../api/api-request';
import { asDomainError } from '../database/database-errors';

const STATUSES: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  range_not_satisfiable: 416,
  unsupported_media_type: 415,
  unprocessable: 422,
  upgrade_required: 426,
  too_slow: 408,
  too_many_requests: 429,
  unavailable: 503,
};

const UNEXPECTED_ERROR = 'An internal error occurred and was logged. Include the X-Request-Id when you report it.';

export interface ErrorResponse {
  readonly status: number;
  readonly description: string;
  readonly retryAfter?: number;
}

export const statusOfError = ({ kind }: DomainError): number => STATUSES[kind];

/** The status and the sentence for any error. Unexpected errors are logged, and nothing of them is shown. */
export function errorResponse(
  thrown: unknown,
  request: Pick<ApiRequest, 'requestId' | 'trace'>,
  logger: Logger,
): ErrorResponse {
  const error = asDomainError(thrown);
  const { requestId, trace } = request;
  const logged = (message: string): unknown => (trace === undefined ? message : { message, trace_id: trace.traceId });
  if (error instanceof DomainError) {
    if (error.kind === 'unavailable') logger.warn(logged(`${requestId} unavailable: ${messageOf(thrown)}`));
    return { status: STATUSES[error.kind], description: error.message, retryAfter: error.retryAfter };
  }
  const status = statusOf(error);
  if (status !== undefined && status < 500) return { status, description: `${messageOf(error)}.` };
  logger.error(logged(`${requestId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`));
  return { status: 500, description: UNEXPECTED_ERROR };
}

/** Errors of Nest and Express have a status. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
