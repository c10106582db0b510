import { Injectable } from '@nestjs/common';
import type { NextFunction } from 'express';
import { parseTraceContext, traceparentOf } from '../../kernel/trace-context';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import type { EndedRequest } from '../metrics/request-metrics';
import { type Span, Tracer } from './tracer';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The spans of HTTP requests. */
@Injectable()
export class RequestTraces {
  private readonly spans = new WeakMap<ApiRequest, Span>();

  constructor(private readonly tracer: Tracer) {}

  /** A middleware: takes the context of the caller, and names the trace in the response. */
  readonly begin = (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const { traceparent, tracestate } = request.headers;
    const span = this.tracer.startRequest(parseTraceContext(traceparent, tracestate));
    const { context } = span;
    if (context !== undefined) {
      request.trace = context;
      response.setHeader('Traceresponse', traceparentOf(context));
      if (context.sampled) this.spans.set(request, span);
    }
    next();
  };

  end(request: ApiRequest, server: 'api' | 'portal', { method, route, status }: EndedRequest): void {
    const span = this.spans.get(request);
    if (span === undefined) return;
    const known = METHODS.has(method);
    span.end({
      name: [known ? method : 'HTTP', route].filter(Boolean).join(' '),
      attributes: {
        'http.request.method': known ? method : '_OTHER',
        'http.route': route,
        'http.response.status_code': status,
        'assay.server': server,
        'assay.request_id': request.requestId,
      },
      failed: status >= 500,
    });
  }
}
