import type { NextFunction } from 'express';
import { invalid } from '../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/** RFC 9112: an HTTP/1.1 request needs a Host header. The check of Node.js would respond without our error body. */
export function requireHostHeader(request: ApiRequest, _response: ApiResponse, next: NextFunction): void {
  const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined;
  next(isMissing ? invalid('The request has no Host header.') : undefined);
}
