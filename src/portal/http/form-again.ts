import type { RequestHandler } from 'express';
import type { ApiResponse } from '../../platform/api/api-request';
import type { PortalRequest } from './portal-request';

/** What the sender of a form can correct. */
const CORRECTABLE: ReadonlySet<number> = new Set([400, 409, 422]);

/** The page with the form, from the header that browsers send within the portal. */
function pageOf(request: PortalRequest): string | undefined {
  const { referer, host } = request.headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const url = new URL(referer);
  return url.host === host ? url.pathname + url.search : undefined;
}

/** Shows the page with a refused form again, with the reason and the status of the refusal. Returns false if it cannot. */
export function showFormAgain(request: PortalRequest, response: ApiResponse, status: number, reason: string): boolean {
  const page = pageOf(request);
  if (request.method !== 'POST' || !CORRECTABLE.has(status) || page === undefined) return false;
  const { path: action, body } = request;
  request.refusedForm = { action, reason, fields: (body ?? {}) as Record<string, unknown> };
  response.responseStatus = status;
  request.method = 'GET';
  request.url = request.originalUrl = page;
  request.app(request, response);
  return true;
}

/** For handlers that must see a request once. */
export const unlessRefused =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    (request as PortalRequest).refusedForm === undefined ? handler(request, response, next) : next();
