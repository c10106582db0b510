import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { errorBody } from './error-body';
import { errorResponse } from './error-response';
import { endUnread } from './lingering-close';

/** Converts all errors to a status and the error body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  protected readonly challenge: string = 'Basic realm="assay", charset="UTF-8"';
  protected readonly mediaType: string = 'application/json';
  private readonly logger = new Logger('errors');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<ApiResponse>();
    this.answer(thrown, request, response);
  }

  answer(thrown: unknown, request: ApiRequest, response: ApiResponse): void {
    const { status: usual, description, retryAfter } = errorResponse(thrown, request, this.logger);
    const status = this.statusOf(thrown, usual);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (status === 401) response.setHeader('WWW-Authenticate', this.challenge);
    if (status === 426) response.setHeader('Upgrade', 'websocket');
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    // The unread rest of the request body ends with the connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    const body = JSON.stringify(this.bodyOf(thrown, status, description));
    response.writeHead(status, {
      'Content-Type': `${this.mediaType}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(body),
    });
    endUnread(request, response, body);
  }

  protected statusOf(_thrown: unknown, status: number): number {
    return status;
  }

  protected bodyOf(_thrown: unknown, status: number, description: string): object {
    return errorBody(status, description);
  }
}
