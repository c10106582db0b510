import { randomUUID } from 'node:crypto';
import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Uses the `X-Request-Id` of the caller if it is safe for logs, else a new id. */
export function requestId(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.requestId);
  next();
}
