import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import type { Log } from './log';

/** Logs one line per request after its response, with the route template but without ids and parameters. */
export function requestLog(log: Log) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const started = performance.now();
    // The portal answers a refused form with its page, as if that had been asked for.
    const { method } = request;
    response.once('close', () => {
      const status = response.statusCode;
      log[status >= 500 ? 'error' : 'info']({
        request_id: request.requestId,
        method,
        route: request.routeTemplate ?? '-',
        status: response.writableFinished ? status : 499,
        ms: Math.round((performance.now() - started) * 10) / 10,
        caller: request.caller?.facts.key?.accessKey,
        ip: request.ip,
      });
    });
    next();
  };
}
