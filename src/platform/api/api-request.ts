import type { Request, Response } from 'express';
import type { TraceContext } from '../../kernel/trace-context';
import type { Caller } from './caller';
import type { StandingAccess } from './standing-access';

/** The provider of an organization, which authenticates with its own token. */
export interface ProviderRequest {
  readonly providerId: string;
  readonly organizationId: number;
}

/** An Express request with the data that the layers of the service add. */
export interface ApiRequest extends Request {
  requestId: string;
  /** Of its span; while traces are off the context that the caller sent. */
  trace?: TraceContext;
  caller?: Caller;
  /** None before it is authenticated. */
  access?: StandingAccess;
  /** The reporting beacon, on operations with a beacon's credentials. */
  beaconId?: number;
  /** Instead of a caller, on routes for providers. */
  provider?: ProviderRequest;
  /** Until when it retries while the database is unavailable, by `performance.now()`. Set if `retriesWhileUnavailable`. */
  retryDeadline?: number;
  /** Whether a successful response gets an ETag. */
  hasEntityTag?: boolean;
  /** The documented path of the matching route, for logs and metrics. It never contains an id. */
  routeTemplate?: string;
}

export interface ApiResponse extends Response {
  /** The status of the response, if it differs from the one that the route declares. */
  responseStatus?: number;
}

/** The part of a request that its audit entry stores. */
export const requestMetadata = (request: ApiRequest): Record<string, unknown> => ({
  request_id: request.requestId,
  trace_id: request.trace?.traceId,
  ip: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, 300),
  api_key: request.caller?.facts.key?.accessKey,
});
