import type { NextFunction } from 'express';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import type { EndedRequest } from '../metrics/request-metrics';
import type { Log } from './log';

/**
 * Logs one line per request after its response, with the route template but without ids and parameters. `observe` is for
 * metrics and traces, with the same data.
 */
export function requestLog(log: Log, observe: (ended: EndedRequest, request: ApiRequest) => void) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const started = performance.now();
    // The portal answers a refused form with its page, as if that had been asked for.
    const { method } = request;
    response.once('close', () => {
      const ms = performance.now() - started;
      const route = routeOf(request);
      const status = response.writableFinished || response.statusCode === 101 ? response.statusCode : 499;
      observe({ method, route, status, ms }, request);
      log[response.statusCode >= 500 ? 'error' : 'info']({
        request_id: request.requestId,
        trace_id: request.trace?.traceId,
        method,
        route: route ?? '-',
        status,
        ms: Math.round(ms * 10) / 10,
        caller: request.caller?.facts.key?.accessKey,
        ip: request.ip,
      });
    });
    next();
  };
}

/** The documented path of an operation, or the pattern of another route. */
const routeOf = ({ routeTemplate, route }: ApiRequest): string | undefined =>
  routeTemplate ?? (route as { path?: string } | undefined)?.path;
