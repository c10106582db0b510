import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/** Of all responses, of the API and the portal. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Responses of the API contain findings, so caches must not store them. */
export function responseHeaders(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.setHeader(name, value);
  if (request.url.startsWith('/v1')) response.setHeader('Cache-Control', 'no-store');
  next();
}
