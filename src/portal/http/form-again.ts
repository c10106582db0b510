import type { RequestHandler } from 'express';
import { withVisibleControls } from '../../kernel/plain-text';
import type { ApiResponse } from '../../platform/api/api-request';
import type { ErrorResponse } from '../../platform/http/error-response';
import { PAGE_FIELD } from '../frame/refused-form';
import type { PortalRequest } from './portal-request';
import { ownPath } from './sign-in-required';

/** The path of the page that led to a request, if it is a page of the portal. */
export function refererOf({ headers: { referer } }: PortalRequest, isOwn: (url: URL) => boolean): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const url = new URL(referer);
  return isOwn(url) ? ownPath(url.pathname + url.search) : undefined;
}

/** The page with a sent form, if a page of this origin sent it. */
export function pageOfForm(request: PortalRequest, origin: string): string | undefined {
  const referer = refererOf(request, (url) => url.origin === origin);
  const named = (request.body as Record<string, unknown> | undefined)?.[PAGE_FIELD];
  return referer !== undefined && typeof named === 'string' ? ownPath(named) : referer;
}

/**
 * Shows the page with a refused form again, with the reason, the status of the refusal and what was typed. Returns false
 * if it cannot.
 */
export function showFormAgain(request: PortalRequest, response: ApiResponse, refusal: ErrorResponse): boolean {
  const { formPage, path: action, body } = request;
  const { status, description: reason } = refusal;
  if (formPage === undefined || request.refusedForm !== undefined || status >= 500) return false;
  request.refusedForm = {
    action,
    status,
    reason,
    fields: visible((body ?? {}) as Record<string, unknown>),
    isReasonShown: false,
  };
  response.responseStatus = status;
  request.method = 'GET';
  request.url = request.originalUrl = formPage;
  request.app(request, response);
  return true;
}

/** The page that answers shows what was typed, without a refusal. */
export function keepTyped(request: PortalRequest, action: string, fields: Readonly<Record<string, unknown>>): void {
  request.refusedForm = { action, status: 200, reason: '', fields: visible(fields), isReasonShown: true };
}

/** Otherwise the user could not find the characters for which the form was refused. */
const visible = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? withVisibleControls(value) : value,
    ]),
  );

/** For handlers that must see a request once. */
export const unlessRefused =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    (request as PortalRequest).refusedForm === undefined ? handler(request, response, next) : next();
