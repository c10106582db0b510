import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/** Headers of all responses. Responses of the API contain findings, so caches must not store them. */
export function responseHeaders(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.url.startsWith('/v1')) response.setHeader('Cache-Control', 'no-store');
  next();
}
