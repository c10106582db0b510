import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/**
 * The router fails on a path whose escapes are no UTF-8, before anybody asked for credentials. Such a path names nothing,
 * so it is sent on as one that does: escaped once more, it matches what an id that is none matches.
 */
export function escapeUndecodablePath(request: ApiRequest, _response: ApiResponse, next: NextFunction): void {
  const { url } = request;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (path.includes('%') && !isDecodable(path)) request.url = path.replaceAll('%', '%25') + url.slice(path.length);
  next();
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
