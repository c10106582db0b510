import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/** What every answer says of itself; answers of the API hold weaknesses, so nobody on the way may keep a copy. */
export function responseHeaders(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.url.startsWith('/v1')) response.setHeader('Cache-Control', 'no-store');
  next();
}
