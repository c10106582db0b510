import type { Request, Response } from 'express';
import type { Caller } from './caller';

/** A request as it travels through our own layers. */
export interface ApiRequest extends Request {
  requestId: string;
  caller?: Caller;
  /** The beacon that reports, where the route takes a beacon's credentials. */
  beaconId?: number;
  /** Until when it waits for a database that is away, on the clock of `performance`; set for patient operations. */
  retryDeadline?: number;
  /** The documented path of the route that took it, for logs and metrics: never an id. */
  routeTemplate?: string;
}

export interface ApiResponse extends Response {
  /** The status of this one answer, where it is not the one that its route declares. */
  responseStatus?: number;
}

/** What an audit entry keeps of the request that it came with. */
export const requestMetadata = (request: ApiRequest): Record<string, unknown> => ({
  request_id: request.requestId,
  ip: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, 300),
  api_key: request.caller?.key.accessKey,
});
