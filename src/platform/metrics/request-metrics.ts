import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics';

/** A request that has ended. */
export interface EndedRequest {
  readonly method: string;
  /** The template of its path; undefined for paths that no route has. */
  readonly route: string | undefined;
  /** 499 if the client disconnected before the whole response was sent. */
  readonly status: number;
  readonly ms: number;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Of paths that no route has. */
const NO_ROUTE = 'none';

@Injectable()
export class RequestMetrics {
  private readonly requests = this.metrics.counter({
    name: 'assay_http_requests_total',
    help: 'Requests that ended. Status 499: the client disconnected before the whole response was sent',
    labels: { server: ['api', 'portal'], method: METHODS, route: 'declared in code', status: 'declared in code' },
  });
  private readonly durations = this.metrics.histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labels: { server: ['api', 'portal'], method: METHODS, route: 'declared in code' },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  /** A connection of an address that has too many. */
  readonly connectionRefused = this.metrics.counter({
    name: 'assay_connections_refused_total',
    help: 'Connections that were refused, because their address had CONNECTIONS_PER_ADDRESS open ones',
    labels: { server: ['api', 'portal'] },
  });

  constructor(private readonly metrics: Metrics) {}

  observe(server: 'api' | 'portal', { method, route = NO_ROUTE, status, ms }: EndedRequest): void {
    this.requests({ server, method, route, status: String(status) });
    this.durations({ server, method, route }, ms / 1_000);
  }
}
