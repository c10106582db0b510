import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { requestArgument } from './request-argument';
import { type ApiRequest, requestMetadata } from '../api/api-request';
import type { Caller } from '../api/caller';

export function callerOf({ caller }: ApiRequest): Caller {
  if (caller === undefined) throw new Error('a route asks for its caller on an operation without authentication');
  return caller;
}

/** The authenticated caller. */
export const CurrentCaller = requestArgument<void>(callerOf);

/** The authenticated beacon, with the request metadata for the audit log. */
export const CurrentBeacon = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  if (request.beaconId === undefined)
    throw new Error('a route asks for its beacon on an operation that does not authenticate beacons');
  return { id: request.beaconId, metadata: requestMetadata(request) };
});
