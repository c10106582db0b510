import { Injectable } from '@nestjs/common';
import { CHECKS, type ObservedExchange, type Via } from '../../engine';
import type { TraceContext } from '../../kernel/trace-context';
import { Tracer } from '../../platform/tracing/tracer';

interface TracedWork {
  readonly attempt: number;
  readonly trace?: TraceContext;
}

/** All checks that organizations wrote themselves, as in the metrics. */
const TEMPLATE = 'template';
const BUILT_IN: ReadonlySet<object> = new Set(CHECKS);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** The spans of exchanges with targets. Targets get nothing of a trace. */
@Injectable()
export class ExchangeTraces {
  constructor(private readonly tracer: Tracer) {}

  /** Undefined if the trace of the work is not sampled. */
  observerOf({ trace, attempt }: TracedWork): Via['observe'] {
    if (!this.tracer.observes(trace)) return undefined;
    return ({ kind, method, status, check, turn, isThroughBeacon, started, ms, waitedMs, failure }) => {
      const known = methodName(method);
      this.tracer.add(trace, {
        kind: 'client',
        name: `exchange ${known ?? kind}`,
        started,
        ms,
        attributes: {
          'assay.exchange.kind': kind,
          'assay.exchange.turn': turn,
          'assay.exchange.waited_ms': Math.round(waitedMs),
          'assay.exchange.through_beacon': isThroughBeacon,
          'assay.check': checkName(check),
          'assay.work.attempt': attempt,
          'http.request.method': known,
          'http.response.status_code': status,
          'error.type': failure,
        },
        failed: failure !== undefined,
      });
    };
  }
}

/** Organizations choose the methods in their checks. */
function methodName(method: string | undefined): string | undefined {
  return method === undefined || METHODS.has(method) ? method : '_OTHER';
}

function checkName(check: ObservedExchange['check']): string | undefined {
  return check === undefined || BUILT_IN.has(check) ? check?.id : TEMPLATE;
}
