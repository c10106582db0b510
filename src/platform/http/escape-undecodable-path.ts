import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';

/**
 * The router rejects a path whose escapes are not UTF-8 before authentication. Escaping it again lets it match like an
 * invalid id.
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
