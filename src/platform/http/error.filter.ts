import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { DomainError, type ErrorKind } from '../../kernel/domain-error';
import { asDomainError } from '../database/database-errors';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { errorBody } from './error-body';
import { endUnread } from './lingering-close';

const STATUSES: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  range_not_satisfiable: 416,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  unavailable: 503,
};

const CHALLENGE = 'Basic realm="assay", charset="UTF-8"';
const UNEXPECTED_ERROR = 'An internal error occurred and was logged. Include the X-Request-Id when you report it.';

interface ErrorResponse {
  readonly status: number;
  readonly description: string;
  readonly retryAfter?: number;
}

/** Converts all errors to a status and the error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<ApiResponse>();
    this.answer(thrown, request, response);
  }

  answer(thrown: unknown, request: ApiRequest, response: ApiResponse): void {
    const { status, description, retryAfter } = this.responseTo(thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status === 401) response.setHeader('WWW-Authenticate', CHALLENGE);
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    // The unread rest of the request body ends with the connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    const body = JSON.stringify(errorBody(status, description));
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    endUnread(request, response, body);
  }

  private responseTo(thrown: unknown, request: ApiRequest): ErrorResponse {
    const error = asDomainError(thrown);
    if (error instanceof DomainError) {
      if (error.kind === 'unavailable') this.logger.warn(`${request.requestId} unavailable: ${messageOf(thrown)}`);
      return { status: STATUSES[error.kind], description: error.message, retryAfter: error.retryAfter };
    }
    const status = statusOf(error);
    if (status !== undefined && status < 500) return { status, description: `${messageOf(error)}.` };
    this.logger.error(
      `${request.requestId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return { status: 500, description: UNEXPECTED_ERROR };
  }
}

/** Errors of Nest and Express have a status. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
