import type { RequestHandler } from 'express';
import type { Config } from '../../platform/config/load-config';
import { COMMON_HEADERS } from '../../platform/http/response-headers';
import { isSecure } from './session-cookie';

/** No script or style inside a page runs, and no other site can frame a page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Of every response of the portal, also of those before a request is complete. */
export const portalHeaders = (config: Pick<Config, 'PORTAL_URL'>): Readonly<Record<string, string>> => ({
  ...COMMON_HEADERS,
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  // Two years. Without subdomains, which may be other services.
  ...(isSecure(config) && { 'Strict-Transport-Security': 'max-age=63072000' }),
});

export const securityHeaders =
  (headers: Readonly<Record<string, string>>): RequestHandler =>
  (_request, response, next) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    next();
  };
