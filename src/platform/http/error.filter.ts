import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { errorBody } from './error-body';
import { errorResponse } from './error-response';
import { endUnread } from './lingering-close';

const CHALLENGE = 'Basic realm="assay", charset="UTF-8"';

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
    const { status, description, retryAfter } = errorResponse(thrown, request, this.logger);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status === 401) response.setHeader('WWW-Authenticate', CHALLENGE);
    if (status === 426) response.setHeader('Upgrade', 'websocket');
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
}
